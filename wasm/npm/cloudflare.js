// This file has the adapter for the sessions of Cloudflare's Agents SDK: the function that compacts a session.

import { checkEngine, checkSave, compact } from "./compact.js";

/** The id of the message that a session makes of a summary begins with it. Its role is assistant. */
const OVERLAY = "compaction_";

/** The key of what a storage keeps: the last summary, the messages of the outcome that it was made of, and its state. */
const KEY = "tamp";

/** The preset that replaces whole messages, all but the newest. */
const FALLBACK = "turns";

/** @returns {import("./cloudflare.js").CompactionStorage} */
function memory() {
	/** @type {Map<string, any>} */
	const map = new Map();
	return { get: async (key) => map.get(key), put: async (key, value) => void map.set(key, value) };
}

/** @param {any} message without what is no content: a session adds dates, which JSON does not hold */
const contentOf = ({ id, role, parts }) => ({ id, role, parts });

/** @param {any[]} messages */
const textOf = (messages) =>
	messages.flatMap(({ parts }) => parts.flatMap((/** @type {any} */ { text }) => text ?? [])).join("\n\n");

/** @param {any} value */
const sizeOf = (value) => JSON.stringify(value).length;

/** @param {import("./cloudflare.js").CompactionOptions} options */
export function compaction({
	engine,
	save,
	summarize,
	concurrency,
	onProgress,
	storage = memory(),
	preset = FALLBACK,
	...input
}) {
	checkEngine("make a compaction function", "/engine", engine);
	checkSave("make a compaction function", save);

	/**
	 * The range that a preset replaces, what is kept of it in the storage, and the size of what is left. Null if no whole
	 * message would be replaced.
	 * @param {any[]} messages
	 * @param {import("./index.js").PlanSettings["preset"]} preset
	 */
	async function rangeOf(messages, preset) {
		// The session shows the last summary as a message. If it is that of the last outcome, the outcome goes on with its state,
		// by which the words of the user outlive it; what comes before it is in the outcome.
		const overlay = messages.findLastIndex(({ id }) => id.startsWith(OVERLAY));
		const last = overlay < 0 ? undefined : await storage.get(KEY);
		const goesOn = last?.summary === textOf(messages.slice(overlay, overlay + 1)) ? last : undefined;
		const given = goesOn ? [...goesOn.made, ...messages.slice(overlay + 1).map(contentOf)] : messages.map(contentOf);
		const state = goesOn ? { state: goesOn.state } : {};
		const request = { ...input, ...state, preset, format: "ai-sdk-ui", force: true, conversation: given };
		const host = { save, summarize, concurrency, onProgress, onWarning: () => {} };
		const outcome = await compact(engine, request, host);
		const ids = new Set(outcome.conversation.map(({ id }) => id));
		const isLeft = (/** @type {any} */ { id }) => ids.has(id);
		// A session extends the range to the summary before, so nothing between the two may be left. Without one, the first
		// prompt stays: providers refuse a history that begins with the assistant.
		const prompt = messages.findIndex(({ role }) => role === "user");
		const begin = overlay < 0 ? messages.findIndex((message, i) => i > prompt && !isLeft(message)) : overlay + 1;
		const next = messages.findIndex((message, i) => i >= begin && isLeft(message));
		const end = next < 0 ? messages.length : next;
		if (begin < 0 || begin >= end) return null;
		const old = new Set(messages.filter((_, i) => i !== overlay).map(({ id }) => id));
		const made = outcome.conversation.filter(({ id }) => !old.has(id));
		const summary = textOf(made);
		if (summary === "") return null;
		return {
			range: { fromMessageId: messages[begin].id, toMessageId: messages[end - 1].id, summary },
			kept: { summary, made, state: outcome.state },
			left: sizeOf(messages) - sizeOf(messages.slice(overlay < 0 ? begin : overlay, end)) + sizeOf(summary),
		};
	}

	return async (/** @type {any[]} */ messages) => {
		let best = await rangeOf(messages, preset);
		// Otherwise the session would grow past its limit, and ask again at each message.
		if (preset !== FALLBACK && !(best && best.left <= sizeOf(messages) / 2)) {
			const other = await rangeOf(messages, FALLBACK);
			if (other && !(best && best.left <= other.left)) best = other;
		}
		if (!best) return null;
		await storage.put(KEY, best.kept);
		return best.range;
	};
}
