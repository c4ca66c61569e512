/** A picker for the two cards of a player whose cards are known. */

import { cardPicker } from "./card_picker.js";
import { comboText } from "./cards.js";
import { h } from "./dom.js";
import { closePopover, openPopover } from "./popover.js";
import { knownCards } from "./twice.js";

export function knownCardsButton(current, taken, onChoose) {
  let chosen = [];
  const picker = cardPicker("Two cards", (card) => {
    if (taken().includes(card)) return;
    chosen = chosen.includes(card) ? chosen.filter((other) => other !== card) : [...chosen.slice(-1), card];
    picker.show(chosen, taken());
    if (chosen.length < 2) return;
    closePopover();
    onChoose(comboText(...chosen));
  });
  const popover = h("div", { className: "popover", popover: "manual", role: "dialog", "aria-label": "Two known cards" },
    h("div", { className: "popover-head" }, h("strong", { textContent: "Two known cards" })), picker.element);
  const button = h("button", {
    className: "opens", textContent: "Cards", "aria-haspopup": "dialog",
    onclick: () => {
      chosen = [];
      picker.show(knownCards(current()), taken());
      openPopover(popover, button, null);
      picker.focus();
    },
  });
  return h("span", { className: "menu-place" }, button, popover);
}
