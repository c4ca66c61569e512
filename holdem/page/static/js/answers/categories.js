/** Categories: what a player's hand is at showdown, and whether it wins. */

import { details, estimates } from "../answer.js";
import { h } from "../dom.js";
import { capital } from "../numbers.js";
import { playerName } from "../state.js";
import { measured, rounded } from "./figures.js";

export const id = "categories";
export const title = "Categories";
export const load = () => details("category");
export const estimate = () => estimates("category");

const OUTCOMES = ["win", "tie", "lose"];

/** @param {HTMLElement} body */
export function build(body) {
  const legend = h("p", { className: "legend" },
    ...OUTCOMES.map((name) => h("span", {}, h("span", { className: `swatch ${name}` }), name)));
  const title = h("th", { scope: "col" });
  const caption = h("caption", { className: "unseen" });
  const head = ["of deals", ...OUTCOMES].map((name) => h("th", { scope: "col" }, name));
  const rows = h("tbody");
  body.append(legend, h("table", { className: "lines categories" }, caption,
    h("thead", {}, h("tr", {}, title, h("td"), ...head)), rows));

  return function draw(equity, { player }) {
    const records = [...equity.players[player].by_category].reverse();
    title.textContent = `${capital(playerName(player))}, in %`;
    caption.textContent = `Categories of ${playerName(player)} at showdown`;
    rows.replaceChildren(...records.map(row));
  };
}

function row(record) {
  const { category, share, share_stderr: error } = record;
  const bar = h("span", { className: "bar outcomes" });
  bar.append(...OUTCOMES.map((name) => {
    const part = h("span", { className: name });
    part.style.width = `${100 * share * (record[name] ?? 0)}%`;
    return part;
  }));
  const title = `${category}: ${measured(share, error)}, equity ${measured(record.equity, record.stderr)}`;
  return h("tr", { className: share ? "" : "none", title },
    h("th", { scope: "row" }, category),
    h("td", { className: "bar-cell" }, bar),
    h("td", {}, rounded(share)),
    ...OUTCOMES.map((name) => h("td", {}, rounded(record[name]))));
}
