// This file has the adapter for the sessions of Cloudflare's Agents SDK: the function that compacts a session.

import { checkEngine, checkSave, compact } from "./compact.js";

/** The ids of messages that a session makes of summaries begin with it; a range has none. */
const OVERLAY = "compaction_";

/** @param {import("./cloudflare.js").CompactionOptions} options */
export function compaction({ engine, save, summarize, concurrency, onProgress, preset = "turns", ...input }) {
	checkEngine("make a compaction function", "/engine", engine);
	checkSave("make a compaction function", save);
	return async (/** @type {any[]} */ messages) => {
		const request = { ...input, preset, format: "ai-sdk-ui", force: true, conversation: messages };
		const host = { save, summarize, concurrency, onProgress, onWarning: () => {} };
		const { conversation } = await compact(engine, request, host);
		const left = new Set(conversation.map(({ id }) => id));
		const given = new Set(messages.map(({ id }) => id));
		const begin = messages.findIndex(({ id }) => !left.has(id) && !id.startsWith(OVERLAY));
		if (begin < 0) return null;
		let end = begin;
		while (end + 1 < messages.length && !left.has(messages[end + 1].id)) end++;
		const summary = conversation
			.filter(({ id }) => !given.has(id))
			.flatMap(({ parts }) => parts.flatMap((/** @type {any} */ { text }) => text ?? []))
			.join("\n\n");
		return summary === "" ? null : { fromMessageId: messages[begin].id, toMessageId: messages[end].id, summary };
	};
}
