/**
 * What is wrong with what a person sees on the page: a line for each fault, with the element and
 * the reason. Every control and every text that is not deliberately hidden must have a size, lie
 * inside the window or be reached by scrolling, be on top, and not be cut. Scrolls, and restores.
 *
 * Whether a cell of the grid or a card is on top takes most of the time: with a `turn`, from 0 to 2,
 * only every third of them is hit.
 */
(turn = null) => {
  const CONTROLS = "button, input, textarea, summary, [role=gridcell], [role=slider]";
  /** Text may not leave these. */
  const FRAMES = `${CONTROLS}, th, td, li, .panel, dialog, [popover], .board-editor`;
  const isPhone = matchMedia("(max-width: 759px), (max-height: 499px)").matches;
  /** What lies over the rest; on a phone, the picker of the board does not. */
  const LAYERS = `dialog[open], [popover]:popover-open${isPhone ? "" : ", #board.open .board-editor"}`;
  const isBeside = matchMedia("(max-height: 499px) and (min-width: 640px)").matches;
  const open = document.querySelector("main")?.dataset.tab;
  /** What the state of the page hides. Whatever else cannot be seen is a fault. */
  const HIDDEN = [
    "script", "style", "option", "[hidden]", "body:has(dialog[open] #address) :is(.status, #strip p)", "dialog:not([open])", "[popover]:not(:popover-open)",
    "details:not([open]) > :not(summary)", ".unseen", ".mirror", "#heat:not([hidden]) + #start",
    ".player:has(.error:not([hidden])) :is(.result, .detail)", ".many .detail",
    ".under-text:has(.error:not([hidden])) .count", ".has-rules #start",
    ...(matchMedia("(any-pointer: coarse)").matches ? [] : [".drags-switch"]),
    matchMedia("(pointer: coarse)").matches ? ".by-mouse" : ".by-touch",
    ...(isBeside ? ["h1:not(dialog *)", "#tab-range", ".to-grid"] : []),
    ...(isPhone ? [`main > section:not(#${open}${isBeside ? ", #range" : ""})`, ".switch span", "#strip.many .text", ".board-row .change"] : ["#strip", "#tabs", ".to-grid", "#board:not(.open) .board-editor"]),
  ].join();
  /** Texts in one of these do not overlap. */
  const GROUPS = `.panel, .selection, .top-bar, #strip, #tabs, ${LAYERS}`;
  const SLACK = 1.5; // pixels

  const round = (number) => Math.round(10 * number) / 10;
  const cached = (find) => {
    const known = new Map();
    return (key) => known.get(key) ?? known.set(key, find(key)).get(key);
  };
  const styleOf = cached((element) => getComputedStyle(element));
  const chainOf = cached((element) => [element, ...(element.parentElement ? chainOf(element.parentElement) : [])]);
  const opacityOf = cached((element) => chainOf(element).reduce((product, each) => product * styleOf(each).opacity, 1));
  const nameOf = (element) => {
    const label = (element.ariaLabel ?? element.textContent.trim().replace(/\s+/g, " ")).slice(0, 40);
    return `${element.role ?? element.localName}${element.id && `#${element.id}`}${label && ` “${label}”`}`;
  };

  /** The element and its ancestors, as far as they clip it. */
  const clippersOf = cached((element) => {
    const found = [];
    let isAbsolute = false;
    for (const each of chainOf(element)) {
      const { position, overflowX, overflowY } = styleOf(each);
      if (each === document.body) break;
      const clips = overflowX !== "visible" || overflowY !== "visible";
      if (clips && !(isAbsolute && position === "static")) found.push(each);
      if (position === "fixed" || each.matches(LAYERS)) break;
      if (position !== "static") isAbsolute = position === "absolute";
    }
    return found;
  });
  const scrolls = (element, axis) =>
    /auto|scroll/.test(styleOf(element)[`overflow${axis}`])
      && (axis === "X" ? element.scrollWidth > element.clientWidth : element.scrollHeight > element.clientHeight);

  /** Scroll to the middle of a box; add functions that scroll back to `back`. */
  function scrollTo(element, getBox, back) {
    for (const each of [...clippersOf(element), document.scrollingElement]) {
      const isPage = each === document.scrollingElement;
      const box = getBox();
      const view = isPage ? new DOMRect(0, 0, innerWidth, innerHeight) : each.getBoundingClientRect();
      const { scrollLeft: left, scrollTop: top } = each;
      back.push(() => each.scrollTo({ left, top, behavior: "instant" }));
      if (isPage || scrolls(each, "Y")) each.scrollTop += box.y + box.height / 2 - view.y - view.height / 2;
      if (!isPage && scrolls(each, "X")) each.scrollLeft += box.x + box.width / 2 - view.x - view.width / 2;
    }
  }

  /** What is out of view, in the order of the page. */
  let below = [];
  /** Scroll to all of `below`, and report what cannot be seen then; call a function with the others. */
  function scrollThrough(isInOrder = () => {}) {
    const back = [];
    for (let index = 0; index < below.length;) {
      const { name, element, getBox, place } = below[index];
      scrollTo(element, getBox, back);
      const reason = place();
      if (reason) faults.push(`${name} ${reason}`);
      else isInOrder(element);
      for (index += 1; index < below.length && !below[index].place(); index += 1) isInOrder(below[index].element);
    }
    for (const restore of back.reverse()) restore();
    below = [];
  }

  const faults = [];
  /** Controls in which nothing is wrong with their own boxes. */
  const seen = new Set();

  /** How far a box leaves another in each direction. */
  const excess = (box, view) => ({
    X: Math.max(view.left - box.left, box.right - view.right),
    Y: Math.max(view.top - box.top, box.bottom - view.bottom),
  });

  /** The part of a box that ellipses leave. */
  function shortened({ left, top, right, bottom }, clippers) {
    const ends = clippers.filter((each) => styleOf(each).textOverflow === "ellipsis")
      .map((each) => each.getBoundingClientRect()).filter(({ width }) => width >= 24);
    return { left, top, right: Math.min(right, ...ends.map((each) => each.right)), bottom };
  }

  function wrongPlace(element, whole, clippers) {
    const box = shortened(whole, clippers);
    for (const each of clippers) {
      const view = each.getBoundingClientRect();
      const over = excess(box, view);
      const isLarger = { X: box.right - box.left > view.width, Y: box.bottom - box.top > view.height };
      for (const axis of ["X", "Y"]) {
        if (over[axis] > SLACK && !(isLarger[axis] && scrolls(each, axis))) {
          return `is cut by ${round(over[axis])} px at ${nameOf(each)}`;
        }
      }
    }
    const { clientWidth, clientHeight } = document.documentElement;
    const over = excess(box, { left: 0, top: 0, right: clientWidth, bottom: clientHeight });
    if (over.X > SLACK || over.Y > SLACK) return "is outside the window";
    if (seen.has(element.closest(CONTROLS))) return ""; // and what is on it with it: a hit test is slow
    if (isSkipped(element)) return "";
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    const target = chainOf(element).find((each) => styleOf(each).pointerEvents !== "none");
    if (target.contains(hit)) return "";
    const isUnderLayer = !element.closest(LAYERS) && (document.querySelector("dialog:modal") || hit.closest(LAYERS));
    return isUnderLayer ? "" : `is behind ${nameOf(hit)}`;
  }

  /** Look at a box, later if it is out of view; return whether it is in view and nothing is wrong. */
  function look(name, element, getBox, least, clippers) {
    const { width, height } = getBox();
    const fault = (reason) => { faults.push(`${name} ${reason}`); };
    if (width < least || height < least) return fault(`is ${round(width)} × ${round(height)} px`);
    if (styleOf(element).visibility !== "visible") return fault("is not visible");
    if (opacityOf(element) < 0.25) return fault("is transparent");
    const place = () => wrongPlace(element, getBox(), clippers);
    if (!place()) return true;
    below.push({ name, element, getBox, place });
  }

  let many = 0;
  const isSkipped = cached((element) => turn !== null && element.matches(".cell, .pick") && many++ % 3 !== turn);
  const isHidden = cached((element) => element.matches(HIDDEN) || (element.parentElement !== null && isHidden(element.parentElement)));
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth - clientWidth} px wider than the window`);

  for (const element of document.querySelectorAll("body *")) {
    const rest = element.scrollWidth - element.clientWidth;
    if (rest <= SLACK || isHidden(element) || element.matches("input, textarea, svg *") || !element.textContent.trim()) continue;
    const { overflowX, textOverflow } = styleOf(element);
    if (overflowX === "visible" || textOverflow === "ellipsis" && element.closest("[title]")?.title) continue;
    faults.push(`${nameOf(element)} hides ${rest} px of its width`);
  }

  for (const element of document.querySelectorAll(CONTROLS)) {
    if (isHidden(element)) continue;
    const least = element.type === "checkbox" ? 13 : 20;
    const name = nameOf(element);
    if (look(name, element, () => element.getBoundingClientRect(), least, clippersOf(element.parentElement))) seen.add(element);
    const { textOverflow, scrollbarWidth } = styleOf(element);
    const isCut = element.matches("input, textarea")
      && ((element.scrollWidth > element.clientWidth && textOverflow !== "ellipsis")
        || (element.scrollHeight > element.clientHeight && scrollbarWidth === "none"));
    if (isCut) faults.push(`${name} shows its text cut`);
  }
  scrollThrough((element) => seen.add(element));

  const inView = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || isHidden(element) || element.localName === "textarea") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const frame = element.closest(FRAMES) ?? element;
    const clippers = [...new Set([...clippersOf(element), frame])];
    const name = `the text “${node.data.trim().slice(0, 40)}” in ${nameOf(frame)}`;
    const boxes = [...range.getClientRects()];
    const isEmpty = boxes.every(({ width }) => width === 0);
    for (const [index, box] of boxes.entries()) {
      if (!box.width && !isEmpty) continue; // a line break
      if (styleOf(element).color === "rgba(0, 0, 0, 0)") faults.push(`${name} has no colour`);
      if (parseFloat(styleOf(element).fontSize) < 12) faults.push(`${name} is smaller than 12 px`);
      const isInView = look(name, element, () => range.getClientRects()[index], 3, clippers);
      if (isInView) inView.push({ name, node, box: shortened(box, clippers), group: element.closest(GROUPS) });
    }
  }

  scrollThrough();

  const shared = (a, b, start, end) => Math.min(a[end], b[end]) - Math.max(a[start], b[start]);
  inView.forEach((one, index) => {
    for (const other of inView.slice(index + 1)) {
      if (one.node === other.node || one.group !== other.group) continue;
      if (shared(one.box, other.box, "left", "right") < 2 || shared(one.box, other.box, "top", "bottom") < 4) continue;
      faults.push(`${one.name} overlaps ${other.name}`);
    }
  });
  return faults;
}
