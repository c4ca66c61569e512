/**
 * Turn and river on a flop: the equity after each two cards, as a square. Asked for when it is
 * opened, because it takes a run for each.
 */

import { details } from "../answer.js";
import { DECK, RANKS, cardSymbol } from "../cards.js";
import { h, svg } from "../dom.js";
import { breakEven, scaleAround } from "../heat_map.js";
import { getState, playerName, update } from "../state.js";
import { rounded } from "./figures.js";

const SIZE = DECK.length;

/** A part of a report that can be opened, and the function that says for whom and what. */
export function runouts() {
  const cells = new Map();
  const square = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, class: "runouts", "aria-hidden": "true" });
  DECK.forEach((turn, y) => DECK.forEach((river, x) => {
    if (turn === river) return;
    const cell = svg("rect", { x, y, width: 1.02, height: 1.02 });
    cells.set(turn + river, cell);
    square.append(cell);
  }));
  const cursor = svg("rect", { class: "cursor-cell", width: 1, height: 1, visibility: "hidden" });
  square.append(cursor);
  const plot = h("div", { tabIndex: 0, role: "slider", "aria-label": "Turn and river", "aria-valuemin": "0",
    "aria-valuemax": SIZE * SIZE - 1, className: "runouts-frame" }, square);
  const axis = (name) => h("div", { className: name, "aria-hidden": "true" }, ...[...RANKS].map((rank) => h("span", {}, rank)));
  const readout = h("p", { className: "detail" });
  const put = h("button", { hidden: true });
  const content = h("div", { className: "runouts-plot" }, axis("turns"), plot, axis("rivers"));
  const element = h("details", { className: "by-runout" }, h("summary", {}, "Turn and river"), readout, content, put);

  /** The equities by runout, whose, and the cell of the cursor: turn down, river across. */
  let found = new Map();
  let player = 0;
  let at = null;
  let wanted = 0;

  async function load() {
    const mine = ++wanted;
    if (!element.open || element.hidden) return;
    readout.textContent = "Computing …";
    try {
      const { by_runout: records } = await details("runout");
      if (mine !== wanted) return;
      found = new Map(records.flatMap(({ runout, equity }) =>
        [runout, runout.slice(2) + runout.slice(0, 2)].map((cards) => [cards, equity[player]])));
      draw();
    } catch (error) {
      if (mine === wanted && error.name === "AskError") readout.textContent = error.message;
    }
  }

  function draw() {
    const scale = scaleAround([...found.values()], breakEven(player));
    for (const [cards, cell] of cells) {
      const equity = found.get(cards);
      cell.style.fill = equity === undefined ? "none" : scale.colourOf(equity);
    }
    say();
  }

  function say() {
    cursor.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) for (const [name, value] of [["x", at.x], ["y", at.y]]) cursor.setAttribute(name, value);
    const [turn, river] = at ? [DECK[at.y], DECK[at.x]] : [];
    const equity = found.get(`${turn}${river}`);
    const text = equity === undefined ? at ? `${cardSymbol(turn)} and ${cardSymbol(river)} cannot come.` : range()
      : `${cardSymbol(turn)} then ${cardSymbol(river)}: ${playerName(player)} has ${rounded(equity, 2)}\u00a0%`;
    readout.textContent = text;
    plot.ariaValueNow = at ? SIZE * at.y + at.x : 0;
    plot.ariaValueText = text;
    put.hidden = equity === undefined;
    if (!put.hidden) put.textContent = `Put ${cardSymbol(turn)} ${cardSymbol(river)} on the board`;
  }

  function range() {
    const sorted = [...found].sort((a, b) => b[1] - a[1]);
    if (!sorted.length) return "";
    const words = ([cards, equity]) => `${cardSymbol(cards.slice(0, 2))} ${cardSymbol(cards.slice(2))} ${rounded(equity)}\u00a0%`;
    return `Turn down, river across. Best: ${words(sorted[0])}; worst: ${words(sorted.at(-1))}.`;
  }

  const move = (x, y) => {
    at = { x: Math.min(SIZE - 1, Math.max(0, x)), y: Math.min(SIZE - 1, Math.max(0, y)) };
    say();
  };
  const under = ({ clientX, clientY }) => {
    const { left, top, width, height } = plot.getBoundingClientRect();
    return [Math.floor((SIZE * (clientX - left)) / width), Math.floor((SIZE * (clientY - top)) / height)];
  };
  for (const name of ["pointerdown", "pointermove"]) plot.addEventListener(name, (event) => move(...under(event)));
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const { x, y } = at ?? { x: 1, y: 0 };
    move(at ? x + step[0] : x, at ? y + step[1] : y);
  });
  put.addEventListener("click", () => {
    const cards = [DECK[at.y], DECK[at.x]];
    at = null;
    update({ board: [...getState().board, ...cards] });
  });
  element.addEventListener("toggle", load);
  return {
    element,
    show(context) {
      player = context.player;
      element.hidden = context.state.board.length !== 3;
      found = new Map();
      at = null;
      load();
    },
  };
}
