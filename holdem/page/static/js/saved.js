/** Ranges kept in this browser. */

import { h } from "./dom.js";
import { menuButton, menuItem } from "./presets.js";

const KEY = "holdem.saved";

/** @returns {{name: string, text: string}[]} */
function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
}

const store = (ranges) => localStorage.setItem(KEY, JSON.stringify(ranges));

/** A line for each range: "button: 22+,A2s+". */
export const toLines = (ranges) => ranges.map(({ name, text }) => `${name}: ${text}`).join("\n");

/** Ranges from such lines; without a name, the text is the name. */
export function fromLines(lines) {
  return lines.split("\n").map((line) => /^(?:([^:]*): )?(.*)$/.exec(line.trim())).filter((match) => match[2])
    .map(([, name, text]) => ({ name: name || text, text }));
}

/**
 * A menu to save the current range, choose a saved one, and edit all as text.
 * @param {HTMLDialogElement} dialog
 * @param {() => string} current
 * @param {(text: string) => void} onChoose
 */
export function savedButton(dialog, current, onChoose) {
  const name = h("input", { id: "saved-name", required: true, autocomplete: "off" });
  const lines = h("textarea", { id: "saved-lines", rows: 10, spellcheck: false });
  const form = (...children) => h("form", { method: "dialog" }, ...children);
  const close = h("button", { type: "button", textContent: "Cancel", onclick: () => dialog.close() });
  const done = (textContent) => h("button", { type: "submit", className: "primary", textContent });

  function open(content) {
    dialog.replaceChildren(content);
    dialog.showModal();
  }

  function saveCurrent() {
    name.value = "";
    const content = form(h("h2", { textContent: "Save this range" }), h("label", { for: "saved-name", textContent: "Name" }), name,
      h("code", { textContent: current() || "empty" }), h("div", { className: "dialog-buttons" }, close, done("Save")));
    content.addEventListener("submit", () => {
      store([...load().filter((range) => range.name !== name.value), { name: name.value, text: current() }]);
    });
    open(content);
  }

  function editAll() {
    lines.value = toLines(load());
    const content = form(h("h2", { textContent: "Saved ranges as text" }),
      h("label", { for: "saved-lines", textContent: "A line for each range: name: text. Copy them, paste others, delete lines." }), lines,
      h("div", { className: "dialog-buttons" }, close, done("Keep these")));
    content.addEventListener("submit", () => store(fromLines(lines.value)));
    open(content);
  }

  return menuButton("Saved", () => [
    menuItem(saveCurrent, h("span", { textContent: "Save this range …" })),
    menuItem(editAll, h("span", { textContent: "All as text …" })),
    ...load().map(({ name: label, text }) => menuItem(() => onChoose(text), h("span", { textContent: label }), h("code", { textContent: text }))),
  ]);
}
