// This file resolves a path of the engine: the value in the parsed session, and its text in the source.
// A path is a JSON Pointer; in a log its first token is the line, counted from 0, blank lines included.

/**
 * @typedef {{whole: any} | {lines: string[], parsed: Map<number, any>}} Doc a session; the lines of a log are parsed on
 *   first use
 */

/**
 * @param {string} text
 * @param {boolean} numbered the paths begin with a number: an array of messages, or the lines of a log
 * @returns {Doc}
 */
export function docOf(text, numbered) {
	try {
		const whole = JSON.parse(text);
		if (!numbered || Array.isArray(whole)) return { whole };
	} catch (cause) {
		if (!numbered) throw cause;
	}
	return { lines: text.split("\n"), parsed: new Map() };
}

/**
 * The value at a path, or undefined.
 * @param {Doc} doc
 * @param {string} path
 * @returns {any}
 */
export function lookUp(doc, path) {
	const keys = keysOf(path);
	/** @type {any} */
	let value;
	if ("whole" in doc) value = doc.whole;
	else {
		const line = Number(keys.shift());
		if (!doc.parsed.has(line)) doc.parsed.set(line, parse(doc.lines[line]));
		value = doc.parsed.get(line);
	}
	for (const key of keys) {
		// A session may have keys like "constructor": only own properties count.
		if (typeof value !== "object" || value === null || !Object.prototype.propertyIsEnumerable.call(value, key))
			return undefined;
		value = value[key];
	}
	return value;
}

/** @param {string | undefined} line */
function parse(line) {
	try {
		return JSON.parse(line ?? "");
	} catch {
		return undefined; // the last line of a log may be cut short
	}
}

/** @param {string} path */
function keysOf(path) {
	return path
		.split("/")
		.slice(1)
		.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * The exact source text of a value, or undefined if the path does not exist. The text was parsed as JSON before, so it
 * is not checked again.
 * @param {string} text
 * @param {Doc} doc
 * @param {string} path
 */
export function sourceOf(text, doc, path) {
	const keys = keysOf(path);
	const source = "whole" in doc ? text : (doc.lines[Number(keys.shift())] ?? "");
	let at = space(source, 0);
	for (const key of keys) {
		const child =
			source[at] === "{" ? member(source, at, key) : source[at] === "[" ? element(source, at, Number(key)) : -1;
		if (child < 0) return undefined;
		at = child;
	}
	return source.slice(at, endOf(source, at));
}

/**
 * The start of the value of a member; of equal keys the last one counts, as for JSON.parse.
 * @param {string} s
 * @param {number} at
 * @param {string} key
 */
function member(s, at, key) {
	let found = -1;
	for (at = space(s, at + 1); s[at] === '"'; at = space(s, at + 1)) {
		const end = endOf(s, at);
		const value = space(s, space(s, end) + 1);
		if (end - at - 2 >= key.length && JSON.parse(s.slice(at, end)) === key) found = value;
		at = space(s, endOf(s, value));
		if (s[at] !== ",") break;
	}
	return found;
}

/** @param {string} s @param {number} at @param {number} index */
function element(s, at, index) {
	at = space(s, at + 1);
	for (let i = 0; s[at] !== "]" && at < s.length; i++) {
		if (i === index) return at;
		at = space(s, endOf(s, at));
		if (s[at] !== ",") break;
		at = space(s, at + 1);
	}
	return -1;
}

/** @param {string} s @param {number} at */
function space(s, at) {
	while (at < s.length && s.charCodeAt(at) <= 32) at++;
	return at;
}

/** An odd number of backslashes is before the character. @param {string} s @param {number} at */
function isEscaped(s, at) {
	let from = at;
	while (s[from - 1] === "\\") from--;
	return (at - from) % 2 === 1;
}

/** The end of the value that begins here. @param {string} s @param {number} at */
function endOf(s, at) {
	let depth = 0;
	while (at < s.length) {
		const c = s[at];
		if (c === '"') {
			do at = s.indexOf('"', at + 1);
			while (at > 0 && isEscaped(s, at));
			if (at < 0) return s.length;
		} else if (c === "{" || c === "[") depth++;
		else if (c === "}" || c === "]") depth--;
		else if (depth === 0) {
			while (at < s.length && !",]} \t\n\r".includes(s[at])) at++;
			return at;
		}
		at++;
		if (depth === 0) return at;
	}
	return s.length;
}
