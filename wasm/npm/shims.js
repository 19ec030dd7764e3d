// This file isolates Go's support code, so that several Go programs, also of other Go versions, can run on one page.
// wasm_exec.js has no exports: it sets globalThis.Go, and in a browser fs, path and process as well. This file takes
// these values and restores the previous ones; the stand-ins for fs, path and process are set again only while an
// instance starts.

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
	const previous = before[i];
	if (previous) {
		if (global[name] !== previous.value && "value" in previous) Object.defineProperty(globalThis, name, previous);
		return;
	}
	if (name !== "Go") standIns.push([name, global[name]]);
	delete global[name];
});

/**
 * Runs start while the global names that Go reads at start-up are set, and removes them afterwards.
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
