// This file writes a module that has tamp.wasm inside, as `tamp inline`: for bundlers that leave the file behind, and for
// programs of one file. It is a part of a user's build: a module that comes from another version does not start.

import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const FIRST = "// Written by tamp inline; do not edit.\n";

/**
 * Writes the module, also in place of an older one, and returns the line that says how to use it.
 * @param {string} file
 */
export async function inline(file) {
	const before = await readFile(file, "utf8").catch(() => FIRST);
	if (!before.startsWith(FIRST)) throw new Error(`cannot write ${file}: it is a file of yours`);
	const wasm = await readFile(new URL("tamp.wasm", import.meta.url));
	const text = gzipSync(wasm, { level: 9 }).toString("base64");
	await writeFile(file, `${FIRST}export default Uint8Array.from(atob("${text}"), (c) => c.charCodeAt(0));\n`);
	return `wrote ${file}: import wasm from "./${file.split(/[/\\]/).at(-1)}"; await load(wasm)`;
}
