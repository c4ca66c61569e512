/**
 * The question on the page. Its address holds it in the range language:
 * #p=QQ+,AKs:0.5&n=BTN&p=random&keep=flop:top%20pair+,flush%20draw&b=Td9d2c&d=2h&pot=100&bet=50&hero=2
 *
 * @typedef {{players: string[], names: string[], board: string[], dead: string[], pot: string,
 *   bet: string, rules: import("./rules.js").Rule[][], hero: number, active: number, shown: number}} State
 *   pot and bet as typed; `hero` decides, the range of `active` is edited, the reports of `shown` are shown
 */

import { parseCards } from "./cards.js";
import { listeners } from "./listeners.js";
import { keep, recall } from "./storage.js";

export const MIN_PLAYERS = 2;
export const MAX_PLAYERS = 10;
/** Where a rule begins, in links. */
const STREETS = ["flop", "turn", "river"];
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
  const question = read(location.hash || FIRST_QUESTION);
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

/** The address of a question, from "#" on. Only what a browser would change is escaped. */
function toHash({ players, names, rules, board, dead, pot, bet, hero }) {
  const parts = players.flatMap((text, index) => [`p=${escapeText(text)}`,
    ...(names[index] ? [`n=${escapeText(names[index])}`] : []),
    ...rules[index].map(({ kind, lines, street, off }) => `${kind}=${off ? "off:" : ""}${STREETS[street - 3]}:${escapeText(lines.join(";"))}`)]);
  for (const [name, text] of Object.entries({ b: board.join(""), d: dead.join(""), pot, bet, hero: hero ? String(hero + 1) : "" })) {
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

function addPlayer({ players, names, rules }, text) {
  players.push(text);
  names.push("");
  rules.push([]);
}

function read(hash) {
  const unknown = [];
  const question = { players: [], names: [], rules: [], board: [], dead: [], pot: "", bet: "", hero: 0 };
  for (const part of hash.slice(1).split("&")) {
    const [name, ...rest] = part.split("=");
    const text = unescapeText(rest.join("="));
    const last = question.players.length - 1;
    if (name === "p") addPlayer(question, text);
    const rule = (name === "keep" || name === "drop") && last >= 0 && /^(off:)?(flop|turn|river):(.+)$/.exec(text);
    if (rule) question.rules[last].push({ kind: name, lines: rule[3].split(";"), street: STREETS.indexOf(rule[2]) + 3, off: Boolean(rule[1]) });
    if (name === "n" && last >= 0) question.names[last] = plainName(text);
    if (name === "b") question.board.push(...parseCards(text));
    if (name === "d") question.dead.push(...parseCards(text));
    if (name === "pot" || name === "bet") question[name] = text;
    if (name === "hero") question.hero = Number(text) - 1;
    if (part && !rule && !["p", "n", "b", "d", "pot", "bet", "hero"].includes(name)) unknown.push(part);
  }
  const surplus = question.players.length - MAX_PLAYERS;
  leftOut = [
    ...(surplus > 0 ? [`The link has ${question.players.length} players; those after player ${MAX_PLAYERS} are left out.`] : []),
    ...(unknown.length ? [`Not understood in the link: ${unknown.join(", ")}.`] : []),
  ].join(" ");
  while (question.players.length < MIN_PLAYERS) addPlayer(question, "random");
  question.players.length = question.names.length = question.rules.length = Math.min(question.players.length, MAX_PLAYERS);
  if (!Object.hasOwn(question.players, question.hero)) question.hero = 0;
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
  const isOpened = !history.state;
  if (isOpened) numberEntry(position + 1);
  position = history.state.index;
  const { shown } = state;
  state = opened(state);
  if (!isOpened && shown < state.players.length) state.shown = shown;
  tell(state);
}

addEventListener("popstate", restore);
