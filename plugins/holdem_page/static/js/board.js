/** The board in a row, and the cards of board and dead as text and in a picker, which opens below it. */

import { getAnswer, subscribe as onAnswer } from "./answer.js";
import { cardPicker } from "./card_picker.js";
import { CARDS, cardElement, cardName, cardSymbol, isCard, parseCards } from "./cards.js";
import { h, svg } from "./dom.js";
import { getState, subscribe, update } from "./state.js";
import { cardsTwice, knownCards } from "./twice.js";

const SLOTS = ["flop", "flop", "flop", "turn", "river"];

export function mount(element) {
  /** Which of the two the picker fills, and the number of cards at which it closes. */
  let target = "board";
  let enough = 0;
  /** The place of the next card that is picked. */
  let place = Infinity;
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
      // Enter would go on to the button that takes the focus, and open the picker again.
      onkeydown: (event) => event.key === "Enter" && (event.preventDefault(), close()),
    });
    return [name, input];
  }));
  const aims = Object.fromEntries(["board", "dead"].map((name) => [name, h("button", {
    className: "aim", textContent: name === "board" ? "Board" : "Dead",
    onclick: () => (aim(name), picker.focus()),
  })]));

  const change = h("button", { className: "change", "aria-expanded": "false", onclick: () => (isOpen() ? close() : open()) });
  const random = h("button", { className: "quiet-icon", title: "Random flop: three cards that nobody is known to hold", "aria-label": "Random flop", onclick: randomFlop },
    svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("rect", { x: 3, y: 3, width: 14, height: 14, rx: 3 }),
      svg("path", { d: "M7 7h.01M13 7h.01M10 10h.01M7 13h.01M13 13h.01" })));
  const clearing = h("button", { className: "quiet-icon", title: "No board", "aria-label": "Clear board", onclick: () => update({ board: [] }) }, "×");
  const out = h("button", { className: "dead-cards quiet", title: "Dead cards: nobody can hold them", onclick: () => open("dead") });
  const row = h("div", { className: "board-row" },
    h("div", { className: "slots", role: "group", "aria-label": "Cards of the board" }, ...slots), out, change, random, clearing);
  const cards = h("div", { className: "board-editor", role: "group", "aria-label": "Choose cards" },
    h("div", { className: "card-fields" }, aims.board, fields.board, aims.dead, fields.dead), picker.element, hint);
  element.append(row, message, cards);

  const isOpen = () => element.classList.contains("open");

  /** Show the picker, with the focus on the text of the board or the dead cards; a turn goes behind a flop. */
  function open(name = "board") {
    const { board } = getState();
    enough = board.length < 3 ? 3 : board.length + 1;
    place = Infinity;
    element.classList.add("open");
    change.ariaExpanded = "true";
    aim(name);
    fields[name].focus();
    if (name === "board" && [3, 4].includes(board.length)) fields.board.setSelectionRange(99, 99);
    else fields[name].select();
  }

  function close() {
    if (!isOpen()) return document.activeElement.blur();
    // First, because what was typed is taken then. A phone has no button to come back to.
    if (cards.contains(document.activeElement)) (change.checkVisibility() ? change : slots[0]).focus();
    element.classList.remove("open");
    change.ariaExpanded = "false";
    draw();
  }
  element.addEventListener("keydown", (event) => event.key === "Escape" && isOpen() && (event.stopPropagation(), close()));
  document.addEventListener("pointerdown", (event) => isOpen() && !element.contains(event.target) && close());
  element.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !element.contains(relatedTarget) && isOpen() && close());

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
    const before = getState()[target];
    if (before.includes(card)) update({ [target]: before.filter((other) => other !== card) });
    else if (!taken().includes(card) && (target === "dead" || before.length < 5)) update({ [target]: before.toSpliced(place++, 0, card) });
    if (target === "board" && getState().board.length > before.length && getState().board.length >= enough) close();
  }

  function clickSlot(index) {
    const { board } = getState();
    if (index < board.length) update({ board: board.filter((_, i) => i !== index) });
    open();
    place = index;
    picker.focus();
  }

  /** What is typed while the picker has the focus goes to the place that was clicked. */
  picker.element.addEventListener("keydown", (event) => {
    if (event.key.length > 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    fields[target].focus();
    if (target === "board") fields.board.setSelectionRange(3 * place, 3 * place);
  });

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
      slot.ariaLabel = `${place}: ${card ? `${isCard(card) ? cardName(card) : card}, change` : "empty"}`;
    });
    change.textContent = state.board.length ? "Change" : "Choose a board";
    clearing.hidden = !state.board.length;
    out.hidden = !state.dead.length || isOpen(); // the picker has them: nothing moves while one types
    out.replaceChildren("dead ", ...state.dead.map(cardElement));
    for (const [name, input] of Object.entries(fields)) {
      if (document.activeElement !== input) input.value = state[name].join(" ");
      const wrong = error?.field === name || state[name].some((card) => twice.has(card) || !isCard(card));
      input.classList.toggle("wrong", wrong);
      input.ariaInvalid = wrong ? "true" : null;
      aims[name].ariaPressed = target === name;
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
  return { open };
}
