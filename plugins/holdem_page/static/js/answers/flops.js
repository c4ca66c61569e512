/** All flops of two ranges: means by texture, a search, and a list. A click puts a flop on the board. */

import { getQuestion, settled } from "../answer.js";
import { RANKS, cardElement } from "../cards.js";
import { saveFile } from "../copying.js";
import { h, redraw, roveFocus } from "../dom.js";
import { count, counted } from "../numbers.js";
import { change, pinnedFlops } from "../pin.js";
import { ask } from "../requests.js";
import { withoutExcerpt } from "../range_text.js";
import { update } from "../state.js";
import { bar, rounded } from "./figures.js";
import { clickRows, headRow, row, sortedBy, table } from "./tables.js";

export const id = "flops";
export const title = "Flops";
export const isShown = ({ board }) => board.length === 0;
export const missing = ({ players }) => (players.length === 2 ? "" : "Flops are compared for two players.");

/** Flops in the first request: few, so that some are shown at once. All others take little longer. */
const FIRST = 60;
const ALL = 22_100;
/** Lines that are added at a time, when one scrolls to the end. */
const LINES = 100;
/** Means that are listed: by what a search for their name finds. */
const TEXTURES = ["", "rainbow", "two-tone", "monotone", "unpaired", "paired", "trips", "connected"];
const HIGHS = [...RANKS].map((rank) => `${rank} high`);

/** Whether a flop fits each word of a search: "K72", "two-tone", "K high", "paired". */
function matcher(text) {
  const words = text.toLowerCase().replace(/([2-9tjqka])[ -]high/g, "$1high").split(/[\s,]+/).filter(Boolean);
  return ({ flop, suits, ranks, high, connected }) => words.every((word) => {
    if (word.endsWith("high")) return high.toLowerCase() === word[0];
    if (word === "connected") return connected;
    if (/^[2-9tjqka]{1,3}$/.test(word)) {
      const left = [...flop.toLowerCase()].filter((_, index) => index % 2 === 0);
      return [...word].every((rank) => left.includes(rank) && left.splice(left.indexOf(rank), 1));
    }
    return suits === word || ranks === word || (word.length > 2 && [suits, ranks].some((each) => each.startsWith(word)));
  });
}

/** The mean equities of some flops, and how many flops with all suits these are. */
function meanOf(flops, player) {
  let [deals, sum, number] = [0, 0, 0];
  for (const flop of flops) {
    const mass = flop.weight * flop.deals;
    number += flop.weight;
    deals += mass;
    sum += mass * flop.equity[player];
  }
  return { mean: deals ? sum / deals : null, number };
}

export const load = async (context) => context;

export function build(body) {
  const search = h("input", { type: "search", id: "flop-search", placeholder: "K72, two-tone, Q high", "aria-label": "Search flops", autocomplete: "off", spellcheck: false, oninput: () => fill() });
  const csv = h("button", { disabled: true, title: "All flops as a CSV file, as holdem flops -f csv prints them", onclick: save }, "CSV");
  const note = h("p", { className: "hint", id: "flop-note", role: "status" });
  const means = h("div", { className: "means" });
  const words = ({ suits, ranks, connected }) => [suits, ...(ranks === "unpaired" ? [] : [ranks]), ...(connected ? ["connected"] : [])].join(", ");
  const { heads, sorted } = sortedBy({
    Flop: ({ flop }) => [...flop].map((character, index) => (index % 2 ? 0 : -RANKS.indexOf(character))),
    equity: ({ equity }) => [equity[player]],
    texture: (flop) => [words(flop)],
  }, "equity", () => fill());
  const list = h("tbody");
  const head = h("tr", {}, heads[0], h("td"), h("th", { scope: "col" }, "flops"), ...heads.slice(1));
  const end = h("div", { className: "flops-end" });
  body.append(h("div", { className: "combo-tools" }, note, search, csv), means, h("table", { className: "lines flops" }, h("thead", {}, head), list), end);

  let found = [];
  let before = new Map();
  let chosen = [];
  let shown = 0;
  let next = 0;
  let total = 0;
  let player = 0;

  function fill() {
    chosen = sorted(found.filter(matcher(search.value)));
    const isDone = next >= total;
    const { mean, number } = meanOf(chosen, player);
    note.textContent = isDone ? `${counted(number, "flop")} in ${counted(chosen.length, "line")}, mean ${rounded(mean)}\u00a0%`
      : `${counted(chosen.length, "line")} of ${count(found.length)} so far; there are ${count(total)}`;
    csv.disabled = !isDone;
    shown = 0;
    redraw(list, () => (list.replaceChildren(), more()));
    redraw(means, fillMeans);
  }

  function more() {
    const lines = chosen.slice(shown, shown + LINES);
    shown += lines.length;
    list.append(...lines.map(line));
    if (shown === lines.length) resetStop();
  }
  new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && shown < chosen.length && more(), { rootMargin: "400px" }).observe(end);

  function line(flop) {
    const cards = flop.flop.match(/../g);
    const button = h("button", { "data-flop": flop.flop, title: "Put it on the board", onclick: () => update({ board: cards }) }, ...cards.map(cardElement));
    const own = flop.equity[player];
    return row(button, bar(own), count(flop.weight), [rounded(own), change(own, before.get(flop.flop)?.equity[player])], words(flop));
  }

  function fillMeans() {
    const old = [...before.values()];
    const mean = (name) => {
      const holds = matcher(name);
      const { mean: now, number } = meanOf(found.filter(holds), player);
      if (!number) return null;
      const then = old.length ? meanOf(old.filter(holds), player).mean : null;
      const isDone = next >= total; // those with high cards come first, so means of some would mislead
      const isChosen = search.value === name;
      const button = h("button", { "aria-pressed": isChosen, "aria-label": name || "all", onclick: () => ((search.value = isChosen ? "" : name), fill()) }, name.replace(" high", "") || "all");
      return Object.assign(row(button, isDone ? count(number) : "–", isDone ? [rounded(now), change(now, then)] : "–"), { className: isChosen && name ? "chosen" : "" });
    };
    means.replaceChildren(...[["Texture", TEXTURES], ["High", HIGHS.slice(0, 7)], ["High", HIGHS.slice(7)]].map(([name, each]) =>
      table(headRow(name, "flops", "mean"), each.map(mean).filter(Boolean))));
    means.classList.toggle("changed", means.querySelector(".delta") !== null);
  }
  clickRows(means);

  function save() {
    const lines = found.map(({ flop, weight, deals, high, suits, ranks, connected, exact, equity }) =>
      [flop, weight, deals, high, suits, ranks, connected, exact, ...equity].join(","));
    const head = "flop,weight,deals,high,suits,ranks,connected,exact,equity_1,equity_2";
    saveFile(new Blob([[head, ...lines, ""].join("\n")], { type: "text/csv" }), "holdem-flops.csv");
  }

  clickRows(list);
  const resetStop = roveFocus(list, () => [...list.querySelectorAll("button")], 1);

  return async function draw({ player: own, signal }) {
    player = own;
    note.textContent = "Computing …";
    csv.disabled = true;
    const asked = JSON.stringify(getQuestion());
    const { players, dead } = getQuestion();
    [found, next, total] = [[], 0, Infinity];
    before = new Map();
    pinnedFlops()?.then(({ flops }) => {
      if (signal.aborted) return;
      before = new Map(flops.map((flop) => [flop.flop, flop]));
      if (found.length) fill();
    }, () => {});
    try {
      await settled(signal);
      while (next < total && asked === JSON.stringify(getQuestion())) {
        const size = next ? ALL : FIRST;
        const part = await ask("flops", { players, dead, start: next, count: size }, { signal });
        next += size;
        total = part.total;
        found = [...found, ...part.flops];
        fill();
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.name !== "AskError") throw error;
      found = chosen = [];
      list.replaceChildren();
      means.replaceChildren();
      note.textContent = withoutExcerpt(error.message);
    }
  };
}
