/** An editor of one range: the grid, its brush, and the text. It knows no server. */

import { h } from "./dom.js";
import { presetsButton } from "./presets.js";
import { rangeGrid } from "./range_grid.js";
import { rangeText } from "./range_text.js";
import { combined, isLive, liveTotal, setWeight, toTokens, weightsOf } from "./range_weights.js";
import { keep, recall } from "./storage.js";
import { suitsPopover } from "./suits_popover.js";

/** @typedef {import("./range_weights.js").Weights} Weights */

/**
 * Build an editor inside `element`.
 * @param {object} options
 * @param {(text: string) => Promise<{text: string, notes?: string[], combos: {combo: string, weight: number}[]}>} options.read
 *   the JSON of `holdem range`; rejects with an error that has message, start and end
 * @param {(text: string, owner?: any, isPlain?: boolean) => void} options.onInput every change, also within a
 *   stroke; a plain text is a list of combos that the reader could not make shorter
 * @param {(text: string, owner?: any, isPlain?: boolean) => void} options.onCommit the end of a stroke or of typing
 * @param {() => Promise<Map<string, string>>} [options.describe] what is known of the combos, in words
 */
export function mountRangeEditor(element, { read, onInput, onCommit, describe = async () => new Map() }) {
  let dead = new Set();
  let brush = 1;
  /**
   * The range that is edited: whose it is, and its numbered changes. An answer of the reader does not undo what was
   * typed or painted since. Once another range is edited, `left` is what was on the grid.
   */
  let edited = { owner: undefined, removals: 0, sent: 0, shown: 0, taken: 0 };
  let litLabel = "";

  const message = h("p", { className: "error" });
  const count = h("p", { className: "count" });
  const note = h("p", { className: "note", role: "status" });
  const field = rangeText({
    label: "Range as text", rows: 2, message,
    onInput: (text) => take(text, { typed: true }),
    onCommit: (text) => onCommit(text, edited.owner),
  });
  const drags = h("input", { type: "checkbox", checked: recall("drags") === "on", onchange: () => (keep("drags", drags.checked ? "on" : "off"), drawDrags()) });
  const drawDrags = () => element.classList.toggle("drags", drags.checked);
  const grid = rangeGrid({ brush: () => brush, setBrush, drags: () => drags.checked, onPaint: painted, onSuits: (name, cell) => suits.open(name, cell) });
  const suits = suitsPopover({
    weights: () => grid.weights, dead: () => dead, brush: () => brush, setBrush, describe,
    onPaint: (combos, weight) => grid.paintCombos(combos, weight),
  });
  const weight = slider("Weight", { min: 0, max: 100, step: 5, value: 100, oninput: () => setBrush(Number(weight.input.value) / 100) });
  const top = slider("Top hands", {
    min: 0, max: 100, step: 0.5, value: 0,
    oninput: () => take(topText()),
    onchange: () => onCommit(field.text, edited.owner),
  });
  const toolbar = h("div", { className: "toolbar" }, presetsButton((text, how) => chooseAs(text, how)), tool("Random", () => choose("random"), "Random range"));
  const clearing = h("button", { className: "quiet-icon", title: "No hands", "aria-label": "Clear range", onclick: () => choose("") }, "×");
  element.classList.add("range-editor");
  element.append(grid.element, h("div", { className: "sliders" },
    h("label", { className: "drags-switch", title: "A finger that moves paints, instead of scrolling" }, drags, "Paint"), weight.element, top.element), field.element,
    h("div", { className: "under-text" }, count, note, message), h("div", { className: "tool-row" }, toolbar, clearing), suits.element);

  const topText = () => (Number(top.input.value) ? `top ${top.input.value}%` : "");

  function setBrush(value) {
    brush = value;
    weight.show(100 * value, `${Math.round(100 * value)} %`);
  }

  /** How often owners were removed. They are numbers, which may be those of others after that. */
  let removals = 0;

  /** What is being read. What is painted or combined meanwhile comes after it. */
  let reading = Promise.resolve();

  /** Show the range of a text, which stays as it is. */
  async function take(text, { typed = false, quiet = false } = {}) {
    const own = edited;
    const mine = (own.taken = ++own.sent);
    if (!typed) field.setText(text);
    if (!quiet) onInput(text, own.owner);
    const before = new Map(grid.weights);
    const range = await (reading = attempt(text, own, mine));
    if (!range || mine < own.taken) return;
    const [weights, painted] = [weightsOf(range), own.left ?? grid.weights];
    for (const combo of new Set([...before.keys(), ...painted.keys()])) {
      const weight = painted.get(combo);
      if (weight !== before.get(combo)) setWeight(weights, [combo], weight);
    }
    if (own !== edited) return (own.left = weights);
    grid.setWeights(weights);
    return changed();
  }

  /** Send what was painted through the reader, which gives the canonical text. */
  async function paint(isDone, own = edited) {
    const mine = ++own.sent;
    await reading;
    const tokens = toTokens(own.left ?? grid.weights);
    const range = await attempt(tokens, own, mine);
    if (mine < own.shown || mine < own.taken || own.removals < removals) return;
    const text = range?.text ?? tokens;
    if (own === edited) {
      field.setText(text);
      changed();
    }
    (isDone ? onCommit : onInput)(text, own.owner, !range);
  }

  async function attempt(text, own, mine) {
    let range = null;
    let error = null;
    try {
      range = text.trim() ? await read(text) : { text: "", combos: [] };
    } catch (problem) {
      error = problem;
    }
    if (mine < own.shown) return null;
    own.shown = mine;
    if (own !== edited) return range;
    element.classList.toggle("unread", Boolean(error));
    const isOfServer = [0, 403].includes(error?.status); // the page says so for all its parts
    if (mine === own.sent) field.showError(isOfServer ? null : error);
    note.textContent = range?.notes?.join(" ") ?? "";
    return range;
  }

  function painted(isDone) {
    changed();
    paint(isDone);
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
    const written = /^top ([\d.]+)%$/.exec(field.text)?.[1];
    top.show(written ?? 100 * share, written ? `${written} %` : percent);
  }

  /** Take a range, or combine the present one with it. */
  const chooseAs = (text, how) => (how === "replace" ? choose(text) : combine(text, how));

  async function choose(text) {
    const own = edited;
    await take(text);
    if (own.removals === removals) onCommit(text, own.owner);
  }

  async function combine(text, how) {
    const own = edited;
    // The page says that the server is away.
    const [other] = await (reading = Promise.all([read(text).catch(() => null), reading]));
    if (!other) return;
    // With what was typed, painted or combined meanwhile.
    const next = combined(own.left ?? grid.weights, weightsOf(other), how);
    if (own === edited) return grid.replaceWeights(next);
    own.left = next;
    paint(true, own);
  }

  setBrush(1);
  drawDrags();
  changed();
  return {
    /** Show another range; calls no callback. Later ones get the owner of the range that they change. */
    setText: (text, newOwner, owners) => {
      if (owners < edited.owners) removals += 1;
      const same = edited.owner === newOwner && edited.removals === removals;
      if (!same) {
        edited.left = grid.weights;
        edited = { owner: newOwner, removals, sent: 0, shown: 0, taken: 0 };
        grid.setWeights(new Map()); // not to be painted on
        count.textContent = "";
      }
      edited.owners = owners;
      if (!same || (text !== field.text && !grid.painting)) take(text, { quiet: true });
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
    /** Take a range as if it had been typed. */
    choose,
    chooseAs,
    get weights() {
      return grid.weights;
    },
    /** Leave only these combos, or all but these; those that known cards block go. */
    narrow: (combos, isKept) =>
      grid.paintCombos([...grid.weights.keys()].filter((combo) => combos.has(combo) !== isKept || !isLive(combo, dead)), 0),
    /** Read a text again that could not be read, unless it is being read. */
    reread: () => element.classList.contains("unread") && edited.shown === edited.sent && take(field.text, { quiet: true }),
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
