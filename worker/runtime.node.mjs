// This file is what build/runtime.mjs is on Cloudflare, for Node: worker.mjs loads the Go program through it.
// @ts-check

import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

/** @type {Promise<WebAssembly.Module> | undefined} */
let module;

export function loadModule() {
	module ??= WebAssembly.compile(
		new Uint8Array(brotliDecompressSync(readFileSync(new URL("app.wasm.br", import.meta.url)))),
	);
	return module;
}

/** Whether only this machine can connect to the server; serve.mjs sets it. */
export const place = { trusted: false };

/** @param {object} context */
export const createRuntimeContext = (context) => ({ ...context, ...place });
