/** A line above the reports: whose range has more equity, and who holds more of the strongest. */

import { details, getQuestion, subscribe as onAnswer } from "../answer.js";
import { capital } from "../numbers.js";
import { playerName, subscribe as onState } from "../state.js";
import { rounded } from "./figures.js";

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
  const shares = equity.nut_shares;
  const [ahead, behind] = [...equities.keys()].sort((a, b) => equities[b] - equities[a]);
  const nuts = shares.indexOf(Math.max(...shares));
  const isEven = rounded(equities[ahead]) === rounded(equities[behind]);
  const range = isEven ? `Even: ${rounded(equities[ahead])}\u00a0% each`
    : `${capital(playerName(ahead))} has more equity: ${rounded(equities[ahead])}\u00a0%`;
  const best = `${rounded(shares[nuts], 0)}\u00a0% of the strongest tenth of hands`;
  return !isEven && nuts === ahead ? `${range}, and ${best}.` : `${range}; ${playerName(nuts)} has ${best}.`;
}
