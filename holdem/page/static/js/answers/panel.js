/**
 * The answer in tabs. One tab is visible, and only its report is asked for.
 *
 * @typedef {object} Context
 * @property {import("../state.js").State} state
 * @property {number} player the active player
 * @property {AbortSignal} signal
 *
 * @typedef {object} Tab
 * @property {string} id
 * @property {string} title
 * @property {(state: import("../state.js").State) => string} [missing] why there is no report; "" if there is
 * @property {(context: Context) => Promise<any>} load
 * @property {(body: HTMLElement, reload: () => void) => (data: any, context: Context) => void} build fills
 *   the body and returns the function that shows a report in it; it may call `reload`
 */

import { getAnswer, getQuestion, subscribe as onAnswer, whatIsMissing } from "../answer.js";
import { h, roveFocus } from "../dom.js";
import { capital } from "../numbers.js";
import { withoutExcerpt } from "../range_text.js";
import { clear, expire, getModes, setModes, subscribe as onSelection } from "../selection.js";
import { fullName, getState, playerName, subscribe as onState, whoseReport } from "../state.js";
import * as categories from "./categories.js";
import * as combos from "./combos.js";
import * as distribution from "./distribution.js";
import * as hits from "./hits.js";
import * as nextCard from "./next_card.js";
import { mountSummary } from "./summary.js";

/** @type {Tab[]} */
const TABS = [hits, nextCard, distribution, combos, categories];

let visible = 0;

/**
 * @param {HTMLElement} element
 * @param {(isKept: boolean) => void} narrow keeps in the range only what is selected, or removes it
 */
export function mount(element, narrow) {
  const views = TABS.map((tab, index) => new View(tab, index));
  const list = h("div", { role: "tablist", "aria-label": "Reports" });
  list.append(...views.map((view) => view.button));
  const summary = h("p", { className: "summary", title: "The strongest tenth of the combos of all players, by equity" });
  mountSummary(summary);
  const whose = h("h2", { className: "whose" });
  element.append(h("header", {}, summary, whose), list, ...views.map((view) => view.panel), selectionLine(narrow));

  const show = (index) => {
    visible = index;
    views.forEach((view, each) => view.show(each === index));
    views[index].refresh();
  };
  roveFocus(list, () => views.map((view) => view.button));
  for (const name of ["click", "focusin"]) {
    list.addEventListener(name, (event) => {
      const index = views.findIndex((view) => view.button === event.target);
      if (index >= 0) show(index);
    });
  }

  // A click by Enter has no Ctrl of its own, as one by Space has.
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.target.localName !== "button") return;
    event.preventDefault();
    event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, ctrlKey: true }));
  });

  const refresh = () => {
    whose.textContent = capital(playerName(getState().active));
    whose.title = fullName(getState().active);
    views[visible].refresh();
  };
  onAnswer(refresh);
  onState(refresh);
  show(visible);
  refresh();
}

/**
 * A tab with its panel. What it showed stays, dimmed, until a new report is there; a report of
 * another player, or of another number of players, does not stay.
 */
class View {
  constructor(tab, index) {
    const { id, title } = tab;
    this.tab = tab;
    this.button = h("button", { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` }, title);
    this.note = h("p", { className: "note", role: "status" });
    this.body = h("div", { className: "report" });
    const attributes = { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` };
    this.panel = h("div", { ...attributes, tabIndex: 0 }, this.note, this.body);
    this.draw = tab.build(this.body, () => this.reload());
    this.show(index === 0);
  }

  show(isVisible) {
    this.button.setAttribute("aria-selected", String(isVisible));
    this.panel.hidden = !isVisible;
  }

  reload() {
    this.key = "";
    this.refresh();
  }

  /** Load and show the report if it is not the one shown. */
  async refresh() {
    const state = getState();
    const key = JSON.stringify([getQuestion(), state.names, state.active, Boolean(getAnswer().error)]);
    if (key === this.key) return;
    this.key = key;
    this.running?.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    const context = { state, player: state.active, signal };
    const missing = whatIsMissing() || (this.tab.missing?.(state) ?? "");
    this.say(missing, Boolean(missing));
    this.panel.setAttribute("aria-busy", String(!missing));
    if (missing) return expire();
    const whose = whoseReport();
    if (whose !== this.whose) this.say("Computing …", true);
    try {
      const data = await this.tab.load(context);
      if (signal.aborted) return;
      const had = this.body.contains(document.activeElement);
      this.draw(data, context);
      if (had && document.activeElement === document.body) this.button.focus();
      expire();
      this.whose = whose;
      this.say("");
    } catch (error) {
      if (signal.aborted) return;
      if (error.name === "AbortError") { // the question has been asked anew
        this.key = "";
        return this.refresh();
      }
      const isKnown = error === getAnswer().error; // it is shown where it was made
      this.say(isKnown ? "There is no answer to this question." : withoutExcerpt(error.message), whose !== this.whose);
      this.note.classList.toggle("error", !isKnown);
    }
    this.panel.setAttribute("aria-busy", "false");
  }

  /** Show a message above the report, which is old or, if the message takes its place, hidden. */
  say(message, isInstead = false) {
    this.note.textContent = message;
    this.note.classList.remove("error");
    this.body.hidden = isInstead;
    this.body.classList.toggle("old", Boolean(message));
  }
}

/**
 * What is selected, below the report, and what can be done with it; on a narrow page with the way
 * to the grid.
 * @param {(isKept: boolean) => void} narrow
 */
function selectionLine(narrow) {
  const label = h("span", { "aria-live": "polite" });
  const button = (textContent, title, onclick) => h("button", { textContent, title, onclick });
  const several = button("Select several", "Lines, cards and stretches that you choose join the selection, as with Ctrl or ⌘",
    () => setModes({ isAdding: !getModes().isAdding }));
  several.className = "several";
  const any = button("Any of", "Combos that are in one of them, instead of all",
    () => setModes({ isAny: !getModes().isAny }));
  const keep = button("Keep", "Only these combos stay in the range (k)", () => act(() => narrow(true)));
  const remove = button("Remove", "These combos leave the range (r)", () => act(() => narrow(false)));
  const clearing = button("Clear", "Select nothing (Esc)", () => act(clear));
  clearing.ariaLabel = "Clear selection";
  const toGrid = button("Show in grid", "", () => document.getElementById("tab-range").click());
  toGrid.className = "to-grid";
  const line = h("div", { className: "selection", hidden: true, role: "group", "aria-label": "Selection" },
    h("div", { className: "selected" }, label, clearing),
    h("div", { className: "tools" }, keep, remove, several, any, toGrid));

  /** The line goes; its focus goes to the report. */
  function act(run) {
    const had = line.contains(document.activeElement);
    run();
    if (had) document.querySelector("#answers [role=tab][aria-selected=true]").focus();
  }

  onSelection((selection) => {
    const { isAny, isAdding } = getModes();
    line.hidden = !selection;
    label.textContent = selection?.label ?? "";
    several.setAttribute("aria-pressed", String(isAdding));
    any.setAttribute("aria-pressed", String(isAny));
    any.hidden = !(selection?.kinds > 1);
    keep.disabled = remove.disabled = !selection?.combos.size;
  });
  return line;
}
