// This file communicates with worker.js. Inputs are encoded and answers decoded here, so that a call means exactly the
// same as on the synchronous engine. Messages contain bytes, which are transferred instead of copied if possible.

import { reason, TampError } from "./error.js";

/** @typedef {import("./instance.js").Answer} Answer */
/** @typedef {import("./methods.js").Call} Call */
/** @typedef {{ resolve: (answer: Answer) => void, reject: (thrown: unknown) => void, progress?: import("./instance.js").OnProgress | undefined }} Waiting */
/** @typedef {{ post: (message: object, transfer: ArrayBuffer[]) => void, hold: (busy: boolean) => void, terminate: () => unknown }} Thread */

const encoder = new TextEncoder();

/**
 * Starts a worker and the engine in it.
 * @param {URL} [url] of tamp.wasm
 */
export async function open(url) {
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  /** @type {unknown} */
  let ended;
  let last = 0;
  /** @type {() => void} */
  let ready = () => {};
  const up = new Promise((resolve) => (ready = () => resolve(undefined)));

  /** @param {unknown} thrown */
  const end = (thrown) => {
    ended ??= thrown;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    ready();
  };
  const thread = await spawn(
    ({ id, answer, error, done, of }) => {
      if (id === undefined) return ready();
      const call = waiting.get(id);
      if (done !== undefined) return void call?.progress?.(done, of);
      waiting.delete(id);
      if (waiting.size === 0) thread.hold(false);
      if (error) call?.reject(new TampError(error.code, error.path, error.message));
      else call?.resolve(answer);
    },
    (thrown) => end(new TampError("load_failed", "", `cannot run worker.js: ${reason(thrown)}`)),
  );

  /**
   * @param {object} message
   * @param {ArrayBuffer[]} transfer
   * @param {import("./instance.js").OnProgress} [progress]
   * @returns {Promise<any>}
   */
  const request = (message, transfer, progress) => new Promise((resolve, reject) => {
    if (ended) return reject(ended);
    const id = ++last;
    thread.post({ id, ...message }, transfer);
    waiting.set(id, { resolve, reject, progress });
    thread.hold(true);
  });

  await up; // a message that is posted before the script of the worker has run may be lost
  try {
    await request({ load: url?.href ?? null }, []);
  } catch (thrown) {
    thread.terminate();
    throw thrown;
  }
  return {
    /**
     * @param {Call} call
     * @param {boolean} mayMove the body's memory may be transferred
     * @returns {Promise<Answer>}
     */
    send({ op, header, body, progress }, mayMove) {
      const bytes = typeof body === "string" ? encoder.encode(body) : body;
      // Only a whole buffer can be transferred: for a view of a part the rest would be lost, too.
      const isWhole = bytes?.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
      const sent = (bytes !== body || mayMove) && isWhole ? bytes : bytes && bytes.slice();
      const transfer = /** @type {ArrayBuffer[]} */ ([header.buffer, ...(sent ? [sent.buffer] : [])]);
      return request({ op, header, body: sent, progress: progress !== undefined }, transfer, progress);
    },
    terminate() {
      end(new TampError("terminated", "", "cannot finish the call: the worker was terminated"));
      thread.terminate();
    },
  };
}

/**
 * Starts a module Worker in browsers, or a thread in Node.
 * @param {(message: any) => void} onMessage
 * @param {(thrown: unknown) => void} onError
 * @returns {Promise<Thread>}
 */
async function spawn(onMessage, onError) {
  if (typeof Worker === "function") {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => onMessage(data);
    worker.onerror = (event) => onError(event.message || "the script did not load");
    return {
      post: (message, transfer) => worker.postMessage(message, transfer), hold() {}, terminate: () => worker.terminate(),
    };
  }
  const threads = "node:worker_threads"; // a variable, so that bundlers for browsers do not look for it
  const node = await import(/* webpackIgnore: true */ /* @vite-ignore */ threads);
  // Without the flags of this process: some, such as --input-type, would keep a worker from starting.
  const worker = new node.Worker(new URL("./worker.js", import.meta.url), { execArgv: [] });
  worker.on("message", onMessage);
  worker.on("error", onError);
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    // An idle worker must not keep the process alive, a working one must.
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    terminate: () => worker.terminate(),
  };
}
