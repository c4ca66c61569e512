/** Ranges kept in this browser, as lines such as "BTN/open: 22+,A2s+"; the slash ends a folder. */

import { saveFile } from "./copying.js";
import { h } from "./dom.js";
import { openForm } from "./form_dialog.js";
import { inFolder, menuButton, menuItem, rangeItems } from "./presets.js";
import { withoutExcerpt } from "./range_text.js";
import { pushChange } from "./state.js";
import { keep, recall } from "./storage.js";

/** The last colon followed by a space ends the name, so a name may contain colons. */
const parse = (line) => /^(?<name>.+): (?<text>.+)$/.exec(line.trim())?.groups;
const load = () => (recall("ranges") ?? "").split("\n").map(parse).filter(Boolean);

/** A range as a line: without the spaces after a colon, and line breaks, that its text may have. */
const toLine = ({ name, text }) => `${name}: ${text.replace(/([:=])\s+/g, "$1").replace(/\s+/g, " ")}`;

/**
 * A menu to save the current range, choose a saved one, and edit all as text. `read` rejects if a
 * text is not a range.
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
    const before = recall("ranges") ?? "";
    if (!keep("ranges", lines)) return "Not saved: the browser's storage is full or disabled.";
    if (lines !== before) pushChange(() => keep("ranges", before), () => keep("ranges", lines));
  }

  function saveCurrent() {
    const name = h("input", { id: "saved-name", required: true, autocomplete: "off" });
    const folder = h("input", { id: "saved-folder", autocomplete: "off", placeholder: "none" });
    folder.setAttribute("list", "folders");
    const folders = new Set(load().map((range) => inFolder(range.name)[0]).filter(Boolean));
    const fields = [h("label", { for: "saved-name" }, "Name"), name, h("label", { for: "saved-folder" }, "Folder"), folder,
      h("datalist", { id: "folders" }, ...[...folders].map((value) => h("option", { value }))),
      h("code", {}, ...current().split(/(?<=,)/).map((token) => h("span", {}, token)))];
    let replaced = "";
    openForm(dialog, "Save this range", fields, "Save", async () => {
      if (!name.value.trim()) return "Give the range a name.";
      const added = { name: [folder.value.trim(), name.value.trim()].filter(Boolean).join("/"), text: current() };
      const old = load().find((range) => range.name === added.name);
      if (old && old.text !== added.text && replaced !== added.name) {
        replaced = added.name;
        return `“${added.name}” is there already: ${old.text}. Save again to replace it.`;
      }
      return (await mistakeIn(toLine(added))) ?? store([...load().filter((range) => range.name !== added.name), added].map(toLine).join("\n"));
    });
  }

  function editAll(value = load().map(toLine).join("\n")) {
    const lines = h("textarea", { id: "saved-lines", rows: 10, wrap: "off", spellcheck: false, value });
    const label = h("label", { for: "saved-lines" }, "A line for each range: name: text, or folder/name: text. Copy them, paste others, delete lines.");
    openForm(dialog, "Saved ranges as text", [label, lines], "Save", async () => (await mistakeIn(lines.value)) ?? store(lines.value));
  }

  const exportAll = () => saveFile(new Blob([JSON.stringify({ ranges: load() }, null, 1)], { type: "application/json" }), "holdem-ranges.json");

  /** The lines of a file: JSON as it is saved here, a line for each range, or one range, which has the file's name. */
  async function linesOf(file) {
    const text = await file.text();
    try {
      return JSON.parse(text).ranges.map(toLine);
    } catch {
      const lines = text.trim().split("\n");
      return lines.some(parse) ? lines : [toLine({ name: file.name.replace(/\.\w+$/, ""), text: text.trim() })];
    }
  }

  async function importFiles() {
    const added = (await Promise.all([...files.files].map(linesOf))).flat();
    files.value = "";
    const names = new Set(added.map((line) => parse(line)?.name));
    editAll([...load().filter(({ name }) => !names.has(name)).map(toLine), ...added].join("\n"));
  }
  const files = h("input", { type: "file", multiple: true, accept: ".json,.txt,text/plain,application/json", onchange: importFiles });

  return menuButton("Saved", () => [
    ...(current().trim() ? [menuItem(saveCurrent, h("span", {}, "Save this range …"))] : []),
    menuItem(() => editAll(), h("span", {}, "All as text …")),
    menuItem(exportAll, h("span", {}, "Save as a file …")),
    menuItem(() => files.click(), h("span", {}, "Add from files …")),
    ...(load().length ? rangeItems(load(), onChoose) : []),
  ]);
}
