// This file puts a session into a link and takes it out again: deflated, then base64url. What comes out of a link is a stranger's:
// it is measured while it is unpacked, it becomes bytes of a session and nothing else, and what is no such thing is refused in words.

/** Characters of the whole hash: what chats, mail programs and browsers carry without cutting it. */
export const LONGEST = 32 * 1024;
const UNPACKED = 4 * 1024 * 1024; // bytes: agents' logs shrink to a tenth or so; far more than that is a trap
const NAME = 80; // characters

/** Why a link could not be opened; for people, lower case. */
export class BadLink extends Error {}

/** @param {Blob} session @returns {Promise<string>} "" where it is too long for any link */
export async function pack(session) {
	if (session.size > UNPACKED) return "";
	const deflated = session.stream().pipeThrough(new CompressionStream("deflate-raw"));
	const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
	if (bytes.length > LONGEST) return "";
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text @returns {Promise<Blob>} @throws BadLink */
export async function unpack(text) {
	if (text.length > LONGEST) throw new BadLink("it is longer than any link of this page");
	if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) throw new BadLink("it was cut or changed on its way");
	const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
	const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
	/** @type {BlobPart[]} */
	const parts = [];
	let size = 0;
	try {
		for (let step = await reader.read(); !step.done; step = await reader.read()) {
			size += step.value.length;
			if (size > UNPACKED) break;
			parts.push(step.value);
		}
	} catch {
		throw new BadLink("it was cut or changed on its way");
	}
	if (size > UNPACKED) {
		void reader.cancel();
		throw new BadLink("what is in it is larger than any link of this page makes");
	}
	return new Blob(parts);
}

/** What a hash says of a session. @param {string} hash */
export function sessionIn(hash) {
	const query = new URLSearchParams(hash.slice(1));
	const text = query.get("session");
	if (text === null) return null;
	const name = (query.get("name") ?? "").replace(/[\p{Cc}\p{Cf}/\\]/gu, "").trim().slice(0, NAME);
	return { text, name: name || "session of a link" };
}
