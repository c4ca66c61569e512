/** The combos of a cell beside the grid, while the mouse or the focus of keys rests on it. */

import { cardElement, cardsOf, combosOf } from "./cards.js";
import { comboFacts, factWords } from "./combo_facts.js";
import { h } from "./dom.js";
import { weightText } from "./answers/figures.js";
import { isLive } from "./range_weights.js";
import { quietly } from "./requests.js";
import { getState, subscribe } from "./state.js";

/** How long a mouse or the focus rests on a cell before it is shown, in milliseconds. */
const REST = 350;
const GAP = 8;

export function mountPeek(grid, weights) {
  const element = h("div", { id: "peek", className: "popover peek", popover: "manual", role: "tooltip" });
  document.body.append(element);
  let timer = 0;
  let shown = null;

  function hide() {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    shown = null;
    if (element.matches(":popover-open")) element.hidePopover();
  }

  /** Show a cell after a rest, unless something else happens in between. */
  function rest(cell) {
    if (cell === shown) return;
    hide();
    if (cell) timer = setTimeout(show, REST, cell);
  }

  async function show(cell) {
    if (document.querySelector("[popover]:popover-open, dialog[open]")) return;
    shown = cell;
    const name = cell.querySelector(".name").textContent;
    fill(name, new Map());
    element.showPopover();
    place(cell);
    cell.setAttribute("aria-describedby", element.id);
    const facts = await quietly(comboFacts(getState().active));
    if (!facts || shown !== cell) return;
    fill(name, facts);
    place(cell);
  }

  function fill(name, facts) {
    const { board, dead } = getState();
    const out = new Set([...board, ...dead]);
    const lines = combosOf(name).map((combo) => {
      const weight = weights().get(combo) ?? 0;
      const isDead = !isLive(combo, out);
      const words = isDead ? "blocked" : !weight ? "not in the range" : facts.has(combo) ? factWords(facts.get(combo)).join(", ") : "";
      return h("tr", { className: isDead ? "dead" : weight ? "" : "none" },
        h("th", { scope: "row" }, ...cardsOf(combo).map(cardElement)),
        h("td", {}, weight && !isDead ? weightText(weight) : ""), h("td", {}, words));
    });
    element.replaceChildren(h("strong", {}, name), h("table", {}, h("tbody", {}, ...lines)));
  }

  /** Beside the cell, on the side where there is room. */
  function place(cell) {
    const { offsetWidth: width, offsetHeight: height } = element;
    const { left, right, top } = cell.getBoundingClientRect();
    const beside = right + GAP + width < innerWidth ? right + GAP : left - GAP - width;
    element.style.left = `${Math.max(GAP, beside)}px`;
    element.style.top = `${Math.max(GAP, Math.min(innerHeight - height - GAP, top))}px`;
  }

  const cellOf = (event) => event.target.closest?.(".cell") ?? null;
  grid.addEventListener("pointermove", (event) => event.pointerType === "mouse" && rest(event.buttons ? null : cellOf(event)));
  grid.addEventListener("pointerdown", hide);
  grid.addEventListener("pointerleave", hide);
  grid.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && rest(cellOf(event)));
  grid.addEventListener("focusout", hide);
  grid.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    else if (grid.contains(document.activeElement)) queueMicrotask(() => rest(cellOf({ target: document.activeElement })));
  });
  subscribe(hide);
}
