// This file is the far end of remote.js: it runs in a module Worker or a Node thread and passes bytes to an engine of its own.
// Messages in:  { id, load: href | null }, then { id, op, header, body, hears }.
// Messages out: { } once it listens, { id, answer: { header, body } } or { id, error: { code, path, message } }; before it, for a call
// that hears of its progress, { id, done, of }.

import { reason, TampError } from "./error.js";
import { start } from "./instance.js";

/** @type {import("./instance.js").Handle | undefined} */
let handle;

/** @param {any} port */
function listen(port) {
  port.onmessage = async (/** @type {{ data: any }} */ { data: { id, load, op, header, body, hears } }) => {
    try {
      if (!handle) {
        handle = await start(load === null ? undefined : new URL(load));
        port.postMessage({ id });
        return;
      }
      const answer = handle(op, header, body, hears ? (done, of) => port.postMessage({ id, done, of }) : undefined);
      port.postMessage({ id, answer }, [answer.header.buffer, ...(answer.body ? [answer.body.buffer] : [])]);
    } catch (thrown) {
      const known = thrown instanceof TampError;
      port.postMessage({ id, error: { code: known ? thrown.code : "internal", path: known ? thrown.path : "", message: reason(thrown) } });
    }
  };
  port.postMessage({});
}

if (typeof globalThis.postMessage === "function") {
  listen(globalThis);
} else {
  const threads = "node:worker_threads"; // a variable, so that bundlers for browsers do not look for it
  import(/* webpackIgnore: true */ /* @vite-ignore */ threads).then(({ parentPort }) => listen(parentPort));
}
