// This file packs a session into a link (deflate, then base64url) and unpacks it. A link is untrusted input: its size
// is checked while it is unpacked, its content is used only as the bytes of a session, and a damaged link is refused
// with a message.

/** Characters of the whole hash: chats, mail programs and browsers do not cut links of this length. */
export const MAX_HASH_LENGTH = 32 * 1024;
// Bytes: logs shrink to about a tenth; a much higher ratio is a decompression bomb
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024;
const MAX_NAME_LENGTH = 80; // characters

/** A link that cannot be opened; the message is for users, in lower case. */
export class BadLink extends Error {}

/** @param {Blob} session @returns {Promise<string>} "" if it is too long for a link */
export async function pack(session) {
	if (session.size > MAX_UNPACKED_BYTES) return "";
	const deflated = session.stream().pipeThrough(new CompressionStream("deflate-raw"));
	const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
	if (bytes.length > MAX_HASH_LENGTH) return "";
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text @returns {Promise<Blob>} @throws BadLink */
export async function unpack(text) {
	if (text.length > MAX_HASH_LENGTH) throw new BadLink("it is longer than any link of this page");
	if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) throw new BadLink("it was cut or changed in transit");
	const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
	const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
	/** @type {BlobPart[]} */
	const parts = [];
	let size = 0;
	try {
		for (let step = await reader.read(); !step.done; step = await reader.read()) {
			size += step.value.length;
			if (size > MAX_UNPACKED_BYTES) break;
			parts.push(step.value);
		}
	} catch {
		throw new BadLink("it was cut or changed in transit");
	}
	if (size > MAX_UNPACKED_BYTES) {
		void reader.cancel();
		throw new BadLink("its content is larger than this page allows");
	}
	return new Blob(parts);
}

/** The session in a hash, or null. @param {string} hash */
export function sessionIn(hash) {
	const query = new URLSearchParams(hash.slice(1));
	const text = query.get("session");
	if (text === null) return null;
	const name = (query.get("name") ?? "")
		.replace(/[\p{Cc}\p{Cf}/\\]/gu, "")
		.trim()
		.slice(0, MAX_NAME_LENGTH);
	return { text, name: name || "session of a link" };
}
