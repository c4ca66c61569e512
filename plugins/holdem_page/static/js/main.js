/** Put the parts of the page together. */

import { subscribe as onAnswer } from "./answer.js";
import { mount as mountAnswers } from "./answers/panel.js";
import { mount as mountBoard } from "./board.js";
import { isCard } from "./cards.js";
import { mountPeek } from "./cell_peek.js";
import { comboFacts, factWords } from "./combo_facts.js";
import { mount as mountCopyMenu } from "./copy_menu.js";
import { h } from "./dom.js";
import { openForm } from "./form_dialog.js";
import { mount as mountHeatMap } from "./heat_map.js";
import { mount as mountKeyboard } from "./keyboard.js";
import { knownCardsButton } from "./known_cards.js";
import { capital, percent } from "./numbers.js";
import { mount as mountPlayers } from "./players.js";
import { addPresets } from "./presets.js";
import { mountRangeEditor } from "./range_editor.js";
import { mount as mountPrice } from "./price.js";
import { WRONG_TOKEN, ask } from "./requests.js";
import { addRule, getKeptCombos, mount as mountRules, subscribe as onKept } from "./rules.js";
import { savedButton } from "./saved.js";
import { clear as clearSelection, getSelection, subscribe as onSelection } from "./selection.js";
import { canRedo, canUndo, fullName, getState, ownColour, playerName, questionWords, ranges, redo, replaceText, subscribe, undo, update } from "./state.js";
import { keep, recall } from "./storage.js";
import { mount as mountStrip } from "./strip.js";
import { mount as mountTabs } from "./tabs.js";
import { askForToken } from "./token.js";
import { knownCards } from "./twice.js";

const part = (id) => document.getElementById(id);

/** Write painted ranges in short form, once the server is there to do it. */
function shorten() {
  for (const text of new Set(getState().players.filter(ranges.isPlain))) {
    ranges.shorten(text).then((next) => replaceText(text, next), () => {});
  }
}

function setRange(text, id, isDone) {
  const { players, ids } = getState();
  update({ players: players.with(ids.indexOf(id), text) }, { history: isDone ? "push" : "replace" });
  if (isDone) shorten();
}

const activeText = () => getState().players[getState().active];
const otherCards = () => {
  const { players, active, board, dead } = getState();
  return [...players.filter((_, index) => index !== active).flatMap(knownCards), ...board, ...dead];
};

/** Keep in the range only the selected combos, or remove them. */
function narrow(isKept) {
  const selection = getSelection();
  if (!selection?.combos.size) return;
  const { player, lines, combos } = selection;
  const street = getState().board.length;
  // Lines become a rule, which later streets repeat; other combos leave the text of the range.
  if (lines && street && (isKept || lines.length === 1)) addRule(player, { kind: isKept ? "keep" : "drop", lines, street, off: false });
  else editor.narrow(combos, isKept);
  clearSelection();
}

const tabs = mountTabs(part("tabs"), document.querySelector("main"));
mountStrip(part("strip"));
const enterToken = () => askForToken(part("dialog"));
const players = mountPlayers(part("players"), enterToken);
const price = h("div", { className: "price", role: "group", "aria-label": "Price of a call" });
part("players").append(price);
mountPrice(price);
part("players").append(players.foot);
const board = mountBoard(part("board"));
const editor = mountRangeEditor(part("editor"), {
  ranges,
  textOf: (id) => getState().players[getState().ids.indexOf(id)],
  onChange: setRange,
  describe: async () => new Map([...await comboFacts(getState().active)].map(([combo, fact]) => [combo, factWords(fact).join(", ")])),
});
editor.toolbar.append(
  knownCardsButton(activeText, otherCards, editor.choose),
  savedButton(part("dialog"), activeText, ranges.read, editor.chooseAs),
);
mountRules(part("rules"));
const drawKept = () => editor.setKept(getKeptCombos(getState().active)?.weights ?? null);
onKept(drawKept);
mountPeek(document.querySelector(".grid"), () => editor.weights);
mountHeatMap(part("heat"), editor.showHeat);
mountAnswers(part("answers"), narrow);
mountCopyMenu(part("copy-menu"));
if (recall("hinted")) part("start").remove();
part("start")?.querySelector("button").addEventListener("click", () => (part("start").remove(), keep("hinted", "yes")));

/** Ask for the name of the active player. */
function rename() {
  const { active, names } = getState();
  const name = h("input", { id: "player-name", autocomplete: "off", maxLength: 20, value: names[active], placeholder: `player ${active + 1}` });
  const label = h("label", { for: "player-name" }, "A position such as BTN or BB, or any other name. Links hold it.");
  openForm(part("dialog"), `Name of player ${active + 1}`, [label, name], "Save", () => {
    const given = name.value.trim();
    if (given.includes(",")) return "A name has no comma.";
    if (names.some((_, index) => index !== active && playerName(index) === given)) return "Another player has this name.";
    update({ names: names.with(active, given) });
  });
}
part("name-button").addEventListener("click", rename);

const focusGrid = () => (tabs.show("range"), document.querySelector('[role="gridcell"][tabindex="0"]').focus());
mountKeyboard({
  board: () => (tabs.show("board"), board.open()),
  range: focusGrid,
  narrow,
  help: () => part("help").showModal(),
});
part("undo").addEventListener("click", undo);
part("redo").addEventListener("click", redo);
part("help-button").addEventListener("click", () => part("help").showModal());

const fourColours = part("four-colours");
fourColours.checked = recall("suits") !== "two";
fourColours.addEventListener("change", () => {
  keep("suits", fourColours.checked ? "four" : "two");
  drawSuits();
});
const drawSuits = () => document.body.classList.toggle("four-colours", fourColours.checked);
drawSuits();

function draw(state) {
  if (getSelection() && getSelection().player !== state.active) clearSelection();
  part("range-title").textContent = `Range of ${playerName(state.active)}`;
  part("range-title").title = `Range of ${fullName(state.active)}`;
  document.title = `${questionWords()} – holdem`;
  document.querySelector("main").style.setProperty("--own", ownColour(state.active));
  editor.setDead([...state.board, ...state.dead].filter(isCard));
  editor.show(state.ids[state.active]);
  drawKept();
  part("undo").disabled = !canUndo();
  part("redo").disabled = !canRedo();
}
subscribe(draw);
draw(getState());

/** There the grid is shown without the line below the reports, which says the same. */
const isNarrow = matchMedia("(max-width: 759px), (max-height: 499px)");
onSelection((selection) => editor.lightUp(selection && selection.combos.keys(), isNarrow.matches ? selection?.label : ""));

/** A screen reader hears the equities once they have come to rest. */
let speaking = 0;
let hasAsked = false;
/** The named ranges of plugins are asked for once, after the first answer. */
let hasPresets = false;
onAnswer(({ equity, fresh, pending, error }) => {
  if (fresh && !pending) { // what the server could not be asked for while it was away
    editor.reread();
    shorten();
    if (!hasPresets) {
      hasPresets = true;
      ask("presets", {}).then(({ presets }) => addPresets(presets), () => (hasPresets = false));
    }
  }
  clearTimeout(speaking);
  if (error?.message === WRONG_TOKEN && !hasAsked) enterToken();
  hasAsked ||= error?.message === WRONG_TOKEN;
  const words = error ? (error.message === WRONG_TOKEN ? "" : error.message) // the dialog says it
    : fresh && !pending && equity.players.map((player, index) => `${capital(playerName(index))} ${percent(player.equity, 1)} %`).join(", ");
  if (words) speaking = setTimeout(() => (part("live").textContent = words), 800);
});
