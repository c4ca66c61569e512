/** The equities of each player's combos, highest first. A stretch of the current player's curve selects its combos. */

import { details, estimates } from "../answer.js";
import { h, svg } from "../dom.js";
import { isSelected, replace, subscribe } from "../selection.js";
import { neededToCall } from "../price.js";
import { ownColour, playerName } from "../state.js";
import { comboRows, margin, rounded } from "./figures.js";
import { headRow, row } from "./tables.js";

export const id = "distribution";
export const title = "Distribution";

const TENTHS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

export const load = () => details("combo");
export const estimate = () => estimates("combo");

/** The combos with an equity, highest first, each with the stretch `from`, `to` of the range (0 to 1) that it takes. */
function stepsOf(rows) {
  const known = rows.filter((row) => row.equity !== null).sort((a, b) => b.equity - a.equity);
  const total = known.reduce((sum, row) => sum + row.weight, 0);
  let end = 0;
  return known.map((row) => {
    const from = end;
    end += row.weight / total;
    return { ...row, from, to: end };
  });
}

const stepAt = (steps, share) =>
  steps.find((step) => step.to > share + 1e-9) ?? steps.at(-1) ?? { equity: null, stderr: null };

export function build(body) {
  const lines = svg("g", {});
  const area = svg("path", { class: "area" });
  const stretch = svg("rect", { class: "stretch", y: 0, height: 100, width: 0 });
  const cursor = svg("path", { class: "cursor" });
  const price = svg("path", { class: "price-line" });
  const rules = svg("path", { class: "rules", d: [25, 50, 75].map((at) => `M0 ${at}H100M${at} 0V100`).join("") });
  const picture = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    rules, stretch, area, lines, price, cursor);
  const plot = h("div", { role: "slider", tabIndex: 0, className: "plot", "aria-valuemin": "0",
    "aria-valuemax": "100", "aria-label": "Share of the range, highest equity first" }, picture);
  const axis = (name, ...texts) => h("div", { className: name, "aria-hidden": "true" },
    ...texts.map((text) => h("span", {}, text)));
  const legend = h("p", { className: "legend" });
  const readout = h("p", { className: "detail" });
  const table = h("table", { className: "lines" });
  body.append(legend,
    h("div", { className: "plot-frame" },
      axis("y-axis", "100 %", "75", "50", "25", "0"), plot,
      axis("x-axis", "0", "25", "50", "75", "100 %")),
    readout,
    h("details", {}, h("summary", {}, "As a table"), table));

  const priceKey = h("span", {});
  function drawPrice() {
    const needed = neededToCall();
    price.setAttribute("d", needed ? `M0 ${100 * (1 - needed)}H100` : "");
    priceKey.hidden = !needed;
    priceKey.replaceChildren(
      svg("svg", { viewBox: "0 0 20 8", class: "key", "aria-hidden": "true" }, svg("path", { class: "price-line", d: "M0 4H20" })),
      needed ? `a call needs ${rounded(needed)}\u00a0%` : "");
  }

  let steps = [];
  let player = 0;
  let rows = [];
  /** Where the cursor is and where the marked stretch begins, in per cent of the range. */
  let at = 0;
  let anchor = null;
  let name = "";

  function draw(equity, context) {
    player = context.player;
    const all = equity.players.map((_, each) => comboRows(equity, each));
    steps = all.map(stepsOf);
    rows = all[player];
    lines.replaceChildren(...steps.map((own, each) =>
      ownCurve(each, { class: `curve series-${each}${each === player ? " active" : ""}`, d: pathOf(own) })));
    lines.append(lines.children[player]);  // on top
    area.setAttribute("d", `${pathOf(steps[player])}V100H0Z`);
    area.style.setProperty("--own", ownColour(player));
    legend.replaceChildren(...steps.map((_, each) => h("span", {},
      svg("svg", { viewBox: "0 0 20 8", class: "key", "aria-hidden": "true" },
        ownCurve(each, { class: `curve series-${each}`, d: "M0 4H20" })),
      playerName(each))));
    legend.append(priceKey);
    drawPrice();
    fillTable();
    if (name) mark({ ctrlKey: true }); // what else is selected stays
    else show();
  }

  function fillTable() {
    const head = headRow("Share of range", ...steps.map((_, each) => playerName(each)));
    const lines = TENTHS.map((share) => row(`${share} %`, ...steps.map((own) => rounded(stepAt(own, share / 100).equity))));
    table.replaceChildren(h("caption", { className: "unseen" }, "Equity in per cent, best combos first"),
      h("thead", {}, head), h("tbody", {}, ...lines));
  }

  function show() {
    const [from, to] = anchor === null ? [at, at] : [Math.min(at, anchor), Math.max(at, anchor)];
    stretch.setAttribute("x", from);
    stretch.setAttribute("width", to - from);
    cursor.setAttribute("d", `M${at} 0V100`);
    plot.ariaValueNow = at;
    const equities = steps.map((own, each) => {
      const { equity, stderr } = stepAt(own, at / 100);
      return `${playerName(each)} ${rounded(equity)}${margin(stderr)}\u00a0%`;
    });
    plot.ariaValueText = `${at} %: ${equities.join(", ")}`;
    readout.textContent = at || anchor !== null ? `At ${at} % of the range: ${equities.join(", ")}`
      : "Share of the range, highest equity first. Drag, or use shift and arrows, to select combos.";
  }

  function mark(event) {
    const [from, to] = [Math.min(at, anchor), Math.max(at, anchor)];
    const held = steps[player].filter((step) => {
      const middle = 50 * (step.from + step.to);
      return middle >= from && middle <= to;
    });
    const combos = new Map(held.map(({ combo, weight }) => [combo, weight]));
    name = nameOf(from, to);
    replace(player, "distribution", { kind: "distribution", name, combos, rows }, event);
    show();
  }

  function move(to, isExtending, event) {
    if (isExtending && anchor === null) anchor = at;
    at = Math.min(100, Math.max(0, Math.round(to)));
    if (isExtending) return mark(event);
    if (name) replace(player, "distribution", null);
    anchor = null;
    return show();
  }

  function end() {
    anchor = null;
    name = "";
    show();
  }

  const shareUnder = (event) => {
    const { left, width } = plot.getBoundingClientRect();
    return (100 * (event.clientX - left)) / width;
  };
  plot.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    plot.setPointerCapture(event.pointerId);
    move(shareUnder(event), false);
  });
  plot.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) move(shareUnder(event), true, event);
    else if (!name) move(shareUnder(event), false);
  });
  plot.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !name) move(0, false);
  });
  plot.addEventListener("keydown", (event) => {
    const to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1,
      PageUp: at + 10, PageDown: at - 10, Home: 0, End: 100 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to, event.shiftKey, event);
  });
  subscribe(() => {
    if (name && !isSelected(player, "distribution", name)) end();
  });
  return draw;
}

/** A stretch of a range, the best combos first. */
function nameOf(from, to) {
  if (from === 0 && to === 100) return "the whole range";
  if (from === 0) return `best ${to}\u00a0%`;
  return to === 100 ? `worst ${100 - from}\u00a0%` : `${from} to ${to}\u00a0% from the top`;
}

function ownCurve(player, attributes) {
  const path = svg("path", attributes);
  path.style.setProperty("--own", ownColour(player));
  return path;
}

/** The curve of a player, highest equity first, in a square of 100. */
function pathOf(steps) {
  if (!steps.length) return "M0 100";
  const y = (step) => (100 - 100 * step.equity).toFixed(2);
  const points = steps.map((step) => `V${y(step)}H${(100 * step.to).toFixed(2)}`);
  return `M0 ${y(steps[0])}${points.join("")}`;
}
