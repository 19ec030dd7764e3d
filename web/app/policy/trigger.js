// This file describes a trigger in words: why a plan acts, or what it waits for, with size and limit.

import { number } from "../ui/words.js";

/** @typedef {import("../engine/types.js").Policy} Policy */
/** @typedef {import("../engine/types.js").Trigger} Trigger */

/** @type {Record<string, string>} */
const NAMES = { soft: "soft limit", hard: "hard limit", tokens: "size limit", overflow: "room for the answer", tool_uses: "number of calls" };

/** @type {Record<string, string>} */
const MEASURES = { chars4_json: " (JSON characters ÷ 4)", chars3: " (characters ÷ 3)" };

/**
 * @param {Trigger} trigger
 * @param {any} policy the complete policy
 * @param {{after: number, before: number, limit: number}} size of the conversation, and the size above which summaries are due
 * @returns {{text: string, share: number | null}} share of the limit, 0 to 1; null without a limit
 */
export function triggerWords({ kind, used, limit }, policy, size) {
	const asks = policy.summary.strategy !== "none" && policy.summary.strategy !== "";
	const of = `${number(used)} of ${number(limit)}`;
	const share = limit > 0 ? Math.min(1, used / limit) : null;
	switch (kind) {
		case "manual":
			return { text: `Fired by hand: ${number(used)} ${unit("manual", policy, asks)} now`, share: null };
		case "every_turn": {
			if (!asks || size.limit === 0) return { text: `Acts at every turn: ${number(used)} tokens now`, share: null };
			const counted = policy.trigger.measure === "counter"; // otherwise size and limit are in different units
			if (counted && size.before === size.after) return triggerWords({ kind: "none", used: size.after, limit: size.limit }, policy, size);
			const name = waitsFor(policy, size.limit, asks);
			return { text: `Clears at every turn, summarizes above ${number(size.limit)} ${unit(name, policy, asks)}: ${number(size.after)} tokens now`, share: counted ? Math.min(1, size.after / size.limit) : null };
		}
		case "task_switch":
			return { text: `Fired: a new task, ${of} words were used before`, share: null };
		case "none": {
			if (limit === 0) return { text: `Never fires by itself: ${number(used)} tokens now`, share: null };
			const name = waitsFor(policy, limit, asks);
			return { text: `${capital(NAMES[name])}: ${of} ${unit(name, policy, asks)}: not yet`, share };
		}
		default:
			return { text: `Fired: ${NAMES[kind] ?? kind.replaceAll("_", " ")}, ${of} ${unit(kind, policy, asks)}`, share };
	}
}

/**
 * The name of the limit that the engine reported.
 * @param {any} policy
 * @param {number} limit
 * @param {boolean} asks
 */
function waitsFor({ trigger, clear }, limit, asks) {
	if (!asks) return clear.triggerToolUses > 0 ? "tool_uses" : "tokens";
	if (trigger.tokens === limit) return "tokens";
	return trigger.softPermille > 0 ? "soft" : "overflow";
}

/** @param {string} name @param {any} policy @param {boolean} asks */
function unit(name, policy, asks) {
	return name === "tool_uses" ? "calls" : `tokens${asks ? (MEASURES[policy.trigger.measure] ?? "") : ""}`;
}

/** @param {string} text */
function capital(text) {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
