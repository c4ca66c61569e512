/** Those who hear of changes. */

export function listeners() {
  const all = new Set();
  return {
    subscribe: (listener) => (all.add(listener), () => all.delete(listener)),
    tell: (value) => [...all].forEach((listener) => listener(value)),
  };
}
