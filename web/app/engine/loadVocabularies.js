// This file loads the vocabularies of a message into the engine of a worker. Each engine loads each vocabulary once.

/** @import { Engine } from "../../npm/index.js" */
/** @import { Vocabulary } from "./vocabulary.js" */

/** The names that an engine has loaded. @type {WeakMap<Engine, Set<string>>} */
const loaded = new WeakMap();

/**
 * The vocabularies that the engine has not loaded yet.
 * @param {Engine} engine
 * @param {Vocabulary[] | undefined} vocabularies
 */
export function missingVocabularies(engine, vocabularies = []) {
	return vocabularies.filter(({ name }) => !loaded.get(engine)?.has(name));
}

/**
 * @param {Engine} engine
 * @param {Vocabulary[] | undefined} vocabularies
 * @throws TampError if one is damaged
 */
export async function loadVocabularies(engine, vocabularies) {
	for (const { name, blob } of missingVocabularies(engine, vocabularies)) {
		engine.loadVocabulary(name, await blob.arrayBuffer());
		loaded.set(engine, (loaded.get(engine) ?? new Set()).add(name));
	}
}
