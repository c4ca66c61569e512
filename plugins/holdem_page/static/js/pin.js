/**
 * A question that is kept as A: until it is let go, figures show how they have changed since.
 */

import { getAnswer, getQuestion, getRepeatable } from "./answer.js";
import { h } from "./dom.js";
import { listeners } from "./listeners.js";
import { ask } from "./requests.js";
import { getState, questionWords } from "./state.js";
import { goneFor } from "./twice.js";

const { subscribe, tell } = listeners();
export { subscribe };
let pinned = null;
/** Reports on the question that is kept. */
let reports = new Map();

export const getPinned = () => pinned;

/** Whether there is an answer that can be kept. */
export const canPin = () => Boolean(getAnswer().fresh && !getAnswer().pending && getQuestion());

/** Keep the present question, or none. */
function pin(isKept) {
  reports = new Map();
  pinned = isKept ? {
    question: getRepeatable(), players: getState().players, equity: getAnswer().equity,
    label: questionWords(),
  } : null;
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
  if (!Number.isFinite(now) || !Number.isFinite(then)) return "";
  const points = Number((100 * (now - then)).toFixed(digits));
  if (!points) return "";
  return h("small", { className: `delta ${isGood ? (points > 0 ? "up" : "down") : ""}` },
    `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(digits)}`);
}

/** The button that keeps a question, and the line that says which is kept. */
export function pinControls() {
  const button = h("button", { onclick: () => pin(true), title: "Keep this question as A: figures then show how they change" }, "Compare…");
  const name = h("span");
  const line = h("p", { className: "pinned" },
    h("span", { className: "kept" }, name, h("button", { title: "Compare no longer", "aria-label": "Compare no longer", onclick: () => pin(false) }, "×")),
    h("span", { className: "hint" }, "Now change something."));
  const draw = () => {
    line.hidden = !pinned;
    name.textContent = `A: ${pinned?.label}`;
    line.title = `${name.textContent}: figures show how they have changed since`;
  };
  subscribe(draw);
  draw();
  return { button, line };
}
