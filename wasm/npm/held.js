// This file carries values that JSON cannot hold through the engine: bytes, URLs and dates in messages of the AI SDK,
// numbers such as NaN, and the functions of tools.
// In the JSON that the engine reads, each is replaced by a short mark; in what the engine returns, the mark is replaced
// by it.

import { TampError } from "./error.js";

/** @typedef {{ mark: string, value: unknown, path: string }} Entry */

/** A depth over that of any conversation; the engine refuses deeper JSON. */
const MAX_DEPTH = 1100;

/** The tags of built-in classes whose values JSON cannot hold, whatever members a program gave them. */
const HELD = /^\[object (Date|URL|Map|Set|RegExp|Error|Promise|(Shared)?ArrayBuffer|Blob|File)\]$/;

/** Reports a value that JSON cannot hold. @param {any} value */
function isHeld(value) {
	switch (typeof value) {
		case "number":
			return !Number.isFinite(value);
		case "function":
		case "symbol":
			return true;
		case "object":
			return value !== null && !Array.isArray(value) && (ArrayBuffer.isView(value) || isOfClass(value));
	}
	return false;
}

/**
 * Reports an object of a built-in class that JSON does not write, or writes as {}. An object of a class of the
 * program's own is read by its members.
 * @param {any} value
 */
function isOfClass(value) {
	const tag = Object.prototype.toString.call(value);
	if (tag === "[object Object]" || /^\[object (Number|String|Boolean)\]$/.test(tag)) return false;
	return HELD.test(tag) || (typeof value.toJSON !== "function" && Object.keys(value).length === 0);
}

/**
 * Reports whether a value has one inside, without a walk through strings.
 * @param {any} value
 * @param {Set<unknown>} above the objects around it, so that a cycle ends
 * @returns {boolean}
 */
function hasHeld(value, above = new Set()) {
	if (isHeld(value)) return true;
	if (typeof value !== "object" || value === null || above.has(value) || above.size > MAX_DEPTH) return false;
	above.add(value);
	const found = Array.isArray(value)
		? value.some((item) => hasHeld(item, above))
		: Object.keys(value).some((key) => hasHeld(value[key], above));
	above.delete(value);
	return found;
}

/** The members that the engine reads: there, a number or a function must not become a text. */
const READ = /^(role|type|content|text|parts|messages|contents|input|output|arguments|args)$/;

/** The members of the AI SDK that have the bytes or the URL of an image or a file. */
const MEDIA = /^(image|data|url)$/;

/** @param {unknown} value */
const isBytes = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

/**
 * The place of the first object that is inside itself, or of the first BigInt, which JSON.stringify refuses, as a JSON
 * Pointer; "" if there is none.
 * @param {any} value
 * @param {Set<unknown>} above
 * @returns {string}
 */
export function refusedIn(value, above = new Set()) {
	if (typeof value !== "object" || value === null || isHeld(value) || above.size > MAX_DEPTH) return "";
	above.add(value);
	for (const key of Object.keys(value)) {
		const isRefused = above.has(value[key]) || typeof value[key] === "bigint";
		const inside = isRefused ? "/" : refusedIn(value[key], above);
		if (inside) return `/${escaped(key)}${inside === "/" ? "" : inside}`;
	}
	above.delete(value);
	return "";
}

/** A name of a member in a JSON Pointer. @param {string} key */
const escaped = (key) => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The values that were held back from one conversation, or from all messages of a session. */
export class Held {
	/**
	 * @param {string} [prefix] of the marks; absent: one that does not occur in the text
	 * @param {boolean} [converts] bytes and URLs of images and files are for a format that has them as strings
	 */
	constructor(prefix, converts = false) {
		this.converts = converts;
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
		if (typeof value !== "object" || !hasHeld(value)) return undefined;
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
		const { entries, prefix, converts } = this;
		/** @type {Map<unknown, string>} */
		const paths = new Map();
		return JSON.stringify(
			value,
			/** @this {any} @param {string} key @param {unknown} written */ function (key, written) {
				const original = this[key]; // written is what its toJSON returns
				const above = paths.get(this);
				const path = above === undefined ? "" : `${above}/${escaped(key)}`;
				if (!isHeld(original) || (typeof original !== "object" && READ.test(key))) {
					if (typeof original === "object" && original !== null) paths.set(original, path);
					return written;
				}
				if (converts && MEDIA.test(key) && (original instanceof URL || isBytes(original))) return asString(original);
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
				const name = typeof value === "number" ? String(value) : Object.prototype.toString.call(value).slice(8, -1);
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
	if (isBytes(value)) {
		const bytes = ArrayBuffer.isView(value)
			? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
			: new Uint8Array(value);
		let binary = "";
		for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
		return btoa(binary);
	}
	return Object.prototype.toString.call(value);
}
