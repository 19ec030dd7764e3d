// This file is what the worker answers beside its jobs: the size of a text that someone is typing, and the tokens of a block.
// Neither changes what the worker holds, so an answer may come between two stages of a job.

import { furnish } from "./loadVocabularies.js";

/** @typedef {import("../../npm/index.js").Engine} Engine */
/** @typedef {import("./vocabulary.js").Vocabulary} Vocabulary */
/** @typedef {{counter: string, vocabularies: Vocabulary[]}} Counting */
/** @typedef {{ends: Uint32Array, ids: Uint32Array}} Tokens as of Engine.tokens */
/** @typedef {Pick<import("../../npm/wire.js").Count, "total" | "low" | "high" | "exact" | "profile" | "counter" | "usage">} Size */
/** @typedef {{kind: "count", text: string} | {kind: "tokens", texts: string[]}} Question */
/** @typedef {{size: Size | null} | {tokens: Tokens[]} | {failure: string}} Answer size: null where the text is no conversation as yet */

/**
 * @param {Engine} engine
 * @param {Question & Counting} question
 * @returns {Promise<Answer>}
 */
export async function answerTo(engine, question) {
	const { counter, vocabularies } = question;
	try {
		await furnish(engine, vocabularies);
		if (question.kind === "tokens") return { tokens: question.texts.map((text) => packed(engine.tokens(text, counter))) };
	} catch (cause) {
		return { failure: String(/** @type {any} */ (cause)?.message ?? cause) };
	}
	try {
		const { total, low, high, exact, profile, counter: used, usage } = engine.count({ conversation: question.text, counter });
		return { size: { total, low, high, exact, profile, counter: used, usage } };
	} catch {
		return { size: null };
	}
}

/** @param {{ends: number[], ids: number[]}} tokens @returns {Tokens} */
function packed({ ends, ids }) {
	return { ends: Uint32Array.from(ends), ids: Uint32Array.from(ids) };
}
