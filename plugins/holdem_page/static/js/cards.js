/**
 * Cards, combos and the 169 classes of starting hands.
 *
 * A card is text such as "Ks". A combo is two cards, the higher one first, as the engine prints
 * it: "AsKd". A class is "AA", "AKs" or "AKo".
 */

import { h } from "./dom.js";

/** The ranks of the deck; the server writes those of other decks into the page. */
export const RANKS = document.querySelector('meta[name="ranks"]')?.content ?? "AKQJT98765432";
document.documentElement.style.setProperty("--ranks", RANKS.length);
export const SUITS = "shdc";

export const SUIT_INFO = {
  s: { symbol: "♠", name: "spades" },
  h: { symbol: "♥", name: "hearts" },
  d: { symbol: "♦", name: "diamonds" },
  c: { symbol: "♣", name: "clubs" },
};

const RANK_NAMES = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight",
  7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two",
};

/** The cards, suit by suit, aces first. */
export const CARDS = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** The cards by rank: equal ranks stand side by side. */
export const DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));

/** The classes in the order of the grid: row by row, suited hands above the diagonal. */
export const CLASSES = [...RANKS].flatMap((first, row) =>
  [...RANKS].map((second, column) => {
    if (row === column) return first + second;
    return row < column ? `${first}${second}s` : `${second}${first}o`;
  }),
);

const order = (card) => 4 * RANKS.indexOf(card[0]) + SUITS.indexOf(card[1]);

export const isCard = (card) =>
  card.length === 2 && RANKS.includes(card[0]) && SUITS.includes(card[1]);

/** "K♠" for "Ks". */
export const cardSymbol = (card) => card[0] + SUIT_INFO[card[1]].symbol;

/** "king of spades" for "Ks". */
export const cardName = (card) => `${RANK_NAMES[card[0]]} of ${SUIT_INFO[card[1]].name}`;

/** Rank and coloured symbol of a card as an element; what is not a card is shown as it is. */
export function cardElement(card) {
  if (!isCard(card)) return h("span", { textContent: card });
  return h("span", { className: `card-text suit-${card[1]}` }, card[0], h("span", { className: "suit", textContent: SUIT_INFO[card[1]].symbol }));
}

export const comboText = (a, b) => (order(a) < order(b) ? a + b : b + a);

export const cardsOf = (combo) => [combo.slice(0, 2), combo.slice(2)];

function classOf(combo) {
  const [a, b] = cardsOf(combo);
  if (a[0] === b[0]) return a[0] + b[0];
  return a[0] + b[0] + (a[1] === b[1] ? "s" : "o");
}

const combosByClass = new Map(CLASSES.map((name) => [name, []]));
DECK.forEach((a, index) => {
  for (const b of DECK.slice(index + 1)) combosByClass.get(classOf(a + b)).push(a + b);
});

/** The 4, 6 or 12 combos of a class, as the engine prints them. */
export const combosOf = (name) => combosByClass.get(name);

/** Cards from text as people type it: "ks 7d,2c", "10h", "K♠". What is not a card is kept, to be marked. */
export function parseCards(text) {
  const plain = text
    .replace(/[♠♤]/g, "s").replace(/[♥♡]/g, "h").replace(/[♦♢]/g, "d").replace(/[♣♧]/g, "c")
    .replace(/10(?=\s*[shdc])/gi, "T");
  return (plain.match(/[2-9tjqka][shdc]|[^\s,;]+?(?=[2-9tjqka][shdc]|[\s,;]|$)/gi) ?? []).map(
    (token) => {
      const card = token[0].toUpperCase() + token.slice(1).toLowerCase();
      return isCard(card) ? card : token;
    },
  );
}
