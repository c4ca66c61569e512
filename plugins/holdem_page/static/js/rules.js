/**
 * Rules: lines of the hits that a range keeps or loses, as chips above its grid, from the street on which it was made.
 * @typedef {{kind: "keep" | "drop", lines: string[], street: number, off: boolean}} Rule each of `lines` unites lines,
 *   "top pair+, flush draw"; a combo stays if it is in one of each; `street` is the number of board cards
 */

import { isCard } from "./cards.js";
import { h, redraw } from "./dom.js";
import { listeners } from "./listeners.js";
import { ask } from "./requests.js";
import { removal, weightsOf } from "./range_weights.js";
import { getState, playerName, ranges, subscribe as onState, update } from "./state.js";

const STREETS = { 3: "flop", 4: "turn", 5: "river" };
const { subscribe, tell } = listeners();
export { subscribe };
/** By player, or null; until the first answer, only with its key. */
let kept = [];
let loading = Promise.resolve();

/** The rules of a player that are on and due, as the server takes them. */
export function dueRules(player) {
  const { rules, board } = getState();
  return rules[player].filter(({ off, street }) => !off && street <= board.length)
    .map(({ kind, lines, street }) => ({ [kind === "keep" ? "keep" : "remove"]: lines, from: street }));
}

/** Those that were made on earlier streets: what is left of the range before this decision. */
const earlierRules = (player) => dueRules(player).filter(({ from }) => from < getState().board.length);

/** The rules of all players for a question, of one without those of this street; nothing where there are none. */
export function rulesOfAll(unnarrowed = -1) {
  const all = getState().players.map((_, player) => (player === unnarrowed ? earlierRules : dueRules)(player));
  return all.some((own) => own.length) ? { rules: all } : {};
}

/** How often one of two players has a hand that rules leave, given the cards of the other; 1 without rules, NaN before it is known. */
export function getKeptShare(player) {
  const own = kept[player];
  if (!own) return 1;
  if (!own.weights || own.isOld) return NaN;
  const { board, dead } = getState();
  const { free } = removal(getKeptCombos(1 - player)?.weights ?? own.other, new Set([...board, ...dead]));
  const sum = (weights) => [...weights].reduce((total, [combo, weight]) => total + weight * free(combo), 0);
  const [left, gone] = [sum(own.weights), sum(own.gone)];
  return left + gone ? left / (left + gone) : 1;
}

/** What rules leave of a player's range and take, or null without rules. */
export const getKeptCombos = (player) => (kept[player]?.weights ? kept[player] : null);

export const whenKept = () => loading;

function refresh() {
  const { players, board, dead } = getState();
  let isChanged = kept.length !== players.length;
  kept = players.map((text, player) => {
    const due = dueRules(player);
    const isReady = due.length && text.trim() && board.length >= 3 && [...board, ...dead].every(isCard);
    const body = { text: ranges.asked(text), board: board.join(" "), dead: dead.join(" "), rules: due };
    const key = isReady ? keyOf(player) : "";
    const old = kept[player] ?? null;
    if ((old?.key ?? "") === key) return old;
    isChanged = true;
    if (key) loading = Promise.all([loading, load(player, key, body)]);
    return key ? { ...old, key, isOld: true } : null;
  });
  if (isChanged) tell();
}

async function load(player, key, body) {
  try {
    const others = getState().players.filter((_, index) => index !== player);
    const [{ left }, { left: before }, other] = await Promise.all([ask("range", body), ask("range", { ...body, rules: earlierRules(player) }), others.length === 1 ? ranges.read(others[0]).catch(() => null) : null]);
    const weights = weightsOf(left);
    const gone = new Map([...weightsOf(before)].filter(([combo]) => !weights.has(combo)));
    const found = { key, weights, gone, other: other?.weights ?? new Map() };
    const { players } = getState();
    if (player >= players.length || keyOf(player) !== key) return;
    kept = kept.with(player, found);
    tell();
  } catch (error) {
    if (error.name !== "AskError") throw error; // the player's line says it
    if (keyOf(player) === key) kept = kept.with(player, null);
    tell();
  }
}

function keyOf(player) {
  const { players, board, dead } = getState();
  // The share depends on the cards of the other player.
  return JSON.stringify([ranges.asked(players[player]), players.length === 2 ? ranges.asked(players[1 - player]) : "", board, dead, dueRules(player)]);
}

export function addRule(player, rule) {
  const { rules } = getState();
  update({ rules: rules.with(player, [...rules[player], rule]) });
}

/** "top pair+ or flush draw", "without gutshot" */
export function wordsOf({ kind, lines }) {
  const words = lines.map((line) => line.split(",").map((name) => name.trim()).join(" or "));
  const all = words.length > 1 ? words.map((each) => (each.includes(" or ") ? `(${each})` : each)).join(" and ") : words[0];
  return kind === "keep" ? all : `without ${all}`;
}

/** The chips of the player whose range is edited. */
export function mount(element) {
  const list = h("div", { className: "chips", role: "group" });
  element.append(list);

  function chip(rule, index, player) {
    const isDue = rule.street <= getState().board.length;
    const set = (change) => {
      const { rules } = getState();
      update({ rules: rules.with(player, change(rules[player])) });
    };
    const words = `${rule.street > 3 ? `${STREETS[rule.street]}: ` : ""}${wordsOf(rule)}`;
    const when = rule.street < 5 ? `from the ${STREETS[rule.street]} on, again on each street` : "on the river";
    const waits = isDue ? "" : `waits for the ${STREETS[rule.street]}`;
    const state = rule.off ? "off" : waits && "later";
    const said = rule.off ? ", switched off" : waits && `, ${waits}`;
    const title = rule.off ? `${words}: switched off, so that it changes nothing. Click to switch it on.`
      : `${words}: ${waits || when}. Click to switch it off.`;
    const label = h("button", {
      "aria-pressed": !rule.off, title, "aria-label": `${[state, words].filter(Boolean).join(" ")}${said}`,
      onclick: () => set((own) => own.with(index, { ...rule, off: !rule.off })),
    }, ...(state ? [h("small", {}, state), " "] : []), h("span", {}, words));
    const remove = h("button", { "aria-label": `Remove the rule ${words}`, title: "Remove this rule", onclick: () => set((own) => own.toSpliced(index, 1)) }, "×");
    return h("span", { className: `chip${isDue && !rule.off ? "" : " idle"}`, title }, label, remove);
  }

  let shown = "";
  function draw() {
    const { rules, active, board } = getState();
    const key = JSON.stringify([rules[active], active, board.length]);
    if (key === shown) return;
    shown = key;
    list.ariaLabel = `Rules of ${playerName(active)}`;
    redraw(list, () => list.replaceChildren(...rules[active].map((rule, index) => chip(rule, index, active))));
    element.classList.toggle("has-rules", rules[active].length > 0);
  }
  onState(draw);
  draw();
}

onState(refresh);
queueMicrotask(refresh);
