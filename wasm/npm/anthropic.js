// This file has the adapter for clients of Anthropic's API.

import { fetchOf } from "./fetch.js";

/**
 * The answer to a request that begins a message thread: the provider would keep the history, and later requests would
 * not have it. Clients send the conversation again without a thread, and later ones, too.
 * Source: https://platform.claude.com/docs/en/build-with-claude/message-threads, thread_unsupported_request.
 */
const noThread = () =>
	Response.json(
		{
			type: "error",
			error: {
				type: "invalid_request_error",
				message: "tamp: a message thread cannot be compacted: send the conversation whole, without thread",
				details: { error_code: "thread_unsupported_request", unsupported: [] },
			},
		},
		{ status: 400 },
	);

/**
 * @param {import("./index.js").Compactor} tamp
 * @param {typeof globalThis.fetch} [send]
 */
export const compactingFetch = (tamp, send) =>
	fetchOf(tamp, /\/messages$/, send, ({ thread, messages }) => {
		if (!Array.isArray(messages) || thread?.type === "continue") return "send";
		return thread?.type === "create" ? noThread() : "compact";
	});
