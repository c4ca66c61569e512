/** Weights by combo, and what they mean for the 169 classes. */

import { CARDS, CLASSES, cardsOf, combosOf } from "./cards.js";

/** @typedef {Map<string, number>} Weights weight by combo, above 0 and at most 1 */

export const weightsOf = (range) =>
  new Map(range.combos.map(({ combo, weight }) => [combo, weight]));

/** The weights with another one for some combos; 0 takes them out. */
export function withWeight(weights, combos, weight) {
  const changed = new Map(weights);
  for (const combo of combos) {
    if (weight) changed.set(combo, weight);
    else changed.delete(combo);
  }
  return changed;
}

export const haveWeight = (weights, combos, weight) =>
  combos.every((combo) => Math.abs((weights.get(combo) ?? 0) - weight) < 1e-9);

/** Of a class: the mean weight, the number of its combos, and of those without a dead card. */
export function summary(weights, name, dead = new Set()) {
  const combos = combosOf(name);
  const total = combos.length;
  const weight = combos.reduce((sum, combo) => sum + (weights.get(combo) ?? 0), 0) / total;
  return { weight, total, left: combos.filter((combo) => isLive(combo, dead)).length };
}

export const isLive = (combo, dead) => !cardsOf(combo).some((card) => dead.has(card));

/** Sum of the weights of live combos, their number, and the number of all live combos. */
export function liveTotal(weights, dead) {
  const live = [...weights].filter(([combo]) => isLive(combo, dead));
  const cards = CARDS.length - dead.size;
  return { weight: live.reduce((sum, [, value]) => sum + value, 0), held: live.length, combos: (cards * (cards - 1)) / 2 };
}

/** Of the live combos of a range, the weight of those that share a card with a combo, and of those that share none. */
export function removal(weights, dead) {
  const live = new Map([...weights].filter(([combo]) => isLive(combo, dead)));
  const ofCard = new Map();
  let total = 0;
  for (const [combo, weight] of live) {
    total += weight;
    for (const card of cardsOf(combo)) ofCard.set(card, (ofCard.get(card) ?? 0) + weight);
  }
  // A combo itself holds both cards and is counted twice.
  const blocked = (combo) => cardsOf(combo).reduce((sum, card) => sum + (ofCard.get(card) ?? 0), 0) - (live.get(combo) ?? 0);
  return { blocked, free: (combo) => total - blocked(combo) };
}

export const token = (name, weight) => (weight === 1 ? name : `${name}:${weight}`);

/** A plain list of classes and combos with these weights; the reader makes it shorter. */
export function toTokens(weights) {
  const tokens = [];
  for (const name of CLASSES) {
    const combos = combosOf(name).filter((combo) => weights.has(combo));
    if (!combos.length) continue;
    const first = weights.get(combos[0]);
    if (haveWeight(weights, combosOf(name), first)) tokens.push(token(name, first));
    else tokens.push(...combos.map((combo) => token(combo, weights.get(combo))));
  }
  return tokens.join(",");
}

/** Two ranges as one: with the higher weight of each combo, without the combos of the other, or with the lower weight. */
export function combined(weights, other, how) {
  const result = { add: Math.max, subtract: (own, their) => (their ? 0 : own), intersect: Math.min }[how];
  const combos = [...new Set([...weights.keys(), ...other.keys()])];
  return new Map(combos.map((combo) => [combo, result(weights.get(combo) ?? 0, other.get(combo) ?? 0)])
    .filter(([, weight]) => weight > 0));
}
