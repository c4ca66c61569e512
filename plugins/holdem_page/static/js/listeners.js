/** Those who hear of changes. */

/** @returns `subscribe(listener)`, which returns a function that ends it, and `tell(value)`, which calls all. */
export function listeners() {
  const all = new Set();
  return {
    subscribe: (listener) => (all.add(listener), () => all.delete(listener)),
    tell: (value) => [...all].forEach((listener) => listener(value)),
  };
}
