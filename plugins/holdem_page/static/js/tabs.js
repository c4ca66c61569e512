/** On a narrow page one panel at a time. */

import { h, roveFocus } from "./dom.js";

/** A phone on its side has the range beside the tabs. */
const isBeside = matchMedia("(max-height: 499px) and (min-width: 640px)");
const TABS = { players: "Players", range: "Range", board: "Board", answers: "Answer" };

/** `main` gets the name of the shown panel. */
export function mount(element, main) {
  const buttons = Object.entries(TABS).map(([name, label]) =>
    h("button", { role: "tab", id: `tab-${name}`, textContent: label, "aria-controls": name, onclick: () => show(name) }));
  element.role = "tablist";
  element.ariaLabel = "Parts of the page";
  element.append(...buttons);
  roveFocus(element, () => buttons);

  function show(name) {
    if (name === "range" && isBeside.matches) name = main.dataset.tab?.replace("range", "answers") ?? "answers";
    main.dataset.tab = name;
    for (const button of buttons) button.ariaSelected = button.id === `tab-${name}`;
  }

  show("range");
  isBeside.addEventListener("change", () => show(main.dataset.tab));
  return { show };
}
