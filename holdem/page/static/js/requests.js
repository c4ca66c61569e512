/** Requests to the server that sent the page. */

export const SERVER_GONE = "The server has stopped. Start it again with holdem serve.";

const token = new URLSearchParams(location.search).get("token") ?? "";

/** What the server found wrong with a request, and where. */
export class AskError extends Error {
  /** @param {{message: string, player?: number, start?: number, end?: number, field?: string}} error */
  constructor(error, status = 0) {
    super(error.message);
    this.name = "AskError";
    this.player = error.player;
    this.start = error.start;
    this.end = error.end;
    this.field = error.field;
    this.status = status;
  }
}

/**
 * Send a question and return its answer.
 *
 * With `onPartial`, a sampled answer is streamed, and `onPartial` is called with each preliminary
 * one. Rejects with an AskError, or with an AbortError after `signal`.
 * @param {"equity" | "range" | "hits"} path
 * @param {object} body
 * @param {{signal?: AbortSignal, onPartial?: (answer: object) => void}} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, body, { signal, onPartial } = {}) {
  const accept = onPartial ? "text/event-stream" : "application/json";
  try {
    const response = await post(path, body, accept, signal);
    return onPartial ? await readEvents(response, onPartial) : await response.json();
  } catch (error) {
    throw explained(error);
  }
}

/**
 * Ask for a file (`format` in the body is "csv" or "png") and save it.
 * @param {"equity" | "range" | "hits"} path
 * @param {object} body
 * @param {string} filename
 */
export async function download(path, body, filename) {
  let file;
  try {
    file = await (await post(path, body, "*/*")).blob();
  } catch (error) {
    throw explained(error);
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function post(path, body, accept, signal) {
  const response = await fetch(`/api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Holdem-Token": token, Accept: accept },
    body: JSON.stringify(body),
    signal,
  });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new AskError(error ?? { message: response.statusText }, response.status);
}

/** A failure of the network is the server's end; answers and cancelled requests stay as they are. */
function explained(error) {
  if (error instanceof AskError || error.name === "AbortError") return error;
  return new AskError({ message: SERVER_GONE });
}

async function readEvents(response, onPartial) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the stream ended without an answer");
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const name = /^event: *(.*)$/m.exec(event)?.[1];
      const data = /^data: *(.*)$/m.exec(event)?.[1];
      if (!data) continue;
      const content = JSON.parse(data);
      if (name === "partial") onPartial(content);
      else if (name === "answer") return content;
      else if (name === "error") throw new AskError(content.error ?? content, 400);
    }
  }
}
