// This file joins the two reports of the engine about each block: the inspection, and the fates of the outcome.

/** @import { Block, BlockFate, Inspection, MessageFate } from "../engine/types.js" */

/**
 * @param {Inspection} inspection
 * @param {{after: number, fates: MessageFate[]}} outcome of all rounds
 * @returns {Inspection} a copy with the fates of the outcome
 */
export function withOutcome(inspection, { after, fates }) {
	const messages = inspection.messages.map((message, m) => {
		let at = 0; // index in the message of the outcome
		const blocks = message.blocks.map((block, b) => {
			const fate = fates[m].blocks[b];
			const gone = fate.fate === "dropped" || fates[m].index < 0;
			const here = gone ? undefined : { message: fates[m].index, block: at++ };
			const replacement = fate.fate === "kept" ? undefined : (fate.summary ?? here);
			return { ...block, ...fateOf(block, fate), replacement };
		});
		return { ...message, blocks };
	});
	return { ...inspection, messages, after };
}

/**
 * Only the inspection says which blocks are pinned, and which are broken in the input.
 * @param {Block} block
 * @param {BlockFate} outcome
 * @returns {Pick<Block, "fate" | "after" | "why">}
 */
function fateOf({ fate, why }, outcome) {
	const { after, reason = why } = outcome;
	const removed = outcome.fate === "summarized" || outcome.fate === "dropped";
	if (fate === "broken" && !removed) return { fate, after, why };
	if (fate === "pinned" && outcome.fate === "kept") return { fate, after, why: reason };
	return { fate: outcome.fate, after, why: reason };
}
