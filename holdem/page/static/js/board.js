/** The board and the dead cards: text, slots, and a picker for either. */

import { getAnswer, subscribe as onAnswer } from "./answer.js";
import { cardPicker } from "./card_picker.js";
import { CARDS, cardElement, cardName, cardSymbol, isCard, parseCards } from "./cards.js";
import { h } from "./dom.js";
import { getState, subscribe, update } from "./state.js";
import { cardsTwice, knownCards } from "./twice.js";

const SLOTS = ["flop", "flop", "flop", "turn", "river"];

/** @param {HTMLElement} element */
export function mount(element) {
  /** Which of the two the picker fills. */
  let target = "board";
  const names = { board: "Board", dead: "Dead cards" };

  const picker = cardPicker("Cards of the board", pick);
  const slots = SLOTS.map((street, index) =>
    h("button", { className: `slot ${street}`, onclick: () => clickSlot(index) }));
  const message = h("p", { className: "error", id: "board-message" });
  const hint = h("p", { className: "hint" });

  const fields = Object.fromEntries(["board", "dead"].map((name) => {
    const input = h("input", {
      id: `${name}-text`, className: "cards", spellcheck: false, autocomplete: "off", autocapitalize: "off",
      placeholder: name === "board" ? "Ks 7d 2c" : "none", "aria-label": `${names[name]} as text`,
      onfocus: () => aim(name),
      oninput: () => update({ [name]: parseCards(input.value) }, { history: "replace" }),
      onchange: () => update({ [name]: parseCards(input.value) }),
      onkeydown: (event) => ["Enter", "Escape"].includes(event.key) && input.blur(),
    });
    return [name, input];
  }));
  const aims = Object.fromEntries(["board", "dead"].map((name) => [name, h("button", {
    className: "aim", textContent: name === "board" ? "Board" : "Dead",
    onclick: () => (aim(name), picker.focus()),
  })]));

  const button = (textContent, title, onclick) => h("button", { textContent, title, onclick });
  const clearing = button("Clear", "No board", () => update({ board: [] }));
  clearing.ariaLabel = "Clear board";
  element.append(
    h("header", {}, h("h2", { textContent: "Board" }),
      h("div", { className: "tools" },
        button("Random flop", "Three cards that nobody is known to hold", randomFlop),
        clearing)),
    h("div", { className: "slots", role: "group", "aria-label": "Cards of the board" }, ...slots),
    h("div", { className: "card-fields" }, aims.board, fields.board, aims.dead, fields.dead),
    picker.element,
    h("div", { className: "under-board" }, hint, message),
  );

  function aim(name) {
    target = name;
    draw();
  }

  /** Cards that are in use elsewhere than at the target. */
  function taken() {
    const { players, board, dead } = getState();
    return [...players.flatMap(knownCards), ...(target === "board" ? dead : board)];
  }

  function pick(card) {
    const cards = getState()[target];
    if (cards.includes(card)) update({ [target]: cards.filter((other) => other !== card) });
    else if (!taken().includes(card) && (target === "dead" || cards.length < 5)) update({ [target]: [...cards, card] });
  }

  function clickSlot(index) {
    const { board } = getState();
    aim("board");
    if (index < board.length) update({ board: board.filter((_, i) => i !== index) });
    picker.focus();
  }

  function randomFlop() {
    const { players, dead } = getState();
    const used = [...players.flatMap(knownCards), ...dead];
    const deck = CARDS.filter((card) => !used.includes(card));
    const board = [0, 1, 2].map(() => deck.splice(Math.floor(Math.random() * deck.length), 1)[0]);
    update({ board });
  }

  function draw() {
    const state = getState();
    const twice = cardsTwice(state);
    const { error } = getAnswer();
    slots.forEach((slot, index) => {
      const card = state.board[index];
      slot.replaceChildren(card ? cardElement(card) : "");
      slot.classList.toggle("empty", !card);
      slot.classList.toggle("twice", twice.has(card));
      const place = index < 3 ? `Flop, card ${index + 1}` : index === 3 ? "Turn" : "River";
      slot.ariaLabel = `${place}: ${card ? `${isCard(card) ? cardName(card) : card}, remove` : "empty"}`;
    });
    for (const [name, input] of Object.entries(fields)) {
      if (document.activeElement !== input) input.value = state[name].join(" ");
      const wrong = error?.field === name || state[name].some((card) => twice.has(card) || !isCard(card));
      input.classList.toggle("wrong", wrong);
      input.ariaInvalid = wrong ? "true" : null;
      aims[name].ariaPressed = String(target === name);
    }
    picker.element.ariaLabel = target === "board" ? "Cards of the board" : "Dead cards";
    picker.show(state[target], taken());
    const wrong = [...state.board, ...state.dead].find((card) => !isCard(card));
    const missing = 3 - state.board.length;
    hint.textContent = !wrong && state.board.length > 0 && missing > 0 ? `${missing === 1 ? "One more card makes" : "Two more cards make"} a flop.` : "";
    const marked = [...twice].filter((card) => [...state.board, ...state.dead].includes(card));
    message.textContent = wrong ? `'${wrong}' is not a card; a card is a rank and a suit, such as Ks` : marked.length ? `Used twice: ${marked.map(cardSymbol).join(", ")}`
      : error?.field ? error.message : "";
  }

  subscribe(draw);
  onAnswer(draw);
  draw();
  return { focusText: () => (fields.board.focus(), fields.board.select()) };
}
