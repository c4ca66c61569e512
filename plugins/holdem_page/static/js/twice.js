/** Cards that the question uses twice. */

import { isCard, parseCards } from "./cards.js";

/** The two cards of a player who holds known cards, otherwise none. */
export function knownCards(text) {
  const cards = parseCards(text);
  return cards.length === 2 && cards.every(isCard) ? cards : [];
}

/** The cards that a player cannot have besides the board: dead ones, and those that others hold for certain. */
export function goneFor(player, players, board, dead) {
  const held = players.flatMap((text, other) => (other === player ? [] : knownCards(text)));
  return [...new Set([...dead, ...held])].filter((card) => !board.includes(card));
}

/** Cards that stand in two places: players with known cards, board, dead. */
export function cardsTwice({ players, board, dead }) {
  const all = [...players.flatMap(knownCards), ...board, ...dead].filter(isCard);
  return new Set(all.filter((card, index) => all.indexOf(card) !== index));
}

/** Where one of the cards stands in the text of a player with known cards, or null. */
export function placeOf(text, cards) {
  const symbols = { s: "s♠♤", h: "h♥♡", d: "d♦♢", c: "c♣♧" };
  for (const card of knownCards(text).filter((each) => cards.has(each))) {
    const [rank, suit] = card;
    const found = new RegExp(`${rank === "T" ? "(?:T|10)" : rank}\\s*[${symbols[suit]}]`, "i").exec(text);
    if (found) return { card, start: found.index, end: found.index + found[0].length };
  }
  return null;
}
