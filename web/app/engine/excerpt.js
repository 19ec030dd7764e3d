// This file cuts the place of an error out of the input: one short line with a column, for the place that the engine
// reports.

/** @import { Excerpt } from "./types.js" */

const AROUND = 48; // code points on each side of the place: fits a phone with one line break
const POINTER_LIMIT = 8 * 1024 * 1024; // bytes: parsing more would take too long for an excerpt

/**
 * @param {Uint8Array} bytes
 * @param {{path: string, message: string}} failure
 * @returns {Excerpt | undefined}
 */
export function excerptOf(bytes, { path, message }) {
	const place = /line (\d+)(?:, column (\d+))?/.exec(message);
	if (place) return atLine(bytes, Number(place[1]), place[2] ? Number(place[2]) : undefined);
	if (path && bytes.length <= POINTER_LIMIT) return atPointer(bytes, path);
	return undefined;
}

/**
 * Lines and columns count from 1; columns are code points, as the engine counts them.
 * @param {Uint8Array} bytes
 * @param {number} line
 * @param {number} [column]
 * @returns {Excerpt}
 */
function atLine(bytes, line, column) {
	let start = 0;
	for (let n = 1; n < line; n++) {
		const next = bytes.indexOf(10, start);
		if (next < 0) break;
		start = next + 1;
	}
	let end = bytes.indexOf(10, start);
	if (end < 0) end = bytes.length;
	// A code point has at most four bytes, so this many bytes hold all that is shown even of a line of 100 MB.
	const reach = ((column ?? 1) + AROUND) * 4;
	const points = [...new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + reach)))];
	const at = Math.min((column ?? 1) - 1, points.length);
	const from = Math.max(0, at - AROUND);
	const to = Math.min(points.length, at + AROUND);
	const head = (from > 0 ? "…" : "") + visible(points.slice(from, at));
	const tail = visible(points.slice(at, to)) + (to < points.length ? "…" : "");
	return { line, column, text: head + tail, caret: column === undefined ? undefined : [...head].length };
}

/**
 * @param {Uint8Array} bytes
 * @param {string} path
 * @returns {Excerpt | undefined}
 */
function atPointer(bytes, path) {
	try {
		const text = new TextDecoder().decode(bytes);
		const keys = path
			.split("/")
			.slice(1)
			.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
		let value = whole(text);
		for (const key of keys) value = value[key];
		if (value === undefined) return undefined;
		const shown = [...(JSON.stringify(value) ?? "")];
		return { path, text: visible(shown.slice(0, 2 * AROUND)) + (shown.length > 2 * AROUND ? "…" : "") };
	} catch {
		return undefined; // the message and the pointer still say where
	}
}

/**
 * One JSON document, or the lines of a log as an array, as JSON Pointers address them.
 * @param {string} text
 * @returns {any}
 */
function whole(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text.split("\n").map((line) => (line.trim() ? JSON.parse(line) : null));
	}
}

/** Control characters would move the caret. @param {string[]} points */
function visible(points) {
	return points.map((p) => (p < " " ? " " : p)).join("");
}
