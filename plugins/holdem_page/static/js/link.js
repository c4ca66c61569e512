/**
 * The question as an address: #p=QQ+,AKs:0.5&n=BTN&p=random&keep=flop:top%20pair+,flush%20draw&b=Td9d2c&d=2h&pot=100&bet=50&bb=2&act=bet&hero=2
 */

import { parseCards } from "./cards.js";

export const MIN_PLAYERS = 2;
export const MAX_PLAYERS = 10;
/** Where a rule begins. */
const STREETS = ["flop", "turn", "river"];

/** The address of a question, from "#" on. Only what a browser would change is escaped. */
export function toHash({ players, names, rules, board, dead, pot, bet, bb, act, hero }) {
  const parts = players.flatMap((text, index) => [`p=${escapeText(text)}`,
    ...(names[index] ? [`n=${escapeText(names[index])}`] : []),
    ...rules[index].map(({ kind, lines, street, off }) => `${kind}=${off ? "off:" : ""}${STREETS[street - 3]}:${escapeText(lines.join(";"))}`)]);
  for (const [name, text] of Object.entries({ b: board.join(""), d: dead.join(""), pot, bet, bb, act, hero: hero ? String(hero + 1) : "" })) {
    if (text) parts.push(`${name}=${escapeText(text)}`);
  }
  return `#${parts.join("&")}`;
}

function escapeText(text) {
  return encodeURIComponent(text).replace(/%(2B|2C|3A|3B|3D|40|2F|3F|5B|5D)/g, decodeURIComponent);
}

/** Text with percent signs that escape nothing, as in a link typed by hand, is left alone. */
function unescapeText(text) {
  return text.replace(/(%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

/** A name without what would change the direction or the lines of other text. */
function plainName(text) {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, "").trim();
}

let ids = 0;
/** A number that no other player has had. */
export const newId = () => ++ids;

function addPlayer({ players, ids: own, names, rules }, text) {
  players.push(text);
  own.push(newId());
  names.push("");
  rules.push([]);
}

/** The question of an address, and in words what it holds that the page does not show. */
export function readHash(hash) {
  const unknown = [];
  const question = { players: [], ids: [], names: [], rules: [], board: [], dead: [], pot: "", bet: "", bb: "", act: "", hero: 0 };
  for (const part of hash.slice(1).split("&")) {
    const [name, ...rest] = part.split("=");
    const text = unescapeText(rest.join("="));
    const last = question.players.length - 1;
    if (name === "p") addPlayer(question, text);
    const rule = (name === "keep" || name === "drop") && last >= 0 && /^(off:)?(flop|turn|river):(.+)$/.exec(text);
    if (rule) question.rules[last].push({ kind: name, lines: rule[3].split(";"), street: STREETS.indexOf(rule[2]) + 3, off: Boolean(rule[1]) });
    if (name === "n" && last >= 0) question.names[last] = plainName(text);
    if (name === "b") question.board.push(...parseCards(text));
    if (name === "d") question.dead.push(...parseCards(text));
    if (["pot", "bet", "bb"].includes(name)) question[name] = text;
    if (name === "act") question.act = text === "bet" ? text : "";
    if (name === "hero") question.hero = Number(text) - 1;
    if (part && !rule && !["p", "n", "b", "d", "pot", "bet", "bb", "act", "hero"].includes(name)) unknown.push(part);
  }
  const surplus = question.players.length - MAX_PLAYERS;
  const leftOut = [
    ...(surplus > 0 ? [`The link has ${question.players.length} players; those after player ${MAX_PLAYERS} are left out.`] : []),
    ...(unknown.length ? [`Not understood in the link: ${unknown.join(", ")}.`] : []),
  ].join(" ");
  while (question.players.length < MIN_PLAYERS) addPlayer(question, "random");
  for (const own of ["players", "ids", "names", "rules"]) question[own].length = Math.min(question.players.length, MAX_PLAYERS);
  if (!Object.hasOwn(question.players, question.hero)) question.hero = 0;
  return { question, leftOut };
}
