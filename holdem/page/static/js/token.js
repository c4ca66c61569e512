/** The way out for a link from elsewhere, and for a page whose server has been started again. */

import { h } from "./dom.js";

/**
 * Ask for the address of the server, and open it with the question of this page.
 * @param {HTMLDialogElement} dialog
 */
export function askForToken(dialog) {
  const address = h("input", { id: "address", type: "url", required: true, pattern: "http://.+[?]token=.+", autocomplete: "off" });
  const form = h("form", {}, h("h2", {}, "The address has another server's token"),
    h("label", { for: "address" }, "Paste the address that holdem serve has printed on this machine. The question stays."), address,
    h("div", { className: "dialog-buttons" }, h("button", { type: "submit", className: "primary" }, "Open")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.href = address.value.replace(/#.*/, "") + location.hash;
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}
