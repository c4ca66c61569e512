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
  const { mountRangeEditor } = await linked(model.get("_modules"), "range_editor.js");
  /** Resolvers of the questions that Python has not answered yet. */
  const waiting = new Map();
  /** Texts of the range that was read last: the text that was sent, and the canonical one. */
  let known = [];
  let sent = 0;

  model.on("msg:custom", ({ id, answer }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (answer.error) reject?.(Object.assign(new Error(answer.error.message), answer.error));
    else resolve?.(answer);
  });
  async function read(text) {
    const id = `${Math.random()}-${++sent}`;  // messages go to all views of the widget
    const range = await new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      model.send({ id, text });
    });
    known = [text, range.text];
    return range;
  }
  function keep(text) {
    if (text === model.get("text") || !(known.includes(text) || !text.trim())) return;
    model.set("text", text);
    model.save_changes();
  }

  el.classList.add("holdem-range-editor");
  el.dataset.lmSuppressShortcuts = "true"; // keys paint instead of editing the notebook
  const element = document.createElement("div");
  el.append(element);
  const editor = mountRangeEditor(element, { read, onInput: keep, onCommit: keep });
  const show = () => editor.setText(model.get("text"));
  model.on("change:text", show);
  show();
  return () => model.off("change:text", show);
}

export default { render };
