/** Two bars above the reports: how players share the equity, and how much of each range is among the strongest hands. */

import { details, getAnswer, getQuestion, subscribe as onAnswer } from "../answer.js";
import { h } from "../dom.js";
import { quietly } from "../requests.js";
import { ownColour, playerName, subscribe as onState } from "../state.js";
import { rounded } from "./figures.js";

/** More figures have no room beside their bar. */
const MOST = 3;

export function mountSummary(element) {
  let asked = null;
  /** The report with the shares of the strongest hands; null unless it is exact. */
  let strongest = null;

  function line(name, shares, isExact, what) {
    const figures = shares.map((share) => rounded(share, 0));
    const parts = shares.map((share, index) => {
      const part = h("i", { className: `series-${index}` });
      part.style.flexGrow = 100 * share;
      part.style.setProperty("--own", ownColour(index));
      return part;
    });
    const row = h("div", { title: `${what}: ${shares.map((share, index) => `${playerName(index)} ${rounded(share)}\u00a0%`).join(", ")}` },
      h("span", {}, name), h("b", {}, shares.length > MOST ? "" : `${isExact ? "" : "≈\u00a0"}${figures.join(" : ")}`),
      h("span", { className: "versus" }, ...parts));
    row.hidden = new Set(figures).size === 1 && name === "nuts"; // as of two hands
    return row;
  }

  function draw() {
    const { equity } = getAnswer();
    element.replaceChildren(...(equity ? [line("equity", equity.players.map((player) => player.equity), equity.exact, "Share of the pot")] : []),
      ...(equity && strongest ? [line("nuts", strongest.nut_shares, true, "In the strongest tenth of all combos, of each range")] : []));
  }

  async function refresh() {
    const report = getQuestion() && details("combo");
    element.classList.toggle("old", !getAnswer().fresh || report !== asked);
    draw();
    if (report === asked) return;
    asked = report;
    const found = report && await quietly(report);
    if (asked !== report) return;
    strongest = found?.exact && !found.players.some(({ by_combo }) => by_combo.some(({ stderr }) => stderr)) ? found : null;
    element.classList.toggle("old", !found);
    draw();
  }
  onAnswer(refresh);
  onState(refresh);
}
