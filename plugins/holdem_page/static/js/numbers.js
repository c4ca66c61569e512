/** Numbers as people read them. */

/** "Player 1" for "player 1". */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** "52.31" for 0.5231. */
export const percent = (share, digits = 2) => (100 * share).toFixed(digits);

/** Half the width of a player's 95 % interval: "0.05". */
export const halfWidth = (player) => percent((player.ci95[1] - player.ci95[0]) / 2);

/** "1,234,567", or "1.45e+20" where a double has not all digits. */
export const count = (number) => number > Number.MAX_SAFE_INTEGER ? number.toExponential(2) : withCommas.format(Math.round(number));
const withCommas = new Intl.NumberFormat("en");

/** "1 combo", "1,755 flops". */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

/** "3 ms" or "1.2 s". */
const duration = (seconds) =>
  seconds < 0.9995 ? `${Math.max(1, Math.round(1000 * seconds))}\u00a0ms` : `${seconds.toFixed(1)}\u00a0s`;

/** "exact · 1,234,567 deals · 3 ms" */
export function summaryOf(equity) {
  return [equity.exact ? "exact" : "sampled", `${count(equity.deals)}\u00a0deal${equity.deals === 1 ? "" : "s"}`,
    equity.exact_in ? `exact in about ${equity.exact_in}\u00a0s` : duration(equity.elapsed)].join(" · ");
}
