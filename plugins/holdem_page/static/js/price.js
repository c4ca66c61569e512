/**
 * One decision of the hero: a bet into a pot is called, or made. Arithmetic alone, as in `holdem equity --pot --bet`;
 * the equity is the engine's.
 */

import { readAmount, whyNoAmount } from "./amounts.js";
import { getAnswer, getQuestion, subscribe as onAnswer, unnarrowed } from "./answer.js";
import { h, roveFocus } from "./dom.js";
import { percent } from "./numbers.js";
import { quietly } from "./requests.js";
import { getKeptShare, subscribe as onKept } from "./rules.js";
import { getState, playerName, subscribe as onState, update } from "./state.js";

/** Bets in pots, by one click. */
const SIZES = [["⅓", 1 / 3], ["½", 1 / 2], ["¾", 3 / 4], ["1", 1], ["2", 2]];
const FIELDS = { pot: "Pot", bet: "Bet", bb: "BB" };

/** The amounts as numbers of chips; null where a text is none. A bet may be in pots, both in big blinds. */
function amounts() {
  const state = getState();
  const bb = readAmount(state.bb);
  const pot = readAmount(state.pot, { bb });
  return { bb, pot, bet: readAmount(state.bet, { pot, bb }) };
}

/** Whether the hero bets; otherwise they call. */
export const isBetting = () => getState().act === "bet";

/** What a call and a bet need, whoever the players are; null without pot and bet. */
export function getPrice() {
  const { pot, bet } = amounts();
  if (pot === null || !(bet > 0)) return null;
  return { pot, bet, needed: bet / (pot + 2 * bet), mdf: pot / (pot + bet), folds: bet / (pot + bet) };
}

/** The equity that a call needs; null where there is none to be made. */
export const neededToCall = () => (isBetting() ? null : getPrice()?.needed ?? null);

/** What a call or a called bet wins in chips, by equity alone. */
const valueOf = ({ pot, bet }, equity) => equity * (pot + 2 * bet) - bet;

/** What a bet wins that is called with an equity by a part of the other's range, while the rest folds. */
export const valueOfBet = (price, equity, calls) => (1 - calls) * price.pot + calls * valueOf(price, equity);

/** How often they must fold so that a bet breaks even that has an equity when it is called. */
function foldsNeeded({ pot, bet }, equity) {
  const called = valueOf({ pot, bet }, equity);
  return called >= 0 ? 0 : called / (called - pot);
}

export function mount(element) {
  const output = h("output", { className: "detail" });
  const fields = Object.fromEntries(Object.entries(FIELDS).map(([name, label]) => {
    const take = (history) => ({ target }) => update({ [name]: target.value.trim() }, { history });
    return [name, h("input", { id: `price-${name}`, inputMode: "decimal", autocomplete: "off", title: name === "bb" ? "Chips of a big blind, for amounts such as 6bb" : "Chips, or 6bb; a bet also as 33% or 2 pots", onfocus: ({ target }) => target.select(), oninput: take("replace"), onchange: take("push") }), label];
  }).map(([name, input, label]) => [name, { input, label: h("label", { for: `price-${name}` }, label) }]));
  const sides = [["", "He bets"], ["bet", "I bet"]].map(([act, text]) => h("button", { textContent: text, onclick: () => update({ act }), "data-act": act }));
  const sizes = SIZES.map(([text, part]) => h("button", {
    textContent: text, title: `A bet of ${text} pot`, "aria-label": `${text} pot`,
    onclick: () => {
      const pot = amounts().pot || 100;
      update({ pot: amounts().pot ? getState().pot : String(pot), bet: String(Math.round(100 * pot * part) / 100) });
    },
  }));
  const group = h("div", { className: "sizes", role: "group", "aria-label": "Bet in pots" }, ...sizes, h("span", { className: "hint" }, "× pot"));
  roveFocus(group, () => sizes);
  const lines = h("div", {}); // the summary stays in place: a click that ends typing would miss one that is replaced
  const how = h("details", { className: "how" }, h("summary", {}, "How"), lines);
  const verdict = h("p", {});
  output.append(verdict);
  element.append(
    h("div", { className: "sides", role: "group", "aria-label": "Who bets" }, ...sides),
    h("div", { className: "amounts" }, ...Object.values(fields).flatMap(({ label, input }) => [label, input])),
    group, output, how);

  function draw() {
    const state = getState();
    const price = getPrice();
    const known = amounts();
    let wrong = "";
    for (const [name, { input }] of Object.entries(fields)) {
      const text = state[name];
      if (input.value.trim() !== text) input.value = text;
      const isWrong = text !== "" && known[name] === null;
      input.classList.toggle("wrong", isWrong);
      input.ariaInvalid = isWrong ? "true" : null;
      if (isWrong) wrong ||= whyNoAmount(text);
    }
    for (const side of sides) side.ariaPressed = side.dataset.act === state.act;
    verdict.replaceChildren(...(price ? (isBetting() ? betWords(price) : callWords(price))
      : [wrong || (isBetting() ? "What is a bet worth, and what a check?" : "What does a call need?")]));
    output.classList.toggle("error", Boolean(wrong));
    how.hidden = !price;
    if (price) lines.replaceChildren((isBetting() ? betLines : callLines)(price));
  }

  /** The hero's equity against all that the other has before they fold; the latest is kept in `check`. */
  async function refresh() {
    draw();
    if (!isBetting() || !getPrice() || getState().players.length !== 2 || !getQuestion() || getKeptShare(1 - getState().hero) === 1) return;
    const report = unnarrowed(1 - getState().hero);
    if (report === asked) return;
    asked = report;
    before = null;
    const equity = await quietly(report);
    if (report !== asked) return;
    before = equity;
    draw();
  }
  onAnswer(refresh);
  onState(refresh);
  onKept(refresh);
  refresh();
}

/** The answer without folds that was asked for last, and what it is. */
let asked = null;
let before = null;

/** A line: what, how it is computed, and the figure. */
const line = (name, formula, figure, title = "") => h("tr", { title },
  h("th", { scope: "row" }, name, h("small", {}, formula)), h("td", {}, figure));
/** A figure as text; a dash where there is none. */
const share = (part) => (Number.isFinite(part) ? `${percent(part, 1)}\u00a0%` : "–");
/** Chips with a sign: "+12.5". */
export function chips(amount) {
  if (!Number.isFinite(amount)) return "–";
  const size = Number(Math.abs(amount).toFixed(2));
  return `${size === 0 ? "" : amount < 0 ? "−" : "+"}${size.toLocaleString("en")}`;
}
const section = (...lines) => h("table", {}, h("tbody", {}, ...lines.filter(Boolean)));

/** The hero in the latest answer, which is dimmed while another is on its way; nobody without one. */
function known() {
  const { hero, players } = getState();
  const { equity } = getAnswer();
  return equity?.players.length === players.length ? equity.players[hero] : {};
}

/** The word of a decision by the sign of what it wins. */
const word = (amount, up, down) => h("strong", {}, amount > 0 ? up : amount < 0 ? down : "Even");

function callWords(price) {
  const { equity: own } = known();
  if (own === undefined) return [`A call needs ${share(price.needed)}.`];
  const value = valueOf(price, own);
  return [word(own - price.needed, "Call", "Fold"), `: you have ${share(own)} and need ${share(price.needed)}: ${chips(value)} by equity alone.`];
}

function callLines(price) {
  const { equity: own, combos } = known();
  return section(
    line("needs", "bet / (pot + 2 bet)", share(price.needed)),
    line("has, by equity alone", "", share(own)),
    line("EV of the call", "equity (pot + 2 bet) − bet", chips(valueOf(price, own))),
    line("must defend (MDF)", ...(combos === 1 ? ["of a range: one hand calls or folds", "–"] : ["pot / (pot + bet)", share(price.mdf)]),
      "Minimum defence frequency: the part of a range that must not fold, or any bluff wins"));
}

/** What the hero's bet and check win: with the equity against those that call, and against all. */
function bothValues(price) {
  const { hero } = getState();
  const { equity: own } = known();
  const calls = getKeptShare(1 - hero);
  const all = calls === 1 ? own : before?.players[hero].equity;
  return { own, calls, all, bet: valueOfBet(price, own, calls), check: price.pot * all };
}

function betWords(price) {
  const { hero, players } = getState();
  if (players.length > 2) return ["A bet is compared with a check for two players."];
  const { calls, bet, check } = bothValues(price);
  if (!Number.isFinite(bet) || !Number.isFinite(check)) return ["Computing …"];
  const gap = bet - check;
  const why = calls < 1 ? `${playerName(1 - hero)} folds ${share(1 - calls)}` : `${playerName(1 - hero)} calls with everything; keep lines of that range, and the rest folds`;
  return [word(gap, "Bet", "Check"), `. Bet: ${chips(bet)}, check: ${chips(check)}, both by equity alone (${why}).`];
}

function betLines(price) {
  const { hero, players } = getState();
  const lines = [line("folds a bluff needs", "bet / (pot + bet)", share(price.folds))];
  if (players.length === 2) {
    const { own, calls, all, bet, check } = bothValues(price);
    lines.push(
      line(`folds it needs with ${share(own)}`, "−EV called / (pot − EV called)", share(foldsNeeded(price, own))),
      line("EV when called", "equity (pot + 2 bet) − bet", chips(valueOf(price, own))),
      line(`EV, ${playerName(1 - hero)} folds ${share(1 - calls)}`, "folds pot + calls EV called", chips(bet),
        "They fold what the rules of this street remove from their range"),
      line(`EV of a check, with ${share(all)}`, "equity pot", chips(check), "With the equity against all they have before they fold"));
  }
  return section(...lines);
}

/** The decision in a line of text. */
export const decision = (price) => (isBetting() ? betWords(price) : callWords(price)).map((part) => part.textContent ?? part).join("");
