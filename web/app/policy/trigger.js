// This file describes a trigger in words: why a plan acts, or what it waits for, with size and limit.

import { number } from "../ui/words.js";

/** @import { Trigger } from "../engine/types.js" */

/** @type {Record<string, string>} */
const NAMES = {
	soft: "soft limit",
	hard: "hard limit",
	tokens: "size limit",
	long_prompts: "size from which the vendor charges more for the whole request",
	overflow: "room for the answer",
	tool_uses: "number of calls",
};

/** @type {Record<string, string>} */
const MEASURES = { chars4_json: " (JSON characters ÷ 4)", chars3: " (characters ÷ 3)" };

/**
 * @param {Trigger} trigger
 * @param {any} policy the complete policy
 * @returns {{text: string, share: number | null}} share of the limit, 0 to 1; null without a limit
 */
export function triggerWords({ kind, used, limit, waitsFor, waitsUsed = 0, waitsLimit = 0 }, policy) {
	switch (kind) {
		case "manual":
			return { text: "Fired by hand", share: null };
		case "drop":
		case "summarize":
			return { text: "Fired by your edits", share: null };
		case "every_turn":
			if (!waitsFor) return { text: "Acts at every turn", share: null };
			return {
				text: `Clears at every turn, summarizes above ${number(waitsLimit)} ${unit(waitsFor, policy)}`,
				share: shareOf(waitsUsed, waitsLimit),
			};
		case "task_switch":
			return {
				text: "Fired: a new task, whose words were hardly used before",
				share: shareOf(used, limit),
			};
		case "economic": {
			// The rent of the results and the price of clearing them; a price below 0 is a call that gets cheaper at once.
			const text =
				limit > 0
					? `Clearing pays: keeping the old results has cost ${number(used)} tokens so far, rewriting costs ${number(limit)}`
					: "Clearing pays: the next call costs no more than without it";
			return { text, share: limit > 0 ? shareOf(used, limit) : null };
		}
		case "none": {
			if (!waitsFor) return { text: "Never fires by itself", share: null };
			const calls = waitsFor === "tool_uses" ? `, it has ${number(waitsUsed)}` : "";
			const little = policy.clear.when === "economic" ? "free too little or not pay yet" : "free too little";
			const why = waitsUsed > waitsLimit ? `waits, since a compaction would ${little}` : "not yet";
			const text = `Acts above ${number(waitsLimit)} ${unit(waitsFor, policy)} (${NAMES[waitsFor]})${calls}: ${why}`;
			return { text, share: shareOf(waitsUsed, waitsLimit) };
		}
		default: {
			const name = NAMES[kind] ?? kind.replaceAll("_", " ");
			return { text: `Fired: above ${number(limit)} ${unit(kind, policy)} (${name})`, share: shareOf(used, limit) };
		}
	}
}

/** @param {number} used @param {number} limit */
function shareOf(used, limit) {
	return limit > 0 ? Math.min(1, used / limit) : null;
}

/** @param {string} name of a limit @param {any} policy */
function unit(name, { trigger, summary }) {
	const asks = summary.strategy !== "none" && summary.strategy !== "";
	return name === "tool_uses" ? "calls" : `tokens${asks ? (MEASURES[trigger.measure] ?? "") : ""}`;
}
