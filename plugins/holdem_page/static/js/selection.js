/**
 * Combos that parts of the answer point at: the grid lights them up, and they narrow the range. Lines of the hits unite,
 * or with "and" intersect; what is selected elsewhere narrows them. A part has a kind ("made", "draws", "next",
 * "distribution", "combos"), a name of its own, weights by combo, and the rows of all combos of the range.
 */

import { getQuestion } from "./answer.js";
import { described, figures } from "./answers/figures.js";
import { listeners } from "./listeners.js";

const { subscribe, tell } = listeners();
export { subscribe };
/** Each with the question that it belongs to. */
let parts = [];
let owner = -1;
/** Whether a combo needs both a made hand and a draw, and whether parts are added without a key. */
let isAll = false;
let isAdding = false;
let selection = null;

export const getSelection = () => selection;

export const getModes = () => ({ isAll, isAdding });

export function setModes(modes) {
  ({ isAll, isAdding } = { isAll, isAdding, ...modes });
  combine();
}

const find = ({ kind, name }) => parts.findIndex((each) => each.kind === kind && each.name === name);
export const isSelected = (player, kind, name) => player === owner && find({ kind, name }) >= 0;

/** Whether a click leaves the other parts selected: with Ctrl or ⌘, or while parts are added. */
export const isAdded = (event) => isAdding || event?.ctrlKey || event?.metaKey;

/** Select a part, or no longer if it is selected already. The other parts stay if the click adds. */
export function toggle(player, part, event) {
  const adds = isAdded(event);
  const at = owner === player ? find(part) : -1;
  const others = adds && owner === player ? parts.toSpliced(at, at < 0 ? 0 : 1) : [];
  set(player, at < 0 || (!adds && parts.length > 1) ? [...others, stamped(part)] : others);
}

/** Select a part in place of all of its kind; null for nothing of that kind. Other kinds stay if the event adds. */
export function replace(player, kind, part, event) {
  const adds = !part || isAdded(event);
  const others = adds && owner === player ? parts.filter((each) => each.kind !== kind) : [];
  set(player, part ? [...others, stamped(part)] : others);
}

/** Of some kinds, the parts of a new question in place of those that are selected of the player; others are gone. */
export function renew(player, found, ...kinds) {
  if (player !== owner) return;
  set(owner, parts.flatMap((part) => (kinds.includes(part.kind)
    ? found.filter(({ kind, name }) => kind === part.kind && name === part.name).map(stamped) : part)));
}

export function expire() {
  set(owner, parts.filter(({ asked }) => asked === JSON.stringify(getQuestion())));
}

/** The combos that parts of other kinds select, or null if there are none. */
export function selectedBesides(kind) {
  const others = parts.filter((part) => part.kind !== kind);
  return others.length ? new Set(combined(others).keys()) : null;
}

export function clear() {
  isAdding = isAll = false;
  set(-1, []);
}

const stamped = (part) => ({ ...part, asked: JSON.stringify(getQuestion()) });

function set(player, next) {
  if (!parts.length && !next.length) return;
  [owner, parts] = [player, next];
  combine();
}

const isLine = ({ kind }) => kind === "made" || kind === "draws";

/** Parts that unite: those of one kind, and all lines of the hits unless both kinds are needed. */
function groupsOf(chosen) {
  return [...Map.groupBy(chosen, (part) => (isLine(part) && !isAll ? "hits" : part.kind)).values()];
}

function combined(chosen) {
  const united = groupsOf(chosen).map((group) => new Map(group.flatMap(({ combos }) => [...combos])));
  const all = united.flatMap((combos) => [...combos]);
  return new Map(all.filter(([combo]) => united.every((combos) => combos.has(combo))));
}

function combine() {
  const combos = combined(parts);
  const kinds = new Set(parts.filter(isLine).map(({ kind }) => kind)).size;
  selection = parts.length ? { player: owner, combos, label: labelOf(groupsOf(parts), combos), kinds, lines: linesOf(parts) } : null;
  tell(selection);
}

/** The lines of a rule that selects the same combos, or null where there is none. */
function linesOf(chosen) {
  if (!chosen.every(isLine)) return null;
  return groupsOf(chosen).map((group) => group.map(({ name }) => name).join(", "));
}

function labelOf(groups, combos) {
  const joined = (group) => `${group[0].kind === "next" ? "better with " : ""}${group.map(({ name }) => name).join(" or ")}`;
  const bracket = (group) => (groups.length > 1 && group.length > 1 ? `(${joined(group)})` : joined(group));
  const name = groups.map(bracket).join(" and ");
  return `${name}: ${combos.size ? described(figures(parts[0].rows, combos)) : "no combos"}`;
}
