// This file finds the wasm if the caller gives no source.

import { builtin } from "./builtin.js";
import { compile } from "./compile.js";
import { reason, TampError } from "./error.js";
import { refused } from "./refused.js";

/**
 * The wasm in the folder of this file. Bundlers that know no assets (esbuild, Rollup, bun build), and those that move
 * code without them (Vite's development server, Next.js for servers), leave it behind: then the copy inside of a
 * module.
 * @returns {Promise<WebAssembly.Module>}
 */
export async function nextToThisFile() {
	try {
		return await compile(new URL("./tamp.wasm", import.meta.url));
	} catch (thrown) {
		return await insideModule(withoutPrefix(thrown));
	}
}

/** @param {unknown} thrown */
const withoutPrefix = (thrown) => reason(thrown)?.replace(/^cannot load tamp\.wasm: /, "");

/**
 * The wasm inside of a module.
 * @param {string} [before] why the file could not be loaded
 */
export async function insideModule(before) {
	const none = refused(before); // then the copy in a module, which is 1.7 MB, would not help
	if (none) throw none;
	/** @type {string} */
	let text;
	try {
		({ default: text } = await import("./inline/wasm.js"));
	} catch (thrown) {
		throw failure(
			before ?? reason(thrown),
			'copy node_modules/tamp/tamp.wasm next to the bundle, and write: load(new URL("tamp.wasm", location.href))',
		);
	}
	try {
		return await WebAssembly.compile(await decompress(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))));
	} catch (thrown) {
		throw refused(reason(thrown)) ?? failure(reason(thrown), 'write: import wasm from "tamp/tamp.wasm"; load(wasm)');
	}
}

/**
 * @param {string | undefined} why
 * @param {string} advice
 */
function failure(why, advice) {
	return new TampError("load_failed", "", `cannot load tamp.wasm: ${why}; ${advice}`);
}

/** @param {Uint8Array<ArrayBuffer>} bytes gzip */
async function decompress(bytes) {
	if (typeof DecompressionStream !== "function") return (await builtin("node:zlib")).gunzipSync(bytes);
	return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
