/**
 * The range editor in a notebook, as a module for anywidget. There is no server: the sources of
 * the editor's modules come with the widget, and Python reads what is typed or painted.
 */

/**
 * Import a module whose imports, "./name.js", are among the given sources.
 * @param {Record<string, string>} sources by file name
 * @param {string} name
 */
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
  const { mountRangeEditor, rangeReader } = await linked(model.get("_modules"), "range_editor.js");
  /** Resolvers of the questions that Python has not answered yet. */
  const waiting = new Map();
  let sent = 0;
  model.on("msg:custom", ({ id, answer }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (answer.error) reject?.(Object.assign(new Error(answer.error.message), answer.error));
    else resolve?.(answer);
  });
  const ranges = rangeReader((text) => new Promise((resolve, reject) => {
    const id = `${Math.random()}-${++sent}`;  // messages go to all views of the widget
    waiting.set(id, { resolve, reject });
    model.send({ id, text });
  }));

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
  function show(next) {
    text = next;
    editor.show(0);
  }
  const showModel = () => show(model.get("text"));
  model.on("change:text", showModel);
  showModel();
  return () => model.off("change:text", showModel);
}

export default { render };
