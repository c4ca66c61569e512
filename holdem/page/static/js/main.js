/** Put the parts of the page together. Each part exports mount(element). */

import { mount as mountAnswers } from "./answers/panel.js";
import { mount as mountCopyMenu } from "./copy_menu.js";
import { mount as mountHeatMap } from "./heat_map.js";

const part = (id) => document.getElementById(id);

mountAnswers(part("answers"));
mountCopyMenu(part("copy-menu"));
// The heat map has its switch and legend in #heat, and colours the cells of the editor.
mountHeatMap(part("heat"), null);
