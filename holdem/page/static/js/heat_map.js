/**
 * Colours of equities. The scale diverges in equal perceived steps (the browser mixes in OKLab)
 * from orange over neutral to blue, which all common kinds of colour-blindness tell apart. The
 * neutral colour is the equity that a call needs, or without a price one over the number of players.
 */

import { measured, rounded } from "./answers/figures.js";
import { details, subscribe as onAnswer } from "./answer.js";
import { h } from "./dom.js";
import { getPrice, subscribe as onPrice } from "./price.js";
import { getState, subscribe as onState, whoseReport } from "./state.js";

/**
 * The colour at a position from -1 (orange) over 0 to 1 (blue).
 * @param {number} position
 * @param {"heat" | "change"} [scale] of equities, or of changes (plum to green)
 */
export function colourAt(position, scale = "heat") {
  const end = `var(--${scale}-${position < 0 ? "low" : "high"})`;
  const part = Math.min(Math.abs(position), 1) * 100;
  return `color-mix(in oklab, ${end} ${part.toFixed(1)}%, var(--heat-middle))`;
}

/** The position of an equity: 0 to the break-even share below, the rest above. */
export const positionOf = (equity, even) =>
  equity < even ? equity / even - 1 : (equity - even) / (1 - even);

/**
 * The switch of the heat map and its legend.
 * @param {HTMLElement} element
 * @param {(cells: Map<string, {colour: string, text: string, label: string}>[] | null, player: number) => void} show
 *   the colours by class of all players, and the active one
 */
export function mount(element, show) {
  const button = h("button", { "aria-pressed": "false", id: "heat-switch" }, "Heat map");
  const ends = [0, 1, 2].map(() => h("span"));
  const label = (...texts) => ends.forEach((end, index) => (end.textContent = texts[index]));
  const legend = h("span", { className: "heat-legend", "aria-hidden": "true" },
    h("span", { className: "heat-scale" }), h("span", { className: "heat-ends" }, ...ends));
  element.append(legend, button);
  let isOn = false;
  /** The report that is shown or on its way, and the player whose colours are in the grid. */
  let asked = {};
  let shown = "";

  async function refresh() {
    legend.classList.toggle("off", !isOn);
    if (!isOn) return show(null);
    const { active, players } = getState();
    const report = details("class");
    const whose = whoseReport();
    if (report === asked.report && whose === asked.whose) return;
    const mine = (asked = { report, whose });
    element.classList.toggle("stale", whose === shown);
    if (whose !== shown) {
      shown = "";
      show(null);
      label("", "Computing …", "");
    }
    try {
      const equity = await report;
      if (asked !== mine) return;
      const even = getPrice()?.needed ?? 1 / players.length;
      show(equity.players.map((player) => cells(player.by_class, even)), active);
      label("0 %", `${Number(rounded(even))} %`, "100 %");
      shown = whose;
      element.classList.remove("stale");
    } catch (error) {
      // The answer says what is wrong, and the old colours of the same player stay, dimmed.
      if (!["AskError", "AbortError"].includes(error.name)) throw error;
      if (asked === mine && !shown) label("", "–", "");
    }
  }

  button.addEventListener("click", () => {
    isOn = !isOn;
    asked = {};
    shown = "";
    element.classList.remove("stale");
    button.setAttribute("aria-pressed", String(isOn));
    refresh();
  });
  onAnswer(() => isOn && refresh());
  onState(() => isOn && refresh());
  onPrice(() => {
    asked = {};
    if (isOn) refresh();
  });
  refresh();
}

function cells(classes, even) {
  const known = classes.filter((row) => row.equity !== null);
  return new Map(known.map(({ name, equity, stderr }) => [name, {
    colour: colourAt(positionOf(equity, even)), text: rounded(equity, 0), label: `equity ${measured(equity, stderr, 1)}`,
  }]));
}
