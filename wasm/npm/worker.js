// This file is the counterpart of remote.js: it runs in a module Worker or a Node thread, with its own engine.
//
//   Messages in:  { id, load: href | null }, then { id, op, header, body, progress }; progress: the call reports it
//   Messages out: { } when it listens; { id, done, of } for progress; { id, answer: { header, body } } or
//                 { id, error: { code, path, message } }

import { reason, TampError } from "./error.js";
import { start } from "./instance.js";

/** @type {import("./instance.js").Handle | undefined} */
let handle;

/** @param {any} port */
function listen(port) {
  port.onmessage = async (/** @type {{ data: any }} */ { data: { id, load, op, header, body, progress } }) => {
    try {
      if (!handle) {
        handle = await start(load === null ? undefined : new URL(load));
        port.postMessage({ id });
        return;
      }
      const answer = handle(op, header, body, progress ? (done, of) => port.postMessage({ id, done, of }) : undefined);
      port.postMessage({ id, answer }, [answer.header.buffer, ...(answer.body ? [answer.body.buffer] : [])]);
    } catch (thrown) {
      const { code, path } = thrown instanceof TampError ? thrown : { code: "internal", path: "" };
      port.postMessage({ id, error: { code, path, message: reason(thrown) } });
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
