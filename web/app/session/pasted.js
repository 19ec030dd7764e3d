// This file finds the session in a text that is none by itself: what people copy from a terminal, a program, a page or
// the network panel of a browser. It never guesses within a session: a text that is wrong at some place is not repaired.

import { readLiteral } from "./literal.js";

/** @typedef {{text: string, was: string}} Found the session as JSON, and what the text was: "read from …" */

/** @param {string} text @returns {Found | null} null: there is no session that could be found */
export function sessionWithin(text) {
	const fenced = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1/m.exec(text);
	if (fenced) {
		const inner = asSession(parsed(fenced[2]), fenced[2], "") ?? sessionWithin(fenced[2]);
		if (inner) return { text: inner.text, was: inner.was ? `${inner.was}, fenced` : "a fenced block" };
	}
	const har = fromHar(parsed(text));
	if (har) return { text: har, was: "a HAR entry" };
	const body = curlBody(text);
	if (body !== null) {
		const inner = asSession(parsed(body), body, "") ?? sessionWithin(body);
		if (inner) return { text: inner.text, was: "a curl command" };
	}
	const cut = completePart(text);
	if (cut) return { text: cut, was: "a text that ends too early: its complete messages" };
	const literal = readLiteral(text);
	return literal && asSession(literal.value, JSON.stringify(literal.value), `a ${literal.language} literal`);
}

/** @param {string} text @returns {unknown} undefined if it is no JSON */
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The messages of a body, by the names that the providers have for them. @param {any} body */
const messagesOf = (body) => body?.messages ?? body?.input ?? body?.contents;

/** @param {any} value @param {string} text @param {string} was @returns {Found | null} */
function asSession(value, text, was) {
	const list = Array.isArray(value) ? value : messagesOf(value);
	return Array.isArray(list) && typeof list[0] === "object" ? { text, was } : null;
}

/** The request with most messages of a HAR file, an entry of one, or a request of one. @param {any} value */
function fromHar(value) {
	const entries = value?.log?.entries ?? (Array.isArray(value) ? value : [value]);
	if (!Array.isArray(entries)) return null;
	let best = null;
	let most = 0;
	for (const entry of entries) {
		const text = (entry?.request ?? entry)?.postData?.text;
		const body = typeof text === "string" ? /** @type {any} */ (parsed(text)) : null;
		const size = messagesOf(body)?.length ?? 0;
		if (size > most) [best, most] = [text, size];
	}
	return best;
}

/** The body of a curl command, null if the text is none or the body is in a file. @param {string} text */
function curlBody(text) {
	if (!/(^|[\s;&|$])curl(\.exe)?\s/.test(text)) return null;
	const words = shellWords(text);
	for (const [i, word] of words.entries()) {
		const option = /^(?:-d|--data|--data-raw|--data-binary|--data-ascii|--json)(?:=([\s\S]*))?$/.exec(word);
		const body = option && (option[1] ?? words[i + 1]);
		if (body && !body.startsWith("@")) return body;
	}
	return null;
}

/** The words of a command of a POSIX shell, without expansions. @param {string} text */
function shellWords(text) {
	/** @type {string[]} */
	const words = [];
	let word = "";
	let some = false;
	const rest =
		/\$'([^'\\]*(?:\\[\s\S][^'\\]*)*)'|'([^']*)'|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|\\\r?\n|\\([\s\S])|(\s+)|([^\s'"\\$]+|\$)/g;
	for (const [, ansi, single, double, escaped, space, plain] of text.matchAll(rest)) {
		if (space !== undefined) {
			if (some) words.push(word);
			[word, some] = ["", false];
			continue;
		}
		if (ansi !== undefined) word += ansiText(ansi);
		else if (double !== undefined) word += double.replace(/\\(["\\$`])|\\\r?\n/g, "$1");
		else word += single ?? escaped ?? plain ?? "";
		some ||= (ansi ?? single ?? double ?? escaped ?? plain) !== undefined;
	}
	return some ? [...words, word] : words;
}

/** @type {Record<string, string>} */
const ANSI = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", a: "\x07", e: "\x1b", E: "\x1b" };

/** The text of $'…'. @param {string} quoted */
function ansiText(quoted) {
	return quoted.replace(/\\(?:u([\da-fA-F]{1,4})|x([\da-fA-F]{1,2})|([\s\S]))/g, (_, u, x, one) =>
		one === undefined ? String.fromCharCode(Number.parseInt(u ?? x, 16)) : (ANSI[one] ?? one),
	);
}

/**
 * The part of a JSON text that ends too early with the messages that are complete; null if it ends where it should, has
 * no complete message, or is no JSON before its end.
 * @param {string} text
 */
function completePart(text) {
	/** @type {string[]} */
	const open = []; // the brackets that are to come
	let end = 0; // after the last complete message
	let close = "";
	const tokens = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[[\]{}]|[^"[\]{}]+|["\\]/g;
	for (const token of text.matchAll(tokens)) {
		const [part] = token;
		if (part === "[" || part === "{") open.push(part === "[" ? "]" : "}");
		else if (part === "]" || part === "}") {
			if (open.pop() !== part) return null;
			const inList = open.at(-1) === "]" && (open.length === 1 || (open.length === 2 && open[0] === "}"));
			if (part === "}" && inList) {
				end = token.index + 1;
				close = open.toReversed().join("");
			}
		}
	}
	if (open.length === 0 || end === 0) return null;
	const whole = text.slice(0, end) + close;
	return asSession(parsed(whole), whole, "") && whole;
}
