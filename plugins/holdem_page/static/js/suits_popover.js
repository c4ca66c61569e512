/** The combos of one class in a small window, to paint suit by suit. */

import { SUITS, cardElement, cardName, cardSymbol, cardsOf, combosOf } from "./cards.js";
import { h, roveFocus } from "./dom.js";
import { openPopover } from "./popover.js";
import { haveWeight, isLive } from "./range_weights.js";

/** The options are functions, most of them what is asked of the editor; `describe` says what is known of the combos. */
export function suitsPopover({ weights, dead, brush, setBrush, describe, onPaint }) {
  const element = h("div", { className: "popover suits", popover: "manual", role: "dialog" });
  const detail = h("p", { className: "detail" });
  let words = new Map();

  function toggle(combos, weight = brush()) {
    onPaint(combos, haveWeight(weights(), combos, weight) ? 0 : weight);
    draw();
  }

  function draw() {
    for (const button of element.querySelectorAll("[data-combo]")) {
      const combo = button.dataset.combo;
      const weight = weights().get(combo) ?? 0;
      const left = isLive(combo, dead());
      button.style.setProperty("--weight", weight);
      button.ariaPressed = weight > 0;
      button.classList.toggle("dead", !left);
      const percent = weight > 0 && weight < 1 ? `${Math.round(100 * weight)}%` : "";
      button.lastChild.textContent = percent;
      button.classList.toggle("part", percent !== "");
      const name = cardsOf(combo).map(cardName).join(" and ");
      const known = weight && words.get(combo);
      button.ariaLabel = `${name}, ${Math.round(100 * weight)} %${left ? "" : ", blocked"}${known ? `, ${known}` : ""}`;
    }
  }

  /** Say what is known of the combo with the focus or under the pointer. */
  function say(combo) {
    const known = weights().has(combo) && words.get(combo);
    detail.textContent = known ? `${cardsOf(combo).map(cardSymbol).join(" ")} ${known}` : "";
  }
  const sayTarget = (event) => say(event.target.closest("[data-combo]")?.dataset.combo);
  element.addEventListener("focusin", sayTarget);
  element.addEventListener("pointerover", sayTarget);

  function comboButton(combo) {
    return h("button", { className: "combo", "data-combo": combo, onclick: () => toggle([combo]) },
      ...cardsOf(combo).map(cardElement), h("small"));
  }

  element.addEventListener("keydown", (event) => {
    const combo = event.target.dataset.combo;
    if (!combo || !/^[0-9]$/.test(event.key)) return;
    setBrush(event.key === "0" ? 1 : Number(event.key) / 10);
    onPaint([combo], brush());
    draw();
    event.preventDefault();
  });

  return {
    element,
    open(name, near) {
      const combos = combosOf(name);
      const suited = name.endsWith("s");
      const places = [...SUITS].flatMap((a) => [...SUITS].map((b) => combos.find((combo) => combo[1] === a && combo[3] === b)));
      const shown = suited ? combos : places;
      const grid = h("div", { className: "combos" }, ...shown.map((combo) => (combo ? comboButton(combo) : h("span"))));
      const all = (text, weight) => h("button", { className: "quiet", onclick: () => (onPaint(combos, weight()), draw()) }, text);
      element.ariaLabel = `Suits of ${name}`;
      element.replaceChildren(h("div", { className: "popover-head" }, h("strong", {}, name), all("All", brush), all("None", () => 0)), grid, detail);
      roveFocus(grid, () => [...grid.querySelectorAll("button")], suited ? Infinity : 3);
      words = new Map();
      draw();
      describe().then((known) => {
        words = known;
        draw();
        say(document.activeElement.dataset.combo);
      }, () => {}); // what is wrong is said elsewhere
      openPopover(element, near, grid.querySelector("button"));
    },
  };
}
