/**
 * Combos that a line of an answer points at. The grid lights them up.
 *
 * @typedef {{player: number, combos: Map<string, number> | Set<string>, label: string}} Selection
 */

const listeners = new Set();
/** @type {Selection | null} */
let selection = null;

/** @returns {Selection | null} */
export const getSelection = () => selection;

/** @param {Selection} chosen */
export const select = (chosen) => set(chosen);

/** Select nothing. */
export function clear() {
  if (selection) set(null);
}

/**
 * Call `listener(selection)` after every change. Returns a function that ends it.
 * @param {(selection: Selection | null) => void} listener
 */
export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(chosen) {
  selection = chosen;
  for (const listener of [...listeners]) listener(selection);
}
