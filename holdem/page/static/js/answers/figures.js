/** Shares and equities as text, and the figures of a set of combos. */

import { percent } from "../numbers.js";

/** Half the width of a 95 % interval in standard errors. */
const Z95 = 1.96;

/** "52.3" for 0.5234; a dash where there is no figure. */
export const rounded = (share, digits = 1) => (share === null ? "–" : percent(share, digits));

/**
 * "52.34 %", or "52.34 ± 0.05 %" with half a 95 % interval if the figure is sampled.
 * @param {number | null} share
 * @param {number | null} stderr
 */
export function measured(share, stderr, digits = 2) {
  const error = stderr ? ` ± ${percent(Z95 * stderr, digits)}` : "";
  return `${rounded(share, digits)}${error}\u00a0%`;
}

/** "12", or "1.5" where weights make it a fraction. */
export const weightText = (number) => String(Math.round(100 * number) / 100);

/**
 * The rows of a report by combo, of one player, with what they count for.
 *
 * @typedef {{combo: string, weight: number, equity: number | null, mass: number}} ComboRow
 * `mass` is proportional to the probability that the player holds the combo: deals of an exact
 * answer leave out its weight, sampled deals were drawn with it.
 *
 * @param {object} equity an answer with the report by combo
 * @param {number} player
 * @returns {ComboRow[]}
 */
export const comboRows = (equity, player) =>
  equity.players[player].by_combo.map((row) => ({
    ...row,
    mass: equity.exact ? row.weight * row.deals : row.deals,
  }));

/**
 * The number of some combos, their share of a range by weight, and their equity.
 * @param {ComboRow[]} rows all combos of the range
 * @param {{has: (combo: string) => boolean}} chosen
 */
export function figures(rows, chosen) {
  const total = sum(rows, (row) => row.weight);
  const held = rows.filter((row) => chosen.has(row.combo));
  const known = held.filter((row) => row.equity !== null);
  const mass = sum(known, (row) => row.mass);
  const weight = sum(held, (row) => row.weight);
  const equity = mass ? sum(known, (row) => row.mass * row.equity) / mass : null;
  return { weight, share: total ? weight / total : 0, equity };
}

/** "34 combos, 21.4 %, equity 63.1 %" */
export function described({ weight, share, equity }) {
  const combos = `${weightText(weight)} combo${weight === 1 ? "" : "s"}`;
  return `${combos}, ${rounded(share)}\u00a0%, equity ${rounded(equity)}\u00a0%`;
}

const sum = (rows, value) => rows.reduce((total, row) => total + value(row), 0);
