// This file calls the Tamp server that served the page: its capabilities, and a compaction with progress. Nothing is
// sent unless the user asks for it, and only to this origin.

import { ROOT } from "../root.js";
import { messages } from "./eventStream.js";

/** @import { PolicyPatch } from "../engine/types.js" */

/**
 * The capabilities of the server.
 * @typedef {object} About
 * @property {string} version
 * @property {{provider: string, model?: string}} summarizer
 * @property {boolean} token callers must send a token
 * @property {boolean} store originals are stored there; else they are returned
 * @property {boolean} key it has a key for its provider; else callers send theirs
 */

/**
 * @typedef {{conversation: string, preset: string, policy: PolicyPatch, force: boolean, focus?: string, thinking?:
 *   string}} CompactRequest
 */
/** @typedef {{token: string, key: string}} Secrets "" for none */

/**
 * The events that the server sends while it works.
 * @typedef {{event: "plan", round: number, plan: {regions: object[], requests: {id: string, span: {start: number, end:
 *   number}, level: number}[]}}
 *   | {event: "saved", round: number, bytes: number, stored: boolean, refs: string[]}
 *   | {event: "summary", round: number, id: string, done: number, of: number, tokens: number, cached: boolean, text:
 * string, error?: string}   | {event: "done"}} ServerEvent
 */

/**
 * A compaction that ended without an answer. `code` is that of the server, or "bad_secret", "unreachable",
 * "broken_off", "unknown".
 */
export class Refused extends Error {
	/** @param {string} code @param {string} message @param {number} [wait] seconds after which to try again */
	constructor(code, message, wait = 0) {
		super(message);
		this.code = code;
		this.wait = wait;
	}
}

export const API = new URL("v1", ROOT);
const ABOUT_TIMEOUT = 5000; // ms: a slower server is treated as absent

/** @returns {Promise<About | null>} null on a static host */
export async function about() {
	try {
		const answer = await fetch(API, {
			headers: { accept: "application/json" },
			signal: AbortSignal.timeout(ABOUT_TIMEOUT),
		});
		if (!answer.ok || !answer.headers.get("content-type")?.startsWith("application/json")) return null;
		const said = await answer.json();
		return said.name === "tamp" && typeof said.summarizer?.provider === "string" ? said : null;
	} catch {
		return null;
	}
}

/**
 * Sends a conversation to the server and yields its events. Ends after "done"; otherwise throws Refused, or the reason
 * of the aborted signal.
 * @param {CompactRequest} request
 * @param {Secrets} secrets
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<ServerEvent>}
 */
export async function* compact(request, { token, key }, signal) {
	const headers = new Headers({ accept: "text/event-stream", "content-type": "application/json" });
	try {
		if (token) headers.set("authorization", `Bearer ${token}`);
		if (key) headers.set("x-api-key", key);
	} catch {
		throw new Refused("bad_secret", "it has characters that a header cannot hold");
	}
	const answer = await fetch(`${API}/compact`, {
		method: "POST",
		headers,
		body: JSON.stringify(request),
		signal,
	}).catch(() => {
		signal.throwIfAborted();
		throw new Refused("unreachable", "no answer was received");
	});
	if (!answer.ok || !answer.body) throw await refusal(answer);
	try {
		for await (const { event, data } of messages(answer.body)) {
			// Its data is the whole answer, which the page computes from the summaries itself.
			if (event === "done") return yield { event };
			const said = JSON.parse(data);
			if (event === "error") throw new Refused(said.error.code, said.error.message);
			yield/** @type {ServerEvent} */ ({ event, ...said });
		}
	} catch (cause) {
		signal.throwIfAborted();
		throw cause instanceof Refused ? cause : new Refused("broken_off", String(cause));
	}
	throw new Refused("broken_off", "the answer ended before it was complete");
}

/** @param {Response} answer of a server that refused */
export async function refusal(answer) {
	const wait = Number(answer.headers.get("retry-after")) || 0;
	const said = await answer.json().catch(() => null);
	return new Refused(
		said?.error?.code ?? "unknown",
		said?.error?.message ?? `the server answered ${answer.status}`,
		wait,
	);
}
