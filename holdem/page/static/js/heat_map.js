/**
 * Colours of equities. The scale diverges in equal perceived steps (the browser mixes in OKLab)
 * from orange over neutral to blue, which all common kinds of colour-blindness tell apart. The
 * neutral colour is the break-even share, one over the number of players.
 */

import { rounded } from "./answers/figures.js";
import { details, subscribe as onAnswer } from "./answer.js";
import { h } from "./dom.js";
import { getState, subscribe as onState } from "./state.js";

/**
 * The colour at a position from -1 (orange) over 0 to 1 (blue).
 * @param {number} position
 */
export function colourAt(position) {
  const end = position < 0 ? "var(--heat-low)" : "var(--heat-high)";
  const part = Math.min(Math.abs(position), 1) * 100;
  return `color-mix(in oklab, ${end} ${part.toFixed(1)}%, var(--heat-middle))`;
}

/** The position of an equity: 0 to the break-even share below, the rest above. */
export const positionOf = (equity, even) =>
  equity < even ? equity / even - 1 : (equity - even) / (1 - even);

/**
 * The switch of the heat map and its legend.
 * @param {HTMLElement} element
 * @param {import("./range_editor.js").Editor} editor
 */
export function mount(element, editor) {
  const button = h("button", { "aria-pressed": "false", id: "heat-switch" }, "Heat map");
  const ends = ["0 %", "", "100 %"].map((text) => h("span", {}, text));
  const legend = h("span", { className: "heat-legend", "aria-hidden": "true" },
    h("span", { className: "heat-scale" }), h("span", { className: "heat-ends" }, ...ends));
  element.append(legend, button);
  let isOn = false;
  /** The report that is shown or on its way, and its player. */
  let shown = {};

  async function refresh() {
    legend.classList.toggle("off", !isOn);
    if (!isOn) return editor.showHeat(null);
    const { active, players } = getState();
    const even = 1 / players.length;
    ends[1].textContent = `${rounded(even, players.length === 2 ? 0 : 1)} %`;
    const report = details("class");
    if (report === shown.report && active === shown.active) return;
    shown = { report, active };
    element.classList.add("stale");
    try {
      const equity = await report;
      if (!isOn || shown.report !== report || shown.active !== active) return;
      editor.showHeat(cells(equity.players[active].by_class, even));
      element.classList.remove("stale");
    } catch (error) {
      // The answer says what is wrong, and the old colours stay, dimmed.
      if (!["AskError", "AbortError"].includes(error.name)) throw error;
    }
  }

  button.addEventListener("click", () => {
    isOn = !isOn;
    shown = {};
    element.classList.remove("stale");
    button.setAttribute("aria-pressed", String(isOn));
    refresh();
  });
  onAnswer(() => isOn && refresh());
  onState(() => isOn && refresh());
  refresh();
}

function cells(classes, even) {
  const known = classes.filter((row) => row.equity !== null);
  return new Map(known.map(({ name, equity }) => {
    const colour = colourAt(positionOf(equity, even));
    return [name, { colour, ink: "var(--heat-text)", text: rounded(equity, 0) }];
  }));
}
