/** Cards as elements. */

import { SUIT_INFO, isCard } from "./cards.js";
import { h } from "./dom.js";

/** Rank and coloured symbol of a card; what is not a card is shown as it is. */
export function cardElement(card) {
  if (!isCard(card)) return h("span", { textContent: card });
  return h("span", { className: `card-text suit-${card[1]}` }, card[0], h("span", { className: "suit", textContent: SUIT_INFO[card[1]].symbol }));
}
