/** All flops of two ranges, sorted by equity and filtered by texture. A click puts one on the board. */

import { getQuestion, settled } from "../answer.js";
import { RANKS, cardElement } from "../cards.js";
import { h, roveFocus } from "../dom.js";
import { count, counted } from "../numbers.js";
import { ask } from "../requests.js";
import { playerName, update } from "../state.js";
import { rounded } from "./figures.js";

/** Flops in the first request: few, so that some are shown at once. All others take little longer. */
const FIRST = 60;
const ALL = 22_100;
/** Lines that are shown. */
const LINES = 100;
const TEXTURES = {
  any: () => true,
  rainbow: ({ suits }) => suits === "rainbow",
  "two-tone": ({ suits }) => suits === "two-tone",
  monotone: ({ suits }) => suits === "monotone",
  paired: ({ ranks }) => ranks !== "unpaired",
  unpaired: ({ ranks }) => ranks === "unpaired",
  connected: ({ connected }) => connected,
};

/** The part of a report, and the function that shows the flops of a question. */
export function flops() {
  const select = (label, options) => h("select", { "aria-label": label, onchange: () => fill() },
    ...options.map((text) => h("option", { value: text }, text)));
  const texture = select("Texture", Object.keys(TEXTURES));
  const high = select("Highest card", ["any high card", ...[...RANKS].map((rank) => `${rank} high`)]);
  const order = select("Order", ["best first", "worst first"]);
  const note = h("p", { className: "detail", role: "status" });
  const head = h("th", { scope: "col" });
  const list = h("tbody");
  const table = h("table", { className: "lines flops" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Flop"), head,
    h("th", { scope: "col" }, "Texture"))), list);
  const element = h("div", { className: "all-flops" }, h("div", { className: "combo-tools" }, texture, high, order), note, table);
  let found = [];
  let next = 0;
  let total = 0;
  let player = 0;

  function fill() {
    const sign = order.value === "best first" ? -1 : 1;
    const chosen = found.filter((flop) => TEXTURES[texture.value](flop) && (high.selectedIndex === 0 || high.value[0] === flop.high))
      .sort((a, b) => sign * (a.equity[player] - b.equity[player]));
    const deals = chosen.reduce((sum, { weight, deals: each }) => sum + weight * each, 0);
    const mean = deals ? chosen.reduce((sum, { weight, deals: each, equity }) => sum + weight * each * equity[player], 0) / deals : null;
    const isDone = next >= total;
    note.textContent = `${counted(chosen.length, "flop")}${isDone ? "" : ` of ${count(found.length)} so far; there are ${count(total)}`}, `
      + `mean equity ${rounded(mean)}\u00a0%${chosen.length > LINES ? `. The first ${LINES}:` : ""}`;
    list.replaceChildren(...chosen.slice(0, LINES).map(line));
    resetStop();
  }

  function line({ flop, equity, suits, ranks, connected }) {
    const cards = flop.match(/../g);
    const button = h("button", { "data-flop": flop, title: "Put it on the board", onclick: () => update({ board: cards }) }, ...cards.map(cardElement));
    const words = [suits, ...(ranks === "unpaired" ? [] : [ranks]), ...(connected ? ["connected"] : [])].join(", ");
    return h("tr", {}, h("th", { scope: "row" }, button), h("td", {}, rounded(equity[player])), h("td", {}, words));
  }
  list.addEventListener("click", (event) => event.target.closest("button") ?? event.target.closest("tr")?.querySelector("button").click());
  const resetStop = roveFocus(list, () => [...list.querySelectorAll("button")], 1);

  return {
    element,
    /** Ask for all flops, and show them as they come. */
    async show({ player: shown, signal }) {
      player = shown;
      head.textContent = head.title = playerName(player);
      note.textContent = "Computing …";
      const asked = JSON.stringify(getQuestion());
      const { players, dead } = getQuestion();
      [found, next, total] = [[], 0, Infinity];
      try {
        await settled(signal);
        while (next < total && asked === JSON.stringify(getQuestion())) {
          const size = next ? ALL : FIRST;
          const part = await ask("flops", { players, dead, start: next, count: size }, { signal });
          next += size;
          total = part.total;
          found = [...found, ...part.flops];
          fill();
        }
      } catch (error) {
        if (error.name === "AskError") note.textContent = error.message;
        else if (error.name !== "AbortError") throw error;
      }
    },
  };
}
