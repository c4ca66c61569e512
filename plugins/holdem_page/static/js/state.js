/**
 * The question on the page, which is also in its address (link.js).
 *
 * @typedef {{players: string[], names: string[], board: string[], dead: string[], pot: string,
 *   bet: string, rules: import("./rules.js").Rule[][], hero: number, active: number, shown: number}} State
 *   pot and bet as typed; `hero` decides, the range of `active` is edited, the reports of `shown` are shown
 */

import { readHash, toHash } from "./link.js";
import { listeners } from "./listeners.js";
import { keep, recall } from "./storage.js";

const FIRST_QUESTION = "#p=22+,A2s+,KTs+,QJs,ATo+,KQo&p=top%2020%25";

/** What the last link that was opened holds and the page does not show, in words. */
let leftOut = "";
export const whatWasLeftOut = () => leftOut;

const { subscribe, tell } = listeners();
export { subscribe };
/** @type {State} */
let state = opened({ active: 0 });
/** True while changes are in memory only, as during a stroke of the brush. */
let draft = false;

/** The question of the address. Reports open for the hero. */
function opened(before) {
  const { question, leftOut: unread } = readHash(location.hash || FIRST_QUESTION);
  leftOut = unread;
  return { ...before, ...question, active: Math.min(before.active, question.players.length - 1), shown: question.hero };
}

/** The current question; not to be changed in place. */
export const getState = () => state;

/**
 * Change the question. "push" makes an entry in the browser's history, so that the back button undoes the change.
 * "replace" is for the steps of one gesture: they stay in memory until a "push" ends the gesture.
 * "amend" writes the present entry in another way.
 */
export function update(change, { history: mode = "push" } = {}) {
  state = { ...state, ...change };
  if (mode === "push") leftOut = "";
  for (const who of ["active", "shown", "hero"]) state[who] = Math.min(state[who], state.players.length - 1);
  const hash = toHash(state);
  draft = mode === "replace" && hash !== location.hash;
  const isNew = mode === "push" && hash !== location.hash;
  if (isNew) setPosition(position + 1);
  tell(state);
  // Last: the server answers while the browser writes its history.
  if (isNew) history.pushState({ index: position }, "", hash);
  if (mode === "amend") history.replaceState({ index: position }, "", hash);
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

/** The colour of a player, wherever players are told apart. */
export const ownColour = (index) => `var(--series-${index % 5})`;

/** Whose report is shown, and how many players there are. */
export const whoseReport = () => `${state.shown} of ${state.players.length}`;

/** Whether there is something to undo and to redo. */
export const canUndo = () => draft || position > 0;
export const canRedo = () => position < Number(recall("last", "sessionStorage"));
export const undo = () => (draft ? restore() : history.back());
export const redo = () => history.forward();

/** Make `index` the last entry of the browser's history. */
function setPosition(index) {
  position = index;
  keep("last", index, "sessionStorage");
}

/** Number the present entry, which has no number yet. */
function numberEntry(index) {
  setPosition(index);
  history.replaceState({ index }, "", location.hash || toHash(state));
}

/** Where in its history the page is. */
let position = history.state?.index ?? 0;
if (!history.state) numberEntry(0);

/** The back button, a pasted link, an address edited by hand; the browser has not numbered those. */
function restore() {
  draft = false;
  const isOpened = !history.state;
  if (isOpened) numberEntry(position + 1);
  position = history.state.index;
  const { shown } = state;
  state = opened(state);
  if (!isOpened && shown < state.players.length) state.shown = shown;
  tell(state);
}

addEventListener("popstate", restore);
