// This file gives an engine in a worker the vocabularies that a message brought along. Each engine takes each of them once.

/** @typedef {import("../../npm/index.js").Engine} Engine */
/** @typedef {import("./vocabulary.js").Vocabulary} Vocabulary */

/** What an engine has by now. @type {WeakMap<Engine, Set<string>>} */
const had = new WeakMap();

/** Those that the engine does not have yet. @param {Engine} engine @param {Vocabulary[] | undefined} vocabularies */
export function lacking(engine, vocabularies = []) {
	return vocabularies.filter(({ name }) => !had.get(engine)?.has(name));
}

/**
 * @param {Engine} engine
 * @param {Vocabulary[] | undefined} vocabularies
 * @throws TampError where one is damaged
 */
export async function furnish(engine, vocabularies) {
	for (const { name, blob } of lacking(engine, vocabularies)) {
		engine.loadVocabulary(name, await blob.arrayBuffer());
		had.set(engine, (had.get(engine) ?? new Set()).add(name));
	}
}
