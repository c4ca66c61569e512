/** To come. */

/** @param {HTMLElement} element */
export function mount(element) {}
