// This file answers the questions that the page asks outside the jobs: the size of a typed text, and the tokens of a
// block. Neither changes the state of the worker, so an answer may come between two stages of a job.

import { loadVocabularies } from "./loadVocabularies.js";

/** @import { Engine, Loss } from "../../npm/index.js" */
/** @import { Vocabulary } from "./vocabulary.js" */
/** @typedef {{counter: string, vocabularies: Vocabulary[]}} Counting */
/** @typedef {{ends: Uint32Array, ids: Uint32Array}} Tokens as of Engine.tokens */
/**
 * @typedef {Pick<import("../../npm/wire.js").Count, "total" | "low" | "high" | "exact" | "profile" | "counter" |
 *   "usage">} Size
 */
/**
 * Conversations come in a Blob, which costs no copy until the worker reads it; format: of the conversation.
 * @typedef {{kind: "convert", conversation: Blob, format: string, to: string}} Conversion
 */
/**
 * The text of a block of the packed session.
 * @typedef {{kind: "replacement"} & import("../../npm/wire.js").Ref} Replacement
 */
/**
 * @typedef {({kind: "count", text: string} & Counting) | ({kind: "tokens", texts: string[]} & Counting) | Conversion | Replacement}
 *   Question
 */
/**
 * @typedef {{size: Size | null} | {tokens: Tokens[]} | {converted: {blob: Blob, losses: Loss[]}} | {text: string} | {failure: string}}
 *   Answer size: null if the text is not a valid conversation yet
 */

/**
 * @param {Engine} engine
 * @param {Exclude<Question, Replacement>} question
 * @returns {Promise<Answer>}
 */
export async function answerTo(engine, question) {
	if (question.kind === "convert") return convert(engine, question);
	const { counter, vocabularies } = question;
	try {
		await loadVocabularies(engine, vocabularies);
		if (question.kind === "tokens")
			return { tokens: question.texts.map((text) => packed(engine.tokens(text, counter))) };
	} catch (cause) {
		return { failure: reasonOf(cause) };
	}
	try {
		const {
			total,
			low,
			high,
			exact,
			profile,
			counter: used,
			usage,
		} = engine.count({ conversation: question.text, counter });
		return { size: { total, low, high, exact, profile, counter: used, usage } };
	} catch {
		return { size: null };
	}
}

/** @param {Engine} engine @param {Conversion} question @returns {Promise<Answer>} */
async function convert(engine, { conversation, format, to }) {
	try {
		const input = { conversation: new Uint8Array(await conversation.arrayBuffer()), format, to };
		const { conversation: text, losses } = engine.convert(/** @type {any} */ (input));
		return { converted: { blob: new Blob([String(text)], { type: "application/json" }), losses } };
	} catch (cause) {
		return { failure: reasonOf(cause) };
	}
}

/** @param {unknown} cause */
function reasonOf(cause) {
	const { message, path } = /** @type {{message?: string, path?: string}} */ (cause);
	return `${message ?? cause}${path ? ` (at ${path})` : ""}`;
}

/** @param {{ends: number[], ids: number[]}} tokens @returns {Tokens} */
function packed({ ends, ids }) {
	return { ends: Uint32Array.from(ends), ids: Uint32Array.from(ids) };
}
