/** The equities of all players in a few lines, which stay at the top of a narrow page. */

import { getAnswer, subscribe as onAnswer } from "./answer.js";
import { h } from "./dom.js";
import { halfWidth, percent } from "./numbers.js";
import { equityBar } from "./players.js";
import { getState, subscribe, update } from "./state.js";

/** @param {HTMLElement} element */
export function mount(element) {
  let lines = [];

  function makeLine(index) {
    const text = h("span", { className: "text" });
    const bar = equityBar();
    const value = h("span", { className: "equity" });
    const line = h("button", {
      className: "line", onclick: () => update({ active: index }, { history: "replace" }),
    }, h("b", { textContent: index + 1 }), text, bar.element, value);
    return { line, text, bar, value };
  }

  function draw() {
    const { players, active } = getState();
    const { equity, fresh } = getAnswer();
    if (lines.length !== players.length) {
      lines = players.map((_, index) => lines[index] ?? makeLine(index));
      element.replaceChildren(...lines.map(({ line }) => line));
      element.classList.toggle("many", lines.length > 4);
    }
    element.classList.toggle("stale", !fresh);
    lines.forEach(({ line, text, bar, value }, index) => {
      const player = equity?.players.length === lines.length ? equity.players[index] : null;
      line.ariaPressed = String(index === active);
      text.textContent = players[index] || "empty";
      bar.show(player, equity?.exact);
      value.textContent = player ? `${percent(player.equity)} ${equity.exact ? "%" : `±${halfWidth(player)}`}` : "–";
    });
  }

  subscribe(draw);
  onAnswer(draw);
  draw();
}
