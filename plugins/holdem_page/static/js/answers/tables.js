/** Tables of reports. */

import { h } from "../dom.js";

/** A row of headings; an empty one is a cell. */
export const headRow = (...names) => h("tr", {}, ...names.map((name) => (name ? h("th", { scope: "col" }, name) : h("td"))));

/** A row: what it is about, and its cells, each a text, an element or a list of these. */
export const row = (name, ...cells) =>
  h("tr", {}, h("th", { scope: "row" }, ...[name].flat()), ...cells.map((cell) => h("td", {}, ...[cell].flat())));

export const table = (head, rows, className = "") =>
  h("table", { className: `lines ${className}` }, h("thead", {}, head), h("tbody", {}, ...rows));

/** Let a click anywhere in a row be one on its button. */
export function clickRows(container) {
  container.addEventListener("click", (event) => {
    const button = !event.target.closest("button") && event.target.closest("tr")?.querySelector("th button:last-child");
    if (button) button.dispatchEvent(new MouseEvent("click", event));
  });
}

/**
 * Headings of a table, and `sorted(rows)`, the rows in the order that a click on a heading chooses: first the highest.
 */
export function sortedBy(columns, first, onSort) {
  let [chosen, isUp] = [first, false];
  const heads = Object.keys(columns).map((name) => h("th", { scope: "col" }, h("button", { className: "sort", onclick: () => {
    [chosen, isUp] = [name, name === chosen && !isUp];
    onSort();
  } }, name)));
  const compare = (a, b) => a.reduce((found, value, index) => found || (value > b[index]) - (value < b[index]), 0);
  return {
    heads,
    sorted(rows) {
      for (const head of heads) head.ariaSort = head.textContent !== chosen ? "none" : isUp ? "ascending" : "descending";
      const keyed = rows.map((row) => ({ row, key: columns[chosen](row) }));
      return keyed.sort((a, b) => (isUp ? 1 : -1) * compare(a.key, b.key)).map(({ row }) => row);
    },
  };
}
