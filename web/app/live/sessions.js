// This file reads the sessions of the gateway that served the page: GET /v1/sessions as an event stream, and the last
// request of one of them (docs/gateway.md).

import { API, refusal } from "../output/api.js";
import { messages } from "../output/eventStream.js";

/**
 * A session of the gateway. Sizes are in tokens of the last call, money in millionths of a dollar.
 * @typedef {object} LiveSession
 * @property {string} id
 * @property {string} client the user agent
 * @property {string} model
 * @property {number} started milliseconds since 1970
 * @property {number} last
 * @property {number} calls
 * @property {number} errors
 * @property {number} before
 * @property {number} after
 * @property {number} window
 * @property {{call: number, cause: string}[]} compactions
 * @property {number} summaryFailed summaries of a model that failed: built-in ones are used
 * @property {number} openRoundCut compactions that cut results which the model had not read
 * @property {number} thinkingLost blocks
 * @property {number} readAgain calls that repeat one whose result a compaction left out
 * @property {Record<string, number>} [cacheMisses] calls by the provider's reason of a cache miss
 * @property {{input: number, cacheRead: number, cacheWrite: number, output: number}} usage
 * @property {number} cost
 * @property {number} saved
 * @property {boolean} priced
 * @property {boolean} request its last request is kept
 * @property {string} [reason] why the last call was passed unchanged, as in the header x-tamp
 */

/** @param {string} token "" for none @param {string} accept */
function headersOf(token, accept) {
	return { accept, ...(token ? { authorization: `Bearer ${token}` } : {}) };
}

/**
 * Yields the list at once and after each call, until the server ends the stream.
 * @param {string} token
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<LiveSession[]>}
 * @throws Refused, or what fetch throws
 */
export async function* liveSessions(token, signal) {
	const answer = await fetch(`${API}/sessions`, { headers: headersOf(token, "text/event-stream"), signal });
	if (!answer.ok || !answer.body) throw await refusal(answer);
	for await (const { event, data } of messages(answer.body)) if (event === "sessions") yield JSON.parse(data).sessions;
}

/** The last request of a session, as its client sent it. @param {string} id @param {string} token @throws Refused */
export async function lastRequest(id, token) {
	const answer = await fetch(`${API}/sessions/${id}/request`, { headers: headersOf(token, "application/json") });
	if (!answer.ok) throw await refusal(answer);
	return answer.blob();
}
