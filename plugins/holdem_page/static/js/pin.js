/**
 * A question that is kept as A: until it is let go, figures show how they have changed since.
 *
 * @typedef {{question: object, who: string, players: string[], shown: string, equity: object}} Pinned `shown` says which
 */

import { getAnswer, getQuestion, getRepeatable } from "./answer.js";
import { cardSymbol, isCard } from "./cards.js";
import { h } from "./dom.js";
import { listeners } from "./listeners.js";
import { count } from "./numbers.js";
import { ask } from "./requests.js";
import { getState, playerName } from "./state.js";
import { goneFor } from "./twice.js";

const { subscribe, tell } = listeners();
export { subscribe };
/** @type {Pinned | null} */
let pinned = null;
/** @type {Map<string, Promise<object>>} reports on the question that is kept */
let reports = new Map();

/** @returns {Pinned | null} */
export const getPinned = () => pinned;

/** Whether there is an answer that can be kept. */
export const canPin = () => Boolean(getAnswer().fresh && !getAnswer().pending && getQuestion());

/** Keep the present question, or let it go. */
export function toggle() {
  const { players, board } = getState();
  reports = new Map();
  pinned = pinned ? null : {
    question: getRepeatable(), players, equity: getAnswer().equity,
    who: players.map((text, index) => (playerName(index) === `player ${index + 1}` ? text : playerName(index))).join(" v "),
    shown: `${board.filter(isCard).map(cardSymbol).join(" ") || "no board"}, ${getAnswer().equity.players.map(({ combos }) => count(combos)).join(" v ")} combos`,
  };
  tell();
}

/** A report on the question that is kept, which is asked for once. */
function kept(name, path, body) {
  if (!reports.has(name)) reports.set(name, ask(path, body));
  return reports.get(name);
}

/** The hits and the equities by combo of a player in the question that is kept; null without one. */
export function pinnedHits(player, fine) {
  if (!pinned || player >= pinned.players.length) return null;
  const { players, board, rules } = pinned.question;
  const dead = goneFor(player, players, board.split(" "), pinned.question.dead.split(" ").filter(Boolean)).join(" ");
  const body = { range: players[player], board, dead, members: true, fine, rules: rules?.[player] ?? [] };
  return Promise.all([kept(`hits ${player} ${fine}`, "hits", body), kept("combo", "equity", { ...pinned.question, by: ["combo"] })]);
}

/** All flops of the question that is kept, or null. */
export function pinnedFlops() {
  if (!pinned || pinned.question.board || pinned.players.length !== 2) return null;
  const { players, dead } = pinned.question;
  return kept("flops", "flops", { players, dead, start: 0, count: 22_100 });
}

/** "+1.2" as an element: how a figure has changed since A, in colour if more is better; nothing without both or a change. */
export function change(now, then, { digits = 1, isGood = true } = {}) {
  if (now === null || then === null || now === undefined || then === undefined) return "";
  const points = Number((100 * (now - then)).toFixed(digits));
  if (!points) return "";
  return h("small", { className: `delta ${isGood ? (points > 0 ? "up" : "down") : ""}` },
    `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(digits)}`);
}

/** The button that keeps a question, and the line that says which is kept. */
export function pinControls() {
  const button = h("button", { className: "pin", onclick: toggle });
  const line = h("p", { className: "pinned" });
  const draw = () => {
    button.textContent = pinned ? "Unpin" : "Pin";
    button.title = pinned ? "Compare no longer" : "Keep this question as A: figures then show how they change";
    button.classList.toggle("on", Boolean(pinned));
    line.hidden = !pinned;
    line.textContent = pinned ? `Compared with A: ${pinned.shown}` : "";
    line.title = pinned?.who ?? "";
  };
  subscribe(draw);
  draw();
  return { button, line };
}
