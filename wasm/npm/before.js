// This file records the global names that Go's wasm_exec.js overwrites. It must be imported before wasm_exec.js.

export const names = /** @type {const} */ (["Go", "fs", "path", "process"]);

/** The property descriptor of each name; undefined if it did not exist. */
export const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
