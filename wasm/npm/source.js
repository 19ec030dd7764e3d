// This file finds the wasm if the caller gives no source.

import { compile } from "./compile.js";
import { reason, TampError } from "./error.js";
import { refused } from "./refused.js";

/** The shortest module, which is empty. */
const EMPTY = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/**
 * The wasm in the folder of this file. Bundlers that know no assets (esbuild, Rollup, bun build) leave it behind, unless
 * the user copies it.
 * @returns {Promise<WebAssembly.Module>}
 */
export async function nextToThisFile() {
	try {
		return await compile(new URL("./tamp.wasm", import.meta.url));
	} catch (thrown) {
		const none = refused(reason(thrown));
		if (none) throw none;
		const why = reason(thrown)?.replace(/^cannot load tamp\.wasm: /, "");
		throw new TampError("load_failed", "", `cannot load tamp.wasm: ${why}; ${await advice()}`);
	}
}

/** The line to write in this runtime: some compile wasm only when a program is deployed. */
async function advice() {
	try {
		await WebAssembly.compile(EMPTY);
	} catch {
		return 'write: import wasm from "tamp/tamp.wasm"; load(wasm)';
	}
	return (
		"copy node_modules/tamp/tamp.wasm next to the bundle; or run: npx tamp inline tamp-wasm.js, and write: " +
		'import wasm from "./tamp-wasm.js"; load(wasm)'
	);
}
