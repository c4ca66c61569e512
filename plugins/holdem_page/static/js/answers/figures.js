/** Shares and equities as text and as bars, and the figures of a set of combos. */

import { h } from "../dom.js";
import { percent } from "../numbers.js";

/** Half the width of a 95 % interval in standard errors. */
const Z95 = 1.96;

/** "52.3" for 0.5234; a dash where there is no figure. */
export const rounded = (share, digits = 1) => (share === null ? "–" : percent(share, digits));

/** "52.34 %", or "52.34 ± 0.05 %" with half a 95 % interval if the figure is sampled. */
export function measured(share, stderr, digits = 2) {
  const error = stderr ? ` ± ${percent(Z95 * stderr, digits)}` : "";
  return `${rounded(share, digits)}${error}\u00a0%`;
}

/** " ±0.4", half a 95 % interval, of a sampled figure; nothing for an exact one. */
export const margin = (stderr) => (stderr ? `\u00a0±${percent(Z95 * stderr, 1)}` : "");

/** A share or an equity as a part of a track that stands for all. */
export function bar(share) {
  const fill = h("span", { className: "bar-fill" });
  fill.style.width = `${100 * share}%`;
  return h("span", { className: "bar" }, fill);
}

/** "12", or "1.5" where weights make it a fraction. */
export const weightText = (number) => String(Math.round(100 * number) / 100);

/**
 * @typedef {{combo: string, weight: number, equity: number | null, stderr: number | null, mass: number}} ComboRow
 *   `mass`: how often the player holds the combo; exact deals leave out its weight, sampled ones were drawn with it
 */

export const comboRows = (equity, player) =>
  equity.players[player].by_combo.map((row) => ({
    ...row,
    mass: equity.exact ? row.weight * row.deals : row.deals,
  }));

/**
 * Of some combos: number, share of the range by weight, equity with its standard error, 0 if exact. The variance of a
 * sampled equity is that within combos, which the answer has, and that between them: how often each is held is sampled.
 */
export function figures(rows, chosen) {
  const total = sum(rows, (row) => row.weight);
  const held = rows.filter((row) => chosen.has(row.combo));
  const known = held.filter((row) => row.equity !== null);
  const mass = sum(known, (row) => row.mass);
  const weight = sum(held, (row) => row.weight);
  const equity = mass ? sum(known, (row) => row.mass * row.equity) / mass : null;
  const squares = sum(known.filter((row) => row.stderr), (row) =>
    (row.mass * row.stderr) ** 2 + row.mass * (row.equity - equity) ** 2);
  const stderr = mass ? Math.sqrt(squares) / mass : 0;
  return { weight, share: total ? weight / total : 0, equity, stderr };
}

/** "34 combos, 21.4 %, equity 63.1 %", or "… equity 63.1 ± 0.4 %" */
export function described({ weight, share, equity, stderr }) {
  const combos = `${weightText(weight)} combo${weight === 1 ? "" : "s"}`;
  return `${combos}, ${rounded(share)}\u00a0%, equity ${measured(equity, stderr, 1)}`;
}

const sum = (rows, value) => rows.reduce((total, row) => total + value(row), 0);
