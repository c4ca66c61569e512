/** Small windows beside what opened them. */

let closeOpen = null;

/** Close the open window, if there is one. */
export const closePopover = () => closeOpen?.();

/** Show `element`, whose popover="manual" ("auto" would close when the finger of a long press is lifted), beside `near`; Escape or a press outside closes it, and the focus returns. */
export function openPopover(element, near, first, onClose = () => {}) {
  closePopover();
  const before = document.activeElement;
  element.showPopover();
  const place = () => {
    const box = near.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = element;
    const below = box.bottom + 4 + height < innerHeight || box.top < height + 4;
    const top = below ? box.bottom + 4 : box.top - height - 4;
    element.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, box.left))}px`;
    element.style.top = `${Math.max(8, Math.min(innerHeight - height - 8, top))}px`;
  };
  place();
  const resizing = new ResizeObserver(place);
  resizing.observe(element);
  first?.focus();

  const listening = new AbortController();
  closeOpen = () => {
    closeOpen = null;
    listening.abort();
    resizing.disconnect();
    const inside = element.contains(document.activeElement);
    element.hidePopover();
    if (inside) before?.focus({ preventScroll: true });
    onClose();
  };
  const { signal } = listening;
  addEventListener("resize", place, { signal });
  document.addEventListener("pointerdown", (event) => {
    if (element.contains(event.target)) return;
    closePopover();
    event.stopPropagation();
    event.preventDefault();
  }, { signal, capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    closePopover();
    event.stopPropagation();
  }, { signal, capture: true });
  element.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !element.contains(event.relatedTarget)) closePopover();
  }, { signal });
}
