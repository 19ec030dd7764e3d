// This file finds the wasm if the caller gives no source.

import { builtin } from "./builtin.js";
import { compile } from "./compile.js";
import { reason, TampError } from "./error.js";

/** @typedef {import("./instance.js").Program} Program */

/**
 * The wasm in the folder of this file. Bundlers that know no assets (esbuild, Rollup, bun build), and those that move
 * code without them (Vite's development server, Next.js for servers), leave it behind: then the copy inside of a
 * module.
 * @returns {Promise<Program>}
 */
export async function nextToThisFile() {
	try {
		return isBrowserWorker() ? await inTwoParts() : await wholeFile();
	} catch (thrown) {
		return await insideModule(withoutPrefix(thrown));
	}
}

/** The wasm in the folder of this file as one module, which can be sent to a worker. */
export async function wholeNextToThisFile() {
	try {
		return await wholeFile();
	} catch (thrown) {
		return await insideModule(withoutPrefix(thrown));
	}
}

const wholeFile = () => compile(new URL("./tamp.wasm", import.meta.url));

/** @param {unknown} thrown */
const withoutPrefix = (thrown) => reason(thrown)?.replace(/^cannot load tamp\.wasm: /, "");

/**
 * Reports whether this is a worker of a browser, where a call may wait for a file. On a page it must not, and elsewhere
 * files are near.
 */
function isBrowserWorker() {
	const { WorkerGlobalScope: Scope, XMLHttpRequest: Request } = /** @type {any} */ (globalThis);
	return typeof Scope === "function" && globalThis instanceof Scope && typeof Request === "function";
}

/**
 * The primary module, which has the code that most sessions need. The secondary one is fetched behind it. A call that
 * needs it earlier waits.
 * @returns {Promise<Program>}
 */
async function inTwoParts() {
	const primary = await compile(new URL("./tamp.primary.wasm", import.meta.url));
	const url = new URL("./tamp.secondary.wasm", import.meta.url);
	/** @type {WebAssembly.Module | undefined} */
	let secondary;
	compile(url).then(
		(module) => (secondary ??= module),
		() => {}, // a call that needs it tries again, and throws
	);
	return { primary, secondary: () => (secondary ??= new WebAssembly.Module(fetchAndWait(url))) };
}

/** @param {URL} url @returns {ArrayBuffer} */
function fetchAndWait(url) {
	const request = new XMLHttpRequest();
	request.open("GET", url, false);
	request.responseType = "arraybuffer";
	request.send();
	if (request.status !== 200) throw new Error(`HTTP status ${request.status}`);
	return request.response;
}

/**
 * The wasm inside of a module.
 * @param {string} [before] why the file could not be loaded
 */
export async function insideModule(before) {
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
		throw failure(reason(thrown), 'write: import wasm from "tamp/tamp.wasm"; load(wasm)');
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
