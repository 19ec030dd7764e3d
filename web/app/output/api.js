// This file speaks with the server that the page came from, where it is one of Tamp: what it offers, and a compaction with its
// progress. Nothing here is called unless someone asks for it, and nothing goes anywhere else.

import { messages } from "./eventStream.js";

/** @typedef {import("../engine/types.js").PolicyPatch} PolicyPatch */

/**
 * What the server says of itself.
 * @typedef {object} About
 * @property {string} version
 * @property {{provider: string, model?: string}} summarizer
 * @property {boolean} token callers have to show one
 * @property {boolean} store originals are kept there; else they come back
 * @property {boolean} key it has a key for its provider; else callers bring theirs
 */

/** @typedef {{conversation: string, preset: string, policy: PolicyPatch, force: boolean, focus?: string}} Wish */
/** @typedef {{token: string, key: string}} Secrets "" where there is none */

/**
 * What the server tells while it works.
 * @typedef {{event: "plan", round: number, plan: {regions: object[], requests: {id: string, span: {start: number, end: number}, level: number}[]}}
 *   | {event: "saved", round: number, bytes: number, stored: boolean, refs: string[]}
 *   | {event: "summary", round: number, id: string, done: number, of: number, tokens: number, cached: boolean, text: string, error?: string}
 *   | {event: "done"}} Told
 */

/** Why a compaction ended without an answer. `code` is the server's own, or "bad_secret", "unreachable", "broken_off", "unknown". */
export class Refused extends Error {
	/** @param {string} code @param {string} message @param {number} [wait] seconds after which to try again */
	constructor(code, message, wait = 0) {
		super(message);
		this.code = code;
		this.wait = wait;
	}
}

const API = new URL("../../v1", import.meta.url);
const PATIENCE = 5000; // ms: a server that takes longer only to say what it is would not be fun to work with

/** @returns {Promise<About | null>} null where the page lies on a static host */
export async function about() {
	try {
		const answer = await fetch(API, { headers: { accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE) });
		if (!answer.ok || !answer.headers.get("content-type")?.startsWith("application/json")) return null;
		const said = await answer.json();
		return said.name === "tamp" && typeof said.summarizer?.provider === "string" ? said : null;
	} catch {
		return null;
	}
}

/**
 * Has the server compact a conversation, and tells what it tells. Ends after "done"; else throws Refused, or what the signal's
 * abort brings.
 * @param {Wish} wish
 * @param {Secrets} secrets
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Told>}
 */
export async function* compact(wish, { token, key }, signal) {
	const headers = new Headers({ accept: "text/event-stream", "content-type": "application/json" });
	try {
		if (token) headers.set("authorization", `Bearer ${token}`);
		if (key) headers.set("x-api-key", key);
	} catch {
		throw new Refused("bad_secret", "a header cannot carry it");
	}
	const answer = await fetch(`${API}/compact`, { method: "POST", headers, body: JSON.stringify(wish), signal }).catch(() => {
		signal.throwIfAborted();
		throw new Refused("unreachable", "no answer came");
	});
	if (!answer.ok || !answer.body) throw await refusal(answer);
	try {
		for await (const { event, data } of messages(answer.body)) {
			// Its data is the whole answer again; the page makes the same one of the summaries.
			if (event === "done") return yield { event };
			const said = JSON.parse(data);
			if (event === "error") throw new Refused(said.error.code, said.error.message);
			yield /** @type {Told} */ ({ event, ...said });
		}
	} catch (cause) {
		signal.throwIfAborted();
		throw cause instanceof Refused ? cause : new Refused("broken_off", String(cause));
	}
	throw new Refused("broken_off", "the answer ended before it was complete");
}

/** @param {Response} answer */
async function refusal(answer) {
	const wait = Number(answer.headers.get("retry-after")) || 0;
	const said = await answer.json().catch(() => null);
	return new Refused(said?.error?.code ?? "unknown", said?.error?.message ?? `the server answered ${answer.status}`, wait);
}
