/**
 * The answer in tabs, each a module with id, title and `load(context)`, and what is seen is asked for only. `build(body,
 * reload, tools)` returns what draws a report; `isShown(state)` says whether the tab is there, `missing(state)` why there
 * is no report; `estimate(context)` is a sampled report for the time until `load` is done. A context has the state, the
 * player, a signal, and `later(data)`, which shows more.
 */

import { getAnswer, getQuestion, subscribe as onAnswer, whatIsMissing } from "../answer.js";
import { h, roveFocus } from "../dom.js";
import { capital } from "../numbers.js";
import { subscribe as onPin } from "../pin.js";
import { getPrice } from "../price.js";
import { withoutExcerpt } from "../range_text.js";
import { clear, expire, getModes, setModes, subscribe as onSelection } from "../selection.js";
import { fullName, getState, playerName, subscribe as onState, whoIsShown } from "../state.js";
import * as categories from "./categories.js";
import * as combos from "./combos.js";
import * as distribution from "./distribution.js";
import * as flops from "./flops.js";
import * as hits from "./hits.js";
import * as nextCard from "./next_card.js";
import { mountSummary } from "./summary.js";

const TABS = [hits, flops, nextCard, distribution, combos, categories];

/** How long a report may take before a sampled one is shown, in milliseconds. */
const SLOW = 200;
/** Where there is room for two reports. */
const isWide = matchMedia("(min-width: 1900px) and (min-height: 900px)");

/** `narrow(isKept)` keeps in the range only what is selected, or removes it. */
export function mount(element, narrow) {
  const views = TABS.map((tab) => new View(tab));
  const list = h("div", { role: "tablist", "aria-label": "Reports", "aria-multiselectable": "true" }, ...views.map((view) => view.button));
  const summary = h("div", { className: "summary" });
  mountSummary(summary);
  const whose = h("h2", { className: "whose" });
  element.append(summary, list, h("div", { className: "above" }, whose, ...views.map((view) => view.tools)),
    h("div", { className: "panels" }, ...views.map((view) => view.panel)), selectionLine(narrow));

  /** The reports that were chosen, the latest first. */
  let chosen = [hits, combos];
  const isThere = (tab) => tab.isShown?.(getState()) ?? true;
  /** Flops and next cards take the place of each other. */
  const there = (tab) => (isThere(tab) ? tab : TABS.find((each) => each.isShown && isThere(each)) ?? hits);

  function refresh() {
    const { active } = getState();
    whose.textContent = capital(playerName(active));
    whose.title = `Reports of ${fullName(active)}`;
    chosen = [...new Set([...chosen.map(there), hits, combos])].slice(0, 2);
    for (const view of views) {
      view.button.hidden = !isThere(view.tab);
      view.show(chosen.slice(0, isWide.matches ? 2 : 1).includes(view.tab));
    }
  }
  roveFocus(list, () => views.map((view) => view.button).filter((button) => !button.hidden));
  for (const name of ["click", "focusin"]) {
    list.addEventListener(name, (event) => {
      const tab = views.find((view) => view.button === event.target)?.tab;
      if (!tab || tab === chosen[0]) return;
      chosen.unshift(tab);
      refresh();
    });
  }

  // A click by Enter has no Ctrl of its own, as one by Space has.
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.target.localName !== "button") return;
    event.preventDefault();
    event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, ctrlKey: true }));
  });

  isWide.addEventListener("change", refresh);
  onPin(() => views.forEach((view) => view.reload()));
  onAnswer(refresh);
  onState(refresh);
  refresh();
}

/** A tab with its panel. What it showed stays, dimmed, until a new report is there, except one of another player. */
class View {
  constructor(tab) {
    const { id, title } = tab;
    this.tab = tab;
    this.button = h("button", { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` }, title);
    this.note = h("p", { className: "note", role: "status" });
    this.body = h("div", { className: "report" });
    const attributes = { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` };
    this.panel = h("div", { ...attributes, tabIndex: 0 }, this.note, this.body);
    this.tools = h("div", { className: "tools" });
    this.draw = tab.build(this.body, () => this.reload(), this.tools);
  }

  show(isVisible) {
    this.button.ariaSelected = isVisible;
    this.panel.hidden = this.tools.hidden = !isVisible;
    if (isVisible) this.refresh();
  }

  reload() {
    this.key = "";
    if (!this.panel.hidden) this.refresh();
  }

  async refresh() {
    const state = getState();
    const key = JSON.stringify([getQuestion(), state.names, state.active, getPrice(), state.hero, state.act, Boolean(getAnswer().error)]);
    if (key === this.key) return;
    this.key = key;
    this.running?.abort();
    this.running = new AbortController();
    const { signal } = this.running;
    const context = { state, player: state.active, signal, later: (data) => signal.aborted || this.draw(data, context) };
    const missing = whatIsMissing() || (this.tab.missing?.(state) ?? "");
    this.say(missing, Boolean(missing));
    this.panel.ariaBusy = !missing;
    if (missing) return expire();
    const whose = whoIsShown();
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
    this.whose = whoIsShown();
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
