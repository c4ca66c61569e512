/** A line above the reports: whose range has more equity, and how much of each is among the strongest. */

import { details, getQuestion, subscribe as onAnswer } from "../answer.js";
import { h } from "../dom.js";
import { quietly } from "../requests.js";
import { fullName, ownColour, playerName, subscribe as onState } from "../state.js";
import { Z95, comboRows, rounded } from "./figures.js";

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
    const equity = await quietly(report);
    if (asked !== report) return;
    line.replaceChildren(...(equity ? words(equity) : []));
    line.title = equity ? `${line.textContent}: how much of each range is in the strongest tenth of all combos of all players` : "";
    line.classList.toggle("old", !equity);
  }
  onAnswer(({ fresh, pending, error }) => (error || (fresh && !pending)) && refresh());
  onState(refresh);
}

/** Half the width of an interval. */
const half = ({ ci95: [low, high] }) => (high - low) / 2;

function words(equity) {
  const { players } = equity;
  const [ahead, behind] = [...players.keys()].sort((a, b) => players[b].equity - players[a].equity);
  const [best, next] = [players[ahead], players[behind]];
  const isEven = rounded(best.equity) === rounded(next.equity) || best.equity - next.equity <= half(best) + half(next);
  const range = isEven ? `Even: ${rounded(1 / players.length)}\u00a0% each`
    : `${players.length > 2 ? "Most" : "More"} equity: ${playerName(ahead)}`;
  const shares = strongestTenth(equity);
  if (!shares) return [range];
  const parts = shares.map((share, index) => {
    const part = h("span", { className: "part", title: `${fullName(index)}: ${rounded(share, 0)}\u00a0% of the range is in the strongest tenth` },
      h("span", { className: "unseen" }, ` ${playerName(index)} `), h("b", {}, rounded(share, 0)));
    part.style.setProperty("--own", ownColour(index));
    return part;
  });
  return [range, " · top tenth, %", ...parts];
}

/**
 * The share of each range that lies in the strongest tenth of all combos, or null if all shares are
 * equal, as far as sampled equities tell.
 */
function strongestTenth(equity) {
  const tables = equity.players.map((_, index) => comboRows(equity, index).filter((row) => row.equity !== null));
  const all = tables.flat().sort((a, b) => b.equity - a.equity);
  let left = sum(all) / 10;
  const least = all.find((row) => (left -= row.weight) <= 0).equity;
  const shareWhere = (rows, holds) => sum(rows.filter(holds)) / sum(rows);
  const intervals = tables.map((rows, index) => (equity.exact ? [equity.nut_shares[index], equity.nut_shares[index]] : [
    shareWhere(rows, (row) => row.equity - Z95 * row.stderr > least),
    shareWhere(rows, (row) => row.equity + Z95 * row.stderr >= least),
  ]));
  const [lowest, highest] = [Math.min(...intervals.map(([, high]) => high)), Math.max(...intervals.map(([low]) => low))];
  return rounded(highest, 0) !== rounded(lowest, 0) && highest > lowest ? equity.nut_shares : null;
}

const sum = (rows) => rows.reduce((total, { weight }) => total + weight, 0);
