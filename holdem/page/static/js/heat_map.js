/** To come. */

/**
 * @param {HTMLElement} element
 * @param {import("./range_editor.js").Editor} editor
 */
export function mount(element, editor) {}
