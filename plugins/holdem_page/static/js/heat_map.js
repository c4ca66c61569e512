/** Colours of equities, as in charts: red below what breaks even and blue above it, which the colour-blind tell apart. */

import { comboRows, figures, measured, rounded } from "./answers/figures.js";
import { details, getAnswer, getQuestion, subscribe as onAnswer } from "./answer.js";
import { CLASSES, combosOf } from "./cards.js";
import { h } from "./dom.js";
import { neededToCall } from "./price.js";
import { quietly } from "./requests.js";
import { getState, playerName, subscribe as onState, whoIsShown } from "./state.js";

/** The least distance from the middle at which a colour is as strong as it gets, of wide ranges and of all. */
const REACH = 0.15;
const LEAST_REACH = 0.005;

/** The colour at a position from -1 (red) to 1 (blue). Close to 0 it changes fastest: a little below and above look different. */
export function colourAt(position) {
  const end = `var(--heat-${position < 0 ? "low" : "high"})`;
  const part = Math.sqrt(Math.min(Math.abs(position), 1)) * 100;
  return `color-mix(in oklab, ${end} ${part.toFixed(1)}%, var(--heat-middle))`;
}

/** A scale around a middle. Each side reaches as far as its values, but at least 15 points or as far as any value. */
export function scaleAround(values, middle) {
  const spread = values.reduce((most, value) => Math.max(most, Math.abs(value - middle)), LEAST_REACH);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const reach = Math.min(REACH, spread);
  const [below, above] = [Math.max(reach, middle - least), Math.max(reach, most - middle)];
  return { ends: [middle - below, middle, middle + above], least, most, colourOf: (value) => colourAt((value - middle) / (value < middle ? below : above)) };
}

/** The equity at which a player breaks even: for the hero the price of a call, if there is one. */
export const breakEven = (player) =>
  (player === getState().hero && neededToCall()) || 1 / getState().players.length;

/** A legend; `label` sets the texts of both ends and the middle. */
export function heatScale() {
  const ends = [0, 1, 2].map(() => h("span"));
  return {
    element: h("span", { className: "heat-legend", "aria-hidden": "true" }, h("span", { className: "heat-scale" }), h("span", { className: "heat-ends" }, ...ends)),
    label: (...texts) => ends.forEach((end, index) => (end.textContent = texts[index])),
  };
}

/** The switch of the heat map and its legend. `show` gets colour, text and label by class of the active player, or null. */
export function mount(element, show) {
  const button = h("button", { "aria-pressed": "false", id: "heat-switch" }, "Heat map");
  const { element: legend, label } = heatScale();
  const ahead = h("span", { className: "ahead" });
  element.append(ahead, legend);
  element.parentElement.previousElementSibling.append(button);
  let isOn = false;
  /** What is shown or on its way, and the player whose colours are in the grid. */
  let asked = [];
  let shown = "";

  async function refresh() {
    element.hidden = !isOn;
    if (!isOn) return show(null);
    const { active, hero } = getState();
    const report = getQuestion() && details("combo");
    const whose = whoIsShown();
    const even = breakEven(active);
    const wanted = [report, whose, even];
    if (wanted.every((each, index) => each === asked[index])) return;
    asked = wanted;
    element.classList.toggle("stale", whose === shown);
    if (whose !== shown) {
      shown = ahead.textContent = "";
      show(null);
      label("", "Computing …", "");
    }
    const equity = report && await quietly(report);
    if (asked !== wanted) return;
    if (!equity) { // the old colours of the same player stay, dimmed, if the question has an answer
      if (!getAnswer().equity) show(null);
      if (!shown || !getAnswer().equity) label(ahead.textContent = "", "–", "");
      return;
    }
    const isCall = active === hero && neededToCall();
    const rows = comboRows(equity, active).filter((row) => row.equity !== null);
    const found = cells(rows, even);
    show(found.shown);
    const { ends: reached, least, most } = found.scale;
    const [low, middle, high] = reached.map((at) => `${Number(rounded(at))}\u00a0%`);
    label(low, middle, high);
    legend.title = `Equities from ${rounded(least, 0)} to ${rounded(most, 0)}\u00a0%; the colours from ${low} to ${high}, around ${middle}`;
    const above = new Set(rows.filter((row) => row.equity > even + 1e-9).map(({ combo }) => combo));
    ahead.textContent = `${rounded(figures(rows, above).share, 0)}\u00a0% ${isCall ? "can call" : "ahead"}`;
    ahead.title = `The part of the range of ${playerName(active)} that has more than ${middle}`;
    shown = whose;
    element.classList.remove("stale");
  }

  button.addEventListener("click", () => {
    isOn = !isOn;
    asked = [];
    shown = "";
    element.classList.remove("stale");
    button.ariaPressed = isOn;
    refresh();
  });
  for (const subscribe of [onAnswer, onState]) subscribe(() => isOn && refresh());
  refresh();
}

/** The equity of each class with a combo, in colour. */
function cells(rows, even) {
  const known = CLASSES.map((name) => ({ name, ...figures(rows, new Set(combosOf(name))) })).filter(({ equity }) => equity !== null);
  const scale = scaleAround(known.map(({ equity }) => equity), even);
  const shown = new Map(known.map(({ name, equity, stderr }) => [name, {
    colour: scale.colourOf(equity), text: rounded(equity, 0), label: `equity ${measured(equity, stderr, 1)}`,
  }]));
  return { shown, scale };
}
