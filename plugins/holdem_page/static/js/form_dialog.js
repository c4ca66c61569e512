/** A form in the page's dialog. `onSubmit` returns what is wrong, which leaves the dialog open, or nothing. */

import { h } from "./dom.js";

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
