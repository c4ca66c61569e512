/**
 * The answer to the current question: first the equities, reports when a panel asks for them.
 * @typedef {{equity: object | null, fresh: boolean, pending: boolean,
 *   error: import("./requests.js").AskError | null}} Answer
 *   `equity` is the latest answer, `fresh` whether it (or a part of it) belongs to the current
 *   question, `pending` whether more of it is on its way.
 */

import { listeners } from "./listeners.js";
import { ask, checkServer } from "./requests.js";
import { dueRules, rulesOfAll } from "./rules.js";
import { getState, playerName, subscribe as onState } from "./state.js";
import { goneFor } from "./twice.js";

/** A request younger than this, in milliseconds, is not cancelled for a newer question. */
const GRACE = 60;
/** How often a visible page looks whether its server is there, in milliseconds. */
const WATCH = 2000;

const { subscribe, tell } = listeners();
export { subscribe };
/** @type {Answer} */
let answer = { equity: null, fresh: false, pending: false, error: null };
/** The current question as JSON, and what ends the reports on it when it changes. */
let asked = "";
let question = new AbortController();
/** @type {Map<string, Promise<object>>} reports of the current question */
let reports = new Map();
/** The request under way, when it began, and the timer of the one that waits for it. */
let running = null;
let started = 0;
let timer = 0;
/** The timer of the next look at the server. */
let watching = 0;

export const getAnswer = () => answer;

/** What is wrong with neither a player nor a card, or null. */
export const getGeneralError = () => (answer.error?.player === undefined && !answer.error?.field ? answer.error : null);

/** Why there is no question: the board is incomplete, or a range empty. "" if there is one. */
export function whatIsMissing() {
  const { players, board } = getState();
  const empty = players.findIndex((text) => !text.trim());
  if (empty >= 0) return `The range of ${playerName(empty)} is empty: paint or type one.`;
  return [1, 2].includes(board.length) ? "Choose the three cards of the flop." : "";
}

/** The question as the server takes it, or null while something is missing. */
export function getQuestion() {
  const { players, board, dead } = getState();
  if (whatIsMissing()) return null;
  return { players, board: board.join(" "), dead: dead.join(" "), ...rulesOfAll() };
}

/**
 * The answer with a report: "class", "category", "combo", "next-card" or "runout". It waits for the
 * equities; a sampled answer is repeated with its seed and number of deals, so that the figures
 * agree. Kept until the question changes; rejects with an AbortError when it does.
 */
export const details = (by) => kept(by, (signal) => ask("equity", { ...getRepeatable(), by: [by] }, { signal }));

/** Deals of a report that is shown until the whole one is there. */
const FEW = 30_000;

/** A sampled report, at once, for the time until `details` has the report. */
export const estimates = (by) =>
  kept(`estimate of ${by}`, (signal) => ask("equity", { ...getQuestion(), method: "monte-carlo", deals: FEW, by: [by] }, { signal }), FIRST);

/** What the range of a player has on the board, with the combos, by finer lines if asked; kept as `details` are. */
export function getHits(player, fine = false) {
  const { players, board, dead } = getState();
  // Before the flop, lines select no combos: a third of the time would go into listing them.
  const body = { range: players[player], board: board.join(""), dead: goneFor(player, players, board, dead).join(""), members: board.length > 0, fine, rules: dueRules(player) };
  return kept(`hits of ${player}${fine ? ", fine" : ""}`, (signal) => ask("hits", body, { signal }), board.length ? FIRST : 0);
}

/** How long a report that needs no equities lets these go first, in milliseconds. */
const FIRST = 60;
/** How long something may take that is waited for before the rest is shown, in milliseconds. */
const SOON = 250;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds, null));

/** What a report is within a short time, or null; rejects as the report does. */
export const soon = (report) => Promise.race([report, pause(SOON)]);

/** A report of the current question, which is asked for once; the equities go first, for at most `wait` milliseconds. */
function kept(name, send, wait = Infinity) {
  if (!reports.has(name)) {
    const { signal } = question;
    const first = Promise.race([settled(signal), ...(wait < Infinity ? [pause(wait)] : [])]);
    const request = first.then(() => signal.throwIfAborted() ?? send(signal));
    const mine = reports;
    request.catch((error) => {
      mine.delete(name);
      if (error.status === 0 && mine === reports && !answer.error) set({ error }); // until the server is there
    });
    reports.set(name, request);
  }
  return reports.get(name);
}

/** The question, with the seed and the number of deals that repeat a sampled answer. */
export function getRepeatable() {
  const { equity, fresh, pending } = answer;
  if (!fresh || pending || equity.exact) return getQuestion();
  return { ...getQuestion(), seed: equity.seed, deals: equity.deals };
}

/** Resolves once the equities of the current question are complete and on the screen. */
export function settled(signal) {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (answer.error) return finish(reject, answer.error);
      return answer.fresh && !answer.pending && finish(requestAnimationFrame, () => setTimeout(resolve));
    };
    const stop = subscribe(check);
    const finish = (settle, value) => (stop(), settle(value));
    signal.addEventListener("abort", () => finish(reject, signal.reason), { once: true });
    check();
  });
}

export function retry() {
  asked = "";
  refresh();
}

function refresh() {
  const body = getQuestion();
  const key = JSON.stringify(body);
  if (key === asked) return;
  asked = key;
  question.abort(new DOMException("The question has changed.", "AbortError"));
  question = new AbortController();
  reports = new Map();
  clearTimeout(timer);
  const age = performance.now() - started;
  if (running && age < GRACE) timer = setTimeout(send, GRACE - age);
  else send();
  set({ fresh: false, pending: body !== null, error: null });
}

async function send() {
  clearTimeout(timer);
  running?.abort();
  const body = getQuestion();
  if (!body) return;
  const key = asked;
  const mine = (running = new AbortController());
  started = performance.now();
  const current = () => running === mine && asked === key;
  try {
    const onPartial = (equity) => current() && set({ equity, fresh: true });
    const equity = await ask("equity", body, { signal: mine.signal, onPartial });
    if (current()) set({ equity, fresh: true, pending: false });
  } catch (error) {
    if (current() && error.name !== "AbortError") set({ pending: false, error });
  }
  if (running !== mine) return;
  running = null;
  if (asked !== key) send();
}

function set(change) {
  answer = { ...answer, ...change };
  tell(answer);
}

/** Notice that the server has stopped, also while nothing is asked, and that it is back. */
async function watch() {
  clearTimeout(watching);
  if (document.hidden) return; // until the page is visible again
  const isGone = () => answer.error?.status === 0;
  try {
    await checkServer();
    if (isGone()) retry();
  } catch (error) {
    if (!answer.pending && !isGone()) set({ error }); // a request that is under way says it itself
  }
  clearTimeout(watching);
  watching = setTimeout(watch, WATCH);
}

document.addEventListener("visibilitychange", watch);
watching = setTimeout(watch, WATCH);
onState(refresh);
queueMicrotask(refresh);
