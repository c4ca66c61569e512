/** Ranges by their text: the one place where weights are kept. */

import { toTokens, weightsOf } from "./range_weights.js";

/** @typedef {{weights: import("./range_weights.js").Weights, notes: string[], asked?: string, short?: string, isPlain?: boolean}} Range */

const MOST = 500;

export function rangeReader(send) {
  /** Those used last come last. */
  const known = new Map();
  const reading = new Map();

  function keep(text, range) {
    known.delete(text);
    known.set(text, range);
    if (known.size > MOST) known.delete(known.keys().next().value);
    return range;
  }

  /** Send a text once, however often it is asked for meanwhile. */
  function sent(text) {
    if (!reading.has(text)) reading.set(text, send(text).finally(() => reading.delete(text)));
    return reading.get(text);
  }

  /** The range of a text, or undefined while the text has not been read. */
  function get(text) {
    if (!text.trim()) return { weights: new Map(), notes: [] };
    return known.has(text) ? keep(text, known.get(text)) : undefined;
  }

  return {
    get,
    /** The text of the hands that a text with percentages means against so many random ones. */
    async readAgainst(text, against) {
      const found = await send(text, against);
      if (!known.has(found.text)) keep(found.text, { weights: weightsOf(found), notes: [] });
      return found.text;
    },
    async read(text) {
      const range = get(text);
      if (range) return range;
      const found = await sent(text);
      if (!known.has(found.text)) keep(found.text, { weights: weightsOf(found), notes: [] });
      return keep(text, { weights: weightsOf(found), notes: found.notes ?? [] });
    },
    /** A text of weights at once: a plain list, if it is not known how people write it. */
    write(weights) {
      const text = toTokens(weights);
      if (text && !known.has(text)) keep(text, { weights, notes: [], isPlain: true });
      return known.get(text)?.short ?? text;
    },
    isPlain: (text) => Boolean(known.get(text)?.isPlain),
    /** A plain list as people write it. Questions are asked with the list, so that they stay what they are. */
    async shorten(text) {
      const { text: short } = await sent(text);
      keep(text, { ...known.get(text), isPlain: false, short });
      if (short !== text) keep(short, { ...known.get(text), asked: text });
      return short;
    },
    asked: (text) => get(text)?.asked ?? text,
  };
}
