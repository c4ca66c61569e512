/** A line above the reports: whose range is ahead, and who holds more of the best hands. */

import { details, getQuestion, subscribe as onAnswer } from "../answer.js";
import { capital } from "../numbers.js";
import { playerName, subscribe as onState } from "../state.js";
import { comboRows, rounded } from "./figures.js";

/** The part of all hands that counts as the best. */
const BEST = 0.1;

/** @param {HTMLElement} line */
export function mountSummary(line) {
  let asked = null;

  async function refresh() {
    if (!getQuestion()) {
      line.textContent = "";
      asked = null;
      return;
    }
    const report = details("combo");
    asked = report;
    line.classList.add("old");
    try {
      const equity = await report;
      if (asked !== report) return;
      line.textContent = words(equity);
      line.classList.remove("old");
    } catch (error) {
      if (!["AskError", "AbortError"].includes(error.name)) throw error;
      if (asked === report && error.name === "AskError") line.textContent = ""; // said elsewhere
    }
  }
  onAnswer(({ fresh, pending, error }) => (error || (fresh && !pending)) && refresh());
  onState(refresh);
}

function words(equity) {
  const equities = equity.players.map((player) => player.equity);
  const shares = nutShares(equity);
  const [ahead, behind] = [...equities.keys()].sort((a, b) => equities[b] - equities[a]);
  const nuts = shares.indexOf(Math.max(...shares));
  const isEven = rounded(equities[ahead]) === rounded(equities[behind]);
  const range = isEven ? `Even: ${rounded(equities[ahead])}\u00a0% each`
    : `${capital(playerName(ahead))} is ahead: ${rounded(equities[ahead])}\u00a0%`;
  if (shares.some(Number.isNaN)) return `${range}.`;
  const best = `${rounded(shares[nuts], 0)}\u00a0% of the best hands`;
  return !isEven && nuts === ahead ? `${range}, and ${best}.` : `${range}; ${playerName(nuts)} has ${best}.`;
}

/**
 * How the best tenth of all hands is shared among the players: their combos by equity, each range
 * counted alike.
 * @param {object} equity an answer with the report by combo
 * @returns {number[]}
 */
export function nutShares(equity) {
  const hands = equity.players.flatMap((_, player) => {
    const rows = comboRows(equity, player).filter((row) => row.equity !== null);
    const total = rows.reduce((sum, row) => sum + row.mass, 0);
    return rows.map((row) => ({ player, equity: row.equity, part: row.mass / total / equity.players.length }));
  });
  const shares = equity.players.map(() => 0);
  let left = BEST;
  for (const { player, part } of hands.sort((a, b) => b.equity - a.equity)) {
    const taken = Math.min(part, left);
    shares[player] += taken / BEST;
    left -= taken;
    if (left <= 0) break;
  }
  return shares;
}
