/**
 * The price of a call: what pot and bet ask of its equity. Arithmetic alone; the equity is the
 * engine's.
 */

import { getAnswer, subscribe as onAnswer } from "./answer.js";
import { h } from "./dom.js";
import { percent } from "./numbers.js";
import { getState, playerName, subscribe as onState } from "./state.js";
import { keep, recall } from "./storage.js";

const listeners = new Set();
/** @type {{pot: string, bet: string}} as typed */
let typed = { pot: "", bet: "", ...JSON.parse(recall("price") ?? "{}") };

const NUMBER = /^\d+([.,]\d+)?$|^[.,]\d+$/;
const valueOf = (text) => (NUMBER.test(text.trim()) ? Number(text.trim().replace(",", ".")) : NaN);

/**
 * The equity that a call of the bet needs, and the part of a range that must not fold so that a bet
 * with nothing wins nothing (MDF); null without pot and bet.
 * @returns {{needed: number, mdf: number} | null}
 */
export function getPrice() {
  const [pot, bet] = [valueOf(typed.pot), valueOf(typed.bet)];
  return pot >= 0 && bet > 0 ? { needed: bet / (pot + 2 * bet), mdf: pot / (pot + bet) } : null;
}

/** Call `listener()` after every change. */
export const subscribe = (listener) => listeners.add(listener);

/** @param {HTMLElement} element */
export function mount(element) {
  const output = h("output", {
    className: "detail", title: "MDF, minimum defence frequency: the part of a range that must not fold, or any bluff wins",
  });
  const fields = ["pot", "bet"].map((name) => h("input", {
    id: `price-${name}`, inputMode: "decimal", autocomplete: "off", value: typed[name],
    oninput: ({ target }) => {
      typed = { ...typed, [name]: target.value };
      keep("price", JSON.stringify(typed));
      draw();
      for (const listener of [...listeners]) listener();
    },
  }));
  const half = h("button", {
    textContent: "½ pot", title: "A bet of half the pot",
    onclick: () => {
      const pot = valueOf(fields[0].value) || 100;
      for (const [index, value] of [pot, pot / 2].entries()) {
        fields[index].value = value;
        fields[index].dispatchEvent(new Event("input"));
      }
    },
  });
  element.append(h("label", { for: "price-pot" }, "Pot"), fields[0], h("label", { for: "price-bet" }, "Bet"), fields[1], half, output);

  function draw() {
    const price = getPrice();
    for (const field of fields) {
      const isWrong = field.value.trim() !== "" && Number.isNaN(valueOf(field.value));
      field.classList.toggle("wrong", isWrong);
      field.ariaInvalid = isWrong ? "true" : null;
    }
    output.textContent = price ? `A call needs ${percent(price.needed, 1)}\u00a0%${verdict(price)} Defend ${percent(price.mdf, 1)}\u00a0% (MDF).`
      : fields.some((field) => field.classList.contains("wrong")) ? "Pot and bet are numbers, such as 100 and 50."
        : "What equity does a call need?";
  }
  onAnswer(draw);
  onState(draw);
  draw();
}

/** What the player whose range is edited has, and what follows from it. */
function verdict({ needed }) {
  const { equity, fresh } = getAnswer();
  const { active } = getState();
  if (!fresh || !equity) return ".";
  const own = equity.players[active].equity;
  const follows = own < needed ? "fold" : own > needed ? "call" : "even";
  return `; ${playerName(active)} has ${percent(own, 1)}\u00a0%: ${follows}, by equity alone.`;
}
