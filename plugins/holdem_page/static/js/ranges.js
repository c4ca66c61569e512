/** Ranges by their text, as the server reads them. */

import { ask } from "./requests.js";

/** Ranges that were read lately: undo and change of player need no request. */
const known = new Map();

/** @param {string} text @returns {Promise<object>} the JSON of `holdem range` */
export function readRange(text) {
  if (!known.has(text)) {
    const reading = ask("range", { text });
    keep(text, reading);
    reading.then((range) => known.has(range.text) || keep(range.text, Promise.resolve({ ...range, notes: [] })),
      () => known.delete(text));
  }
  return known.get(text);
}

function keep(text, reading) {
  known.set(text, reading);
  if (known.size > 100) known.delete(known.keys().next().value);
}
