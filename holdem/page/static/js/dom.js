/** Elements in one expression. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an HTML element. Attributes that are functions are listeners ("onclick"), null and false
 * leave an attribute out, and true is an empty attribute.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export const h = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);

/** The same for an element of a drawing. */
export const svg = (name, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}
