/** Next card: the equity of a player after each card that can come. */

import { details, getQuestion } from "../answer.js";
import { DECK, RANKS, SUITS, SUIT_INFO, cardElement, cardName, cardSymbol } from "../cards.js";
import { h, roveFocus } from "../dom.js";
import { colourAt, heatScale } from "../heat_map.js";
import { capital } from "../numbers.js";
import { ask } from "../requests.js";
import { isAdded, isSelected, subscribe, toggle } from "../selection.js";
import { getState, playerName, update } from "../state.js";
import { comboRows, margin, measured, rounded } from "./figures.js";
import { runouts } from "./runouts.js";

export const id = "next-card";
export const title = "Next card";

/** The change of equity from which on a colour is the strongest. */
const REACH = 0.05;
/** Cards in a line of the best and worst, and lines. */
const LINES = 4;

export const isShown = ({ board }) => board.length > 0 && board.length < 5;

export const load = () => details("next-card");

export function build(body) {
  const cells = new Map(DECK.map((card) => [card, h("button", { role: "gridcell", "data-card": card })]));
  const head = h("div", { role: "row" }, h("span", { role: "columnheader" }, h("span", { className: "unseen" }, "rank")),
    ...[...SUITS].map((suit) => h("span", { role: "columnheader", className: `suit-${suit}`, "aria-label": SUIT_INFO[suit].name }, SUIT_INFO[suit].symbol)));
  const rows = [...RANKS].map((rank) => h("div", { role: "row" }, h("span", { role: "rowheader" }, rank),
    ...[...SUITS].map((suit) => cells.get(rank + suit))));
  const grid = h("div", { role: "grid", className: "cards-grid" }, head, ...rows);
  const scale = heatScale();
  const detail = h("p", { className: "detail", "aria-live": "polite" });
  const put = h("button", { hidden: true });
  const matrix = runouts();
  const lists = h("div", { className: "best-worst" });
  body.append(h("div", { className: "next-cards" }, grid, h("div", {}, scale.element, lists)), h("div", { className: "detail-row" }, detail, put), matrix.element);

  /** What is drawn: the report, the player, and figures by card. */
  let shown = null;
  let chosen = null;
  /** What the cards of this question select, once it is known. */
  const parts = new Map();
  /** Cards that were chosen and wait for their combos, and the click of the first. */
  const waiting = new Set();
  let first = null;
  let running = new AbortController();

  function draw(equity, context) {
    const { player, state } = context;
    matrix.show(context);
    const records = new Map(equity.by_next_card.map((record) => [record.card, record]));
    const { equity: now, stderr: nowError } = equity.players[player];
    shown = { records, player, now, nowError, board: state.board };
    grid.ariaLabel = `Equity of ${playerName(player)} after each next card`;
    for (const [card, cell] of cells) {
      const record = records.get(card);
      cell.classList.toggle("impossible", !record);
      cell.ariaDisabled = !record;
      cell.textContent = record ? rounded(record.equity[player]) : "";
      cell.style.background = record ? colourAt((record.equity[player] - now) / REACH) : "";
      cell.ariaLabel = record ? textOf(card) : `${cardName(card)}, cannot come`;
    }
    scale.label(`−${100 * REACH}`, `${rounded(now)}\u00a0%`, `+${100 * REACH}`);
    parts.clear();
    waiting.clear();
    mark(null);
    lists.replaceChildren(...bestAndWorst(equity.by_next_card, player));
  }

  function textOf(card) {
    const { records, player, now, nowError } = shown;
    const record = records.get(card);
    const [then, error] = [record.equity[player], record.stderr[player]];
    const change = `${then < now ? "−" : "+"}${rounded(Math.abs(then - now))}`;
    const spread = margin(Math.hypot(error, nowError)); // the deals with the card are others
    return `${cardName(card)}: ${measured(then, error)}, ${change}${spread} points`;
  }

  /** Show the figures of a card under the pointer, with the focus, or chosen. */
  function say(card) {
    const name = shown.records.has(card) ? textOf(card) : "";
    detail.textContent = name ? capital(name) : `${capital(playerName(shown.player))} has ${measured(shown.now, shown.nowError)} now. Blue cards raise it, red ones lower it.`;
    put.hidden = !chosen;
    if (chosen) put.textContent = `Put ${cardSymbol(chosen)} on the board`;
  }

  function mark(card) {
    chosen = card;
    for (const [each, cell] of cells) {
      cell.ariaSelected = each === chosen || waiting.has(each) || isSelected(shown.player, "next", parts.get(each)?.name);
    }
    say(chosen);
  }

  /** Choose a card, and select the combos that are better off with it; or end that. */
  async function choose(card, event) {
    const { player, board } = shown;
    const isEnded = waiting.delete(card);
    if (!isAdded(event)) {
      waiting.clear();
      running.abort();
      running = new AbortController();
    }
    if (!waiting.size) first = event;
    if (!isEnded) waiting.add(card);
    mark(isEnded || isSelected(shown.player, "next", parts.get(card)?.name) ? null : card);
    const question = getQuestion();
    const then = { ...question, board: question.board + card, by: ["combo"] };
    try {
      if (!isEnded && !parts.has(card)) {
        const [before, after] = await Promise.all([details("combo"), ask("equity", then, { signal: running.signal })]);
        const isSame = shown.board === board && JSON.stringify(question) === JSON.stringify(getQuestion());
        if (!isSame || getState().active !== player) return;
        parts.set(card, { kind: "next", name: cardSymbol(card), combos: gaining(before, after, player), rows: comboRows(before, player) });
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      waiting.delete(card);
      detail.textContent = error.message;
    }
    // All at once: a click that adds nothing would end a choice whose combos came sooner.
    if ([...waiting].some((each) => !parts.has(each))) return;
    for (const each of waiting) {
      waiting.delete(each);
      toggle(player, parts.get(each), first);
      first = { ctrlKey: true };
    }
  }

  grid.addEventListener("click", (event) => {
    const card = event.target.closest("[data-card]")?.dataset.card;
    if (shown.records.has(card)) choose(card, event);
  });
  grid.addEventListener("pointerover", (event) => say(event.target.dataset.card ?? chosen));
  grid.addEventListener("pointerleave", () => say(chosen));
  grid.addEventListener("focusin", (event) => say(event.target.dataset.card));
  grid.addEventListener("focusout", () => say(chosen));
  roveFocus(grid, () => [...cells.values()], SUITS.length);
  put.addEventListener("click", () => {
    const board = [...getState().board, chosen];
    update({ board });
    document.querySelector("#answers [role=tab][aria-selected=true]").focus(); // on the river, another one
  });
  subscribe(() => {
    if (!shown) return;
    const isGone = parts.has(chosen) && !waiting.has(chosen) && !isSelected(shown.player, "next", parts.get(chosen).name);
    mark(isGone ? null : chosen);
  });
  return draw;
}

/** The combos whose equity rises, beyond two standard errors where it is sampled. */
function gaining(before, after, player) {
  const rows = new Map(before.players[player].by_combo.map((row) => [row.combo, row]));
  const better = after.players[player].by_combo.filter(({ combo, equity, stderr }) => {
    const old = rows.get(combo);
    if (equity === null || !old || old.equity === null) return false;
    return equity - old.equity > 2 * Math.hypot(stderr, old.stderr) + 1e-9;
  });
  return new Map(better.map(({ combo, weight }) => [combo, weight]));
}

/** Two lists: the cards with the highest and the lowest equities; equal ones share a line. */
function bestAndWorst(records, player) {
  const sorted = [...records].reverse().sort((a, b) => b.equity[player] - a.equity[player]);
  const lines = [];
  for (const record of sorted) {
    const last = lines.at(-1)?.[0];
    const isEqual = last && Math.abs(last.equity[player] - record.equity[player]) < 1e-9;
    if (isEqual) lines.at(-1).push(record);
    else lines.push([record]);
  }
  const best = lines.slice(0, LINES);
  const worst = lines.slice(LINES).slice(-LINES).reverse();
  return [[`Best for ${playerName(player)}`, best], ["Worst", worst]].filter(([, own]) => own.length).map(([name, own]) =>
    h("section", {}, h("h2", {}, name), h("ol", {}, ...own.map((line) => h("li", {},
      h("span", { className: "cards" }, ...line.map((record) => cardElement(record.card))),
      h("span", {}, measured(line[0].equity[player], line[0].stderr[player], 1)))))));
}
