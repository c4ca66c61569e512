/** Text that leaves the page. */

import { h } from "./dom.js";

/** Copy text, also where the page does not come over a secure connection. */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = h("textarea", {}, text);
  document.activeElement.after(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function saveFile(file, filename) {
  const link = h("a", { href: URL.createObjectURL(file), download: filename });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
