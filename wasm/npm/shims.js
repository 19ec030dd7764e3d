// This file keeps Go's support code to ourselves, so that several Go programs, of other versions too, live on one page.
// wasm_exec.js has no exports: it writes globalThis.Go, and in a browser fs, path and process as well. We take what it
// wrote and put back what was there; the stand-ins for fs, path and process return only while an instance starts up.

import { before, names } from "./before.js";
import "./wasm_exec.js";

/** @type {Record<string, any>} */
const global = globalThis;

/**
 * The class that wasm_exec.js defines.
 * @type {new () => {
 *   importObject: { gojs: Record<string, Function> },
 *   exit: (code: number) => void,
 *   env: Record<string, string>,
 *   exited: boolean,
 *   run: (instance: WebAssembly.Instance) => Promise<void>,
 * }}
 */
export const Go = global.Go;

/** @type {[string, unknown][]} */
const standIns = [];

names.forEach((name, i) => {
  const was = before[i];
  if (was) {
    if (global[name] !== was.value && "value" in was) Object.defineProperty(globalThis, name, was);
    return;
  }
  if (name !== "Go") standIns.push([name, global[name]]);
  delete global[name];
});

/**
 * Runs start with the names in place that Go looks up at start-up, and takes them away again.
 * @template T
 * @param {() => T} start must do its work before it returns
 * @returns {T}
 */
export function withStandIns(start) {
  const added = standIns.filter(([name]) => global[name] === undefined);
  for (const [name, value] of added) global[name] = value;
  try {
    return start();
  } finally {
    for (const [name] of added) delete global[name];
  }
}
