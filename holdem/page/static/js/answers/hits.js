/** Hits: what the range has on the board. A line selects its combos in the grid. */

import { details, getHits } from "../answer.js";
import { RANKS } from "../cards.js";
import { h, roveFocus } from "../dom.js";
import { keep, recall } from "../storage.js";
import { isSelected, renew, subscribe, toggle } from "../selection.js";
import { comboRows, described, figures, margin, rounded, weightText } from "./figures.js";

export const id = "hits";
export const title = "Hits";

/** Whether lines are finer: kickers, kinds of flush draws. */
const isFine = () => recall("fine") === "on";

/** @param {import("./panel.js").Context} context */
export async function load({ player }) {
  const [hits, equity] = await Promise.all([getHits(player, isFine()), details("combo")]);
  return { hits, rows: comboRows(equity, player) };
}

/**
 * @param {HTMLElement} body
 * @param {() => void} reload
 */
export function build(body, reload) {
  const fine = h("input", { type: "checkbox", checked: isFine() });
  fine.addEventListener("change", () => {
    keep("fine", fine.checked ? "on" : "off");
    reload();
  });
  const lines = h("div");
  const hasLines = h("label", { className: "fine" }, fine, h("span", {}, "Finer lines"));
  body.append(hasLines, lines);

  /** @type {import("../selection.js").Part[]} what the lines select */
  let parts = [];

  function line(name, group, kind, rows, player) {
    const combos = new Map(group.members.map(({ combo, weight }) => [combo, weight]));
    const part = { kind, name, combos, rows };
    parts.push(part);
    const found = figures(rows, combos);
    const button = h("button", {
      "aria-pressed": "false", "data-line": name, "data-kind": kind, title: `${name}: ${described(found)}`,
    }, name);
    button.addEventListener("click", (event) => toggle(player, part, event));
    return h("tr", {},
      h("th", { scope: "row" }, button),
      h("td", { className: "bar-cell" }, bar(group.share)),
      h("td", {}, weightText(group.combos)),
      h("td", {}, rounded(group.share)),
      h("td", {}, rounded(found.equity), h("small", {}, margin(found.stderr))),
    );
  }

  function groups(title, kind, found, { rows, player }) {
    const held = Object.entries(found).filter(([, group]) => group.combos > 0);
    if (!held.length) return [];
    const head = headRow(title, "combos", "share", "equity");
    return [table(head, held.map(([each, group]) => line(each, group, kind, rows, player)))];
  }

  function draw({ hits, rows }, { player }) {
    const was = document.activeElement?.dataset?.line;
    const place = [...body.querySelectorAll("[data-line]")].indexOf(document.activeElement);
    parts = [];
    hasLines.hidden = !Object.keys(hits.made).length;
    lines.replaceChildren(
      ...groups("Made hand", "made", hits.made, { rows, player }),
      ...groups("Draw", "draws", hits.draws, { rows, player }),
      h("p", { className: "note" }, aboutBackdoorDraws(hits)),
      becomes(hits),
    );
    resetStop();
    const left = [...body.querySelectorAll("[data-line]")];
    if (was) (left.find((each) => each.dataset.line === was) ?? left[Math.min(place, left.length - 1)])?.focus();
    renew(parts, "made", "draws");
    mark();
  }

  function mark() {
    for (const button of body.querySelectorAll("button[data-line]")) {
      const isChosen = isSelected(button.dataset.kind, button.dataset.line);
      button.setAttribute("aria-pressed", String(isChosen));
      button.closest("tr").classList.toggle("chosen", isChosen);
    }
  }
  subscribe(mark);
  const resetStop = roveFocus(body, () => [...body.querySelectorAll("button[data-line]")], 1);
  body.addEventListener("click", (event) => {
    const button = !event.target.closest("button") && event.target.closest("tr")?.querySelector("button");
    if (button) button.dispatchEvent(new MouseEvent("click", event));
  });
  return draw;
}

/**
 * What a backdoor draw needs, and which other draws nobody can have on this flop: with two hole
 * cards, a flush draw takes two cards of a suit on it, a straight draw two ranks of one straight.
 */
export function aboutBackdoorDraws({ board, draws }) {
  if (!draws["backdoor flush draw"]?.combos) return "";
  const ranks = board.map(([rank]) => RANKS.indexOf(rank));
  if (ranks.includes(0)) ranks.push(RANKS.length); // an ace is low, too
  const isNear = ranks.some((a) => ranks.some((b) => a !== b && Math.abs(a - b) < 5));
  const isRainbow = new Set(board.map(([, suit]) => suit)).size === 3;
  const missing = [
    ...(isRainbow ? ["flush draw (three different suits)"] : []),
    ...(isNear ? [] : ["straight draw (no two ranks in one straight)"]),
  ].join(" or a ");
  return `A backdoor flush draw needs both turn and river.${missing && ` On this flop, no hand has a ${missing}.`}`;
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
