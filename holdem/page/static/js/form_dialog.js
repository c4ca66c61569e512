/** A form in the page's dialog. */

import { h } from "./dom.js";

/**
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 * @param {HTMLElement[]} fields
 * @param {string} button
 * @param {() => string | void | Promise<string | void>} onSubmit what is wrong, which leaves the
 *   dialog open, or nothing
 */
export function openForm(dialog, title, fields, button, onSubmit) {
  const problem = h("p", { className: "error", role: "alert" });
  const form = h("form", {}, h("h2", {}, title), ...fields, problem,
    h("div", { className: "dialog-buttons" },
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"),
      h("button", { type: "submit", className: "primary" }, button)));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    problem.textContent = (await onSubmit()) ?? "";
    if (!problem.textContent && form.isConnected) dialog.close();
  });
  dialog.ariaLabel = title;
  dialog.replaceChildren(form);
  dialog.showModal();
}
