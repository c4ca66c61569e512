/** A field for a range, with the wrong part of the text underlined. */

import { h } from "./dom.js";

/** A message is not shown earlier than this, in milliseconds, while somebody types. */
const PATIENCE = 400;
let fields = 0;

/** The message without its copy of the text: the field itself is underlined. */
export const withoutExcerpt = (message) =>
  message.split("\n").filter((line) => !line.startsWith("  ")).join("\n");

/** Lines are broken after commas only, with line breaks in the field that are not part of the text. */
const plain = (shown) => shown.replace(/,\n/g, ",");
function wrapped(text, columns) {
  let length = 0;
  return text.split(/(?<=,)/).map((token) => {
    const isFull = length > 0 && length + token.length > columns;
    length = isFull ? token.length : length + token.length;
    return isFull ? `\n${token}` : token;
  }).join("");
}

export function rangeText({ label, rows, message, onInput, onCommit }) {
  message.id = `message-${++fields}`;
  message.tabIndex = 0; // a long one scrolls
  const mirror = h("div", { className: "mirror", "aria-hidden": "true" });
  const area = h("textarea", {
    rows, spellcheck: false, autocomplete: "off", autocapitalize: "off", enterKeyHint: "done",
    "aria-label": label, "aria-describedby": message.id, wrap: rows === 1 ? "off" : "soft",
  });
  const element = h("div", { className: `range-text ${rows === 1 ? "single" : ""}` }, mirror, area);
  let committed = "";
  let error = null;
  let columns = Infinity;
  let timer = 0;
  let pause = 0;

  const text = () => plain(area.value);

  function wrap() {
    if (area.matches(":focus")) return; // somebody types
    area.value = wrapped(text(), columns);
    draw();
  }

  /** The position in the field of a position in the text. */
  function placeOf(at) {
    let place = at;
    while (place < area.value.length && plain(area.value.slice(0, place)).length < at) place++;
    return place;
  }

  function draw() {
    const shown = error?.text === text() && (error.status ?? 400) === 400; // the text is at fault
    if (!shown && !element.classList.contains("wrong")) return; // `scroll` would force a layout
    const all = area.value;
    const hasMark = shown && error.start !== undefined;
    const start = hasMark ? placeOf(error.start + 1) - 1 : all.length;
    const end = hasMark ? Math.max(placeOf(error.end), start + 1) : start;
    mirror.replaceChildren(all.slice(0, start), ...(hasMark ? [h("mark", { textContent: all.slice(start, end) || " " })] : []), all.slice(end), "\n");
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
    if (text() === committed) return;
    committed = text();
    onCommit(committed);
  }

  area.addEventListener("input", () => {
    if (rows === 1 && /\n/.test(area.value)) area.value = area.value.replace(/\s*\n\s*/g, ",");
    showError(null);
    clearTimeout(pause);
    pause = setTimeout(commit, 1000);
    onInput(text());
  });
  area.addEventListener("copy", (event) => {
    event.clipboardData.setData("text/plain", plain(area.value.slice(area.selectionStart, area.selectionEnd)));
    event.preventDefault();
  });
  area.addEventListener("scroll", scroll);
  area.addEventListener("blur", () => (commit(), area.scrollTo(0, 0)));
  if (rows > 1) {
    area.addEventListener("blur", wrap);
    new ResizeObserver(([{ contentRect: { width } }]) => {
      const context = document.createElement("canvas").getContext("2d");
      context.font = getComputedStyle(area).font;
      columns = width ? Math.floor(width / context.measureText("0").width) : Infinity;
      wrap();
    }).observe(area);
  }
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    commit();
  });

  /** Mark a part of the text and show the message, at once or, while somebody types, after a pause. */
  function showError(next) {
    clearTimeout(timer);
    const set = () => {
      error = next && { ...next, text: text() };
      message.textContent = next ? withoutExcerpt(next.message) : "";
      message.hidden = !next?.message;
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
      return text();
    },
    setText(next) {
      if (next === text()) return;
      area.value = wrapped(next, columns);
      committed = next;
      clearTimeout(pause);
      showError(null);
    },
  };
}
