/**
 * The price of a call and of a bet: what pot and bet ask of the hero's equity, and of folds.
 * Arithmetic alone, as in `holdem equity --pot --bet`; the equity is the engine's.
 */

import { readAmount, whyNoAmount } from "./amounts.js";
import { getAnswer, getQuestion, subscribe as onAnswer } from "./answer.js";
import { h, roveFocus } from "./dom.js";
import { percent } from "./numbers.js";
import { getKeptShare, subscribe as onKept } from "./rules.js";
import { getState, playerName, subscribe as onState, update } from "./state.js";

/** Bets in pots, by one click. */
const SIZES = [["⅓", 1 / 3], ["½", 1 / 2], ["¾", 3 / 4], ["1", 1], ["2", 2]];

/**
 * What a call and a bet need, whoever the players are; null without pot and bet.
 * @returns {{pot: number, bet: number, needed: number, mdf: number, folds: number} | null} the equity
 *   that a call needs, the part of a range that must not fold (MDF), and of one that must fold so
 *   that a bet with nothing breaks even
 */
export function getPrice() {
  const [pot, bet] = [getState().pot, getState().bet].map(readAmount);
  if (pot === null || !(bet > 0)) return null;
  return { pot, bet, needed: bet / (pot + 2 * bet), mdf: pot / (pot + bet), folds: bet / (pot + bet) };
}

/** What a call or a called bet wins in chips, by equity alone. */
export const valueOf = ({ pot, bet }, equity) => equity * (pot + 2 * bet) - bet;

/** How often they must fold so that a bet breaks even that has an equity when it is called. */
function foldsNeeded({ pot, bet }, equity) {
  const called = valueOf({ pot, bet }, equity);
  return called >= 0 ? 0 : called / (called - pot);
}

/** Call `listener()` after every change of the price. */
export function subscribe(listener) {
  const key = () => `${getPrice()?.needed} ${getState().hero}`;
  let last = key();
  onState(() => {
    if (key() === last) return;
    last = key();
    listener();
  });
}

export function mount(element) {
  const output = h("output", { className: "detail" });
  const fields = Object.fromEntries(["pot", "bet"].map((name) => {
    const take = (history) => ({ target }) => update({ [name]: target.value.trim() }, { history });
    return [name, h("input", { id: `price-${name}`, inputMode: "decimal", autocomplete: "off", onfocus: ({ target }) => target.select(), oninput: take("replace"), onchange: take("push") })];
  }));
  const sizes = SIZES.map(([text, part]) => h("button", {
    textContent: text, title: `A bet of ${text} pot`, "aria-label": `${text} pot`,
    onclick: () => {
      const pot = readAmount(getState().pot) || 100;
      update({ pot: readAmount(getState().pot) ? getState().pot : String(pot), bet: String(Math.round(100 * pot * part) / 100) });
    },
  }));
  const group = h("div", { className: "sizes", role: "group", "aria-label": "Bet in pots" }, ...sizes, h("span", { className: "hint" }, "× pot"));
  roveFocus(group, () => sizes);
  element.append(
    h("div", { className: "amounts" }, h("label", { for: "price-pot" }, "Pot"), fields.pot, h("label", { for: "price-bet" }, "Bet"), fields.bet),
    group, output);

  function draw() {
    const state = getState();
    const price = getPrice();
    let wrong = "";
    for (const [name, field] of Object.entries(fields)) {
      const text = state[name];
      if (field.value.trim() !== text) field.value = text;
      const isWrong = text !== "" && readAmount(text) === null;
      field.classList.toggle("wrong", isWrong);
      field.ariaInvalid = isWrong ? "true" : null;
      if (isWrong) wrong ||= whyNoAmount(text);
    }
    output.replaceChildren(...(price ? [call(price), bet(price)] : [wrong || "What does a call need, and how often must they fold to a bet?"]));
    output.classList.toggle("error", Boolean(wrong));
  }
  onAnswer(draw);
  onState(draw);
  onKept(draw);
  draw();
}

/** A line: what, how it is computed, and the figure. */
const line = (name, formula, figure, title = "") => h("tr", { title },
  h("th", { scope: "row" }, name, h("small", {}, formula)), h("td", {}, figure));
/** A figure as text; a dash where there is none. */
const share = (part) => (Number.isFinite(part) ? `${percent(part, 1)}\u00a0%` : "–");
/** Chips with a sign: "+12.5". */
function chips(amount) {
  if (!Number.isFinite(amount)) return "–";
  const size = Number(Math.abs(amount).toFixed(2));
  return `${size === 0 ? "" : amount < 0 ? "−" : "+"}${size.toLocaleString("en")}`;
}
const section = (title, ...lines) => h("table", {}, h("caption", {}, title), h("tbody", {}, ...lines.filter(Boolean)));

/** The hero in the latest answer, which is dimmed while another is on its way; nobody without one. */
function known() {
  const { hero, players } = getState();
  const { equity } = getAnswer();
  return getQuestion() && equity?.players.length === players.length ? equity.players[hero] : {};
}

function call(price) {
  const { hero } = getState();
  const { equity: own, combos } = known();
  const follows = own < price.needed ? "fold" : own > price.needed ? "call" : "even";
  return section(`If ${playerName(hero)} calls`,
    line("needs", "bet / (pot + 2 bet)", share(price.needed)),
    line("has, by equity alone", "", h("span", {}, own === undefined ? "" : h("strong", { className: follows }, follows), ` ${share(own)}`)),
    line("EV of the call", "equity (pot + 2 bet) − bet", chips(valueOf(price, own))),
    line("must defend (MDF)", ...(combos === 1 ? ["of a range: one hand calls or folds", "–"] : ["pot / (pot + bet)", share(price.mdf)]),
      "Minimum defence frequency: the part of a range that must not fold, or any bluff wins"));
}

function bet(price) {
  const { hero, players } = getState();
  const lines = [line("folds a bluff needs", "bet / (pot + bet)", share(price.folds))];
  if (players.length === 2) {
    const { equity: own } = known();
    const called = valueOf(price, own);
    const kept = getKeptShare(1 - hero);
    lines.push(
      line(`folds it needs with ${share(own)}`, "−EV called / (pot − EV called)", share(foldsNeeded(price, own))),
      line("EV when called", "equity (pot + 2 bet) − bet", chips(called)),
      kept < 1 && line(`EV, ${playerName(1 - hero)} folds ${share(1 - kept)}`, "folds pot + calls EV called", chips((1 - kept) * price.pot + kept * called),
        "They fold what the rules above their range remove"));
  }
  return section(`If ${playerName(hero)} bets`, ...lines);
}
