// This file has the adapter for the sessions of Cloudflare's Agents SDK: the function that compacts a session.

import { checkEngine, checkSave, compact } from "./compact.js";

/** The id of the message that a session makes of a summary begins with it. Its role is assistant. */
const OVERLAY = "compaction_";

/** @param {import("./cloudflare.js").CompactionOptions} options */
export function compaction({ engine, save, summarize, concurrency, onProgress, preset = "turns", ...input }) {
	checkEngine("make a compaction function", "/engine", engine);
	checkSave("make a compaction function", save);
	return async (/** @type {any[]} */ messages) => {
		// What else they have is no content: a session adds dates, which JSON does not hold.
		const given = messages.map(({ id, role, parts }) => ({ id, role, parts }));
		const request = { ...input, preset, format: "ai-sdk-ui", force: true, conversation: given };
		const host = { save, summarize, concurrency, onProgress, onWarning: () => {} };
		const { conversation } = await compact(engine, request, host);
		const ids = new Set(conversation.map(({ id }) => id));
		const isLeft = (/** @type {any} */ { id }) => ids.has(id);
		// A session extends the range to the summary before, so nothing between the two may be left. Without one, the first
		// prompt stays: providers refuse a history that begins with the assistant.
		const overlay = messages.findLastIndex(({ id }) => id.startsWith(OVERLAY));
		const prompt = messages.findIndex(({ role }) => role === "user");
		const begin = overlay < 0 ? messages.findIndex((message, i) => i > prompt && !isLeft(message)) : overlay + 1;
		const next = messages.findIndex((message, i) => i >= begin && isLeft(message));
		const end = next < 0 ? messages.length : next;
		if (begin < 0 || begin >= end) return null;
		const old = new Set(messages.map(({ id }) => id));
		const summary = conversation
			.filter(({ id }) => !old.has(id) || id === messages[overlay]?.id)
			.flatMap(({ parts }) => parts.flatMap((/** @type {any} */ { text }) => text ?? []))
			.join("\n\n");
		return summary === "" ? null : { fromMessageId: messages[begin].id, toMessageId: messages[end - 1].id, summary };
	};
}
