/**
 * Combos that parts of the answer point at. The grid lights them up, and they narrow the range.
 *
 * Parts of one kind unite. Those of different kinds intersect, or unite as well ("any").
 *
 * @typedef {object} Part
 * @property {"made" | "draws" | "next" | "distribution" | "combos"} kind
 * @property {string} name different from that of every other part of its kind
 * @property {Map<string, number>} combos with their weights
 * @property {import("./answers/figures.js").ComboRow[]} rows all combos of the range
 * @typedef {{player: number, combos: Map<string, number>, label: string, kinds: number}} Selection
 */

import { getQuestion } from "./answer.js";
import { described, figures } from "./answers/figures.js";

const listeners = new Set();
/** @type {(Part & {asked: string})[]} with the question that each belongs to */
let parts = [];
let owner = -1;
/** Whether combos need only one of several kinds, and whether parts are added without a key. */
let isAny = false;
let isAdding = false;
/** @type {Selection | null} */
let selection = null;

/** @returns {Selection | null} */
export const getSelection = () => selection;

export const getModes = () => ({ isAny, isAdding });

/** @param {{isAny?: boolean, isAdding?: boolean}} modes */
export function setModes(modes) {
  ({ isAny, isAdding } = { isAny, isAdding, ...modes });
  combine();
}

/** @param {Pick<Part, "kind" | "name">} part */
const find = ({ kind, name }) => parts.findIndex((each) => each.kind === kind && each.name === name);
export const isSelected = (kind, name) => find({ kind, name }) >= 0;

/**
 * Select a part, or no longer if it is selected already.
 * @param {number} player
 * @param {Part} part
 * @param {MouseEvent} [event] with Ctrl or ⌘, the other parts stay
 */
export function toggle(player, part, event) {
  const adds = isAdding || event?.ctrlKey || event?.metaKey;
  const at = find(part);
  const others = adds && owner === player ? parts.toSpliced(at, at < 0 ? 0 : 1) : [];
  set(player, at < 0 || (!adds && parts.length > 1) ? [...others, stamped(part)] : others);
}

/**
 * Select a part in place of all of its kind; without one, nothing of that kind.
 * @param {number} player
 * @param {Part["kind"]} kind
 * @param {Part | null} part
 * @param {MouseEvent | KeyboardEvent} [event] with Ctrl or ⌘, parts of other kinds stay
 */
export function replace(player, kind, part, event) {
  const adds = !part || isAdding || event?.ctrlKey || event?.metaKey;
  const others = adds && owner === player ? parts.filter((each) => each.kind !== kind) : [];
  set(player, part ? [...others, stamped(part)] : others);
}

/**
 * Parts of a new question in place of those that are selected; those it does not have are gone.
 * @param {Part[]} found
 * @param {Part["kind"][]} kinds
 */
export function renew(found, ...kinds) {
  const next = parts.map((part) => (kinds.includes(part.kind)
    ? found.find(({ kind, name }) => kind === part.kind && name === part.name) : part));
  set(owner, next.filter(Boolean).map((part) => (kinds.includes(part.kind) ? stamped(part) : part)));
}

/** End what belongs to an older question. */
export function expire() {
  set(owner, parts.filter(({ asked }) => asked === JSON.stringify(getQuestion())));
}

/** The combos that parts of other kinds select, or null if there are none. */
export function selectedBesides(kind) {
  const others = parts.filter((part) => part.kind !== kind);
  return others.length ? new Set(combined(others).keys()) : null;
}

/** Select nothing. */
export function clear() {
  isAdding = isAny = false;
  set(-1, []);
}

/**
 * Call `listener(selection)` after every change. Returns a function that ends it.
 * @param {(selection: Selection | null) => void} listener
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const stamped = (part) => ({ ...part, asked: JSON.stringify(getQuestion()) });

function set(player, next) {
  if (!parts.length && !next.length) return;
  [owner, parts] = [player, next];
  combine();
}

function combined(chosen) {
  const groups = [...Map.groupBy(chosen, (part) => part.kind).values()];
  const united = groups.map((group) => new Map(group.flatMap(({ combos }) => [...combos])));
  const all = united.flatMap((combos) => [...combos]);
  return new Map(all.filter(([combo]) => isAny || united.every((combos) => combos.has(combo))));
}

function combine() {
  const groups = [...Map.groupBy(parts, (part) => part.kind).values()];
  const combos = combined(parts);
  selection = parts.length ? { player: owner, combos, label: labelOf(groups, combos), kinds: groups.length } : null;
  for (const listener of [...listeners]) listener(selection);
}

function labelOf(groups, combos) {
  const joined = (group) => `${group[0].kind === "next" ? "better with " : ""}${group.map(({ name }) => name).join(" or ")}`;
  const bracket = (group) => (groups.length > 1 && group.length > 1 && !isAny ? `(${joined(group)})` : joined(group));
  const name = groups.map(bracket).join(isAny ? " or " : " and ");
  return `${name}: ${combos.size ? described(figures(parts[0].rows, combos)) : "no combos"}`;
}
