/**
 * The price of a call: what pot and bet ask of its equity. Arithmetic alone; the equity is the
 * engine's.
 */

import { getAnswer, subscribe as onAnswer } from "./answer.js";
import { readAmount, whyNoAmount } from "./amounts.js";
import { h } from "./dom.js";
import { percent } from "./numbers.js";
import { getState, playerName, subscribe as onState, update } from "./state.js";

/**
 * The equity that a call of the bet needs, and the part of a range that must not fold so that a bet
 * with nothing wins nothing (MDF); null without pot and bet.
 * @returns {{needed: number, mdf: number} | null}
 */
export function getPrice() {
  const [pot, bet] = [getState().pot, getState().bet].map(readAmount);
  return pot !== null && bet ? { needed: bet / (pot + 2 * bet), mdf: pot / (pot + bet) } : null;
}

/** Call `listener()` after every change of the price. */
export function subscribe(listener) {
  let last = getPrice()?.needed;
  onState(() => {
    const needed = getPrice()?.needed;
    if (needed === last) return;
    last = needed;
    listener();
  });
}

/** @param {HTMLElement} element */
export function mount(element) {
  const output = h("output", { className: "detail" });
  const fields = Object.fromEntries(["pot", "bet"].map((name) => {
    const take = (history) => ({ target }) => update({ [name]: target.value.trim() }, { history });
    return [name, h("input", { id: `price-${name}`, inputMode: "decimal", autocomplete: "off", onfocus: ({ target }) => target.select(), oninput: take("replace"), onchange: take("push") })];
  }));
  const half = h("button", {
    textContent: "½ pot", title: "A bet of half the pot",
    onclick: () => {
      const pot = readAmount(getState().pot) || 100;
      update({ pot: String(pot), bet: String(pot / 2) });
    },
  });
  element.append(h("label", { for: "price-pot" }, "Pot"), fields.pot, h("label", { for: "price-bet" }, "Bet"), fields.bet, half, output);

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
    output.replaceChildren(...(price ? [
      h("p", {}, `A call needs ${percent(price.needed, 1)}\u00a0%`, ...verdict(price)),
      h("p", { title: "MDF, minimum defence frequency: the part of a range that must not fold, or any bluff wins" },
        `MDF: defend ${percent(price.mdf, 1)}\u00a0% of the range.`),
    ] : [wrong || "What equity does a call need?"]));
  }
  onAnswer(draw);
  onState(draw);
  draw();
}

/** What the player whose range is edited has, and what follows from it. */
function verdict({ needed }) {
  const { equity, fresh } = getAnswer();
  const { active } = getState();
  if (!fresh || !equity) return ["."];
  const own = equity.players[active].equity;
  const follows = own < needed ? "fold" : own > needed ? "call" : "even";
  return [`; ${playerName(active)} has ${percent(own, 1)}\u00a0%: `, h("strong", {}, follows), ", by equity alone."];
}
