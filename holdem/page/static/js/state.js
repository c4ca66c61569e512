/**
 * The question on the page. Its address holds it in the range language:
 * #p=QQ+,AKs:0.5&n=BTN&p=random&b=Td9d2c&d=2h&pot=100&bet=50
 *
 * @typedef {{players: string[], names: string[], board: string[], dead: string[], pot: string,
 *   bet: string, active: number}} State pot and bet as typed
 */

import { parseCards } from "./cards.js";
import { keep, recall } from "./storage.js";

export const MIN_PLAYERS = 2;
export const MAX_PLAYERS = 10;
const FIRST_QUESTION = "#p=22+,A2s+,KTs+,QJs,ATo+,KQo&p=top%2020%25";

/** What the last link that was opened holds and the page does not show, in words. */
let leftOut = "";
export const whatWasLeftOut = () => leftOut;

const listeners = new Set();
/** @type {State} */
let state = { ...read(location.hash || FIRST_QUESTION), active: 0 };
/** True while changes are in memory only, as during a stroke of the brush. */
let draft = false;

/** @returns {State} the current question and the active player; not to be changed in place. */
export const getState = () => state;

/**
 * Change the question.
 *
 * "push" makes an entry in the browser's history, so that the back button undoes the change.
 * "replace" is for the steps of one gesture: they stay in memory until a "push" ends the gesture.
 * "amend" writes the present entry in another way.
 * @param {Partial<State>} change
 * @param {{history?: "push" | "replace" | "amend"}} [options]
 */
export function update(change, { history: mode = "push" } = {}) {
  state = { ...state, ...change };
  if (mode === "push") leftOut = "";
  state.active = Math.min(state.active, state.players.length - 1);
  const hash = toHash(state);
  draft = mode === "replace" && hash !== location.hash;
  const isNew = mode === "push" && hash !== location.hash;
  if (isNew) setPosition(position + 1);
  for (const listener of [...listeners]) listener(state);
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

/**
 * Call `listener(state)` after every change. Returns a function that ends it.
 * @param {(state: State) => void} listener
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whose report is shown: the active player, and how many there are. */
export const whoseReport = () => `${state.active} of ${state.players.length}`;

/** Whether there is something to undo and to redo. */
export const canUndo = () => draft || position > 0;
export const canRedo = () => position < Number(recall("last", "sessionStorage"));
export const undo = () => (draft ? restore() : history.back());
export const redo = () => history.forward();

/**
 * The address of a question, from "#" on. Only what a browser would change is escaped.
 * @param {Omit<State, "active">} question
 */
function toHash({ players, names, board, dead, pot, bet }) {
  const parts = players.flatMap((text, index) =>
    [`p=${escapeText(text)}`, ...(names[index] ? [`n=${escapeText(names[index])}`] : [])]);
  for (const [name, text] of Object.entries({ b: board.join(""), d: dead.join(""), pot, bet })) {
    if (text) parts.push(`${name}=${escapeText(text)}`);
  }
  return `#${parts.join("&")}`;
}

function escapeText(text) {
  return encodeURIComponent(text).replace(/%(2B|2C|3A|3B|3D|40|2F|3F|5B|5D)/g, decodeURIComponent);
}

/** Text with percent signs that escape nothing, as in a link typed by hand, is left alone. */
function unescapeText(text) {
  return text.replace(/(%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

/** A name without what would change the direction or the lines of other text. */
function plainName(text) {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, "").trim();
}

function read(hash) {
  const unknown = [];
  const question = { players: [], names: [], board: [], dead: [], pot: "", bet: "" };
  for (const part of hash.slice(1).split("&")) {
    const [name, ...rest] = part.split("=");
    const text = unescapeText(rest.join("="));
    if (name === "p") question.names[question.players.push(text) - 1] = "";
    if (name === "n" && question.players.length) question.names[question.players.length - 1] = plainName(text);
    if (name === "b") question.board.push(...parseCards(text));
    if (name === "d") question.dead.push(...parseCards(text));
    if (name === "pot" || name === "bet") question[name] = text;
    if (part && !["p", "n", "b", "d", "pot", "bet"].includes(name)) unknown.push(part);
  }
  const surplus = question.players.length - MAX_PLAYERS;
  leftOut = [
    ...(surplus > 0 ? [`The link has ${question.players.length} players; those after player ${MAX_PLAYERS} are left out.`] : []),
    ...(unknown.length ? [`Not understood in the link: ${unknown.join(", ")}.`] : []),
  ].join(" ");
  while (question.players.length < MIN_PLAYERS) question.names[question.players.push("random") - 1] = "";
  question.players.length = question.names.length = Math.min(question.players.length, MAX_PLAYERS);
  return question;
}

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
  if (!history.state) numberEntry(position + 1);
  position = history.state.index;
  state = { ...state, ...read(location.hash) };
  state.active = Math.min(state.active, state.players.length - 1);
  for (const listener of [...listeners]) listener(state);
}

addEventListener("popstate", restore);
