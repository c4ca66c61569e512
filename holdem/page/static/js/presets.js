/** Ranges to start from, in a menu. All are text in the range language. */

import { h, roveFocus } from "./dom.js";
import { closePopover, openPopover } from "./popover.js";

const PRESETS = [
  ["Pairs", "22+"],
  ["Big pairs", "TT+"],
  ["Broadway", "TT+,ATs+,KTs+,QTs+,JTs,ATo+,KTo+,QTo+,JTo"],
  ["Suited aces", "A2s+"],
  ["Suited connectors", "32s-JTs"],
  ["Any suited", "XXs"],
  ["Top 5 %", "top 5%"],
  ["Top 10 %", "top 10%"],
  ["Top 20 %", "top 20%"],
  ["Top 30 %", "top 30%"],
  ["Top 50 %", "top 50%"],
  ["10 % to 30 %", "10%-30%"],
];

/**
 * A button with a menu.
 * @param {string} label
 * @param {() => HTMLElement[]} items buttons, made when the menu opens
 */
export function menuButton(label, items) {
  const menu = h("div", { className: "popover menu", popover: "manual", role: "menu", "aria-label": label });
  const resetStop = roveFocus(menu, () => [...menu.querySelectorAll("button")], 1);
  const button = h("button", {
    className: "opens", textContent: label, "aria-haspopup": "menu", "aria-expanded": "false",
    onclick: () => {
      menu.replaceChildren(...items());
      resetStop();
      openPopover(menu, button, menu.querySelector("button"), () => (button.ariaExpanded = "false"));
      button.ariaExpanded = "true";
    },
  });
  return h("span", { className: "menu-place" }, button, menu);
}

/** One line of a menu. */
export function menuItem(onclick, ...children) {
  return h("button", { role: "menuitem", onclick: () => (closePopover(), onclick()) }, ...children);
}

/** What choosing a range does to the one that is there. */
const WAYS = { replace: "Replace", add: "Add", subtract: "Subtract", intersect: "Intersect" };

/**
 * The lines of a menu that chooses among ranges, below a line that says how.
 * @param {{name: string, text: string}[]} ranges
 * @param {(text: string, how: keyof typeof WAYS) => void} onChoose
 */
export function rangeItems(ranges, onChoose) {
  let how = "replace";
  const ways = Object.entries(WAYS).map(([way, label]) => h("button", {
    role: "menuitemradio", "aria-checked": String(way === how), textContent: label,
    onclick: ({ target }) => {
      how = way;
      for (const each of ways) each.ariaChecked = String(each === target);
    },
  }));
  return [h("div", { className: "ways", role: "group", "aria-label": "What a range does to the present one" }, ...ways),
    ...ranges.map(({ name, text }) => menuItem(() => onChoose(text, how), h("span", {}, name), h("code", {}, text)))];
}

/** @param {(text: string, how: keyof typeof WAYS) => void} onChoose */
export const presetsButton = (onChoose) =>
  menuButton("Presets", () => rangeItems(PRESETS.map(([name, text]) => ({ name, text })), onChoose));
