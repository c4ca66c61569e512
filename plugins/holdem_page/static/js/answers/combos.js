/**
 * Combos: each of the range with its equity and what it has, or of those that are selected
 * elsewhere. Lines select their combos.
 */

import { unnarrowed } from "../answer.js";
import { RANKS, SUITS, cardElement, cardsOf } from "../cards.js";
import { comboFacts } from "../combo_facts.js";
import { copyText } from "../copying.js";
import { h, redraw, roveFocus } from "../dom.js";
import { count, counted } from "../numbers.js";
import { chips, getPrice, isBetting, valueOfBet } from "../price.js";
import { removal, token } from "../range_weights.js";
import { getKeptCombos, getKeptShare, whenKept } from "../rules.js";
import { isSelected, selectedBesides, subscribe, toggle } from "../selection.js";
import { ranges } from "../state.js";
import { comboRows, margin, rounded, weightText } from "./figures.js";
import { clickRows, row, sortedBy } from "./tables.js";

export const id = "combos";
export const title = "Combos";

/** Lines that are shown at first: more take a browser a while. */
const MANY = 120;
const byHand = ({ combo }) => cardsOf(combo).map((card) => -4 * RANKS.indexOf(card[0]) - SUITS.indexOf(card[1]));
/** Bets that gain nothing over a check, that worse hands call, and that better ones should fold to. */
const KINDS = ["check", "value", "bluff"];
/** By what the columns sort. A combo blocks others, of what rules leave and of what they take. */
const COLUMNS = {
  Hand: byHand,
  weight: (fact) => [fact.weight, ...byHand(fact)],
  equity: (fact) => [fact.equity ?? -1, ...byHand(fact)],
  "bet gains": (fact) => [fact.kind, fact.gain, ...byHand(fact)],
  blocks: (fact) => [fact.blocks.kept, fact.blocks.gone, ...byHand(fact)],
};

export async function load({ player, state }) {
  const facts = await comboFacts(player);
  const othersOf = await blockers(player, state); // rules are asked for by now
  const price = state.players.length === 2 && player === state.hero && isBetting() ? getPrice() : null;
  const before = price && getKeptShare(1 - player) !== 1 ? comboRows(await unnarrowed(1 - player), player) : [...facts.values()];
  const equities = new Map(before.map(({ combo, equity }) => [combo, equity ?? NaN]));
  for (const [combo, fact] of facts) {
    Object.assign(fact, othersOf(combo));
    if (!price) continue;
    const bet = valueOfBet(price, fact.equity ?? NaN, fact.calls);
    const check = price.pot * equities.get(combo);
    const gain = bet - check;
    Object.assign(fact, { bet, check, gain, kind: Number.isNaN(gain) ? -1 : gain < 0.005 ? 0 : fact.equity < 0.5 ? 2 : 1 });
  }
  return facts;
}

/** How many combos of the other players each combo blocks, and how often one of two calls its bet: with what rules leave. */
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
  const sums = (name, combo) => [others.kept, others.gone].map((all) => all.reduce((sum, range) => sum + range[name](combo), 0));
  return (combo) => {
    const [kept, gone] = sums("blocked", combo);
    const [calls, folds] = sums("free", combo);
    return { blocks: { kept, gone, hasRules }, calls: calls / (calls + folds) };
  };
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
  const copy = (text, content) => h("button", {
    "aria-label": `${text} of the combos`,
    onclick: async () => {
      await copyText(content());
      note.textContent = "Copied";
    },
  }, text);
  const more = h("button", { className: "more", onclick: () => (isWhole = true, fill()) });
  body.append(h("div", { className: "combo-tools" }, total, note,
    copy("Copy text", () => asText(shown())),
    copy("Copy CSV", () => asCsv(shown()))), table, more);

  const shown = () => sorted(facts.filter(({ combo }) => filter?.has(combo) ?? true));

  function line(fact) {
    const { combo, weight, equity, stderr, made, draws, blocks, bet, check, gain, kind } = fact;
    const words = [made, ...draws].filter(Boolean).join(", ");
    const button = h("button", {
      "data-combo": combo, "aria-label": combo,
      onclick: () => toggle(player, { kind: "combos", name: combo, combos: new Map([[combo, weight]]), rows: facts }, { ctrlKey: true }),
    }, ...cardsOf(combo).map(cardElement));
    const element = row(button, weightText(weight), [rounded(equity), h("small", {}, margin(stderr))], [chips(gain), h("small", {}, ` ${KINDS[kind] ?? ""}`)],
      [weightText(blocks.kept), blocks.hasRules ? h("small", {}, ` · ${weightText(blocks.gone)}`) : ""], words);
    for (const at of [1, 3]) element.cells[at].hidden = heads[at].hidden;
    element.cells[3].title = `Bet: ${chips(bet)}, check: ${chips(check)}`;
    element.cells[4].title = `Combos of the others that it blocks${blocks.hasRules ? ": of those that the rules keep, and of those that they remove" : ""}`;
    return element;
  }

  function fill() {
    heads[3].hidden = facts[0]?.kind === undefined;
    const all = shown();
    const some = isWhole ? all : all.slice(0, MANY);
    heads[1].hidden = facts.every(({ weight }) => weight === 1);
    table.classList.toggle("weighted", !(heads[1].hidden && heads[3].hidden));
    table.classList.toggle("noted", some.some(({ stderr }) => stderr));
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
    const same = [next, filter].map((each) => each && [...each].join()).reduce(Object.is);
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

const asText = (facts) => facts.map(({ combo, weight }) => token(combo, weight)).join(",");

function asCsv(facts) {
  const lines = facts.map(({ combo, weight, equity, stderr, blocks, made, draws }) =>
    [combo, weight, equity ?? "", stderr ?? "", blocks.kept, blocks.gone, made, draws.join("; ")].join(","));
  return `${["combo,weight,equity,stderr,blocks,blocks_removed,made,draws", ...lines].join("\n")}\n`;
}
