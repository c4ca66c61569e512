/** An editor of one range: the grid, its brush, and the text. It knows no server. */

import { h } from "./dom.js";
import { presetsButton } from "./presets.js";
import { rangeGrid } from "./range_grid.js";
import { rangeText } from "./range_text.js";
import { combined, isLive, liveTotal, withWeight } from "./range_weights.js";
import { keep, recall } from "./storage.js";
import { suitsPopover } from "./suits_popover.js";

export { isCard, parseCards } from "./cards.js";
export { rangeReader } from "./ranges.js";

/** @typedef {import("./range_weights.js").Weights} Weights */

/** Build an editor inside `element`. */
export function mountRangeEditor(element, { ranges, textOf, onChange, describe = async () => new Map() }) {
  let dead = new Set();
  let brush = 1;
  /** Whose range is shown, and its text. */
  let owner;
  let shown;
  /** Whether the text cannot be read. */
  let isWrong = false;
  let litLabel = "";

  const message = h("p", { className: "error" });
  const count = h("p", { className: "count" });
  const note = h("p", { className: "note", role: "status" });
  /** The last request for top hands, unless the range has changed since; and which hands were put, as a text. */
  let asked;
  let topHands;
  const put = (text, isDone, who = owner, top = undefined) => {
    asked = undefined;
    topHands = top;
    onChange(text, who, isDone);
  };
  const field = rangeText({
    label: "Range as text", rows: 2, message, onInput: (text) => put(text, false), onCommit: (text) => put(text, true),
  });
  const drags = h("input", { type: "checkbox", checked: recall("drags") === "on", onchange: () => (keep("drags", drags.checked ? "on" : "off"), drawDrags()) });
  const drawDrags = () => element.classList.toggle("drags", drags.checked);
  let before = "";
  const grid = rangeGrid({
    brush: () => brush, setBrush, drags: () => drags.checked, onPaint: edit, onSuits: (name, cell) => suits.open(name, cell),
    onBegin: () => (before = textOf(owner)), onCancel: () => put(before, true),
  });
  const suits = suitsPopover({
    weights: () => grid.weights, dead: () => dead, brush: () => brush, setBrush, describe,
    onPaint: (combos, weight) => edit((weights) => withWeight(weights, combos, weight)),
  });
  const weight = slider("Weight", { min: 0, max: 100, step: 5, value: 100, oninput: () => setBrush(Number(weight.input.value) / 100) });
  const top = slider("Top hands", {
    min: 0, max: 100, step: 0.5, value: 0, oninput: () => putTop(top.input.value, false), onchange: () => putTop(top.input.value, true),
  });
  const against = h("select", {
    ariaLabel: "Ranked against", title: "Those with most equity against so many random hands; PokerStove and Equilab have 3",
    onchange: () => (keep("against", against.value), topHands?.text === textOf(owner) && putTop(topHands.percent, true)),
  }, ...[1, 2, 3, 4, 5].map((count) => h("option", { value: count, textContent: `v ${count}` })));
  if ((document.querySelector('meta[name="rules"]')?.content ?? "standard") === "standard") {
    against.value = recall("against") ?? 1; // else 1: no other order is known
    top.element.firstChild.replaceChildren("Top ", against);
  }
  const toolbar = h("div", { className: "toolbar" }, presetsButton((text, how) => chooseAs(text, how)), tool("Random", () => choose("random"), "Random range"));
  const clearing = h("button", { className: "quiet-icon", title: "No hands", "aria-label": "Clear range", onclick: () => choose("") }, "×");
  element.classList.add("range-editor");
  element.append(grid.element, h("div", { className: "sliders" },
    h("label", { className: "drags-switch", title: "A finger that moves paints, instead of scrolling" }, drags, "Paint"), weight.element, top.element), field.element,
    h("div", { className: "under-text" }, count, note, message), h("div", { className: "tool-row" }, toolbar, clearing), suits.element);

  /** Put the top hands. Those against several are put as a plain list: what it means depends on no choice. */
  async function putTop(percent, isDone) {
    const who = owner, before = textOf(who), own = (asked = {}), count = Number(against.value);
    let text = Number(percent) ? `top ${percent}%` : "";
    if (text && count > 1) {
      text = await ranges.readAgainst(text, count).catch(({ message, status }) => void field.showError({ message, status }));
      if (text === undefined || asked !== own || textOf(who) !== before) return;
    }
    put(text, isDone, who, { text, percent });
  }

  function setBrush(value) {
    brush = value;
    weight.show(100 * value, `${Math.round(100 * value)} %`);
  }

  /** Changes of ranges whose texts are being read, by owner and text. */
  const waiting = new Map();

  /** Change the weights of a range: at once, or when its text has been read. */
  function edit(change, isDone = true, who = owner) {
    const text = textOf(who);
    if (text === undefined) return; // removed
    const range = ranges.get(text);
    const own = who === owner;
    if (range) return put(ranges.write(change(range.weights)), isDone, who);
    const base = own ? grid.weights : new Map(); // where the text cannot be read
    if (own && isWrong) return put(ranges.write(change(base)), isDone);
    if (own) grid.setWeights(change(base));
    const key = JSON.stringify([who, text]);
    if (waiting.has(key)) return waiting.get(key).push(change);
    const changes = [change];
    waiting.set(key, changes);
    ranges.read(text).catch(() => ({ weights: base })).then(({ weights }) => {
      waiting.delete(key);
      // What was typed since counts.
      if (textOf(who) === text) put(ranges.write(changes.reduce((found, each) => each(found), weights)), true, who);
    });
  }

  /** Show the range of the owner, or leave the old one until its text has been read. */
  async function show() {
    const text = textOf(owner);
    const isNew = text !== shown;
    shown = text;
    field.setText(text);
    let error = null;
    if (!ranges.get(text)) {
      if (!isNew) return;
      isWrong = false;
      element.classList.add("unread");
      await ranges.read(text).catch((problem) => (error = problem));
      if (text !== shown) return;
    }
    const range = ranges.get(text);
    isWrong = !range;
    element.classList.toggle("unread", isWrong);
    if (isNew) field.showError([0, 403].includes(error?.status) ? null : error); // the page says those for all its parts
    note.textContent = range?.notes.join(" ") ?? "";
    if (range && range.weights !== grid.weights) grid.setWeights(range.weights);
    changed();
  }

  function changed() {
    const total = liveTotal(grid.weights, dead);
    const share = total.weight / total.combos;
    const text = (number) => Number(number.toFixed(2)).toLocaleString("en");
    const percent = `${(100 * share).toFixed(1)} %`;
    const held = dead.size ? `${text(total.held)} of ${text(total.combos)} combos left` : `${text(total.held)} combo${total.held === 1 ? "" : "s"}`;
    const weighted = total.held - total.weight > 1e-9 ? `, ${text(total.weight)} weighted` : "";
    const kept = grid.kept && `${text(grid.kept.size)} of ${text(total.held)} combos kept · ${percentOf(grid.kept, total.weight)}\u00a0% of the range`;
    count.textContent = litLabel || kept || `${held}${weighted} · ${percent}`;
    const written = topHands?.text === field.text ? topHands.percent : /^top ([\d.]+)%$/.exec(field.text)?.[1];
    top.show(written ?? 100 * share, written ? `${written} %` : percent);
  }

  const choose = (text) => put(text, true);

  /** What is being read to be combined: ranges are combined in the order in which they were chosen. */
  let reading = Promise.resolve();

  /** Take a range, or combine the present one with it. */
  async function chooseAs(text, how) {
    if (how === "replace") return choose(text);
    const own = owner;
    const [other] = await (reading = Promise.all([ranges.read(text).catch(() => null), reading]));
    if (other) edit((weights) => combined(weights, other.weights, how), true, own); // or the page says that the server is away
  }

  setBrush(1);
  drawDrags();
  return {
    /** Show the range of an owner, which may have changed; calls no callback. */
    show: (next) => {
      if (next !== owner) {
        owner = next;
        shown = undefined;
        grid.setWeights(new Map()); // not to be painted on
        count.textContent = "";
      }
      return show();
    },
    /** Set the cards that make combos impossible. */
    setDead: (cards) => {
      if (cards.length === dead.size && cards.every((card) => dead.has(card))) return;
      dead = new Set(cards);
      grid.setDead(cards);
      changed();
    },
    showHeat: grid.showHeat,
    /** Show what rules leave of the range: weights, or null. */
    setKept: (weights) => {
      grid.setKept(weights);
      changed();
    },
    /** Dim all classes without these combos; null for none. The label takes the place of their number. */
    lightUp: (combos, label = "") => {
      grid.lightUp(combos);
      litLabel = label;
      changed();
    },
    choose,
    chooseAs,
    get weights() {
      return grid.weights;
    },
    /** Leave only these combos, or all but these; those that known cards block go. */
    narrow: (combos, isKept) =>
      edit((weights) => new Map([...weights].filter(([combo]) => combos.has(combo) === isKept && isLive(combo, dead)))),
    /** Read a text again that could not be read. */
    reread: () => {
      if (!isWrong) return;
      shown = undefined;
      show();
    },
    toolbar,
  };
}

/** What some weights are of a total, in per cent. */
const percentOf = (weights, total) => (100 * [...weights.values()].reduce((sum, weight) => sum + weight, 0) / total).toFixed(1);

const tool = (textContent, onclick, ariaLabel = textContent) => h("button", { textContent, ariaLabel, onclick });

function slider(name, properties) {
  const input = h("input", { type: "range", ...properties, "aria-label": name });
  const output = h("output");
  const element = h("label", { className: "slider" }, h("span", { textContent: name }), input, output);
  const show = (value, text) => {
    if (document.activeElement !== input || Math.abs(Number(input.value) - value) > 1) input.value = value;
    input.style.setProperty("--at", `${(100 * (input.value - input.min)) / (input.max - input.min)}%`);
    input.ariaValueText = output.textContent = text;
  };
  return { element, input, show };
}
