/** Ranges kept in this browser, as lines such as "button: 22+,A2s+". */

import { h } from "./dom.js";
import { openForm } from "./form_dialog.js";
import { menuButton, menuItem } from "./presets.js";
import { keep, recall } from "./storage.js";

/** The name may have colons: the last one with a space ends it. Without a name, the text is it. */
function load() {
  const lines = (recall("ranges") ?? "").split("\n").map((line) => /^(?:(.*): )?(.+)$/.exec(line.trim()));
  return lines.filter(Boolean).map(([, name, text]) => ({ name: name || text, text }));
}

const store = (lines) => {
  if (!keep("ranges", lines)) return "The browser has no room for this, or is set to keep nothing.";
};

/** A range as a line: without the spaces after a colon, and line breaks, that its text may have. */
const toLine = ({ name, text }) => `${name}: ${text.replace(/([:=])\s+/g, "$1").replace(/\s+/g, " ")}`;

/**
 * A menu to save the current range, choose a saved one, and edit all as text.
 * @param {HTMLDialogElement} dialog
 * @param {() => string} current
 * @param {(text: string) => void} onChoose
 */
export function savedButton(dialog, current, onChoose) {
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
    openForm(dialog, "Saved ranges as text", [label, lines], "Keep these", () => store(lines.value));
  }

  return menuButton("Saved", () => [
    ...(current().trim() ? [menuItem(saveCurrent, h("span", {}, "Save this range …"))] : []),
    menuItem(editAll, h("span", {}, "All as text …")),
    ...load().map(({ name, text }) => menuItem(() => onChoose(text), h("span", {}, name), h("code", {}, text))),
  ]);
}
