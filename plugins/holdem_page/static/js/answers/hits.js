/** Hits: what the range has on the board. A line selects its combos in the grid. */

import { details, getHits, isFine, soon } from "../answer.js";
import { RANKS } from "../cards.js";
import { h, redraw, roveFocus } from "../dom.js";
import { change, pinnedHits } from "../pin.js";
import { keep } from "../storage.js";
import { isSelected, renew, subscribe, toggle } from "../selection.js";
import { fullName, getState, ownColour, playerName } from "../state.js";
import { bar, comboRows, described, figures, margin, rounded, weightText } from "./figures.js";
import { clickRows, headRow, row, table } from "./tables.js";

export const id = "hits";
export const title = "Hits";

/** Lines into which others are split, by the name that is left of them there. */
const FINER = {
  "top pair": /^top pair \((.+)\)$/, "weak pair": /^(pocket pair below second pair|third pair or lower)$/,
  "flush draw": /^(?:flush draw \((.+)\)|combo draw)$/, "open-ended": /^double gutshot$/,
};

/** The hits, at once, and the equities when they are known; of two players, also the other's shares. */
export async function load({ state, player, later }) {
  const equities = details("combo");
  const hits = await getHits(player);
  if (!hits.board.length) { // what the range flops needs no opponent
    equities.catch(() => {});
    return { hits };
  }
  const before = pinnedHits(player, isFine())?.then(([then, equity]) => figuresByLine(then, equity, player), () => null);
  const other = state.players.length === 2 && getHits(1 - player).then(sharesOf, () => false);
  const [report, then, theirs] = await Promise.all([soon(equities), before && soon(before), other && soon(other)]);
  const show = (equity, lines, shares) => ({ hits, rows: equity && comboRows(equity, player), then: lines, theirs: shares });
  if (!report || (before && !then) || theirs === null) {
    Promise.all([equities, before, other]).then((found) => later(show(...found)), async () => later({ hits, rows: [], theirs: await other })); // without equities
  }
  return show(report, then, theirs);
}

const sharesOf = ({ made, draws }) => new Map([...arranged(made), ...arranged(draws)].map(({ name, group }) => [name, group.share]));

function figuresByLine(hits, equity, player) {
  const rows = comboRows(equity, player);
  return new Map([...arranged(hits.made), ...arranged(hits.draws)].map(({ name, group }) =>
    [name, { share: group.share, equity: figures(rows, new Set(group.members.map(({ combo }) => combo))).equity }]));
}

export function build(body, reload, tools) {
  const fine = h("input", { type: "checkbox", checked: isFine() });
  fine.addEventListener("change", () => {
    keep("fine", fine.checked ? "on" : "off");
    reload();
  });
  const lines = h("div", { className: "hit-lines" });
  const hasLines = h("label", { className: "fine" }, fine, h("span", {}, "Finer lines"));
  tools.append(hasLines);
  body.append(lines);

  let parts = [];
  let owner = 0;

  /** A line; its edge selects it with all better made hands. `theirs` is null until it is known, and false for none; compared with A, its column goes. */
  function line({ name, label, isFiner, group }, kind, { rows, then, theirs, player }, better) {
    const ofOther = theirs === false || then !== undefined ? [] : [theirs ? narrow(theirs.get(name) ?? 0) : "…"];
    const drawn = (...cells) => {
      const element = row(...cells);
      element.className = `${isFiner ? "finer" : ""} ${group.combos ? "" : "none"}`;
      if (ofOther.length) element.lastChild.previousSibling.className = "theirs";
      return element;
    };
    if (!group.combos) return drawn(label, "", "0", rounded(0), ...ofOther, "–"); // of the other player only
    const combos = new Map(group.members.map(({ combo, weight }) => [combo, weight]));
    const part = { kind, name, combos, rows: rows ?? group.members.map(unknown) };
    parts.push(part);
    const found = rows?.length ? figures(rows, combos) : { weight: group.combos, share: group.share, equity: null, stderr: 0 };
    const button = h("button", {
      "aria-pressed": "false", "data-line": name, "data-kind": kind, title: rows?.length ? `${name}: ${described(found)}` : name,
    }, label);
    button.addEventListener("click", (event) => toggle(player, part, event));
    return drawn(
      better ? [edge(name, better, part, player), button] : button,
      bar(group.share),
      weightText(group.combos),
      [rounded(group.share), then ? change(group.share, then.get(name)?.share ?? 0, { isGood: null }) : ""],
      ...ofOther,
      [rows ? rounded(found.equity) : "…", then && rows ? change(found.equity, then.get(name)?.equity) : h("small", {}, margin(found.stderr))],
    );
  }

  function edge(name, better, { kind, rows }, player) {
    const plus = { kind, name: `${name}+`, combos: new Map(better), rows };
    parts.push(plus);
    const button = h("button", {
      className: "edge", "aria-pressed": "false", "data-plus": plus.name, "data-kind": kind, tabIndex: -1,
      "aria-label": `${name} or better`, title: `Select ${name} or better (key +)`,
    });
    button.addEventListener("click", (event) => toggle(player, plus, event));
    return button;
  }

  function groups(title, kind, found, shown) {
    const held = arranged(found).filter(({ name, group }) => group.combos > 0 || (shown.theirs && shown.theirs.get(name) > 0));
    if (!held.length) return [];
    const better = [];
    const worst = Object.keys(found).at(-1); // with all better ones, it is the whole range
    const drawn = held.map((each) => {
      const isWhole = held.some(({ parent }) => parent === each.name);
      if (!isWhole) better.push(...each.group.members.map(({ combo, weight }) => [combo, weight]));
      const upTo = isWhole ? [...better, ...each.group.members.map(({ combo, weight }) => [combo, weight])] : [...better];
      return line(each, kind, shown, kind === "made" && each.name !== worst && upTo);
    });
    const head = headRow(title, "", "combos", "share", "equity");
    const isBeside = shown.theirs !== false && shown.then === undefined;
    if (isBeside) head.lastChild.before(headOf(1 - shown.player));
    if (kind === "made" && drawn.some((row) => row.querySelector(".edge"))) head.cells[0].append(h("span", { className: "edge-key" }));
    return [table(head, drawn, isBeside ? "held beside" : "held")];
  }

  /** The heading of the other player's shares: their name, or the number. */
  function headOf(player) {
    return h("th", { scope: "col", className: "theirs", ariaLabel: `share of ${playerName(player)}`, title: `Share of the range of ${fullName(player)}` },
      getState().names[player] ? playerName(player) : `pl.\u00a0${player + 1}`);
  }

  const draw = (...found) => redraw(body, () => fill(...found));

  function fill({ hits, rows, then, theirs }, { player }) {
    parts = [];
    owner = player;
    lines.style.setProperty("--theirs", ownColour(1 - player));
    lines.classList.toggle("flopped", !hits.board.length);
    hasLines.hidden = !Object.keys(hits.made).length;
    if (!hits.board.length) {
      lines.replaceChildren(...flopped("On the flop", hits.made), ...flopped("Draw", hits.draws), becomes(hits));
      return renew(player, parts, "made", "draws");
    }
    lines.replaceChildren(
      ...groups("Made", "made", hits.made, { rows, then, theirs, player }),
      ...groups("Draw", "draws", hits.draws, { rows, then, theirs, player }),
      h("p", { className: "note" }, aboutBackdoorDraws(hits)),
      becomes(hits),
    );
    resetStop();
    renew(player, parts, "made", "draws");
    mark();
  }

  function mark() {
    for (const button of body.querySelectorAll("button[data-kind]")) {
      const isChosen = isSelected(owner, button.dataset.kind, button.dataset.line ?? button.dataset.plus);
      button.ariaPressed = isChosen;
      if (button.dataset.line) button.closest("tr").classList.toggle("chosen", isChosen);
    }
  }
  subscribe(mark);
  const resetStop = roveFocus(body, () => [...body.querySelectorAll("button[data-line]")], 1);
  body.addEventListener("keydown", (event) => {
    if (event.key !== "+" || !event.target.dataset.line) return;
    event.preventDefault();
    event.target.closest("tr").querySelector(".edge")?.click();
  });
  clickRows(body);
  return draw;
}

const unknown = ({ combo, weight }) => ({ combo, weight, equity: null, stderr: null, mass: 0 });

/** Lines in their order, finer ones under theirs, which is put together where only its parts are listed. */
function arranged(found) {
  const lines = [];
  for (const [name, group] of Object.entries(found)) {
    const [parent, pattern] = Object.entries(FINER).find(([, each]) => each.test(name)) ?? [];
    if (!parent) {
      lines.push({ name, label: name, group });
      continue;
    }
    let whole = lines.find((each) => each.name === parent);
    if (!whole) lines.push((whole = { name: parent, label: parent, group: { combos: 0, share: 0, members: [] }, isSum: true }));
    if (whole.isSum && !(parent in found) && !["combo draw", "double gutshot"].includes(name)) {
      const { combos, share, members } = whole.group;
      whole.group = { combos: combos + group.combos, share: share + group.share, members: [...members, ...(group.members ?? [])] };
    }
    const last = lines.findLastIndex((each) => each === whole || each.parent === parent);
    lines.splice(last + 1, 0, { name, label: pattern.exec(name)[1]?.replace(" below second pair", "") ?? name, isFiner: true, parent, group });
  }
  return lines;
}

/** What a backdoor draw needs, and which other draws nobody has: a flush draw takes two cards of a suit on the flop, a straight draw two ranks of one straight. */
export function aboutBackdoorDraws({ board, draws }) {
  if (!draws["backdoor flush draw"]?.combos) return "";
  const ranks = board.map(([rank]) => RANKS.indexOf(rank));
  if (ranks.includes(0)) ranks.push(RANKS.length); // an ace is low, too
  const isNear = ranks.some((a) => ranks.some((b) => a !== b && Math.abs(a - b) < 5));
  const isRainbow = new Set(board.map(([, suit]) => suit)).size === 3;
  const missing = [
    ...(isRainbow ? ["flush draw (three different suits)"] : []),
    ...(isNear ? [] : ["straight draw (no two ranks in one straight)"]),
  ].join(" or a ");
  return `A backdoor flush draw needs both turn and river.${missing && ` On this flop, no hand has a ${missing}.`}`;
}

function flopped(title, found) {
  const held = arranged(found).filter(({ group }) => group.combos > 0);
  if (!held.length) return [];
  return [table(headRow(title, "", "of flops"), held.map(({ label, isFiner, group }) =>
    Object.assign(row(label, bar(group.share), small(group.share)), { className: isFiner ? "finer" : "" })), "few")];
}

const narrow = (share) => rounded(share).replace("100.0", "100");

/** A share in per cent; a rare one with more digits. */
const small = (share) => (share && share < 0.001 ? rounded(share, 3) : rounded(share));

function becomes({ by_flop: flop, by_turn: turn, by_next_card: next, by_river: river, board }) {
  const columns = board.length === 0 ? { flop, turn, river } : board.length === 3 ? { "next card": next, river }
    : { [board.length === 5 ? "now" : "river"]: river };
  const rows = Object.entries(river).filter(([, share]) => share > 0).map(([name, share]) =>
    row(name, bar(share), ...Object.values(columns).map((shares) => (board.length ? rounded : small)(shares[name]))));
  return table(headRow("Category", "", ...Object.keys(columns)), rows, board.length ? "few" : "");
}
