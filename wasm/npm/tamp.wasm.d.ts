/** The module, in toolchains that import wasm as one: Cloudflare Workers, Vercel's edge runtime. */
declare const wasm: import("./index.js").WasmModule;
export default wasm;
