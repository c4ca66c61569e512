/** Dialog for the server's address, shown when the page has no valid token. */

import { h } from "./dom.js";
import { openForm } from "./form_dialog.js";
import { WRONG_TOKEN } from "./requests.js";

export function askForToken(dialog) {
  const address = h("input", { id: "address", autocomplete: "off", spellcheck: false });
  const label = h("label", { for: "address" }, "Paste the address that your own holdem serve has printed, or its token. If none runs, start holdem serve in a terminal and paste the address that it prints. All that the link holds is kept.");
  openForm(dialog, "The address of your server", [h("p", {}, WRONG_TOKEN), label, address], "Open", () => {
    const found = /^(?:(http:[^?#]+)[?]token=)?([\w-]{20,})(?:#.*)?$/.exec(address.value.trim());
    if (!found) return "This is neither an address that holdem serve prints nor a token.";
    const url = `${found[1] ?? `${location.origin}/`}?token=${found[2]}`;
    if (url === location.href.replace(/#.*/, "")) return "This is the address of this page. Paste the one that holdem serve printed last.";
    location.href = url + location.hash;
  });
}
