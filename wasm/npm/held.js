// This file carries values that JSON cannot hold through the engine: bytes, URLs and dates in messages of the AI SDK.
// In the JSON that the engine reads, each is replaced by a short mark; in what the engine returns, the mark is replaced
// by it.

import { TampError } from "./error.js";

/** @typedef {{ mark: string, value: unknown, path: string }} Entry */

/** A depth over that of any conversation; the engine refuses deeper JSON. */
const MAX_DEPTH = 1100;

/** Reports a value that JSON cannot hold. @param {unknown} value */
function isHeld(value) {
	return (
		ArrayBuffer.isView(value) ||
		value instanceof Date ||
		value instanceof URL ||
		value instanceof Map ||
		value instanceof Set ||
		/^\[object (Shared)?ArrayBuffer\]$|^\[object (Blob|File)\]$/.test(Object.prototype.toString.call(value))
	);
}

/**
 * Reports whether a value has one inside, without a walk through strings.
 * @param {any} value
 * @param {number} depth
 * @returns {boolean}
 */
function hasHeld(value, depth = 0) {
	if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return false;
	if (isHeld(value)) return true;
	if (Array.isArray(value)) return value.some((item) => hasHeld(item, depth + 1));
	for (const key in value) if (hasHeld(value[key], depth + 1)) return true;
	return false;
}

/** The values that were held back from one conversation, or from all messages of a session. */
export class Held {
	/** @param {string} [prefix] of the marks; absent: one that does not occur in the text */
	constructor(prefix) {
		/** @type {Entry[]} */
		this.entries = [];
		this.fixed = prefix !== undefined;
		this.prefix = prefix ?? "tamp-held-";
	}

	/**
	 * The value as JSON, with marks.
	 * @param {unknown} value
	 * @returns {string | undefined} undefined if there is nothing to hold
	 */
	write(value) {
		if (!hasHeld(value)) return undefined;
		for (let salt = 0; ; salt++) {
			const start = this.entries.length;
			const written = this.marked(value);
			if (this.fixed || written.split(this.prefix).length - 1 === this.entries.length - start) return written;
			this.entries.length = start; // the prefix occurs in the conversation: take another one
			this.prefix = `tamp-held-${salt}-`;
		}
	}

	/** @param {unknown} value */
	marked(value) {
		const { entries, prefix } = this;
		/** @type {Map<unknown, string>} */
		const paths = new Map();
		return JSON.stringify(
			value,
			/** @this {any} @param {string} key @param {unknown} written */ function (key, written) {
				const original = this[key]; // written is what its toJSON returns
				const above = paths.get(this);
				const path = above === undefined ? "" : `${above}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
				if (!isHeld(original)) {
					if (typeof original === "object" && original !== null) paths.set(original, path);
					return written;
				}
				const mark = `${prefix}${entries.length}`;
				entries.push({ mark, value: original, path });
				return mark;
			},
		);
	}

	/** Reads JSON with marks. @param {string} written @returns {any} */
	read(written) {
		if (this.entries.length === 0) return JSON.parse(written);
		const values = new Map(this.entries.map(({ mark, value }) => [mark, value]));
		return JSON.parse(written, (_, value) =>
			typeof value === "string" && values.has(value) ? values.get(value) : value,
		);
	}

	/**
	 * Throws if a value is not in the JSON that the engine returned: it was a part of what changed.
	 * @param {string} op
	 * @param {string} written
	 */
	require(op, written) {
		for (const { mark, value, path } of this.entries) {
			if (!written.includes(`"${mark}"`)) {
				const name = Object.prototype.toString.call(value).slice(8, -1);
				throw new TampError(
					"bad_json",
					path,
					`cannot ${op}: a ${name} is a part of what changes, and JSON cannot hold it; write it as a string first`,
				);
			}
		}
	}

	/** An archive with the values as strings: base64 for bytes. @param {string} archive */
	archived(archive) {
		return this.entries.reduce(
			(text, { mark, value }) => text.replaceAll(`"${mark}"`, () => JSON.stringify(asString(value))),
			archive,
		);
	}
}

/** @param {any} value */
function asString(value) {
	if (value instanceof URL || value instanceof Date) return value.toJSON();
	if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
		const bytes = ArrayBuffer.isView(value)
			? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
			: new Uint8Array(value);
		let binary = "";
		for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
		return btoa(binary);
	}
	return Object.prototype.toString.call(value);
}
