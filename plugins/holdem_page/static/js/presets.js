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

/** Add the named ranges of plugins, each in a folder of its plugin's name. */
export function addPresets(found) {
  PRESETS.push(...found.map(({ folder, name, text }) => [`${folder}/${name.replaceAll("/", " · ")}`, text]));
}

/** A button with a menu, whose items are made when it opens. */
export function menuButton(label, items) {
  const menu = h("div", { className: "popover menu", popover: "manual", role: "menu", "aria-label": label });
  const resetStop = roveFocus(menu, () => [...menu.querySelectorAll("button")].filter((each) => !each.closest("[hidden]")), 1);
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

export function menuItem(onclick, ...children) {
  return h("button", { role: "menuitem", onclick: () => (closePopover(), onclick()) }, ...children);
}

/** What choosing a range does to the one that is there. */
const WAYS = { replace: "Replace", add: "Add", subtract: "Subtract", intersect: "Intersect" };

/** The folder of a range, and its name there: "BTN/open" is *open* in the folder *BTN*. */
export const inFolder = (path) => [path.slice(0, Math.max(0, path.lastIndexOf("/"))), path.slice(path.lastIndexOf("/") + 1)];
const unfolded = new Set();

/** The lines of a folder, under one that opens and closes it. */
function folderItems(name, items) {
  const group = h("div", { role: "group", "aria-label": name, hidden: !unfolded.has(name) }, ...items);
  const button = h("button", {
    role: "menuitem", className: "folder", title: name, "aria-expanded": !group.hidden,
    onclick: () => {
      group.hidden = !group.hidden;
      button.ariaExpanded = !group.hidden;
      if (!unfolded.delete(name)) unfolded.add(name);
    },
  }, h("span", {}, name), h("code", {}, items.length));
  return [button, group];
}

/** The lines of a menu that chooses among ranges, below a line that says how; folders come last. */
export function rangeItems(ranges, onChoose) {
  let how = "replace";
  const ways = Object.entries(WAYS).map(([way, label]) => h("button", {
    role: "menuitemradio", "aria-checked": way === how, textContent: label,
    onclick: ({ target }) => {
      how = way;
      for (const each of ways) each.ariaChecked = each === target;
    },
  }));
  const item = ({ name, text }) => menuItem(() => onChoose(text, how), h("span", { title: name }, inFolder(name)[1]), h("code", { title: text }, text));
  const { "": loose = [], ...folders } = Object.groupBy(ranges, ({ name }) => inFolder(name)[0]);
  return [h("div", { className: "ways", role: "group", "aria-label": "What a range does to the present one" }, ...ways),
    ...loose.map(item), ...Object.entries(folders).flatMap(([name, own]) => folderItems(name, own.map(item)))];
}

export const presetsButton = (onChoose) =>
  menuButton("Presets", () => rangeItems(PRESETS.map(([name, text]) => ({ name, text })), onChoose));
