// This file keeps the open session for a reload of its tab: in sessionStorage, which belongs to one tab and is deleted
// when the tab closes. A session that is too large for that storage is not kept.

import { keepIn, keptIn } from "../ui/storage.js";

/** @import { Source } from "../engine/types.js" */

const KEY = "tamp-tab-session";
const MAX_BYTES = 8_000_000; // packing a larger session would hold up the page
const MAX_TEXT = 4_000_000; // characters: browsers allow about 5 million for a site and tab

let newest = 0; // the number of the last call of keepForTab

/**
 * Keeps a session in place of the one before, which stays until then: a reload may come at any time. The address keeps an
 * example.
 * @param {Source} source
 */
export async function keepForTab(source) {
	const call = ++newest;
	const text = await packed(source).catch(() => ""); // a session that cannot be read is gone after a reload
	if (call === newest) keepIn(KEY, text);
}

/** The text that keeps a session; "" if it is not kept. @param {Source} source */
async function packed({ name, blob, example }) {
	if (example || blob.size > MAX_BYTES) return "";
	const stream = blob.stream().pipeThrough(new CompressionStream("gzip"));
	const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
	if (bytes.length * 4 > MAX_TEXT * 3) return "";
	const parts = [];
	for (let at = 0; at < bytes.length; at += PART) parts.push(String.fromCharCode(...bytes.subarray(at, at + PART)));
	return JSON.stringify({ name, text: btoa(parts.join("")) });
}

const PART = 8192; // bytes converted at a time: a call has a limit of arguments

/** Forgets the session, its address and its choices: the page starts over. */
export function startOver() {
	for (const key of [KEY, "tamp-address", "tamp-choices"]) keepIn(key, "");
}

/** The session of this tab before its reload, or null. @returns {Promise<{name: string, blob: Blob} | null>} */
export async function sessionOfTab() {
	try {
		const { name, text } = JSON.parse(keptIn(KEY) ?? "null") ?? {};
		if (typeof name !== "string" || typeof text !== "string") return null;
		const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
		const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
		return { name, blob: await new Response(whole).blob() };
	} catch {
		return null;
	}
}
