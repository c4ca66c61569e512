/** Ranges kept in this browser, as lines such as "button: 22+,A2s+". */

import { h } from "./dom.js";
import { openForm } from "./form_dialog.js";
import { menuButton, menuItem } from "./presets.js";
import { withoutExcerpt } from "./range_text.js";
import { keep, recall } from "./storage.js";

/** The name may have colons: the last one with a space ends it. */
const parse = (line) => /^(?<name>.+): (?<text>.+)$/.exec(line.trim())?.groups;
const load = () => (recall("ranges") ?? "").split("\n").map(parse).filter(Boolean);

/** A range as a line: without the spaces after a colon, and line breaks, that its text may have. */
const toLine = ({ name, text }) => `${name}: ${text.replace(/([:=])\s+/g, "$1").replace(/\s+/g, " ")}`;

/**
 * A menu to save the current range, choose a saved one, and edit all as text.
 * @param {HTMLDialogElement} dialog
 * @param {() => string} current
 * @param {(text: string) => Promise<object>} read rejects if the text is not a range
 * @param {(text: string) => void} onChoose
 */
export function savedButton(dialog, current, read, onChoose) {
  /** Keep lines if all are ranges with names; what is wrong, or nothing. */
  async function store(lines) {
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
    if (!keep("ranges", lines)) return "The browser has no room for this, or is set to keep nothing.";
  }

  function saveCurrent() {
    const name = h("input", { id: "saved-name", required: true, autocomplete: "off" });
    const fields = [h("label", { for: "saved-name" }, "Name"), name, h("code", {}, current())];
    openForm(dialog, "Save this range", fields, "Save", () => {
      const added = { name: name.value.trim(), text: current() };
      return store([...load().filter((range) => range.name !== added.name), added].map(toLine).join("\n"));
    });
  }

  function editAll() {
    const value = load().map(toLine).join("\n");
    const lines = h("textarea", { id: "saved-lines", rows: 10, spellcheck: false, value });
    const label = h("label", { for: "saved-lines" }, "A line for each range: name: text. Copy them, paste others, delete lines.");
    openForm(dialog, "Saved ranges as text", [label, lines], "Save", () => store(lines.value));
  }

  return menuButton("Saved", () => [
    ...(current().trim() ? [menuItem(saveCurrent, h("span", {}, "Save this range …"))] : []),
    menuItem(editAll, h("span", {}, "All as text …")),
    ...load().map(({ name, text }) => menuItem(() => onChoose(text), h("span", {}, name), h("code", {}, text))),
  ]);
}
