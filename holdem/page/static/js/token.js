/** The way out for a link from elsewhere, and for a page whose server has been started again. */

import { h } from "./dom.js";
import { openForm } from "./form_dialog.js";

/**
 * Ask for the address of the server, and open it with the question of this page.
 * @param {HTMLDialogElement} dialog
 */
export function askForToken(dialog) {
  const address = h("input", { id: "address", type: "url", required: true, pattern: "http://.+[?]token=.+", autocomplete: "off" });
  const label = h("label", { for: "address" }, "Paste the address that holdem serve has printed on this machine. The question stays.");
  openForm(dialog, "The address has another server's token", [label, address], "Open",
    () => { location.href = address.value.replace(/#.*/, "") + location.hash; });
}
