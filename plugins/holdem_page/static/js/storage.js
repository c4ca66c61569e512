/** Text in the browser's storage, which may be full or disabled. */

const PREFIX = "holdem.";

/** The text kept under a name, or null. */
export function recall(name, storage = "localStorage") {
  try {
    return window[storage].getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Keep a text under a name. Returns whether the browser does. */
export function keep(name, text, storage = "localStorage") {
  try {
    window[storage].setItem(PREFIX + name, text);
    return true;
  } catch {
    return false;
  }
}
