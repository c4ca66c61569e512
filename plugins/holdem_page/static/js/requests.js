/** Requests to the server that sent the page. */

import { saveFile } from "./copying.js";

const SERVER_GONE = { message: "The server has stopped. Start it again with holdem serve." };

const token = new URLSearchParams(location.search).get("token") ?? "";

/** What is wrong with the token in the address where the server refuses it. */
export const WRONG_TOKEN = token
  ? "This link belongs to a server that has ended or runs on another machine."
  : "The address contains no token.";

/** What the server found wrong with a request: the message, and where, as `player`, `start`, `end` and `field`. */
export class AskError extends Error {
  constructor(error, status = 0) { // 0: there was no response
    super();
    Object.assign(this, error, { name: "AskError", status });
  }
}

/** What a report is, or null where there is none: why is said elsewhere. */
export const quietly = (report) => report.catch((error) => {
  if (!["AskError", "AbortError"].includes(error.name)) throw error;
  return null;
});

/** Send a question and return its answer. `onEvent(name, content)` gets the events of a stream before it, each after what the last returned. */
export async function ask(path, body, { signal, onEvent } = {}) {
  const response = await post(path, body, onEvent ? "text/event-stream" : "application/json", signal);
  return onEvent ? readEvents(response, onEvent) : JSON.parse(await received(response.text()));
}

/** Ask for a file (`format` in the body is "csv" or "png") and save it. */
export async function download(path, body, filename) {
  saveFile(await received((await post(path, body, "*/*")).blob()), filename);
}

async function post(path, body, accept, signal) {
  const response = await received(fetch(`/api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Holdem-Token": token, Accept: accept },
    body: JSON.stringify(body),
    signal,
  }));
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  if (error?.field === "token") throw new AskError({ message: WRONG_TOKEN }, 403);
  throw new AskError(error ?? { message: response.statusText }, response.status);
}

/** Ask for the smallest file; rejects with an AskError if the server has stopped. */
export const checkServer = () => received(fetch("/icon.svg", { method: "HEAD", cache: "no-store" }));

/** Await the network; any failure but an abort means that the server has stopped. */
async function received(promise) {
  try {
    return await promise;
  } catch (error) {
    throw error.name === "AbortError" ? error : new AskError(SERVER_GONE);
  }
}

async function readEvents(response, onEvent) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await received(reader.read());
    if (done) throw new AskError(SERVER_GONE);
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const name = /^event: *(.*)$/m.exec(event)?.[1];
      const data = /^data: *(.*)$/m.exec(event)?.[1];
      if (!data) continue;
      const content = JSON.parse(data);
      if (name === "answer") return content;
      if (name === "error") throw new AskError(content.error ?? content, 400);
      await onEvent(name, content);
    }
  }
}
