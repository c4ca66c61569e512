/**
 * The command line and the Python that give the answer on the page.
 * @typedef {{players: string[], board: string, dead: string, seed?: number, deals?: number, names?: string[]}} Question
 * @typedef {{range: string, board: string, dead: string}} HitsQuestion
 */

/** A word of a POSIX shell; quoted where it must be. */
export const shellWord = (text) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;

/** A text in Python, whose escapes those of JSON are. */
const pythonText = (text) => JSON.stringify(text);

/** @param {Question} question */
export function equityCommand({ players, ...rest }, by) {
  return ["holdem equity", ...players.map(shellWord), ...options(rest), ...(by ? ["--by", by] : [])].join(" ");
}

/** @param {HitsQuestion} question */
export const hitsCommand = ({ range, ...rest }) =>
  ["holdem hits", shellWord(range), ...options(rest)].join(" ");

function options({ board, dead, seed, deals, names }) {
  const given = [["--board", board.replaceAll(" ", "")], ["--dead", dead.replaceAll(" ", "")], ["--deals", deals],
    ["--seed", seed], ["--names", names]];
  return given.filter(([, value]) => value !== "" && value !== undefined)
    .map(([name, value]) => `${name} ${shellWord(String(value))}`);
}

/** @param {Question} question */
export function equityPython({ players, ...rest }, by) {
  const shown = by === "next-card" ? "print(result.by_next_card)"
    : by ? `for player in result.players:\n    print(player.by_${by})` : "print(result)";
  return script(`holdem.equity(${[...players.map(pythonText), ...keywords(rest)].join(", ")})`, shown);
}

/** @param {HitsQuestion} question */
export const hitsPython = ({ range, ...rest }) =>
  script(`holdem.hits(${[pythonText(range), ...keywords(rest)].join(", ")})`, "print(result)");

function keywords({ board, dead, seed, deals, names }) {
  const given = [["board", board], ["dead", dead]].filter(([, cards]) => cards);
  return [
    ...given.map(([name, cards]) => `${name}=${pythonText(cards.replaceAll(" ", ""))}`),
    ...[["deals", deals], ["seed", seed]].filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${value}`),
    ...(names ? [`names=[${names.map(pythonText).join(", ")}]`] : []),
  ];
}

const script = (call, shown) => `import holdem\n\nresult = ${call}\n${shown}\n`;
