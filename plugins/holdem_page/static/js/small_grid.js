/** A range at a glance: its 13×13 grid without text. */

import { CLASSES, RANKS } from "./cards.js";
import { svg } from "./dom.js";
import { summary } from "./range_weights.js";
import { ranges } from "./state.js";

const SIZE = RANKS.length;

export function smallGrid() {
  const cells = CLASSES.map((_, index) =>
    svg("rect", { x: index % SIZE, y: Math.floor(index / SIZE), width: 1.02, height: 1.02, "fill-opacity": 0 }));
  const element = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "small-grid", "aria-hidden": "true" }, ...cells);
  let text = null;
  let weights = new Map();
  let kept = null;

  function draw() {
    CLASSES.forEach((name, index) => {
      const { weight } = summary(kept ?? weights, name);
      if (cells[index].getAttribute("fill-opacity") !== String(weight)) cells[index].setAttribute("fill-opacity", weight);
    });
  }

  return {
    element,
    /** Show a range; what cannot be read leaves the old one. */
    async show(next) {
      if (next === text) return;
      text = next;
      try {
        const range = ranges.get(next) ?? await ranges.read(next);
        if (text !== next) return;
        weights = range.weights;
        draw();
      } catch {
        if (text === next) text = null; // the field says what is wrong
      }
    },
    /** The weights that rules leave, or null. */
    showKept(next) {
      if (next === kept) return;
      kept = next;
      draw();
    },
  };
}
