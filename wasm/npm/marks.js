// This file reads a history for the compactor: its list of messages, their content as text, and the breakpoints of
// the prompt cache, which clients move from call to call and which are no part of the content; and its digests.

import { TampError } from "./error.js";
import { Held } from "./held.js";
import { LISTS, stringify } from "./methods.js";

const encoder = globalThis.TextEncoder && new TextEncoder();

/**
 * The messages of a history, the JSON of what else it has, and functions that put other messages in their place.
 * @param {any} history a list of messages, or a request body that has one
 * @returns {{ list: any[], head: string, join: (list: any[]) => any, text: (keys: string[]) => string }}
 */
export function split(history) {
	if (Array.isArray(history)) {
		return { list: history, head: "", join: (list) => list, text: (keys) => `[${joined(keys)}]` };
	}
	const name = LISTS.find((name) => Array.isArray(history?.[name]));
	if (name === undefined) {
		throw new TampError("bad_request", "", "cannot compact: want a list of messages, or a request body that has one");
	}
	const { [name]: list, ...rest } = history;
	const head = written(rest);
	return {
		list,
		head,
		join: (list) => ({ ...history, [name]: list }),
		text: (keys) => `${head === "{}" ? "{" : `${head.slice(0, -1)},`}"${name}":[${joined(keys)}]}`,
	};
}

/**
 * A part of a history: a message, or a part of a UIMessage, which grows in place while an answer is written. key is its
 * content as JSON, without breakpoints; value the message or the part as it was given, if it was; owner the UIMessage.
 * @typedef {{ key: string, value?: any, owner?: any }} Element
 */

/** The beginning of the key of a part: its message. What else a UIMessage has (metadata) is no content. */
const PART = /^\{"id":"(?:[^"\\]|\\.)*","role":"(?:[^"\\]|\\.)*","parts":\[/;

/** The message that the key of a part names; undefined for a message. @param {string | undefined} key */
const ownerOf = (key) => key && PART.exec(key)?.[0];

/**
 * The elements of a list of messages.
 * @param {unknown} history with the list
 * @param {any[]} list
 * @returns {Element[]}
 */
export function elementsOf(history, list) {
	try {
		return list.flatMap((message, i) => elementsIn(message, [list[i - 1], list[i + 1]]));
	} catch (thrown) {
		written(history); // throws with the place in the history
		throw thrown;
	}
}

/**
 * @param {any} message
 * @param {any[]} next to it
 * @returns {Element[]}
 */
function elementsIn(message, next) {
	const { id, role, parts } = message ?? {};
	const isUI = typeof id === "string" && typeof role === "string" && Array.isArray(parts);
	if (!isUI || next.some((other) => other?.id === id)) {
		const key = written(withoutBreakpoints(message));
		return [{ key: isUI ? ` ${key}` : key, value: message }]; // no key of a part
	}
	const keyOf = (/** @type {any[]} */ parts) => written(withoutBreakpoints({ id, role, parts }));
	if (parts.length === 0) return [{ key: keyOf([]), owner: message }];
	return parts.map((part) => ({ key: keyOf([part]), value: part, owner: message }));
}

/**
 * Messages from keys, as JSON: the parts of one UIMessage are one message.
 * @param {string[]} keys
 */
export function joined(keys) {
	/** @type {string[]} */
	const messages = [];
	let open = "";
	for (const key of keys) {
		const owner = ownerOf(key);
		if (owner && owner === open) {
			const before = /** @type {string} */ (messages.pop());
			messages.push(`${before.slice(0, -2)}${before.length === owner.length + 2 ? "" : ","}${key.slice(owner.length)}`);
		} else messages.push(key);
		open = owner ?? "";
	}
	return messages;
}

/**
 * The index of the first of the keys that belong to the message of keys[at].
 * @param {string[]} keys
 * @param {number} at
 */
export function beginOf(keys, at) {
	const owner = ownerOf(keys[at]);
	while (owner && at > 0 && ownerOf(keys[at - 1]) === owner) at--;
	return at;
}

/**
 * Elements for keys: equal ones of the history as they were given, with the breakpoints of this call.
 * @param {string[]} keys
 * @param {Element[]} history
 * @returns {Element[]}
 */
export function restored(keys, history) {
	/** @type {Map<string, Element[]>} */
	const given = new Map();
	for (let i = history.length - 1; i >= 0; i--) {
		const element = /** @type {Element} */ (history[i]);
		const same = given.get(element.key);
		if (same) same.push(element);
		else given.set(element.key, [element]);
	}
	return keys.map((key) => given.get(key)?.pop() ?? { key });
}

/**
 * The messages of elements. One of which all parts are present is the given object.
 * @param {Element[]} elements
 * @param {any[]} list the given messages
 */
export function messagesOf(elements, list) {
	const messages = [];
	for (let i = 0, next; i < elements.length; i = next) {
		const first = /** @type {Element} */ (elements[i]);
		const name = ownerOf(first.key);
		next = i + 1;
		if (!name) {
			messages.push("value" in first ? first.value : JSON.parse(first.key));
			continue;
		}
		while (next < elements.length && ownerOf(elements[next]?.key) === name) next++;
		const run = elements.slice(i, next);
		const parts = run.flatMap(({ key, value }) => value ?? JSON.parse(key).parts);
		const { id, role } = JSON.parse(first.key);
		const owner = first.owner ?? list.find((message) => message?.id === id && message.role === role);
		const isWhole = run.every((element) => element.owner === first.owner) && first.owner?.parts.length === parts.length;
		messages.push(isWhole ? first.owner : { ...(owner ?? { id, role }), parts });
	}
	return messages;
}

/**
 * A value as JSON. Bytes and URLs become strings, as the formats have them that are JSON.
 * @param {unknown} value
 * @returns {string}
 */
export function written(value) {
	return stringify(value, "the history", "bad_json", () => {
		const held = new Held(undefined, true);
		const marked = held.write(value);
		return marked === undefined ? (JSON.stringify(value) ?? "null") : held.archived(marked);
	});
}

/**
 * A message without its breakpoints; the same object if it has none. Inputs of tools are not searched.
 * @param {any} message
 * @returns {any}
 */
export function withoutBreakpoints(message) {
	if (typeof message !== "object" || message === null) return message;
	let copy = message;
	/** @param {string} name @param {unknown} value */
	const set = (name, value) => {
		if (value === copy[name]) return;
		copy = { ...copy, [name]: value };
		if (value === undefined) delete copy[name];
	};
	set("cache_control", undefined);
	set("providerOptions", withoutCacheControl(message.providerOptions));
	for (const name of ["content", "parts"]) {
		const { [name]: blocks } = message;
		if (!Array.isArray(blocks)) continue;
		const without = blocks.map(withoutBreakpoints);
		if (without.some((block, i) => block !== blocks[i])) set(name, without);
	}
	return copy;
}

/**
 * The options of the AI SDK for providers without cacheControl; undefined if nothing is left.
 * @param {any} options by provider
 */
function withoutCacheControl(options) {
	if (typeof options !== "object" || options === null) return options;
	const entries = Object.entries(options);
	if (!entries.some(([, own]) => own?.cacheControl !== undefined)) return options;
	const left = entries
		.map(([name, { cacheControl: _, ...own }]) => [name, own])
		.filter(([, own]) => Object.keys(own).length > 0);
	return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** The digest of a history from that of its messages before the last one. @param {string} before @param {string} key */
export async function digestOf(before, key) {
	const sum = await crypto.subtle.digest("SHA-256", encoder.encode(`${before}\n${key}`));
	return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The digests of all beginnings of a history, by their length.
 * @param {string[]} keys
 * @param {{ keys: string[], digests: string[] }} known those of a history that probably begins in the same way
 */
export async function digestsOf(keys, known = { keys: [], digests: [""] }) {
	let same = 0;
	while (same < keys.length && keys[same] === known.keys[same]) same++;
	const digests = known.digests.slice(0, same + 1);
	for (const key of keys.slice(same)) digests.push(await digestOf(/** @type {string} */ (digests.at(-1)), key));
	return digests;
}
