/** The range editor in a notebook, for anywidget. No server: the sources of its modules come along, and Python reads ranges. */

/** Import a module whose imports, "./name.js", are among the given sources. */
function linked(sources, name) {
  const urls = new Map();
  const urlOf = (file) => {
    if (!urls.has(file)) {
      const source = sources[file].replace(/from "\.\/(\w+\.js)"/g, (_, other) => `from "${urlOf(other)}"`);
      urls.set(file, URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    }
    return urls.get(file);
  };
  return import(urlOf(name));
}

async function render({ model, el }) {
  const { isCard, mountRangeEditor, parseCards, rangeReader } = await linked(model.get("_modules"), "range_editor.js");
  /** Resolvers of the questions that Python has not answered yet. */
  const waiting = new Map();
  let sent = 0;
  model.on("msg:custom", ({ id, answer }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (answer.error) reject?.(Object.assign(new Error(answer.error.message), answer.error));
    else resolve?.(answer);
  });
  const ask = (question) => new Promise((resolve, reject) => {
    const id = `${Math.random()}-${++sent}`;  // messages go to all views of the widget
    waiting.set(id, { resolve, reject });
    model.send({ id, ...question });
  });
  const ranges = rangeReader((text, opponents) => ask({ text, opponents }));

  /** What is typed or painted; Python gets it once it is read. */
  let text = model.get("text");
  async function take(next, isDone) {
    show(next);
    if (ranges.isPlain(next) && isDone) await ranges.shorten(next).then((short) => next === text && show((next = short)));
    else await ranges.read(next);
    if (next !== text || next === model.get("text")) return;
    model.set("text", next);
    model.save_changes();
  }

  el.classList.add("holdem-range-editor");
  el.dataset.lmSuppressShortcuts = "true"; // keys paint instead of editing the notebook
  const element = document.createElement("div");
  el.append(element);
  const editor = mountRangeEditor(element, {
    ranges, textOf: () => text, onChange: (next, _, isDone) => take(next, isDone).catch(() => {}), // the editor says what is wrong
  });
  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const [board, against] = [["Ks 7d 2c", ""], ["", "random"]].map(([placeholder, value]) => make("input", { placeholder, value, oninput: compute, spellcheck: false }));
  const output = make("output", { className: "equity" });
  el.append(make("div", { className: "beside" }, make("label", {}, "Board ", board), make("label", {}, "Against ", against), output));

  /** The equity of the range; a question that was asked since counts. */
  let asked = 0;
  async function compute() {
    const mine = ++asked;
    editor.setDead(parseCards(board.value).filter(isCard));
    output.textContent = "…";
    const [figure, problem] = await ask({ text, against: against.value, board: board.value })
      .then(({ exact, players: [{ equity }] }) => [`${exact ? "" : "≈\u00a0"}${(100 * equity).toFixed(2)}\u00a0%`, ""], ({ message }) => ["–", message]);
    if (mine === asked) [output.textContent, output.title] = [figure, problem];
  }

  function show(next) {
    if (next !== text || !asked) setTimeout(compute);
    text = next;
    editor.show(0);
  }
  const showModel = () => show(model.get("text"));
  model.on("change:text", showModel);
  showModel();
  return () => model.off("change:text", showModel);
}

export default { render };
