/** Ranges kept in this browser, as lines such as "button: 22+,A2s+". */

import { saveFile } from "./copying.js";
import { h } from "./dom.js";
import { openForm } from "./form_dialog.js";
import { menuButton, menuItem, rangeItems } from "./presets.js";
import { withoutExcerpt } from "./range_text.js";
import { keep, recall } from "./storage.js";

/** The last colon followed by a space ends the name, so a name may contain colons. */
const parse = (line) => /^(?<name>.+): (?<text>.+)$/.exec(line.trim())?.groups;
const load = () => (recall("ranges") ?? "").split("\n").map(parse).filter(Boolean);

/** A range as a line: without the spaces after a colon, and line breaks, that its text may have. */
const toLine = ({ name, text }) => `${name}: ${text.replace(/([:=])\s+/g, "$1").replace(/\s+/g, " ")}`;

/**
 * A menu to save the current range, choose a saved one, and edit all as text.
 * @param {HTMLDialogElement} dialog
 * @param {() => string} current
 * @param {(text: string) => Promise<object>} read rejects if the text is not a range
 * @param {(text: string, how: "replace" | "add" | "subtract" | "intersect") => void} onChoose
 */
export function savedButton(dialog, current, read, onChoose) {
  /** What is wrong with lines that are to be saved, or nothing. */
  async function mistakeIn(lines) {
    for (const [index, line] of lines.split("\n").entries()) {
      if (!line.trim()) continue;
      const range = parse(line);
      if (!range) return `Line ${index + 1}, “${line}”, is not of the form “name: text”.`;
      try {
        await read(range.text);
      } catch (error) {
        if (error.status === 400) return `Line ${index + 1}, “${line}”: ${withoutExcerpt(error.message)}`;
      }
    }
  }

  function store(lines) {
    if (!keep("ranges", lines)) return "Not saved: the browser's storage is full or disabled.";
  }

  function saveCurrent() {
    const name = h("input", { id: "saved-name", required: true, autocomplete: "off" });
    const fields = [h("label", { for: "saved-name" }, "Name"), name, h("code", {}, current())];
    openForm(dialog, "Save this range", fields, "Save", async () => {
      const added = { name: name.value.trim(), text: current() };
      if (!added.name) return "Give the range a name.";
      return (await mistakeIn(toLine(added))) ?? store([...load().filter((range) => range.name !== added.name), added].map(toLine).join("\n"));
    });
  }

  function editAll(value = load().map(toLine).join("\n")) {
    const lines = h("textarea", { id: "saved-lines", rows: 10, spellcheck: false, value });
    const label = h("label", { for: "saved-lines" }, "A line for each range: name: text. Copy them, paste others, delete lines.");
    openForm(dialog, "Saved ranges as text", [label, lines], "Save", async () => (await mistakeIn(lines.value)) ?? store(lines.value));
  }

  const exportAll = () => saveFile(new Blob([JSON.stringify({ ranges: load() }, null, 1)], { type: "application/json" }), "holdem-ranges.json");

  /** Add the ranges of a file to the saved ones: JSON as it is saved here, or a line for each. */
  async function importFile() {
    const text = await file.files[0].text();
    file.value = "";
    let added = text;
    try {
      added = JSON.parse(text).ranges.map(toLine).join("\n");
    } catch {
      // lines of text
    }
    const names = new Set(added.split("\n").map((line) => parse(line)?.name));
    editAll([...load().filter(({ name }) => !names.has(name)).map(toLine), added.trim()].join("\n"));
  }
  const file = h("input", { type: "file", accept: ".json,.txt,text/plain,application/json", onchange: importFile });

  return menuButton("Saved", () => [
    ...(current().trim() ? [menuItem(saveCurrent, h("span", {}, "Save this range …"))] : []),
    menuItem(() => editAll(), h("span", {}, "All as text …")),
    menuItem(exportAll, h("span", {}, "Save as a file …")),
    menuItem(() => file.click(), h("span", {}, "Add from a file …")),
    ...(load().length ? rangeItems(load(), onChoose) : []),
  ]);
}
