// This file answers the questions that the page asks outside the jobs: the size of a typed text, and the tokens of a
// block. Neither changes the state of the worker, so an answer may come between two stages of a job.

import { loadVocabularies } from "./loadVocabularies.js";

/** @typedef {import("../../npm/index.js").Engine} Engine */
/** @typedef {import("./vocabulary.js").Vocabulary} Vocabulary */
/** @typedef {{counter: string, vocabularies: Vocabulary[]}} Counting */
/** @typedef {{ends: Uint32Array, ids: Uint32Array}} Tokens as of Engine.tokens */
/** @typedef {Pick<import("../../npm/wire.js").Count, "total" | "low" | "high" | "exact" | "profile" | "counter" | "usage">} Size */
/** @typedef {{kind: "count", text: string} | {kind: "tokens", texts: string[]}} Question */
/** @typedef {{size: Size | null} | {tokens: Tokens[]} | {failure: string}} Answer size: null if the text is not a valid conversation yet */

/**
 * @param {Engine} engine
 * @param {Question & Counting} question
 * @returns {Promise<Answer>}
 */
export async function answerTo(engine, question) {
	const { counter, vocabularies } = question;
	try {
		await loadVocabularies(engine, vocabularies);
		if (question.kind === "tokens")
			return { tokens: question.texts.map((text) => packed(engine.tokens(text, counter))) };
	} catch (cause) {
		return { failure: String(/** @type {any} */ (cause)?.message ?? cause) };
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

/** @param {{ends: number[], ids: number[]}} tokens @returns {Tokens} */
function packed({ ends, ids }) {
	return { ends: Uint32Array.from(ends), ids: Uint32Array.from(ids) };
}
