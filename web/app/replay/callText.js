// This file describes one model call of a replay in words: what was compacted, and the cost.

import { CAUSES } from "./bands.js";
import { decimal, number, plural, sentence } from "../ui/words.js";

/** @import { ReplayCall as Call, Replay as Report } from "../../npm/wire.js" */

/** An amount of a replay, in millionths of a dollar: small amounts have more digits. @param {number} micro */
export function money(micro) {
	const dollars = micro / 1_000_000;
	const digits = dollars >= 1000 ? 0 : dollars >= 1 ? 2 : dollars >= 0.01 ? 3 : 5;
	return `$${decimal(dollars, digits, digits)}`;
}

/** A price of the engine, in thousandths of a dollar per million tokens. @param {number} price */
export function dollars(price) {
	return `$${decimal(price / 1000, 0, 3)}`;
}

/**
 * What compaction removed before a call.
 * @param {Call} call
 * @param {boolean} [whole] as a sentence, with the cost
 */
export function sayFreed({ freed = 0, edits = 0, summaries = 0, summaryTokens = 0 }, whole = false) {
	const how = [
		edits > 0 && `${plural(edits, "block")} cleared or cut`,
		summaries > 0 && (summaries === 1 ? "one summary" : `${number(summaries)} summaries`),
	]
		.filter(Boolean)
		.join(", ");
	const text = `${plural(freed, "token")} freed${how ? `: ${how}` : ""}`;
	return whole
		? `Compacted before this call, ${text}${summaryTokens > 0 ? ` (the summarizer read and wrote ${number(summaryTokens)})` : ""}.`
		: text;
}

/** What a call paid again. @param {import("../../npm/wire.js").CallBreak} of */
export function sayBreak({ cause, tokens, cost }) {
	return `Cache break: ${plural(tokens, "token")} paid again, ${money(cost)} more than from the cache: ${CAUSES[cause]?.means ?? cause}.`;
}

/** What the log has of a request. @param {import("../../npm/wire.js").CallRequest} of */
export function sayRequest({ messages, kept, before, system, tools }) {
	const changed = [
		system && "another system prompt",
		tools && "other tools",
		kept < before && `${number(before - kept)} of ${number(before)} earlier messages changed`,
	].filter(Boolean);
	const text = `${plural(messages, "message")}, ${number(messages - kept)} new`;
	return changed.length > 0 ? `${text}; ${changed.join(", ")}` : text;
}

/** The time of a call, or "" if the log has none. @param {Call} call */
export function timeOf({ time }) {
	return time ? ` · ${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC` : "";
}

/**
 * The numbers of a call.
 * @param {Call} base without compaction
 * @param {Call | null} call under the policy; null until it is known
 * @param {Report["price"] | null} price
 * @param {string} without the name of the replay without the policy
 * @returns {{name: string, value: string, kind: string}[]}
 */
export function sayCall(base, call, price, without) {
	const one = call ?? base;
	const counted = base.api ? base.api.input + base.api.cacheRead + base.api.cacheWrite : base.sent;
	return [
		{ name: "Sent", value: call ? number(call.sent) : "…", kind: "policy" },
		{ name: without, value: number(base.sent), kind: "base" },
		{ name: "Read from cache", value: number(one.cacheRead), kind: "read" },
		{ name: "Written to cache", value: number(one.cacheWrite), kind: "write" },
		{ name: "At the full price", value: number(one.input), kind: "input" },
		{ name: "Answer", value: number(one.output), kind: "" },
		...(price ? [{ name: "Cost", value: money(one.cost), kind: "" }] : []),
		...(base.request ? [{ name: "The log's request", value: sayRequest(base.request), kind: "base" }] : []),
		...(counted === base.sent ? [] : [{ name: "The provider counted", value: number(counted), kind: "api" }]),
	].map((row) => ({ ...row, name: sentence(row.name) }));
}
