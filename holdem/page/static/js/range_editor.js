/**
 * An editor of one range: the grid, its brush, and the text. It knows no server: `read` gives
 * the meaning of a text in the range language.
 */

/**
 * @typedef {object} Editor
 * @property {(text: string) => void} setText show another range; calls neither callback
 * @property {(cards: string[]) => void} setDead cards that make combos impossible
 * @property {(cells: Map<string, {colour: string, ink: string, text: string}> | null) => void} showHeat
 *   colours by class instead of weights ("AKs" → colour of the cell, colour and content of its small text)
 * @property {(combos: Iterable<string> | null) => void} lightUp dim all classes without these combos
 * @property {(message: string, start?: number, end?: number) => void} showError
 * @property {() => Map<string, number>} getWeights weight by combo, "AsKd" → 0..1
 * @property {(listener: (weights: Map<string, number>) => void) => void} onWeights
 */

/**
 * Build an editor inside `element`.
 * @param {HTMLElement} element
 * @param {object} options
 * @param {(text: string) => Promise<{text: string, combos: {combo: string, weight: number}[]}>} options.read
 *   the JSON of `holdem range`; rejects with an error that has message, start and end
 * @param {(text: string) => void} options.onInput every change, also within a stroke
 * @param {(text: string) => void} options.onCommit the end of a stroke or of typing
 * @returns {Editor}
 */
export function mountRangeEditor(element, { read, onInput, onCommit }) {
  throw new Error("not yet");
}
