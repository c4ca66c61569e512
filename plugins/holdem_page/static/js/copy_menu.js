/** The menu that copies and saves: link, range, and for each part of the answer command, Python, table and picture. */

import { getAnswer, getQuestion, getRepeatable, whatIsMissing } from "./answer.js";
import { command, python } from "./commands.js";
import { copyText } from "./copying.js";
import { h } from "./dom.js";
import { savePicture } from "./picture.js";
import { openPopover } from "./popover.js";
import { AskError, download } from "./requests.js";
import { getState, playerName } from "./state.js";
import { goneFor } from "./twice.js";

const PARTS = [
  { name: "Equities" },
  { name: "By class", by: "class" },
  { name: "Hits (shares)", path: "hits" },
  { name: "Next card", by: "next-card" },
  { name: "Distribution", by: "combo" },
  { name: "Categories", by: "category" },
];

/** The address of the question, without the token, which is for this machine alone. */
const linkOf = () => location.origin + location.pathname + location.hash;

export function mount(element) {
  const note = h("p", { role: "status", className: "copy-note" });
  const action = (text, label, run) => h("button", { "aria-label": label, onclick: () => attempt(run) }, text);
  const copy = (text, label, content, hint = "") =>
    action(text, label, async () => {
      await copyText(content());
      return `Copied: ${label}${hint}`;
    });
  /** A part of the answer is there once the flop is complete. */
  const whole = (run) => () => {
    if (!getQuestion()) throw new AskError({ message: whatIsMissing() });
    return run();
  };

  const row = (part) => {
    const name = part.name.toLowerCase();
    return h("tr", { "data-part": part.by ?? part.path ?? "equity" },
      h("th", { scope: "row" }, part.name),
      h("td", {}, copy("Command", `command line, ${name}`, whole(() => command(questionOf(part), part.by)))),
      h("td", {}, copy("Python", `Python, ${name}`, whole(() => python(questionOf(part), part.by)))),
      h("td", {}, action("CSV", `table as CSV, ${name}`, whole(() => save(part, "csv")))),
      h("td", {}, action("PNG", `picture as PNG, ${name}`, whole(() => save(part, "png")))));
  };
  const menu = h("div", { popover: "manual", className: "popover copy-menu", role: "dialog", "aria-label": "Share" },
    h("div", { className: "copy-first" },
      copy("Link to this page", "link to this page", linkOf, ". It opens with the holdem serve of whoever gets it."),
      action("Picture", "picture of the spot", savePicture),
      copy("Text of the range", "text of the range", () => getState().players[getState().active])),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Answer"),
      h("th", { scope: "col", colSpan: 2 }, "copy"), h("th", { scope: "col", colSpan: 2 }, "save"))),
      h("tbody", {}, ...PARTS.map(row))),
    note);

  async function attempt(run) {
    try {
      note.classList.remove("error");
      note.textContent = "…";
      note.textContent = await run();
    } catch (error) {
      note.classList.add("error");
      note.textContent = error.message;
    }
  }

  const button = h("button", { className: "primary", "aria-haspopup": "dialog" }, "Share");
  button.addEventListener("click", () => {
    note.textContent = "";
    for (const each of menu.querySelectorAll('[data-part="next-card"] button')) {
      each.disabled = ![3, 4].includes(getState().board.length);
    }
    openPopover(menu, button, menu.querySelector("button"));
  });
  element.append(button, menu);
}

const questionOf = ({ path }) => (path ? hitsQuestion() : equityQuestion());

/** The question with the names of all players, if one has a name. */
function equityQuestion() {
  const { names } = getState();
  const { rules, ...question } = getRepeatable();
  // A command line has no rules: it gets what they leave.
  const players = rules ? getAnswer().equity.players.map(({ range }) => range) : getState().players;
  return { ...question, players, ...(names.some(Boolean) ? { names: names.map((_, index) => playerName(index)) } : {}) };
}

function hitsQuestion() {
  const { active, board, dead } = getState();
  const { players } = equityQuestion();
  return { range: players[active], board: board.join(""), dead: goneFor(active, players, board, dead).join("") };
}

async function save({ by, path }, format) {
  const body = path ? hitsQuestion() : { ...equityQuestion(), by: by ? [by] : [] };
  const name = `holdem-${by ?? path ?? "equity"}.${format}`;
  await download(path ?? "equity", { ...body, format }, name);
  return `Saved: ${name}`;
}
