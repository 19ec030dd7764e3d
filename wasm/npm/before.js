// This file records the global names that Go's wasm_exec.js overwrites. It must be imported before wasm_exec.js.

/** @type {Record<string, unknown>} */
const global = globalThis;

/**
 * wasm_exec.js ends its import if one of these does not exist. A runtime without WebAssembly (React Native) gets stand-ins
 * until then, so that load() can name the missing part.
 */
const lacking =
	typeof WebAssembly === "undefined"
		? ["crypto", "performance", "TextEncoder", "TextDecoder"].filter((name) => !global[name])
		: [];

export const names = ["Go", "fs", "path", "process", ...lacking];

/** The property descriptor of each name; undefined if it did not exist. */
export const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));

for (const name of lacking) global[name] = class {};
