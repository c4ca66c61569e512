/**
 * The question on the page, which is also in its address (link.js), and its undo.
 * @typedef {{players: string[], ids: number[], names: string[], board: string[], dead: string[], pot: string, bet: string,
 *   bb: string, act: "" | "bet", rules: Rule[][], hero: number, active: number}} State `ids` stay those of the players
 *   when others go; pot and bet as typed; `hero` decides; range and reports of `active` are shown
 */

import { cardSymbol, isCard } from "./cards.js";
import { newId, readHash, toHash } from "./link.js";
import { listeners } from "./listeners.js";
import { rangeReader } from "./ranges.js";
import { ask } from "./requests.js";

const FIRST_QUESTION = "#p=22+,A2s+,KTs+,QJs,ATo+,KQo&p=top%2020%25";
/** The most changes that can be undone. */
const MOST = 200;

export const ranges = rangeReader((text, against) => ask("range", { text, against }));
export { newId };

/** What the last link that was opened holds and the page does not show, in words. */
let leftOut = "";
export const whatWasLeftOut = () => leftOut;

const { subscribe, tell } = listeners();
export { subscribe };
let state = opened();
/** What can be undone and redone, and which is current: states, each with what reverts and repeats what is not in them. */
let stack = [{ state }];
let at = 0;
/** True while changes are in memory only, as during a stroke of the brush. */
let draft = false;
writeAddress();

/** The question of the address, which opens for the hero. */
function opened() {
  const { question, leftOut: unread } = readHash(location.hash || FIRST_QUESTION);
  leftOut = unread;
  return { ...question, active: question.hero };
}

function writeAddress() {
  if (toHash(state) !== location.hash) history.replaceState(null, "", toHash(state));
}

/** The current question; not to be changed in place. */
export const getState = () => state;

/**
 * Change the question. "push" is a step of undo. "replace" is for the steps of one gesture: they stay in memory until
 * a "push" ends the gesture.
 */
export function update(change, { history: mode = "push" } = {}) {
  state = { ...state, ...change };
  for (const who of ["active", "hero"]) state[who] = Math.min(state[who], state.players.length - 1);
  const isNew = toHash(state) !== toHash(stack[at].state);
  draft = mode === "replace" && isNew;
  if (mode === "push") leftOut = "";
  if (mode === "push" && isNew) push({ state });
  tell(state);
  // Last: the server answers while the browser writes the address.
  if (!draft) writeAddress();
}

function push(step) {
  stack = [...stack.slice(0, at + 1), step].slice(-MOST);
  at = stack.length - 1;
}

/** A step of undo that changes what is not in the question. */
export function pushChange(revert, repeat) {
  push({ state: stack[at].state, revert, repeat });
  tell(state);
}

/** Write a text of players in another way, in all states. */
export function replaceText(text, next) {
  const replaced = (each) => ({ ...each, players: each.players.map((own) => (own === text ? next : own)) });
  state = replaced(state);
  stack = stack.map((step) => ({ ...step, state: replaced(step.state) }));
  tell(state);
  if (!draft) writeAddress();
}

/** The most letters of a name that are shown where it does not stand in a title. */
const LETTERS = 20;

/** The name of a player: a given one, or "player 1". */
export const fullName = (index) => state.names[index] || `player ${index + 1}`;

/** The name of a player, cut if it is long. */
export function playerName(index) {
  const letters = [...fullName(index)];
  return letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join("").trim()}…` : letters.join("");
}

/** "BTN v top 20 % on T♦ 9♦ 2♣" */
export function questionWords({ players, names, board } = state) {
  const who = players.map((text, index) => (names[index] && playerName(index)) || (text.length > 24 ? `${text.slice(0, 23)}…` : text) || "empty");
  const cards = board.map((card) => (isCard(card) ? cardSymbol(card) : card));
  return `${who.join(" v ")}${cards.length ? ` on ${cards.join(" ")}` : ""}`;
}

/** The colour of a player, wherever players are told apart. */
export const ownColour = (index) => `var(--series-${index % 5})`;

/** Who is shown, and how many players there are. */
export const whoIsShown = () => `${state.active} of ${state.players.length}`;

/** Whether there is something to undo and to redo. */
export const canUndo = () => draft || at > 0;
export const canRedo = () => at < stack.length - 1;

export function undo() {
  if (!canUndo()) return;
  if (!draft) stack[at--].revert?.();
  restore();
}

export function redo() {
  if (!canRedo()) return;
  stack[++at].repeat?.();
  restore();
}

function restore() {
  draft = false;
  const { state: next } = stack[at];
  state = { ...next, active: Math.min(state.active, next.players.length - 1) };
  tell(state);
  writeAddress();
}

/** A pasted link, an address edited by hand, the back button after one of these. */
addEventListener("popstate", () => {
  draft = false;
  state = opened();
  if (toHash(state) !== toHash(stack[at].state)) push({ state });
  tell(state);
});
