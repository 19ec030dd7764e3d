// This file is what build/runtime.mjs is on Cloudflare, for Node: worker.mjs loads the Go program through it.
// @ts-check

import { readFileSync } from "node:fs";
import zlib from "node:zlib";
import { decompress } from "./fzstd.js";

// worker.mjs reads bodies with it, as workerd has it; Node has it from 22.15.
/** @type {any} */ (zlib).zstdDecompressSync ??= (
	/** @type {Uint8Array} */ data,
	/** @type {any} */ { maxOutputLength },
) => {
	const content = decompress(data, maxOutputLength);
	if (!content) throw new RangeError("the content is too large");
	return content;
};

/** @type {Promise<WebAssembly.Module> | undefined} */
let module;

export function loadModule() {
	module ??= WebAssembly.compile(
		new Uint8Array(zlib.brotliDecompressSync(readFileSync(new URL("app.wasm.br", import.meta.url)))),
	);
	return module;
}

/** Whether only this machine can connect to the server; serve.mjs sets it. */
export const place = { trusted: false };

/** @param {object} context */
export const createRuntimeContext = (context) => ({ ...context, ...place });
