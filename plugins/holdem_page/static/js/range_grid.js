/** The 13×13 grid: painting with mouse, pen, finger and keys. */

import { CLASSES, RANKS, combosOf } from "./cards.js";
import { h } from "./dom.js";
import { haveWeight, summary, withWeight } from "./range_weights.js";

/** @typedef {import("./range_weights.js").Weights} Weights */

const SIZE = RANKS.length;
/** Milliseconds after which a finger that rests on a cell opens its suits. */
const LONG_PRESS = 500;

export function rangeGrid({ brush, setBrush, drags, onBegin, onPaint, onCancel, onSuits }) {
  let weights = new Map();
  let dead = new Set();
  let kept = null;
  let heat = null;
  let lit = null;
  let focused = 0;
  let anchor = 0;
  /** Whether the focus is where keys took it. */
  let byKeys = false;

  const cells = CLASSES.map((name) =>
    h("div", { className: "cell", role: "gridcell", tabIndex: -1 },
      h("span", { className: "name", textContent: name }),
      h("span", { className: "weight" }),
      h("span", { className: "left" }),
      h("span", { className: "heat" })));
  cells[0].tabIndex = 0;
  const rows = Array.from({ length: SIZE }, (_, row) =>
    h("div", { role: "row" }, ...cells.slice(SIZE * row, SIZE * (row + 1))));
  const element = h("div", {
    className: "grid", role: "grid", "aria-label": "Starting hands", "aria-multiselectable": "true",
  }, ...rows);

  function draw() {
    CLASSES.forEach((name, index) => {
      const cell = cells[index];
      const { weight, total, left } = summary(weights, name, dead);
      const percent = Math.max(1, Math.min(99, Math.round(100 * weight)));
      const partial = weight > 0 && weight < 1 - 1e-9;
      const warm = heat?.get(name);
      cell.title = warm ? `${name}: ${warm.label}` : "";
      const still = kept ? summary(kept, name).weight * total / Math.max(left, 1) : weight;
      cell.style.setProperty("--weight", still);
      cell.style.setProperty("--base", weight);
      cell.classList.toggle("cut", Boolean(kept) && weight > 0);
      cell.style.setProperty("--dead", 1 - left / total);
      cell.style.setProperty("--heat", warm?.colour ?? "");
      cell.classList.toggle("hot", Boolean(warm));
      const chosen = lit ? combosOf(name).filter((combo) => lit.has(combo)) : [];
      const chosenWeight = chosen.reduce((sum, combo) => sum + (weights.get(combo) ?? 0), 0);
      cell.style.setProperty("--lit", chosenWeight / Math.max(left, 1));
      cell.classList.toggle("lit", chosen.length > 0);
      cell.classList.toggle("dim", Boolean(lit) && !chosen.length);
      cell.children[1].textContent = partial && (!heat || warm) ? percent : "";
      cell.children[2].textContent = !heat && weight > 0 && left < total ? left : "";
      cell.children[3].textContent = warm?.text ?? "";
      cell.classList.toggle("out", Boolean(heat) && !warm);
      cell.ariaSelected = weight > 0;
      const combos = left < total ? `${left} of ${total} combos left` : `${total} combos`;
      const held = weight === 0 ? "not in the range" : `${partial ? percent : 100} %`;
      cell.ariaLabel = `${name}, ${combos}, ${held}${kept && weight ? `, ${Math.round(100 * still)} % kept` : ""}${warm ? `, ${warm.label}` : ""}${chosen.length ? `, ${chosen.length} selected` : ""}`;
    });
  }

  const paint = (indices, weight, isDone) =>
    onPaint((own) => withWeight(own, indices.flatMap((index) => combosOf(CLASSES[index])), weight), isDone);

  /** The brush sets what has another weight and clears what has its weight. */
  const valueFrom = (index) =>
    haveWeight(weights, combosOf(CLASSES[index]), brush()) ? 0 : brush();

  // Pointers: the first cell decides whether a stroke sets or clears.
  let stroke = null;

  function cellAt(x, y) {
    const box = element.getBoundingClientRect();
    const column = Math.floor(((x - box.left) / box.width) * SIZE);
    const row = Math.floor(((y - box.top) / box.height) * SIZE);
    const inside = column >= 0 && column < SIZE && row >= 0 && row < SIZE;
    return inside ? SIZE * row + column : -1;
  }

  /** The cells between the last point of the stroke and this one: fast strokes leave no gaps. */
  function cellsTo(x, y) {
    const step = element.clientWidth / SIZE / 4;
    const steps = Math.max(1, Math.ceil(Math.hypot(x - stroke.x, y - stroke.y) / step));
    const found = [];
    for (let i = 1; i <= steps; i++) {
      const index = cellAt(stroke.x + ((x - stroke.x) * i) / steps, stroke.y + ((y - stroke.y) * i) / steps);
      if (index >= 0 && !stroke.cells.has(index)) {
        stroke.cells.add(index);
        found.push(index);
      }
    }
    Object.assign(stroke, { x, y });
    return found;
  }

  element.addEventListener("pointerdown", (event) => {
    const eraser = event.pointerType === "pen" && (event.buttons & 32) !== 0;
    const index = cellAt(event.clientX, event.clientY);
    if (!event.isPrimary || index < 0 || (event.button !== 0 && !eraser)) return;
    event.preventDefault();
    element.classList.remove("shows-focus");
    byKeys = false;
    onBegin();
    focus(index, { focusVisible: false });
    element.setPointerCapture(event.pointerId);
    stroke = {
      x: event.clientX, y: event.clientY, cells: new Set([index]),
      value: eraser ? 0 : valueFrom(index), timer: 0,
      isTap: event.pointerType === "touch" && !drags(),
    };
    if (event.pointerType !== "mouse") stroke.timer = setTimeout(longPress, LONG_PRESS, index);
    if (!stroke.isTap) paint([index], stroke.value, false);
  });

  element.addEventListener("pointermove", (event) => {
    if (!stroke || !event.isPrimary || stroke.isTap) return;
    const points = event.getCoalescedEvents?.() ?? [];
    const found = (points.length ? points : [event]).flatMap((p) => cellsTo(p.clientX, p.clientY));
    if (!found.length) return;
    clearTimeout(stroke.timer);
    paint(found, stroke.value, false);
  });

  // A pen, which is over the grid before it touches it, always paints.
  element.addEventListener("pointerover", ({ pointerType }) => element.classList.toggle("pen", pointerType === "pen"));

  for (const name of ["pointerup", "pointercancel"]) {
    element.addEventListener(name, (event) => {
      if (!stroke || !event.isPrimary) return;
      clearTimeout(stroke.timer);
      const { cells: painted, value, isTap } = stroke;
      stroke = null;
      if (isTap && name === "pointercancel") return; // the browser scrolls
      focus([...painted].at(-1), { focusVisible: false });
      if (isTap) paint([...painted], value, true);
      else onPaint((own) => own, true);
    });
  }

  function longPress(index) {
    stroke = null;
    onCancel();
    onSuits(CLASSES[index], cells[index]);
  }

  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    const index = cellAt(event.clientX, event.clientY);
    if (event.pointerType === "touch" || index < 0) return;
    focus(index, { focusVisible: false });
    onSuits(CLASSES[index], cells[index]);
  });

  // Keys: one cell is in the tab order; with shift, a rectangle of cells is painted at once.
  function focus(index, { extend = false, focusVisible = true } = {}) {
    cells[focused].tabIndex = -1;
    focused = index;
    if (!extend) anchor = index;
    cells[index].tabIndex = 0;
    cells[index].focus({ preventScroll: true, focusVisible });
    const chosen = extend ? rectangle() : [];
    cells.forEach((cell, i) => cell.classList.toggle("chosen", chosen.includes(i)));
  }

  element.addEventListener("focusin", (event) => {
    const index = cells.indexOf(event.target);
    byKeys = event.target.matches(":focus-visible");
    if (index !== focused) focus(index);
  });

  element.addEventListener("focusout", (event) => {
    if (element.contains(event.relatedTarget)) return;
    anchor = focused;
    for (const cell of cells) cell.classList.remove("chosen");
  });

  function rectangle() {
    const [row, column] = [Math.floor(focused / SIZE), focused % SIZE];
    const [row0, column0] = [Math.floor(anchor / SIZE), anchor % SIZE];
    return cells.map((_, i) => i).filter((i) => {
      const [r, c] = [Math.floor(i / SIZE), i % SIZE];
      return (r - row) * (r - row0) <= 0 && (c - column) * (c - column0) <= 0;
    });
  }

  function move(rowStep, columnStep, extend) {
    const row = Math.min(SIZE - 1, Math.max(0, Math.floor(focused / SIZE) + rowStep));
    const column = Math.min(SIZE - 1, Math.max(0, (focused % SIZE) + columnStep));
    focus(SIZE * row + column, { extend });
  }

  const paintChosen = (weight) => paint(rectangle(), weight, true);

  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, shiftKey } = event;
    const keys = {
      ArrowUp: () => move(-1, 0, shiftKey),
      ArrowDown: () => move(1, 0, shiftKey),
      ArrowLeft: () => move(0, -1, shiftKey),
      ArrowRight: () => move(0, 1, shiftKey),
      Home: () => move(0, -SIZE, shiftKey),
      End: () => move(0, SIZE, shiftKey),
      PageUp: () => move(-SIZE, 0, shiftKey),
      PageDown: () => move(SIZE, 0, shiftKey),
      " ": () => paintChosen(valueFrom(anchor)),
      Enter: () => paintChosen(valueFrom(anchor)),
      Delete: () => paintChosen(0),
      Backspace: () => paintChosen(0),
      s: () => onSuits(CLASSES[focused], cells[focused]),
    };
    if (!/^[0-9]$/.test(key) && !Object.hasOwn(keys, key)) return;
    event.preventDefault();
    if (/^[0-9]$/.test(key)) {
      setBrush(key === "0" ? 1 : Number(key) / 10);
      if (byKeys) paintChosen(brush());
    } else {
      keys[key]();
      element.classList.add("shows-focus"); // of the cell that keys act on, also after a press
    }
  });

  draw();
  return {
    element,
    get weights() {
      return weights;
    },
    get kept() {
      return kept;
    },
    setWeights(next) {
      weights = next;
      draw();
    },
    setDead(cards) {
      dead = new Set(cards);
      draw();
    },
    setKept(next) {
      if (next === kept) return;
      kept = next;
      draw();
    },
    showHeat(next) {
      heat = next;
      draw();
    },
    lightUp(combos) {
      lit = combos && new Set(combos);
      draw();
    },
  };
}
