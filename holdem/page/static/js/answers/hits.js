/** Hits: what the range has on the board. A line selects its combos in the grid. */

import { details, settled } from "../answer.js";
import { h, roveFocus } from "../dom.js";
import { ask } from "../requests.js";
import { clear, getSelection, select, subscribe } from "../selection.js";
import { comboRows, described, figures, margin, rounded, weightText } from "./figures.js";

export const id = "hits";
export const title = "Hits";

/** @param {import("./panel.js").Context} context */
export async function load({ state, player, signal }) {
  const { board, dead, players } = state;
  await settled(signal); // the equities come first
  const body = { range: players[player], board: board.join(""), dead: dead.join(""), members: true };
  const [hits, equity] = await Promise.all([ask("hits", body, { signal }), details("combo")]);
  return { hits, rows: comboRows(equity, player) };
}

/** @param {HTMLElement} body */
export function build(body) {
  /** The selection that a line has made, and the name of the line. */
  let chosen = null;

  function line(name, group, rows, player) {
    const combos = new Map(group.members.map(({ combo, weight }) => [combo, weight]));
    const found = figures(rows, combos);
    const label = `${name}: ${described(found)}`;
    const button = h("button", { "aria-pressed": "false", "data-line": name, title: label }, name);
    const choose = () => {
      if (chosen?.name === name && getSelection() === chosen.selection) return clear();
      chosen = { name, selection: { player, combos, label } };
      select(chosen.selection);
    };
    button.addEventListener("click", choose);
    if (chosen?.name === name && getSelection() === chosen.selection) {
      chosen.selection = { player, combos, label };
      queueMicrotask(() => select(chosen.selection));
    }
    return h("tr", {},
      h("th", { scope: "row" }, button),
      h("td", { className: "bar-cell" }, bar(group.share)),
      h("td", {}, weightText(group.combos)),
      h("td", {}, rounded(group.share)),
      h("td", {}, rounded(found.equity), h("small", {}, margin(found.stderr))),
    );
  }

  function groups(name, found, { rows, player }) {
    const lines = Object.entries(found).filter(([, group]) => group.combos > 0);
    if (!lines.length) return [];
    const head = headRow(name, "combos", "share", "equity");
    return [table(head, lines.map(([each, group]) => line(each, group, rows, player)))];
  }

  function draw({ hits, rows }, { player }) {
    const was = document.activeElement?.dataset?.line;
    body.replaceChildren(
      ...groups("Made hand", hits.made, { rows, player }),
      ...groups("Draw", hits.draws, { rows, player }),
      becomes(hits),
    );
    resetStop();
    if (was) find(was)?.focus();
    if (chosen && getSelection() === chosen.selection && !find(chosen.name)) clear();
    mark();
  }

  const find = (name) => body.querySelector(`[data-line="${name}"]`);

  function mark() {
    for (const button of body.querySelectorAll("button[data-line]")) {
      const isChosen = chosen?.name === button.dataset.line && getSelection() === chosen.selection;
      button.setAttribute("aria-pressed", String(isChosen));
      button.closest("tr").classList.toggle("chosen", isChosen);
    }
  }
  subscribe(mark);
  const resetStop = roveFocus(body, () => [...body.querySelectorAll("button[data-line]")], 1);
  body.addEventListener("click", (event) => {
    if (!event.target.closest("button")) event.target.closest("tr")?.querySelector("button")?.click();
  });
  return draw;
}

/** How often each category is made. */
function becomes({ by_next_card: next, by_river: river, board }) {
  const hasTwo = board.length === 3;
  const rows = Object.entries(river).filter(([, share]) => share > 0).map(([name, share]) =>
    h("tr", {},
      h("th", { scope: "row" }, name),
      h("td", { className: "bar-cell" }, bar(share)),
      ...(hasTwo ? [h("td", {}, rounded(next[name]))] : []),
      h("td", {}, rounded(share)),
    ));
  const columns = hasTwo ? ["next card", "river"] : [board.length === 5 ? "now" : "river"];
  return table(headRow("Category", ...columns), rows);
}

const headRow = (name, ...columns) =>
  h("tr", {}, h("th", { scope: "col" }, name), h("td"),
    ...columns.map((column) => h("th", { scope: "col" }, column)));

const table = (head, rows) => h("table", { className: "lines" }, h("thead", {}, head), h("tbody", {}, ...rows));

/** A bar from 0 to 1. */
function bar(share) {
  const fill = h("span", { className: "bar-fill" });
  fill.style.width = `${100 * share}%`;
  return h("span", { className: "bar" }, fill);
}
