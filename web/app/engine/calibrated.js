// This file converts the counts of the engine to the tokens that the provider counts, if the session has its usage, so
// that the page has one count of the session. What the log does not show (system prompt, tools) is part of it.

/** @import { Block, FromWorker, Inspection } from "./types.js" */

/**
 * @param {Inspection} seen
 * @returns {Inspection} in the provider's tokens
 */
export function calibrated(seen) {
	const { usage } = seen;
	if (!usage || (usage.factor === 1000 && usage.total === seen.before)) return seen;
	const scale = scaleOf(seen);
	const blocks = (/** @type {Block[]} */ list) => list.map((block) => both(block, scale, "tokens"));
	return {
		...seen,
		before: usage.total,
		after: usage.total - scale(seen.before - seen.after),
		system: blocks(seen.system ?? []),
		tools: blocks(seen.tools ?? []),
		messages: seen.messages.map((message) => ({
			...both(message, scale, "tokens"),
			blocks: blocks(message.blocks),
		})),
		actions: seen.actions.map((action) => both(action, scale, "before")),
	};
}

/**
 * The outcome of the rounds, in the same tokens.
 * @template {Extract<FromWorker, {type: "output"}>} Output
 * @param {Output} output
 * @param {Inspection} raw as the engine made it
 * @returns {Output}
 */
export function calibratedOutput(output, raw) {
	const { usage } = raw;
	if (!usage || (usage.factor === 1000 && usage.total === raw.before)) return output;
	const scale = scaleOf(raw);
	const whole = (/** @type {number} */ tokens) => usage.total - scale(raw.before - tokens);
	return {
		...output,
		after: whole(output.after),
		actions: output.actions.map((action) => both(action, scale, "before")),
		fates: output.fates.map((message) => ({
			...message,
			blocks: message.blocks.map((block) => ({ ...block, after: scale(block.after) })),
		})),
		rounds: output.rounds.map((round) => ({
			...round,
			before: whole(round.before),
			after: whole(round.after),
			target: round.target > 0 ? whole(round.target) : 0,
			regions: round.regions.map(({ region, ...rest }) => ({
				...rest,
				after: scale(rest.after),
				region: { ...region, tokens: scale(region.tokens) },
			})),
		})),
	};
}

/** @param {Inspection} seen */
function scaleOf({ usage }) {
	const factor = usage?.factor ?? 1000;
	return (/** @type {number} */ tokens) => Math.round((tokens * factor) / 1000);
}

/**
 * @template {{after: number}} T
 * @param {T} of
 * @param {(tokens: number) => number} scale
 * @param {keyof T} name of the count before
 * @returns {T}
 */
function both(of, scale, name) {
	return { ...of, [name]: scale(/** @type {number} */ (/** @type {unknown} */ (of[name]))), after: scale(of.after) };
}
