// This file has the adapter for clients of OpenAI's API, Chat Completions and Responses.

import { fetchOf } from "./fetch.js";

/**
 * If the provider has the history (`previous_response_id`, `conversation`), a request has only the new items.
 * @param {import("./index.js").Compactor} tamp
 * @param {typeof globalThis.fetch} [send]
 */
export const compactingFetch = (tamp, send) =>
	fetchOf(
		tamp,
		/\/(chat\/completions|responses)$/,
		send,
		({ messages, input, previous_response_id: previous, conversation }) =>
			Array.isArray(messages ?? input) && !previous && !conversation ? "compact" : "send",
	);
