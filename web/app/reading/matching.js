// This file finds a text, literally and ignoring case. The page and text.worker.js both use it, so their counts agree.

const BEFORE = 7; // characters shown before a match in the list: the match itself must be visible in a narrow column
const BEHIND = 80;

/**
 * The pattern of a query. Case is folded by character, so positions are those of the unchanged text.
 * @param {string} query not empty
 */
export function patternOf(query) {
	return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

/** @param {RegExp} pattern @param {string} text */
export function countIn(pattern, text) {
	let count = 0;
	pattern.lastIndex = 0;
	while (pattern.test(text)) count++;
	return count;
}

/**
 * The first match with a few characters around it, on one line.
 * @param {RegExp} pattern
 * @param {string} text
 */
export function snippetOf(pattern, text) {
	pattern.lastIndex = 0;
	const match = pattern.exec(text);
	if (!match) return "";
	const from = Math.max(0, match.index - BEFORE);
	const to = Math.min(text.length, match.index + match[0].length + BEHIND);
	return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`.replace(/\s+/g, " ");
}
