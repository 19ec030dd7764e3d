// This file is the Web Worker of the texts: it holds the parsed session, returns one block at a time, searches all
// blocks, and finds repeats. It runs next to engine.worker.js, so that reading never waits for packing.

import { countedTexts } from "./app/engine/countedTexts.js";
import { countIn, patternOf, snippetOf } from "./app/reading/matching.js";
import { partsOf, textsOf, UNREAD } from "./app/reading/parts.js";
import { docOf, lookUp, sourceOf } from "./app/engine/pointer.js";
import { repeatsIn } from "./app/blocks/repeats.js";

/** @import { Part } from "./app/reading/parts.js" */
/** @import { Entry, FromTexts, Hit, ToTexts } from "./app/reading/texts.js" */

const MAX_BYTES = 128 * 1024 * 1024; // bytes: a parsed session takes several times its size
const AROUND = 1500; // characters shown before a match; twice as many behind it
const SLICE = 20; // ms of search between two reads of the message queue

const port = /** @type {{postMessage(m: FromTexts): void, onmessage: ((e: MessageEvent<ToTexts>) => void) | null}} */ (
	/** @type {unknown} */ (self)
);

/** @type {{text: string, doc: import("./app/engine/pointer.js").Doc, rows: Entry[], texts: string[][]} | null} */
let held = null;
/** Resolves when the session is read; later requests wait for it. @type {Promise<void>} */
let opened = Promise.resolve();
let newest = 0;
let wanted = 0;

port.onmessage = ({ data }) => {
	if (data.type === "open") {
		newest = data.key;
		wanted = 0;
		opened = open(data);
	} else if (data.type === "find") {
		wanted = data.id;
		void opened.then(() => find(data.id, data.query));
	} else void opened.then(() => give(data));
};

/** @param {Extract<ToTexts, {type: "open"}>} message */
async function open({ key, blob, rows }) {
	held = null;
	try {
		if (blob.size > MAX_BYTES) throw new Error("the session is too large to be parsed here");
		const text = (await blob.text()).replace(/^\ufeff/, "");
		if (newest !== key) return;
		const doc = docOf(
			text,
			rows.every(({ path }) => /^\/\d/.test(path)),
		);
		held = { text, doc, rows, texts: [] };
		const read = (/** @type {number} */ index) => lookUp(doc, rows[index].path);
		const failed = rows
			.filter(({ index, kind }) => kind === "tool_result" && hasFailed(read(index)))
			.map(({ index }) => index);
		port.postMessage({ type: "opened", key, facts: { failed, repeats: repeatsIn(rows, read) } });
	} catch (cause) {
		port.postMessage({ type: "lost", message: String(cause) });
	}
}

/** @param {any} value */
function hasFailed(value) {
	return value?.is_error === true || value?.isError === true || value?.content?.type?.endsWith?.("_error") === true;
}

/** @param {Extract<ToTexts, {type: "block"}>} message */
function give({ id, index, limit, source, near, counted }) {
	const row = held?.rows[index];
	const empty = { index, parts: [], cut: false, source: "", near: -1 };
	if (!held || !row) return port.postMessage({ type: "block", id, content: { ...empty, parts: [UNREAD] } });
	const value = lookUp(held.doc, row.path);
	if (counted) {
		const { text, doc } = held;
		return port.postMessage({
			type: "block",
			id,
			content: { ...empty, counted: countedTexts(value, row, (path) => sourceOf(text, doc, row.path + path) ?? "") },
		});
	}
	if (source && value !== undefined)
		return port.postMessage({
			type: "block",
			id,
			content: { ...empty, source: sourceOf(held.text, held.doc, row.path) ?? "" },
		});
	const parts = partsOf(value, row);
	const around = near && excerpt(parts, near);
	port.postMessage({
		type: "block",
		id,
		content: around ? { ...empty, ...around } : { ...empty, ...(limit > 0 ? cut(parts, limit) : { parts }) },
	});
}

/**
 * The lines around a match.
 * @param {Part[]} parts
 * @param {import("./app/reading/texts.js").Near} near
 * @returns {{parts: Part[], cut: true, near: number} | null}
 */
function excerpt(parts, { query, nth }) {
	const pattern = patternOf(query);
	for (const text of parts.flatMap(textsOf)) {
		for (const { index } of text.matchAll(pattern)) {
			if (nth-- > 0) continue;
			const from = Math.max(0, index - AROUND, text.lastIndexOf("\n", Math.max(0, index - AROUND / 2)) + 1);
			return {
				parts: [{ kind: "code", text: text.slice(from, index + 2 * AROUND) }],
				cut: true,
				near: countIn(pattern, text.slice(from, index)),
			};
		}
	}
	return null;
}

/**
 * The first parts, up to the limit. Pictures count as zero characters: a block has few of them.
 * @param {Part[]} parts
 * @param {number} limit characters
 */
function cut(parts, limit) {
	/** @type {Part[]} */
	const some = [];
	for (const part of parts) {
		if (limit <= 0) return { parts: some, cut: true };
		if (part.kind === "image" || part.kind === "note" || part.text.length <= limit) some.push(part);
		else
			some.push(
				part.kind === "json"
					? { ...part, kind: "code", text: part.text.slice(0, limit) }
					: { ...part, text: part.text.slice(0, limit) },
			);
		if ("text" in part) limit -= part.text.length;
	}
	return { parts: some, cut: limit < 0 };
}

/** @param {number} id @param {string} query */
async function find(id, query) {
	if (!held || query === "" || wanted !== id) return;
	const { rows } = held;
	const pattern = patternOf(query);
	/** @type {Hit[]} */
	let hits = [];
	let start = performance.now();
	for (const { index } of rows) {
		const hit = search(pattern, index);
		if (hit) hits.push(hit);
		if (performance.now() - start < SLICE) continue;
		port.postMessage({ type: "found", id, hits, done: false });
		await new Promise((resolve) => setTimeout(resolve, 0));
		if (wanted !== id) return;
		hits = [];
		start = performance.now();
	}
	port.postMessage({ type: "found", id, hits, done: true });
}

/** @param {RegExp} pattern @param {number} index @returns {Hit | null} */
function search(pattern, index) {
	if (!held) return null;
	const row = held.rows[index];
	held.texts[index] ??= partsOf(lookUp(held.doc, row.path), row).flatMap(textsOf);
	const texts = held.texts[index];
	let count = 0;
	let snippet = "";
	for (const text of texts) {
		const found = countIn(pattern, text);
		if (found > 0 && count === 0) snippet = snippetOf(pattern, text);
		count += found;
	}
	return count > 0 ? { index, count, snippet } : null;
}
