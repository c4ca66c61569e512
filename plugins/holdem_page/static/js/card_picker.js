/** All cards as buttons, a row for each suit. */

import { CARDS, RANKS, cardElement, cardName } from "./cards.js";
import { h, roveFocus } from "./dom.js";

export function cardPicker(label, onPick) {
  const buttons = new Map(CARDS.map((card) => [card, h("button", {
    className: "pick", "data-card": card, onclick: () => onPick(card),
  }, cardElement(card))]));
  const element = h("div", { className: "picker", role: "group", "aria-label": label }, ...buttons.values());
  roveFocus(element, () => [...buttons.values()], RANKS.length);
  return {
    element,
    focus: () => element.querySelector('[tabindex="0"]').focus(),
    show(chosen, taken) {
      for (const [card, button] of buttons) {
        button.ariaPressed = chosen.includes(card);
        button.classList.toggle("taken", taken.includes(card));
        button.ariaDisabled = taken.includes(card) && !chosen.includes(card);
        button.ariaLabel = cardName(card) + (taken.includes(card) ? ", taken" : "");
      }
    },
  };
}
