// This file computes in the worker, on demand, the views of a result: the diff, the cache breakpoints, the quality
// report.

import { align } from "../output/align.js";
import { kindName } from "../ui/words.js";
import { partsOf, textsOf } from "../reading/parts.js";
import { entriesOf } from "../output/messages.js";
import { docOf, lookUp } from "./pointer.js";
import { withoutChosen } from "./rounds.js";

/** @import { Engine, Input } from "../../npm/index.js" */
/** @import { Entry } from "../output/messages.js" */
/** @import { Shown, View } from "./types.js" */
/**
 * @typedef {{input: Input, format: string, conversation: unknown, read?: (at: import("./types.js").Ref) => string}} Last
 *   input and result of the last "pack"; read: the texts of its blocks, once one was asked for
 */

const HEAD = 160; // characters of a folded message that are shown

export const views = { diff, anchors, quality };

/** The formats whose messages are read without the engine, in the words of their providers. */
const KNOWN = ["anthropic", "openai-chat", "claude-code"];

/** @param {Engine} engine @param {Last} last @returns {Extract<View, {name: "diff"}>} */
function diff(engine, { input, format, conversation }) {
	const read = (/** @type {unknown} */ one) =>
		KNOWN.includes(format)
			? entriesOf(textOf(one), format)
			: entriesByPath(engine, { ...withoutChosen(input), conversation: one });
	const a = read(input.conversation);
	const b = read(conversation);
	return {
		name: "diff",
		noun: format === "claude-code" ? "line" : "message",
		segments: align(a, b),
		before: side(a),
		after: side(b),
	};
}

/** @param {Engine} engine @param {Last} last @returns {View} */
function anchors(engine, { input, conversation }) {
	const { anchors, note, conversation: request } = engine.anchors({ ...withoutChosen(input), conversation });
	return {
		name: "anchors",
		anchors,
		note: note ?? "",
		request: new Blob([textOf(request)], { type: "text/plain;charset=utf-8" }),
	};
}

/** @param {Engine} engine @param {Last} last @returns {View} */
function quality(engine, { input, conversation }) {
	const report = engine.quality({ conversation: input.conversation }, { conversation }, { statements: true });
	return { name: "quality", report };
}

/**
 * The messages of any format, with the blocks that the engine finds.
 * @param {Engine} engine
 * @param {Input} input
 * @returns {Entry[]}
 */
function entriesByPath(engine, input) {
	const { messages } = engine.inspect(input);
	const paths = messages.flatMap(({ blocks }) => blocks.map(({ path }) => path));
	const doc = docOf(
		textOf(input.conversation),
		paths.every((path) => /^\/\d/.test(path)),
	);
	return messages.map(({ role, blocks }) => {
		const values = blocks.map(({ path }) => lookUp(doc, path));
		const texts = blocks.map(({ kind }, i) => partsOf(values[i], { kind, role }).flatMap(textsOf).join("\n"));
		const labels = blocks.filter(({ kind }) => kind !== "text").map(({ kind, tool }) => [tool, kindName(kind)]);
		return {
			role,
			label: [...new Set(labels.map((words) => words.filter(Boolean).join(" ")))].slice(0, 4).join(", "),
			key: JSON.stringify([role, values]),
			ids: blocks.flatMap(({ id }) => (id ? [id] : [])),
			text: texts.join("\n\n"),
		};
	});
}

/**
 * The text of a block of the packed session.
 * @param {Engine} engine
 * @param {Last | null} last
 * @param {import("./types.js").Ref} at
 * @returns {import("./queries.js").Answer}
 */
export function replacementIn(engine, last, at) {
	if (!last) return { failure: "the session is being packed" };
	last.read ??= blocksOf(engine, last);
	return { text: last.read(at) };
}

/** @param {Engine} engine @param {Last} last @returns {(at: import("./types.js").Ref) => string} */
function blocksOf(engine, { input, conversation }) {
	const { messages } = engine.inspect({ ...withoutChosen(input), conversation });
	const relative = messages.every(({ blocks }) => blocks.every(({ path }) => /^\/\d/.test(path)));
	const doc = docOf(textOf(conversation), relative);
	return ({ message, block }) => {
		const { role, blocks } = messages[message] ?? { role: "", blocks: [] };
		const found = blocks[block];
		return found ? partsOf(lookUp(doc, found.path), { kind: found.kind, role }).flatMap(textsOf).join("\n") : "";
	};
}

/** The texts in one Blob, so that the page reads only the parts that it draws. @param {Entry[]} entries */
function side(entries) {
	const encoder = new TextEncoder();
	const parts = entries.map(({ text }) => encoder.encode(text));
	let to = 0;
	/** @type {Shown[]} */
	const messages = entries.map(({ role, label, text }, i) => {
		const from = to;
		to += parts[i].length;
		return { role, label, head: text.slice(0, HEAD).replace(/\s+/g, " ").trim(), from, to };
	});
	return { messages, text: new Blob(parts) };
}

/** @param {unknown} conversation */
export function textOf(conversation) {
	if (typeof conversation === "string") return conversation;
	return conversation instanceof Uint8Array ? new TextDecoder().decode(conversation) : JSON.stringify(conversation);
}
