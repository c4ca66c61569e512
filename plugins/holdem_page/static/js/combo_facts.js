/** What is known of each combo of a range: its weight, its equity, what it has made and draws. */

import { details, getHits, getQuestion } from "./answer.js";
import { comboRows, measured } from "./answers/figures.js";

/** @typedef {import("./answers/figures.js").ComboRow & {made: string, draws: string[]}} Fact */
export async function comboFacts(player) {
  if (!getQuestion()) return new Map();
  const reports = await Promise.all([details("combo"), getHits(player)]).catch((error) => {
    if (error.name !== "AbortError") throw error;
  });
  if (!reports) return comboFacts(player); // the question has been asked anew
  const [equity, hits] = reports;
  const facts = new Map(comboRows(equity, player).map((row) => [row.combo, { ...row, made: "", draws: [] }]));
  const groups = (found) => Object.entries(found).flatMap(([name, { members = [] }]) => members.map(({ combo }) => [name, facts.get(combo)]));
  for (const [name, fact] of groups(hits.made)) if (fact) fact.made = name;
  for (const [name, fact] of groups(hits.draws)) fact?.draws.push(name);
  return facts;
}

/** "63.1 %", "top pair", "flush draw": what a person reads about a combo. */
export const factWords = ({ equity, stderr, made, draws }) =>
  [...(equity === null ? [] : [`equity ${measured(equity, stderr, 1)}`]), made, ...draws].filter(Boolean);
