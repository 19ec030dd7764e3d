// This file writes texts of others for a terminal.

/**
 * A line for a terminal: names of files and projects may have line breaks and escape sequences.
 * @param {string} line
 */
export function visible(line) {
	const escaped = (/** @type {string} */ c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
	return line.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escaped);
}
