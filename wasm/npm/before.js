// This file remembers the global names that Go's wasm_exec.js is about to write. Import it before wasm_exec.js, never after.

export const names = /** @type {const} */ (["Go", "fs", "path", "process"]);

/** What each name was before; undefined where it did not exist. */
export const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
