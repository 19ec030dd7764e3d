// This file makes a Blob of a text.

const PART = 1_000_000; // characters that one task encodes

/**
 * Encodes a text as UTF-8, a long one in several tasks: 10 MB in one would halt the page for 200 ms.
 * @param {string} text
 * @returns {Promise<Blob>}
 */
export async function encoded(text) {
	const parts = /** @type {Blob[]} */ ([]);
	for (let from = 0, to; from < text.length; from = to) {
		if (from > 0) await new Promise((resolve) => setTimeout(resolve));
		to = from + PART;
		if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to++; // the halves of a character stay together
		parts.push(new Blob([text.slice(from, to)]));
	}
	return new Blob(parts);
}
