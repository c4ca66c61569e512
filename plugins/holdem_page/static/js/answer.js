/**
 * The answer to the current question, in one stream: equities, then what players hit and the equities of their combos;
 * further reports are asked for when a panel needs them.
 * @typedef {{equity: object | null, fresh: boolean, pending: boolean, error: AskError | null}} Answer
 *   `equity` is the latest, `fresh` whether it (or a part of it) belongs to the current question, `pending` whether more is on its way
 */

import { listeners } from "./listeners.js";
import { ask, checkServer } from "./requests.js";
import { dueRules, rulesOfAll } from "./rules.js";
import { getState, playerName, ranges, subscribe as onState } from "./state.js";
import { recall } from "./storage.js";
import { goneFor } from "./twice.js";

/** A request younger than this, in milliseconds, is not cancelled for a newer question before it has equities. */
const GRACE = 60;
/** How often a visible page looks whether its server is there, in milliseconds. */
const WATCH = 2000;

const { subscribe, tell } = listeners();
export { subscribe };
let answer = { equity: null, fresh: false, pending: false, error: null };
/** The current question as JSON, and what ends all that belongs to it when it changes. */
let asked = "";
let question = new AbortController();
/** Reports of the current question, by name. */
let reports = new Map();
/** The stream under way, when it began, and the timer of the one that waits for it. */
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
  return { players: players.map(ranges.asked), board: board.join(" "), dead: dead.join(" "), ...rulesOfAll() };
}

/** Whether lines of hits are finer: kickers, kinds of flush draws. */
export const isFine = () => recall("fine") === "on";

/** What the range of a player has on the board, with the combos: the question to the server. */
function hitsQuestion(player) {
  const { board, dead } = getState();
  const players = getState().players.map(ranges.asked);
  // Before the flop, lines select no combos: a third of the time would go into listing them.
  return { range: players[player], board: board.join(""), dead: goneFor(player, players, board, dead).join(""), members: board.length > 0, fine: isFine(), rules: dueRules(player) };
}

const hitsName = (player) => `hits of ${player}${isFine() ? ", fine" : ""}`;

/** A report of the current question; rejects with an AbortError when the question changes. */
export const getHits = (player) => kept(hitsName(player), "hits", () => hitsQuestion(player));

/**
 * The answer with a report: "category", "combo", "next-card" or "runout". A sampled answer is repeated with
 * its seed and number of deals, so that the figures agree.
 */
export const details = (by) => kept(by, "equity", () => ({ ...getRepeatable(), by: [by] }));

/** The equities, by combo, too, before a player folds what rules of this street take. */
export const unnarrowed = (player) => kept(`before ${player} folds`, "equity", () =>
  ({ ...getQuestion(), rules: undefined, ...rulesOfAll(player), by: ["combo"] }));

/** Deals of a report that is shown until the whole one is there. */
const FEW = 30_000;

/** A sampled report, at once, for the time until `details` has the report. */
export const estimates = (by) =>
  kept(`estimate of ${by}`, "equity", () => ({ ...getQuestion(), method: "monte-carlo", deals: FEW, by: [by] }), true);

/** How long something may take that is waited for before the rest is shown, in milliseconds. */
const SOON = 250;
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds, null));

/** What a report is within a short time, or null; rejects as the report does. */
export const soon = (report) => Promise.race([report, pause(SOON)]);

/** A report that comes with the answer, or is asked for once; the equities go first, if it is not for the meantime. */
function kept(name, path, body, isMeantime = false) {
  if (!reports.has(name)) {
    const { signal } = question;
    const mine = reports;
    const first = isMeantime ? Promise.resolve() : settled(signal);
    const promise = first.then(() => signal.throwIfAborted() ?? ask(path, body(), { signal }));
    promise.catch((error) => {
      mine.delete(name);
      if (error.status === 0 && mine === reports && !answer.error) set({ error }); // until the server is there
    });
    reports.set(name, { promise });
  }
  return reports.get(name).promise;
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
      return answer.fresh && !answer.pending && finish((done) => painted().then(done), resolve);
    };
    const stop = subscribe(check);
    const finish = (settle, value) => (stop(), settle(value));
    signal.addEventListener("abort", () => finish(reject, signal.reason), { once: true });
    check();
  });
}

/** Resolves once what is shown is on the screen. */
const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

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
  const { players, active } = getState();
  const whose = players.length === 2 ? [active, 1 - active] : [active];
  for (const name of body ? [...whose.map(hitsName), "combo"] : []) reports.set(name, deferred(question.signal));
  clearTimeout(timer);
  const age = performance.now() - started;
  if (running && !answer.fresh && age < GRACE) timer = setTimeout(send, GRACE - age, whose);
  else send(whose);
  set({ fresh: false, pending: body !== null, error: null, ...(body ? {} : { equity: null }) });
}

/** A promise that is settled elsewhere. */
function deferred(signal) {
  const made = Promise.withResolvers();
  made.promise.catch(() => {}); // nobody may wait for it
  signal.addEventListener("abort", () => made.reject(signal.reason), { once: true });
  return made;
}

async function send(whose) {
  running?.abort();
  running = null;
  const body = getQuestion();
  if (!body) return;
  const mine = (running = new AbortController());
  const own = reports;
  started = performance.now();
  const parts = whose.map((player) => own.get(hitsName(player)));
  const takes = {
    partial: (equity) => set({ equity, fresh: true }),
    equity: (equity) => (set({ equity, fresh: true, pending: false }), painted()),
    hits: (hits) => parts.shift().resolve(hits),
    combos: (equity) => own.get("combo").resolve(equity),
  };
  try {
    const onEvent = (name, content) => own === reports && takes[name](content);
    await ask("spot", { ...body, hits: whose.map(hitsQuestion) }, { signal: mine.signal, onEvent });
  } catch (error) {
    if (own !== reports || error.name === "AbortError") return;
    for (const { reject } of own.values()) reject?.(error);
    set({ pending: false, error, ...(error.status === 400 ? { equity: null } : {}) });
  }
  if (running === mine) running = null;
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
