/** The players: text, equity, and how it was found. */

import { getAnswer, getGeneralError, retry, subscribe as onAnswer, whatIsMissing } from "./answer.js";
import { cardSymbol } from "./cards.js";
import { h } from "./dom.js";
import { counted, halfWidth, percent, summaryOf } from "./numbers.js";
import { canPin, change, getPinned, pinControls, subscribe as onPin } from "./pin.js";
import { rangeText } from "./range_text.js";
import { getKeptCombos, subscribe as onKept } from "./rules.js";
import { smallGrid } from "./small_grid.js";
import { MAX_PLAYERS, MIN_PLAYERS } from "./link.js";
import { fullName, getState, newId, ownColour, playerName, subscribe, update, whatWasLeftOut } from "./state.js";
import { cardsTwice, knownCards, placeOf } from "./twice.js";

/** Win and tie as a bar, grey where only the equity is known, and for a sampled answer its 95 % interval. */
export function equityBar() {
  const [tie, win, interval] = ["tie", "win", "interval"].map((className) => h("i", { className }));
  const element = h("div", { className: "bar-track", "aria-hidden": "true" }, tie, win, interval);
  return {
    element,
    show(player, exact) {
      tie.style.transform = `scaleX(${player?.equity ?? 0})`;
      win.style.transform = `scaleX(${player?.win ?? player?.equity ?? 0})`;
      win.classList.toggle("unknown", player?.win === null);
      interval.hidden = !player || exact;
      if (interval.hidden) return;
      const [low, high] = player.ci95;
      interval.style.clipPath = `inset(0 calc(${100 * (1 - high)}% - 1px) 0 calc(${100 * low}% - 1px))`;
    },
  };
}

/** What is said of a first answer after this time in milliseconds. */
const PATIENCE = 3000;
const SLOW = "Computing … On its first start the engine compiles itself, once: that may take a minute.";

export function mount(element, onToken) {
  let rows = [];
  let waiting = 0;
  let isSlow = false;
  const list = h("ol", { className: "players" });
  const add = h("button", { className: "add", textContent: "+ Player", onclick: addPlayer });
  const status = h("p", { className: "status" });
  const leftOut = h("p", { className: "hint left-out", role: "status" });
  const again = h("button", { onclick: () => (getAnswer().error?.status === 403 ? onToken() : retry()) });
  const pin = pinControls();
  element.append(h("header", {}, h("h2", {}, "Players"), h("div", { className: "tools" }, pin.button, add)), list);
  onPin(() => drawAnswer(getAnswer()));
  const foot = h("div", { className: "status-line" }, pin.line, status, again, leftOut);

  function addPlayer() {
    const { players, ids, names, rules } = getState();
    update({ players: [...players, "random"], ids: [...ids, newId()], names: [...names, ""], rules: [...rules, []], active: players.length });
    rows.at(-1).field.area.focus();
  }

  function removePlayer(index) {
    const { players, ids, names, rules, ...who } = getState();
    const after = (player) => (player > index ? player - 1 : player);
    const hero = who.hero === index ? 0 : after(who.hero);
    update({ players: players.toSpliced(index, 1), ids: ids.toSpliced(index, 1), names: names.toSpliced(index, 1), rules: rules.toSpliced(index, 1), hero,
      active: after(who.active) });
  }

  function setText(index, text, history) {
    const { players } = getState();
    if (index >= players.length) return; // removed before typing was followed by a pause
    update({ players: players.with(index, text), active: index }, { history });
  }

  function makeRow(index) {
    const message = h("p", { className: "error" });
    const field = rangeText({
      label: `Range of player ${index + 1}`, rows: 1, message,
      onInput: (text) => setText(index, text, "replace"),
      onCommit: (text) => setText(index, text, "push"),
    });
    field.area.addEventListener("focus", () => getState().active !== index && update({ active: index }, { history: "replace" }));
    field.area.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step || !rows[index + step]) return;
      event.preventDefault();
      rows[index + step].field.area.focus();
    });
    const number = h("button", {
      className: "number", "aria-label": `Edit player ${index + 1}`, tabIndex: -1,
      onclick: () => update({ active: index }, { history: "replace" }),
    });
    const name = h("span", { className: "player-name" });
    const grid = smallGrid();
    number.append(name, grid.element);
    const remove = h("button", {
      className: "remove", textContent: "×", "aria-label": `Remove player ${index + 1}`, tabIndex: -1,
      onclick: () => removePlayer(index),
    });
    const hero = h("button", { className: "hero", tabIndex: -1, onclick: () => update({ hero: index, active: index }) });
    const bar = equityBar();
    const equity = h("span", { className: "equity" });
    const since = h("span", { className: "since" });
    const detail = h("p", { className: "detail" });
    const row = h("li", { className: "player", onclick: ({ target }) => target.matches("button *, button") || update({ active: index }, { history: "replace" }) }, number, field.element, hero, remove,
      h("div", { className: "result" }, bar.element, since, equity), h("div", { className: "under" }, detail, message));
    row.style.setProperty("--own", ownColour(index));
    return { row, field, number, name, grid, hero, remove, bar, since, equity, detail };
  }

  function drawQuestion(state) {
    if (rows.length !== state.players.length) {
      rows = state.players.map((_, index) => rows[index] ?? makeRow(index));
      list.replaceChildren(...rows.map(({ row }) => row));
      list.classList.toggle("many", rows.length > 6);
    }
    rows.forEach(({ row, field, number, name, grid, hero, remove }, index) => {
      const active = index === state.active;
      row.classList.toggle("active", active);
      number.ariaPressed = active;
      number.ariaLabel = `Edit ${playerName(index)}`;
      number.title = fullName(index);
      name.textContent = state.names[index] ? playerName(index) : index + 1;
      grid.showKept(getKeptCombos(index)?.weights ?? null);
      field.setText(state.players[index]);
      field.area.tabIndex = active ? 0 : -1;
      const isHero = index === state.hero;
      hero.ariaPressed = isHero;
      hero.textContent = isHero ? "★" : "☆";
      hero.ariaLabel = isHero ? `Hero: ${playerName(index)}` : `Make ${playerName(index)} the hero`;
      hero.title = isHero ? "The hero: the price is theirs" : "Make this player the hero: the price is theirs";
      hero.tabIndex = active ? 0 : -1;
      remove.hidden = rows.length <= MIN_PLAYERS;
      remove.tabIndex = active ? 0 : -1;
    });
    leftOut.textContent = whatWasLeftOut();
    add.disabled = rows.length >= MAX_PLAYERS;
  }

  function drawAnswer({ equity, fresh, pending, error }) {
    const state = getState();
    if (rows.length !== state.players.length) return; // the question is drawn next
    const twice = cardsTwice(state);
    const match = equity?.players.length === rows.length;
    element.classList.toggle("stale", !fresh);
    const before = getPinned()?.equity.players;
    pin.button.disabled = !canPin();
    rows.forEach(({ row, field, grid, bar, since, equity: output, detail }, index) => {
      grid.show(state.players[index]); // again, if the server could not be asked before
      const player = match ? equity.players[index] : null;
      bar.show(player, equity?.exact);
      since.replaceChildren(before?.length === rows.length && player ? change(player.equity, before[index].equity, { digits: 2 }) : "");
      output.replaceChildren(player ? percent(player.equity) : "–", h("small", {}, player && !equity.exact ? `±${halfWidth(player)}` : "%"));
      const isEmpty = !state.players[index].trim();
      // Of random hands, a table may have the equity only.
      const won = player?.win == null ? "" : `win ${percent(player.win, 1)} · tie ${percent(player.tie, 1)} · `;
      detail.textContent = isEmpty ? "Type AsKs, paste a range, or paint one." : player ? won + counted(player.combos, "combo") : "\u00a0";
      detail.title = detail.textContent;
      const place = placeOf(state.players[index], twice);
      const isLast = !state.players.some((text, other) => other > index && knownCards(text).includes(place?.card));
      row.classList.toggle("beside-board", [...state.board, ...state.dead].includes(place?.card));
      field.showError(mistake(index, error, place, isLast));
    });
    const general = getGeneralError();
    status.textContent = general ? general.message : match ? summaryOf(equity) : pending ? (isSlow ? SLOW : "Computing …")
      : whatIsMissing() || (error ? `Correct the ${error.field ?? `range of ${playerName(error.player)}`}.` : "");
    if (equity) [isSlow, waiting] = [false, clearTimeout(waiting) ?? -1]; // never again; true would be timer 1
    if (pending && !waiting) waiting = setTimeout(() => ((isSlow = true), drawAnswer(getAnswer())), PATIENCE);
    status.classList.toggle("error", Boolean(general));
    again.hidden = ![0, 403].includes(error?.status);
    again.textContent = error?.status === 403 ? "Enter the address" : "Try again";
  }

  subscribe((state) => {
    drawQuestion(state);
    drawAnswer(getAnswer());
  });
  onAnswer(drawAnswer);
  onKept(() => rows.forEach(({ grid }, index) => grid.showKept(getKeptCombos(index)?.weights ?? null)));
  drawQuestion(getState());
  drawAnswer(getAnswer());
  return { foot };
}

/** What is wrong with a player, and where; a card that stands twice is marked in both places and said at the last. */
function mistake(index, error, place, isLast) {
  if (place) return { ...place, message: isLast ? `${cardSymbol(place.card)} is used twice` : "" };
  return error?.player === index ? { ...error, message: error.message.replace(/^player \d+: /, "") } : null;
}
