// This file is the package's public face; index.d.ts is its manual.

import { compact } from "./compact.js";
import { TampError } from "./error.js";
import { start } from "./instance.js";
import { closing, limited, methods, sessionMethods, version } from "./methods.js";
import { open } from "./remote.js";

export { compact, TampError };

/** @typedef {import("./index.js").Engine} Engine */
/** @typedef {import("./index.js").AsyncEngine} AsyncEngine */
/** @typedef {import("./index.js").Source} Source */

/** @type {Promise<Engine> | undefined} */
let loading;

/**
 * Closes sessions that were collected without close(). Some edge runtimes have no such registry: there close() is the only way.
 * @type {FinalizationRegistry<() => void> | undefined}
 */
const collected = globalThis.FinalizationRegistry && new FinalizationRegistry((close) => close());

/**
 * @param {Source} [source]
 * @returns {Promise<Engine>}
 */
export function load(source) {
  loading ??= begin(source).catch((thrown) => {
    loading = undefined; // a failed load is no reason not to try again
    throw thrown;
  });
  return loading;
}

/** @param {Source} [source] */
async function begin(source) {
  const handle = await start(source);
  /** @param {import("./methods.js").Call} call */
  const run = (call) => {
    const { op, header, body, decode, progress } = limited(call);
    return decode(handle(op, header, body, progress));
  };
  /** @type {Record<string, unknown>} */
  const engine = { version: run(version()) };
  for (const [name, prepare] of Object.entries(methods)) {
    engine[name] = (/** @type {unknown[]} */ ...args) => run(prepare(...args));
  }
  let sessions = 0; // never counted back: an instance that starts afresh must not take one session for another
  engine.session = (/** @type {import("./index.js").Input} */ input) => {
    const session = ++sessions, handle = { session };
    const { open, methods } = sessionMethods(handle, input);
    run(open);
    collected?.register(handle, () => {
      try {
        run(closing(session));
      } catch {} // it was closed, or its instance is no more
    });
    return Object.freeze(Object.fromEntries(Object.entries(methods).map(([name, prepare]) => [name, (/** @type {unknown[]} */ ...args) => run(prepare(...args))])));
  };
  return /** @type {Engine} */ (/** @type {unknown} */ (Object.freeze(engine)));
}

/**
 * @param {URL} [url]
 * @returns {Promise<AsyncEngine>}
 */
export async function loadInWorker(url) {
  const remote = await open(url);
  const call = version();
  /** @type {Record<string, unknown>} */
  const engine = { version: call.decode(await remote.send(call, false)), terminate: remote.terminate };
  /** @param {(...args: any[]) => import("./methods.js").Call} prepare */
  const sending = (prepare) => async (/** @type {any[]} */ ...args) => {
    const call = limited(prepare(...args));
    const options = args[prepare.length]; // they come last, and the preparations read no further
    return call.decode(await remote.send(call, options?.transfer === true));
  };
  for (const [name, prepare] of Object.entries(methods)) engine[name] = sending(prepare);
  let sessions = 0;
  engine.session = async (/** @type {import("./index.js").Input} */ input, /** @type {any} */ options) => {
    const session = ++sessions, handle = { session };
    const { open, methods } = sessionMethods(handle, input);
    await sending((_) => open)(input, options);
    collected?.register(handle, () => void remote.send(closing(session), false).catch(() => {})); // it was closed, or the worker is no more
    return Object.freeze(Object.fromEntries(Object.entries(methods).map(([name, prepare]) => [name, sending(prepare)])));
  };
  return /** @type {AsyncEngine} */ (/** @type {unknown} */ (Object.freeze(engine)));
}
