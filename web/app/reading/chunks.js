// This file draws a text of any length as a list of chunks. The browser lays out only the visible ones
// (content-visibility in reader.css), so a block of many megabytes opens at once.

import { h } from "../ui/dom.js";

const CHUNK = 4096; // characters: laid out in a millisecond or two, a long word included
const LINE = 20; // px of a line, to estimate the height of a chunk before its layout
const COLUMNS = 100; // characters of a wrapped line, for the same estimate
const DIFF = /^(?:diff --git |@@ -\d+|--- \S[^\n]*\n\+\+\+ \S)/m;
const DIFF_LIMIT = 256 * 1024; // characters: a longer diff is shown without colors

/**
 * Elements that hold the text, in order. An element with data-joined continues the line of the element before.
 * @param {string} text
 * @param {string} [language] of the fence
 * @returns {Generator<HTMLElement>}
 */
export function* chunksOf(text, language = "") {
	const differs = text.length <= DIFF_LIMIT && (language === "diff" || language === "patch" || DIFF.test(text));
	let joined = false;
	for (let at = 0; at < text.length || at === 0; ) {
		let end = Math.min(text.length, at + CHUNK);
		let next = end;
		if (end < text.length) {
			const line = text.lastIndexOf("\n", end);
			if (line >= at) [end, next] = [line, line + 1];
			else if (/[\ud800-\udbff]/.test(text[end - 1])) next = --end;
		}
		const piece = text.slice(at, end);
		const chunk = h("div.chunk", { "data-t": true, "data-joined": joined }, ...(differs ? colored(piece) : [piece]));
		chunk.style.containIntrinsicBlockSize = `auto ${LINE * height(piece)}px`;
		joined = next === end && end < text.length;
		yield chunk;
		if (next <= at) break;
		at = next;
	}
}

/** @param {string} text */
function height(text) {
	let lines = 1;
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
	return Math.max(lines, Math.ceil(text.length / COLUMNS));
}

/** The lines of a diff, with added and removed lines marked. @param {string} text */
function colored(text) {
	/** @type {(Node | string)[]} */
	const out = [];
	let plain = "";
	for (const line of text.split("\n")) {
		const kind = /^\+(?!\+\+ )/.test(line)
			? "come-line"
			: /^-(?!-- )/.test(line)
				? "gone-line"
				: line.startsWith("@@")
					? "hunk-line"
					: "";
		if (kind === "") plain += `${line}\n`;
		else {
			if (plain) out.push(plain);
			out.push(h("span", { class: kind }, line), "\n");
			plain = "";
		}
	}
	out.push(plain);
	return out;
}
