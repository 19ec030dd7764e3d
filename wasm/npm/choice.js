// This file reads the options of the command that choose blocks.

/** @typedef {Record<string, any>} Options */

/** A mistake on the command line. */
export class UsageError extends Error {}

/** The members of options that are given. @param {Options} options */
export const present = (options) =>
	Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/**
 * The blocks that --keep, --drop and --summarize name.
 * @param {import("./index.js").Engine} engine
 * @param {import("./index.js").Input} input
 * @param {Options} options
 */
export function chosenOf(engine, input, { keep, drop, summarize }) {
	const lists = Object.entries(present({ keep, drop, summarize }));
	if (lists.length === 0) return {};
	const { messages } = engine.count(input);
	const refsOf = (/** @type {string} */ text) => {
		const [, message, block] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
		if (message === undefined)
			throw new UsageError(`${text} is neither a message, such as 12, nor a block, such as 12.0`);
		if (block !== undefined) return [{ message: Number(message), block: Number(block) }];
		const blocks = messages[Number(message)]?.blocks ?? [0]; // of a message that does not exist, the engine says so
		return blocks.map((_, i) => ({ message: Number(message), block: i }));
	};
	return Object.fromEntries(lists.map(([name, texts]) => [name, texts.flatMap(refsOf)]));
}
