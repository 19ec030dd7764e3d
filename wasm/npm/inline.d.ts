/** The same as the package's main entry point, with the wasm and the worker inside of JavaScript modules (1.6 MB). */
export * from "./index.js";
