// This file reads the options of the command that choose what the engine does: blocks, prices, the cache.

import { MAX_HIDDEN, MAX_PRICE } from "./rank.js";

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

/** The options of a replay. @param {Options} options */
export function choiceOf({ ttl, breakpoints, hidden, prices, multipliers }) {
	if (ttl !== undefined && !["5m", "1h"].includes(ttl)) throw new UsageError("--ttl must be 5m or 1h");
	if (breakpoints !== undefined && !["anchors", "automatic", "request"].includes(breakpoints))
		throw new UsageError("--breakpoints must be anchors, automatic or request");
	if (hidden !== undefined && !(/^\d+$/.test(hidden) && Number(hidden) <= MAX_HIDDEN))
		throw new UsageError(`--hidden must be a number of tokens, at most ${MAX_HIDDEN}`);
	return present({
		ttl,
		breakpoints,
		hidden: hidden && Number(hidden),
		prices: prices && pricesOf(prices),
		multipliers: multipliers && multipliersOf(multipliers),
	});
}

/** The multipliers of the engine, in permille; without one, that of the model. @param {string} text */
function multipliersOf(text) {
	return text.split(",").map((part) => {
		const [name, factor] = part.trim().split("=");
		const permille = Math.round(Number(factor) * 1000);
		if (!name || (factor !== undefined && !(permille >= 1 && permille <= 1_000_000)))
			throw new UsageError("--multipliers must be NAME or NAME=FACTOR, separated by commas");
		return factor === undefined ? { name } : { name, permille };
	});
}

/** The prices of the engine: thousandths of a dollar, and shares of the input price in permille. @param {string} text */
function pricesOf(text) {
	const given = text.split(",").map((part) => (part.trim() ? Number(part) : Number.NaN));
	const [input = Number.NaN, output = 0, read = input / 10, write = input * 1.25] = given;
	if (![2, 4].includes(given.length) || !given.every((price) => price >= 0 && price * 1000 <= MAX_PRICE) || input === 0)
		throw new UsageError("--prices must be IN,OUT or IN,OUT,READ,WRITE, in dollars for a million tokens");
	const share = (/** @type {number} */ price) => Math.min(Math.round((price / input) * 1000), MAX_PRICE);
	return {
		input: Math.round(input * 1000),
		output: Math.round(output * 1000),
		read: share(read),
		write5m: share(write),
		write1h: given.length === 4 ? share(write) : 2000,
	};
}
