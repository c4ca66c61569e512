/** Keys that work anywhere but in text. */

import { clear } from "./selection.js";
import { getState, redo, undo, update } from "./state.js";

export function mount({ board, range, narrow, help }) {
  const keys = {
    b: board,
    p: () => {
      const { players, active } = getState();
      update({ active: (active + 1) % players.length }, { history: "replace" });
      range();
    },
    k: () => narrow(true),
    r: () => narrow(false),
    "?": help,
    Escape: clear,
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("textarea, input:not([type=range], [type=checkbox])");
    const inDialog = event.target.closest("dialog");
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !typing && !inDialog) {
      const key = event.key.toLowerCase();
      if (key === "z" && !event.shiftKey) undo();
      else if (key === "y" || (key === "z" && event.shiftKey)) redo();
      else return;
      event.preventDefault();
    } else if (Object.hasOwn(keys, event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !inDialog) {
      if (typing && event.key !== "Escape") return;
      event.preventDefault();
      keys[event.key]();
    }
  });
}
