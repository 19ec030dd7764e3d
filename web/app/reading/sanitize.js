// This file makes a text fit to be looked at: the colors and cursor moves of a terminal go, and what would be invisible or would
// turn the line around is named. Only what is shown changes, never the session.

// Control sequences, operating system commands, and the short escapes.
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]/g;
// What is left of the control characters, and those that change the direction of the text around them.
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const ANY = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** @param {string} text */
export function clean(text) {
	if (!ANY.test(text)) return text;
	let seen = text.replace(ESCAPES, "").replaceAll("\r\n", "\n");
	if (seen.includes("\r")) seen = seen.split("\n").map(overwritten).join("\n");
	return seen.replace(UNSEEN, name);
}

/** A progress bar writes its line again and again: the last one stays. @param {string} line */
function overwritten(line) {
	const kept = line.endsWith("\r") ? line.slice(0, -1) : line;
	return kept.slice(kept.lastIndexOf("\r") + 1);
}

/** @param {string} c */
function name(c) {
	const code = c.charCodeAt(0);
	if (code < 32) return String.fromCharCode(0x2400 + code);
	if (code === 0x7f) return "\u2421";
	return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
}
