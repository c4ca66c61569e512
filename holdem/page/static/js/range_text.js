/** A field for a range, with the wrong part of the text underlined. */

import { h } from "./dom.js";

/** A message is not shown earlier than this, in milliseconds, while somebody types. */
const PATIENCE = 400;
let fields = 0;

/** The message without its copy of the text: the field itself is underlined. */
export const withoutExcerpt = (message) =>
  message.split("\n").filter((line) => !line.startsWith("  ")).join("\n");

/**
 * @param {object} options
 * @param {string} options.label
 * @param {number} options.rows lines of text; with 1 the Enter key ends the input
 * @param {HTMLElement} options.message where the message appears
 * @param {(text: string) => void} options.onInput
 * @param {(text: string) => void} options.onCommit after a pause, Enter, or when the focus leaves
 */
export function rangeText({ label, rows, message, onInput, onCommit }) {
  message.id = `message-${++fields}`;
  const mirror = h("div", { className: "mirror", "aria-hidden": "true" });
  const area = h("textarea", {
    rows, spellcheck: false, autocomplete: "off", autocapitalize: "off", enterKeyHint: "done",
    "aria-label": label, "aria-describedby": message.id, wrap: rows === 1 ? "off" : "soft",
  });
  const element = h("div", { className: `range-text ${rows === 1 ? "single" : ""}` }, mirror, area);
  let committed = "";
  let error = null;
  let timer = 0;
  let pause = 0;

  function draw() {
    const shown = error?.text === area.value && (error.status ?? 400) === 400; // the text is at fault
    if (!shown && !element.classList.contains("wrong")) return; // `scroll` would force a layout
    const { start, end } = shown ? error : {};
    const text = area.value;
    const mark = start === undefined ? null : h("mark", { textContent: text.slice(start, Math.max(end, start + 1)) || " " });
    mirror.replaceChildren(text.slice(0, start ?? text.length), ...(mark ? [mark, text.slice(Math.max(end, start + 1))] : []), "\n");
    element.classList.toggle("wrong", Boolean(shown));
    area.ariaInvalid = shown ? "true" : null;
    scroll();
  }

  function scroll() {
    mirror.scrollTop = area.scrollTop;
    mirror.scrollLeft = area.scrollLeft;
  }

  function commit() {
    clearTimeout(pause);
    if (area.value === committed) return;
    committed = area.value;
    onCommit(area.value);
  }

  area.addEventListener("input", () => {
    if (rows === 1 && /\n/.test(area.value)) area.value = area.value.replace(/\s*\n\s*/g, ",");
    showError(null);
    clearTimeout(pause);
    pause = setTimeout(commit, 1000);
    onInput(area.value);
  });
  area.addEventListener("scroll", scroll);
  area.addEventListener("blur", commit);
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    commit();
  });

  /**
   * Mark a part of the text and show the message, at once or, while somebody types, after a pause.
   * @param {{message: string, start?: number, end?: number} | null} next
   */
  function showError(next) {
    clearTimeout(timer);
    const set = () => {
      error = next && { ...next, text: area.value };
      message.textContent = next ? withoutExcerpt(next.message) : "";
      message.hidden = !next;
      draw();
    };
    if (next && document.activeElement === area && !error) timer = setTimeout(set, PATIENCE);
    else set();
  }

  message.hidden = true;
  return {
    element,
    area,
    showError,
    get text() {
      return area.value;
    },
    setText(text) {
      if (text === area.value) return;
      area.value = committed = text;
      clearTimeout(pause);
      showError(null);
    },
  };
}
