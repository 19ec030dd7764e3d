// This file recognizes compiled modules.

import { TampError } from "./error.js";

/**
 * Reports whether a value has this tag. Objects of another realm (a frame, a test runner's sandbox) fail instanceof.
 * @param {unknown} value
 * @param {string} name
 */
export function hasTag(value, name) {
	return Object.prototype.toString.call(value) === `[object ${name}]`;
}

/**
 * @param {unknown} source
 * @returns {WebAssembly.Module | undefined} the source, if it is a module
 */
export const asModule = (source) =>
	source instanceof WebAssembly.Module || hasTag(source, "WebAssembly.Module")
		? /** @type {WebAssembly.Module} */ (source)
		: undefined;

/**
 * The source where wasm is compiled only when a program is deployed.
 * @param {unknown} source
 */
export async function onlyModule(source) {
	const module = asModule(source);
	if (module) return module;
	const advice = 'write: import wasm from "tamp/tamp.wasm"; load(wasm)';
	throw new TampError(
		"bad_request",
		"",
		`cannot load tamp.wasm: this runtime takes a WebAssembly.Module only; ${advice}`,
	);
}
