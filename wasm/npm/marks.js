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
	if (Array.isArray(history)) return { list: history, head: "", join: (list) => list, text: (keys) => `[${keys}]` };
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
		text: (keys) => `${head === "{}" ? "{" : `${head.slice(0, -1)},`}"${name}":[${keys}]}`,
	};
}

/**
 * The content of messages, as JSON.
 * @param {unknown} history
 * @param {any[]} list
 */
export function keysOf(history, list) {
	try {
		return list.map((message) => written(withoutBreakpoints(message)));
	} catch (thrown) {
		written(history); // throws with the place in the history
		throw thrown;
	}
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
