/**
 * The answer in tabs. One tab is visible, and only its report is asked for.
 *
 * @typedef {{state: import("../state.js").State, player: number, signal: AbortSignal, later: (data: any) => void}} Context
 *   the player is the one whose report it is; `later` shows more of it
 * @typedef {object} Tab
 * @property {string} id
 * @property {string} title
 * @property {(state: State) => boolean} [isShown] whether the tab is there; one that goes is followed by the one beside it
 * @property {(state: State) => string} [missing] why there is no report; "" if there is
 * @property {(context: Context) => Promise<any>} load
 * @property {(context: Context) => Promise<any>} [estimate] a sampled report, shown while `load` takes long
 * @property {(body: HTMLElement, reload: () => void, tools: HTMLElement) => (data: any, context: Context) => void} build
 *   fills the body and the place for tools above it, and returns what shows a report
 */

import { getAnswer, getQuestion, subscribe as onAnswer, whatIsMissing } from "../answer.js";
import { h, roveFocus } from "../dom.js";
import { subscribe as onPin } from "../pin.js";
import { withoutExcerpt } from "../range_text.js";
import { clear, expire, getModes, setModes, subscribe as onSelection } from "../selection.js";
import { fullName, getState, ownColour, playerName, subscribe as onState, update, whoseReport } from "../state.js";
import * as categories from "./categories.js";
import * as combos from "./combos.js";
import * as distribution from "./distribution.js";
import * as flops from "./flops.js";
import * as hits from "./hits.js";
import * as nextCard from "./next_card.js";
import { mountSummary } from "./summary.js";

/** @type {Tab[]} */
const TABS = [hits, flops, nextCard, distribution, combos, categories];

/** How long a report may take before a sampled one is shown, in milliseconds. */
const SLOW = 200;
let visible = 0;

/** @param {(isKept: boolean) => void} narrow keeps in the range only what is selected, or removes it */
export function mount(element, narrow) {
  const views = TABS.map((tab, index) => new View(tab, index));
  const list = h("div", { role: "tablist", "aria-label": "Reports" });
  list.append(...views.map((view) => view.button));
  const summary = h("p", { className: "summary" });
  mountSummary(summary);
  const whose = h("div", { className: "whose", role: "group", "aria-label": "Whose report" });
  element.append(summary, list, h("div", { className: "above" }, whose, ...views.map((view) => view.tools)),
    ...views.map((view) => view.panel), selectionLine(narrow));

  const isThere = (index) => TABS[index].isShown?.(getState()) ?? true;
  const show = (wanted) => {
    const beside = TABS.findIndex((tab, each) => tab.isShown && isThere(each)); // none on the river
    const index = isThere(wanted) ? wanted : Math.max(0, beside);
    visible = index;
    views.forEach((view, each) => (view.button.hidden = !isThere(each)));
    views.forEach((view, each) => view.show(each === index));
    views[index].refresh();
  };
  roveFocus(list, () => views.filter((_, index) => isThere(index)).map((view) => view.button));
  for (const name of ["click", "focusin"]) {
    list.addEventListener(name, (event) => {
      const index = views.findIndex((view) => view.button === event.target);
      if (index >= 0) show(index);
    });
  }

  /** A button for each player: their name, or where there are many only the number. */
  function drawWhose() {
    const { players, names, shown } = getState();
    const isShort = players.length > 2;
    while (whose.children.length > players.length) whose.lastChild.remove();
    while (whose.children.length < players.length) {
      const index = whose.children.length;
      const button = h("button", { onclick: () => update({ shown: index }, { history: "replace" }) });
      button.style.setProperty("--own", ownColour(index));
      whose.append(button);
    }
    [...whose.children].forEach((button, index) => {
      button.textContent = isShort && !names[index] ? index + 1 : playerName(index);
      button.ariaLabel = `Reports of ${playerName(index)}`;
      button.title = `Reports of ${fullName(index)}`;
      button.ariaPressed = index === shown;
    });
  }

  // A click by Enter has no Ctrl of its own, as one by Space has.
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.target.localName !== "button") return;
    event.preventDefault();
    event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, ctrlKey: true }));
  });

  const refresh = () => {
    drawWhose();
    show(visible);
  };
  onPin(() => views.forEach((view) => view.reload(view === views[visible])));
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
    this.tools = h("div", { className: "tools" });
    this.draw = tab.build(this.body, () => this.reload(), this.tools);
    this.show(index === 0);
  }

  show(isVisible) {
    this.button.ariaSelected = isVisible;
    this.panel.hidden = this.tools.hidden = !isVisible;
  }

  reload(isVisible = true) {
    this.key = "";
    if (isVisible) this.refresh();
  }

  /** Load and show the report if it is not the one shown. */
  async refresh() {
    const state = getState();
    const key = JSON.stringify([getQuestion(), state.names, state.shown, Boolean(getAnswer().error)]);
    if (key === this.key) return;
    this.key = key;
    this.running?.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    const context = { state, player: state.shown, signal, later: (data) => signal.aborted || this.draw(data, context) };
    const missing = whatIsMissing() || (this.tab.missing?.(state) ?? "");
    this.say(missing, Boolean(missing));
    this.panel.ariaBusy = !missing;
    if (missing) return expire();
    const whose = whoseReport();
    if (whose !== this.whose) this.say("Computing …", true);
    const timers = new AbortController();
    try {
      if (this.tab.estimate) this.showEstimate(context, AbortSignal.any([signal, timers.signal]));
      const data = await this.tab.load(context);
      timers.abort();
      if (signal.aborted) return;
      const had = this.body.contains(document.activeElement);
      this.draw(data, context);
      if (had && document.activeElement === document.body) this.button.focus();
      expire();
      this.whose = whose;
      this.say("");
    } catch (error) {
      timers.abort();
      if (signal.aborted) return;
      if (error.name === "AbortError") { // the question has been asked anew
        this.key = "";
        return this.refresh();
      }
      const isKnown = Boolean(getAnswer().error); // it is shown where it was made, in its own words
      this.say(isKnown ? "There is no answer to this question." : withoutExcerpt(error.message), whose !== this.whose);
      this.note.classList.toggle("error", !isKnown);
    }
    this.panel.ariaBusy = "false";
  }

  /** After a while, show a sampled report, and count the seconds until the whole one is there. */
  async showEstimate(context, signal) {
    const began = performance.now();
    await new Promise((done) => setTimeout(done, SLOW));
    if (signal.aborted) return;
    const data = await this.tab.estimate(context).catch(() => null);
    if (signal.aborted || !data) return;
    this.draw(data, context);
    this.whose = whoseReport();
    const count = () => {
      this.say(`Sampled so far; the whole answer is on its way, ${Math.round((performance.now() - began) / 1000)}\u00a0s.`);
      this.body.classList.remove("old");
      this.body.classList.add("estimated");
    };
    count();
    const timer = setInterval(count, 1000);
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  /** Show a message above the report, which is old or, if the message takes its place, hidden. */
  say(message, isInstead = false) {
    this.note.textContent = message;
    this.body.classList.remove("estimated");
    this.note.classList.remove("error");
    this.body.hidden = isInstead;
    this.body.classList.toggle("old", Boolean(message));
  }
}

/** What is selected, below the report, and what can be done with it; on a narrow page with the way to the grid. */
function selectionLine(narrow) {
  const label = h("span", { "aria-live": "polite" });
  const button = (textContent, title, onclick) => h("button", { textContent, title, onclick });
  const several = button("Add", "Select several: what you choose joins the selection, as with Ctrl or ⌘",
    () => setModes({ isAdding: !getModes().isAdding }));
  several.ariaLabel = "Add: select several";
  const all = button("and", "Only combos that are in one of each kind: a made hand and a draw",
    () => setModes({ isAll: !getModes().isAll }));
  const keep = button("Keep", "Only these combos stay in the range (k)", () => act(() => narrow(true)));
  const remove = button("Remove", "These combos leave the range (r)", () => act(() => narrow(false)));
  const clearing = h("button", { className: "quiet-icon", title: "Select nothing (Esc)", "aria-label": "Clear selection", onclick: () => act(clear) }, "×");
  const toGrid = button("Show in grid", "", () => document.getElementById("tab-range").click());
  toGrid.className = "to-grid";
  const line = h("div", { className: "selection", hidden: true, role: "group", "aria-label": "Selection" },
    label, all, several, keep, remove, toGrid, clearing);

  /** The line goes; its focus goes to the report. */
  function act(run) {
    const had = line.contains(document.activeElement);
    run();
    if (had) document.querySelector("#answers [role=tab][aria-selected=true]").focus();
  }

  onSelection((selection) => {
    const { isAll, isAdding } = getModes();
    line.hidden = !selection;
    label.textContent = label.title = selection?.label ?? "";
    several.ariaPressed = isAdding;
    all.ariaPressed = isAll;
    all.hidden = !(selection?.kinds > 1);
    keep.disabled = remove.disabled = !selection?.combos.size;
  });
  return line;
}
