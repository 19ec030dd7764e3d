// This file compiles every kind of source. Entry points for runtimes that compile only when a program is deployed leave
// it out: the bundler of one of them refuses to see WebAssembly.compile.

import { builtin } from "./builtin.js";
import { reason, TampError } from "./error.js";
import { asModule, hasTag } from "./module.js";
import { refused } from "./refused.js";

/** @typedef {import("./index.js").Source} Source */

/**
 * @param {Source} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source) {
	try {
		const module = asModule(source);
		if (module) return module;
		if (ArrayBuffer.isView(source) || hasTag(source, "ArrayBuffer")) {
			return await WebAssembly.compile(await unzipped(/** @type {BufferSource} */ (source)));
		}
		if (source instanceof URL || hasTag(source, "URL")) {
			const url = /** @type {URL} */ (source);
			return url.protocol === "file:"
				? await WebAssembly.compile(await (await builtin("node:fs/promises")).readFile(url))
				: await compileResponse(await fetch(url));
		}
		if (hasTag(source, "Response")) return await compileResponse(/** @type {Response} */ (source));
	} catch (thrown) {
		if (thrown instanceof TampError) throw thrown;
		throw refused(reason(thrown)) ?? new TampError("load_failed", "", `cannot load tamp.wasm: ${reason(thrown)}`);
	}
	throw new TampError(
		"bad_request",
		"",
		"cannot load tamp.wasm: want a URL, a Response, bytes or a WebAssembly.Module",
	);
}

/**
 * Bytes of `npx tamp inline` are compressed with gzip.
 * @param {BufferSource} bytes
 */
async function unzipped(bytes) {
	const [first, second] = ArrayBuffer.isView(bytes)
		? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
		: new Uint8Array(bytes);
	if (first !== 0x1f || second !== 0x8b) return bytes;
	if (typeof DecompressionStream !== "function") return (await builtin("node:zlib")).gunzipSync(bytes);
	return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** @param {Response} response */
async function compileResponse(response) {
	if (!response.ok) throw new TampError("load_failed", "", `cannot load tamp.wasm: HTTP status ${response.status}`);
	const type = response.headers.get("Content-Type") ?? "";
	// Streaming compilation accepts this type only, but many static hosts send application/octet-stream.
	if (/^\s*application\/wasm\s*(;|$)/i.test(type) && WebAssembly.compileStreaming) {
		return WebAssembly.compileStreaming(response);
	}
	return WebAssembly.compile(await response.arrayBuffer());
}
