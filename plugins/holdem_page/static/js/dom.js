/** Helpers for making elements. */

/** An element; null is no child. Names with a dash, `role`, `for` and `popover` are attributes, `on…` listeners, others properties. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "role" || name === "for" || name === "popover") {
      element.setAttribute(name, value);
    } else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Let the arrow keys move the focus among `items()`, of which one is in the tab order. */
export function roveFocus(container, items, columns = Infinity) {
  const choose = (chosen) => {
    for (const item of items()) item.tabIndex = item === chosen ? 0 : -1;
  };
  container.addEventListener("focusin", (event) => {
    if (items().includes(event.target)) choose(event.target);
  });
  container.addEventListener("keydown", (event) => {
    const list = items();
    const from = list.indexOf(event.target);
    if (from < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = Math.min(columns, list.length);
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row };
    const ends = { Home: 0, End: list.length - 1 };
    const to = event.key in ends ? ends[event.key] : from + steps[event.key];
    if (!(to >= 0 && to < list.length)) return;
    event.preventDefault();
    list[to].focus();
  });
  const reset = () => choose(items()[0]);
  reset();
  return reset;
}

/** Draw the buttons of a container anew. The focus stays on the one with its name, or goes to one of its kind in its place. */
export function redraw(container, draw) {
  const was = document.activeElement;
  const buttons = () => [...container.querySelectorAll("button")].filter(({ className }) => className === was.className);
  const nameOf = (button) => button.ariaLabel ?? button.textContent;
  const place = buttons().indexOf(was);
  draw();
  if (place < 0) return;
  const found = buttons();
  (found.find((button) => nameOf(button) === nameOf(was)) ?? found[Math.min(place, found.length - 1)])?.focus();
}

export function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
