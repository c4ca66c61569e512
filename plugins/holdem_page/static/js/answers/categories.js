/** Categories: what a player's hand is at showdown, and whether it wins. */

import { details, estimates } from "../answer.js";
import { h } from "../dom.js";
import { capital } from "../numbers.js";
import { playerName } from "../state.js";
import { measured, rounded } from "./figures.js";
import { headRow, row, table } from "./tables.js";

export const id = "categories";
export const title = "Categories";
export const load = () => details("category");
export const estimate = () => estimates("category");

const OUTCOMES = ["win", "tie", "lose"];

export function build(body) {
  const legend = h("p", { className: "legend" },
    ...OUTCOMES.map((name) => h("span", {}, h("span", { className: `swatch ${name}` }), name)));

  return function draw(equity, { player }) {
    const records = [...equity.players[player].by_category].reverse();
    const shown = table(headRow(`${capital(playerName(player))}, in %`, "", "of deals", ...OUTCOMES), records.map(line), "categories");
    shown.ariaLabel = `Categories of ${playerName(player)} at showdown`;
    body.replaceChildren(legend, shown);
  };
}

function line(record) {
  const { category, share, share_stderr: error } = record;
  const bar = h("span", { className: "bar outcomes" });
  bar.append(...OUTCOMES.map((name) => {
    const part = h("span", { className: name });
    part.style.width = `${100 * share * (record[name] ?? 0)}%`;
    return part;
  }));
  return Object.assign(row(category, bar, rounded(share), ...OUTCOMES.map((name) => rounded(record[name]))), {
    className: share ? "" : "none", title: `${category}: ${measured(share, error)}, equity ${measured(record.equity, record.stderr)}`,
  });
}
