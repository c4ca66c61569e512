/** The command line and the Python that give the answer on the page. */

/** A word of a POSIX shell; quoted where it must be. */
export const shellWord = (text) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;

/** A text, number or list in Python, whose escapes those of JSON are. */
const pythonText = (value) => (Array.isArray(value) ? `[${value.map(pythonText).join(", ")}]` : JSON.stringify(value));

/** The known cards and options of a question: names and values. */
const given = ({ board, dead, deals, seed, names }) =>
  Object.entries({ board: board.replaceAll(" ", ""), dead: dead.replaceAll(" ", ""), deals, seed, names }).filter(([, value]) => value !== "" && value !== undefined);

/** The command of a question: of equities, or with a `range` of its hits. */
export const command = ({ range, players = [range], ...rest }, by) =>
  [range === undefined ? "holdem equity" : "holdem hits", ...players.map(shellWord),
    ...given(rest).map(([name, value]) => `--${name} ${shellWord(String(value))}`), ...(by ? ["--by", by] : [])].join(" ");

export function python({ range, players = [range], ...rest }, by) {
  const words = [...players.map(pythonText), ...given(rest).map(([name, value]) => `${name}=${pythonText(value)}`)];
  const shown = by === "next-card" ? "print(result.by_next_card)" : by ? `for player in result.players:\n    print(player.by_${by})` : "print(result)";
  return `import holdem\n\nresult = holdem.${range === undefined ? "equity" : "hits"}(${words.join(", ")})\n${shown}\n`;
}
