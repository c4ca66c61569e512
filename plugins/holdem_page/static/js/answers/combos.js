/**
 * Combos: each of the range with its equity and what it has, or of those that are selected
 * elsewhere. Lines select their combos.
 */

import { RANKS, SUITS, cardElement, cardsOf } from "../cards.js";
import { comboFacts } from "../combo_facts.js";
import { copyText } from "../copying.js";
import { h, redraw, roveFocus } from "../dom.js";
import { count, counted } from "../numbers.js";
import { chips, getPrice, isBetting, valueOfBet } from "../price.js";
import { removal } from "../range_weights.js";
import { getKeptCombos, whenKept } from "../rules.js";
import { isSelected, selectedBesides, subscribe, toggle } from "../selection.js";
import { getState, ranges } from "../state.js";
import { margin, rounded, weightText } from "./figures.js";
import { clickRows, row, sortedBy } from "./tables.js";

export const id = "combos";
export const title = "Combos";

/** Lines that are shown at first: more take a browser a while. */
const MANY = 120;
const byHand = ({ combo }) => cardsOf(combo).map((card) => -4 * RANKS.indexOf(card[0]) - SUITS.indexOf(card[1]));
/** By what the columns sort. A combo blocks others, of what rules leave and of what they take. */
const COLUMNS = {
  Hand: byHand,
  weight: (fact) => [fact.weight, ...byHand(fact)],
  equity: (fact) => [fact.equity ?? -1, ...byHand(fact)],
  "bet wins": (fact) => [fact.bet ?? -Infinity, ...byHand(fact)],
  blocks: (fact) => [fact.blocks.kept, fact.blocks.gone, ...byHand(fact)],
};

export async function load({ player, state }) {
  const [facts, { blocks, callsOf }] = await Promise.all([comboFacts(player), blockers(player, state)]);
  for (const fact of facts.values()) Object.assign(fact, { blocks: blocks(fact.combo), calls: callsOf(fact.combo) });
  return facts;
}

/** How many combos of the other players each combo blocks: those that have one of its cards. */
async function blockers(player, { players, board, dead }) {
  const out = new Set([...board, ...dead]);
  const others = { kept: [], gone: [] };
  let hasRules = false;
  await whenKept();
  for (const [other, text] of players.entries()) {
    if (other === player) continue;
    const { weights, gone } = getKeptCombos(other) ?? { weights: (await ranges.read(text)).weights, gone: new Map() };
    hasRules ||= Boolean(getKeptCombos(other));
    others.kept.push(removal(weights, out));
    others.gone.push(removal(gone, out));
  }
  const blocked = (all, combo) => all.reduce((sum, range) => sum + range.blocked(combo), 0);
  const free = (all, combo) => all.reduce((sum, range) => sum + range.free(combo), 0);
  /** How often the other of two players calls when a combo bets: with what rules leave. */
  const callsOf = (combo) => free(others.kept, combo) / (free(others.kept, combo) + free(others.gone, combo));
  return { callsOf, blocks: (combo) => ({ kept: blocked(others.kept, combo), gone: blocked(others.gone, combo), hasRules }) };
}

export function build(body) {
  let facts = [];
  let player = 0;
  let isWhole = false;
  let filter = null;

  const { heads, sorted } = sortedBy(COLUMNS, "equity", () => fill());
  const list = h("tbody");
  const table = h("table", { className: "lines combo-lines" },
    h("thead", {}, h("tr", {}, ...heads, h("th", { scope: "col" }, "has"))), list);
  const total = h("span", { className: "hint" });
  const note = h("span", { role: "status", className: "hint" });
  const copy = (text, name, content) => h("button", {
    "aria-label": name,
    onclick: async () => {
      await copyText(content());
      note.textContent = "Copied";
    },
  }, text);
  const more = h("button", { className: "more", onclick: () => (isWhole = true, fill()) });
  body.append(h("div", { className: "combo-tools" }, total, note,
    copy("Copy text", "Copy text of the combos", () => asText(shown())),
    copy("Copy CSV", "Copy CSV of the combos", () => asCsv(shown()))), table, more);

  const shown = () => sorted(facts.filter(({ combo }) => filter?.has(combo) ?? true));

  function line(fact) {
    const { combo, weight, equity, stderr, made, draws, blocks, bet } = fact;
    const words = [made, ...draws].filter(Boolean).join(", ");
    const button = h("button", {
      "data-combo": combo, "aria-label": combo,
      onclick: () => toggle(player, { kind: "combos", name: combo, combos: new Map([[combo, weight]]), rows: facts }, { ctrlKey: true }),
    }, ...cardsOf(combo).map(cardElement));
    const element = row(button, weightText(weight), [rounded(equity), h("small", {}, margin(stderr))], ...(heads[3].hidden ? [] : [bet === null ? "–" : chips(bet)]),
      [weightText(blocks.kept), blocks.hasRules ? h("small", {}, ` · ${weightText(blocks.gone)}`) : ""], words);
    element.cells[1].hidden = heads[1].hidden;
    element.lastChild.previousSibling.title = `Combos of the others that it blocks${blocks.hasRules ? ": of those that the rules keep, and of those that they remove" : ""}`;
    return element;
  }

  function fill() {
    const price = getState().players.length === 2 && player === getState().hero && isBetting() ? getPrice() : null;
    for (const fact of facts) fact.bet = price && fact.equity !== null ? valueOfBet(price, fact.equity, fact.calls) : null;
    heads[3].hidden = !price;
    const all = shown();
    const some = isWhole ? all : all.slice(0, MANY);
    heads[1].hidden = facts.every(({ weight }) => weight === 1);
    table.classList.toggle("weighted", !heads[1].hidden);
    table.classList.toggle("noted", some.some(({ stderr, blocks }) => stderr || blocks.hasRules));
    redraw(list, () => (list.replaceChildren(...some.map(line)), resetStop()));
    more.hidden = some.length === all.length;
    more.textContent = `Show all ${count(all.length)}`;
    total.textContent = `${counted(all.length, "combo")}${filter ? " selected" : ""}`;
    note.textContent = "";
    mark();
  }

  function mark() {
    for (const button of list.querySelectorAll("button")) {
      const isChosen = isSelected(player, "combos", button.dataset.combo);
      button.ariaPressed = isChosen;
      button.closest("tr").classList.toggle("chosen", isChosen);
    }
  }

  clickRows(list);
  const resetStop = roveFocus(list, () => [...list.querySelectorAll("button")], 1);
  subscribe(() => {
    const next = selectedBesides("combos");
    const same = (next?.size ?? -1) === (filter?.size ?? -1) && [...(next ?? [])].every((combo) => filter.has(combo));
    filter = next;
    if (facts.length && !same) fill();
    else mark();
  });
  return function draw(found, context) {
    facts = [...found.values()];
    player = context.player;
    fill();
  };
}

const asText = (facts) =>
  facts.map(({ combo, weight }) => (weight === 1 ? combo : `${combo}:${weight}`)).join(",");

function asCsv(facts) {
  const lines = facts.map(({ combo, weight, equity, stderr, blocks, made, draws }) =>
    [combo, weight, equity ?? "", stderr ?? "", blocks.kept, blocks.gone, made, draws.join("; ")].join(","));
  return `${["combo,weight,equity,stderr,blocks,blocks_removed,made,draws", ...lines].join("\n")}\n`;
}
