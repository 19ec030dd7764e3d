// This file cleans a text for display: terminal escape sequences are removed, and invisible or bidirectional control
// characters are shown by name. The session itself is never changed.

// Control sequences, operating system commands, and the short escapes.
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]/g;
// The other control characters, and those that change the text direction.
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const ANY = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** @param {string} text */
export function clean(text) {
	if (!ANY.test(text)) return text;
	let seen = text.replace(ESCAPES, "").replaceAll("\r\n", "\n");
	if (seen.includes("\r")) seen = seen.split("\n").map(overwritten).join("\n");
	return seen.replace(UNSEEN, name);
}

/** A progress bar overwrites its line with carriage returns: the last text stays. @param {string} line */
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
