/** The equities of all players in a few lines, which stay at the top of a narrow page. */

import { getAnswer, getGeneralError, subscribe as onAnswer } from "./answer.js";
import { h } from "./dom.js";
import { halfWidth, percent } from "./numbers.js";
import { equityBar } from "./players.js";
import { smallGrid } from "./small_grid.js";
import { fullName, getState, ownColour, playerName, subscribe, update, whatWasLeftOut } from "./state.js";

export function mount(element) {
  let lines = [];
  const [problem, leftOut] = ["error", "hint"].map((className) => h("p", { className }));

  function makeLine(index) {
    const [name, text] = [h("b"), h("span", { className: "text" })];
    const grid = smallGrid();
    const bar = equityBar();
    const value = h("span", { className: "equity" });
    const line = h("button", {
      className: "line", onclick: () => update({ active: index }, { history: "replace" }),
    }, name, grid.element, text, bar.element, value);
    line.style.setProperty("--own", ownColour(index));
    return { line, name, grid, text, bar, value };
  }

  function draw() {
    const { players, names, active } = getState();
    const { equity, fresh } = getAnswer();
    if (lines.length !== players.length) {
      lines = players.map((_, index) => lines[index] ?? makeLine(index));
      element.replaceChildren(...lines.map(({ line }) => line), problem, leftOut);
      element.classList.toggle("many", lines.length > 4);
    }
    problem.textContent = getGeneralError()?.message ?? "";
    leftOut.textContent = whatWasLeftOut();
    element.classList.toggle("named", names.some(Boolean));
    element.classList.toggle("stale", !fresh);
    lines.forEach(({ line, name, grid, text, bar, value }, index) => {
      const player = equity?.players.length === lines.length ? equity.players[index] : null;
      name.textContent = names[index] ? playerName(index) : index + 1;
      grid.show(players[index]);
      line.title = `${fullName(index)}: ${players[index]}`;
      line.ariaPressed = index === active;
      text.textContent = players[index] || "empty";
      bar.show(player, equity?.exact);
      value.textContent = player ? `${percent(player.equity)} ${equity.exact ? "%" : `±${halfWidth(player)}`}` : "–";
    });
  }

  subscribe(draw);
  onAnswer(draw);
  draw();
}
