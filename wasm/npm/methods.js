// This file has the table of the engine's methods: for each, the request that it sends and how its answer is decoded.
// Both engines, the synchronous one and the one in a worker, are made from this table.

import { reason, TampError } from "./error.js";
import { refusedIn, Held } from "./held.js";

/** @typedef {import("./instance.js").Answer} Answer */
/** @typedef {import("./index.js").Input} Input */
/**
 * @typedef {{ op: string, header: Uint8Array, body: string | Uint8Array | null, decode: (answer: Answer) => any,
 *   progress?: import("./instance.js").OnProgress }} Call
 */

const encoder = globalThis.TextEncoder && new TextEncoder(); // some runtimes without WebAssembly have none (refused.js)

/** The maximum size of an input, in bytes; equal to MaxBytes in core/msg. */
const MAX_BYTES = 256 * 2 ** 20;
const LIMIT = `at most ${MAX_BYTES} bytes (256 MiB) are accepted`;
const strict = globalThis.TextDecoder && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * In the worker's engine the options of a call are the argument after the parameters that are named here.
 * @type {Record<string, (...args: any[]) => Call>}
 */
export const methods = {
	detect: (input) => ofConversation("detect", input, json),
	count: (input) => ofConversation("count", input, json),
	check: (input) => ofConversation("check", input, json),
	repair: (input) => ofConversation("repair", input, withConversation(input)),
	convert: (input) => {
		const held = new Held(undefined, !String(input?.to).startsWith("ai-sdk"));
		return ofConversation("convert", input, withConversation(input), held);
	},
	inspect: (input) => ofConversation("inspect", input, json),
	plan: (input) => ofConversation("plan", input, json),
	apply: (input) => ofConversation("apply", input, withConversation(input)),
	archive: (input) => ofConversation("archive", input, archived),
	summarize: (input) => ofConversation("summarize", input, json),
	anchors: (input) => ofConversation("anchors", input, withConversation(input)),
	assemble: (parts) =>
		parts && parts.conversation === undefined
			? { ...withoutInput("assemble"), header: headerOf(parts) }
			: ofConversation("assemble", parts, withConversation(parts)),
	observe: (state, usage, idleSec) => ({ ...withoutInput("observe"), header: headerOf({ state, usage, idleSec }) }),
	tools: (format) => ({ ...withoutInput("tools"), header: headerOf({ format }) }),
	recall: (originals, query) => ({
		...withoutInput("recall"),
		header: headerOf({ ...query, originals: (Array.isArray(originals) ? originals : [originals]).map(originalText) }),
	}),
	checkAppend: (previous, next) => comparison("checkAppend", previous, next),
	quality: (original, compacted, options) =>
		comparison("quality", original, compacted, { statements: options?.statements }),
	questions: (original, compacted, questions) => comparison("questions", original, compacted, { questions }),
	gradeAnswers: (questions, answers) => ({ ...withoutInput("gradeAnswers"), header: headerOf({ questions, answers }) }),
	scoreAnswers: (answers, grades) => ({ ...withoutInput("scoreAnswers"), header: headerOf({ answers, grades }) }),
	replay: (input, progress) => ({ ...ofConversation("replay", input, json), progress }),
	audit: (input, progress) => ({ ...ofConversation("audit", input, json), progress }),
	usage: (input, progress) => ({ ...ofConversation("usage", input, json), progress }),
	resent: (input, progress) => ({ ...ofConversation("resent", input, json), progress }),
	lost: (input) => ofConversation("lost", input, json),
	replayAt: (input) => ofConversation("replayAt", input, withConversation(input)),
	verdict: (reports) => ({
		...withoutInput("verdict"),
		header: headerOf({ reports: Array.isArray(reports) ? reports.map(withoutCalls) : reports }),
	}),
	countText: (given, counter) => ofText("countText", "count text", given, counter),
	tokens: (given, counter) => ofText("tokens", "split text into tokens", given, counter),
	presets: () => withoutInput("presets"),
	models: () => withoutInput("models"),
	loadVocabulary: (name, bytes) => ({
		op: "loadVocabulary",
		header: headerOf({ name }),
		body: bytesOf(bytes, "load a vocabulary: want its bytes"),
		decode: (answer) => void json(answer),
	}),
};

/**
 * The requests of a session: the one that opens it, and one for each method, with the options of a call after the
 * parameters that are named here.
 * @param {{ readonly session: number }} handle the engine's number of the session, never used twice. Every method
 * refers to the handle, so it is garbage collected when no method can be called any more
 * @param {Input} input
 * @returns {{ open: Call, methods: Record<string, (...args: any[]) => Call> }}
 */
export function sessionMethods(handle, input) {
	if (input) checkInput("open a session", input);
	const held = new Held(`tamp-held-${crypto.randomUUID()}-`); // of every message of the session
	const rendered = (/** @type {Answer} */ answer) => withConversation(input)(answer, held, "");
	/**
	 * @param {string} op
	 * @param {object} rest
	 * @param {(answer: Answer) => any} decode
	 * @param {unknown} [messages]
	 * @returns {Call}
	 */
	const send = (op, rest, decode, messages) => ({
		op: `session.${op}`,
		header: headerOf({ ...withoutPrompts(rest), ...handle }),
		body: bodyOf(messages, held),
		decode,
	});
	return {
		open: ofConversation("session.open", /** @type {any} */ (input && { ...input, ...handle }), json, held),
		methods: {
			append: (messages) => send("append", {}, json, messages),
			turn: (messages, options) => send("turn", options ?? {}, json, messages),
			count: () => send("count", {}, json),
			plan: (options) => send("plan", options ?? {}, json),
			apply: (plan, results) => send("apply", { plan, results }, rendered),
			archive: (plan) => send("archive", { plan }, (answer) => archived(answer, held)),
			summarize: (plan, ids) => send("summarize", { plan, ids }, json),
			observe: (usage, idleSec) => send("observe", { usage, idleSec }, json),
			conversation: () => send("conversation", {}, (answer) => rendered(answer).conversation),
			close: () => closeSession(handle.session),
		},
	};
}

/**
 * @param {number} session
 * @returns {Call}
 */
export function closeSession(session) {
	return { op: "session.close", header: headerOf({ session }), body: null, decode: (answer) => void json(answer) };
}

/**
 * Throws if a call is over the size limit, before it is copied into the engine's memory, which never shrinks.
 * @param {Call} call
 * @returns {Call} the same
 */
export function checkSize(call) {
	for (const part of [call.header, call.body]) {
		refuseLarge(call.op, typeof part === "string" ? sizeOf(part) : (part?.length ?? 0));
	}
	return call;
}

/**
 * @param {string} op
 * @param {number} size in bytes
 */
function refuseLarge(op, size) {
	if (size > MAX_BYTES) throw new TampError("too_large", "", `cannot ${op}: the input is ${size} bytes, ${LIMIT}`);
}

/** The size of a text in UTF-8, in bytes; an upper bound if that is within the limit. @param {string} given */
function sizeOf(given) {
	if (3 * given.length <= MAX_BYTES) return 3 * given.length;
	let size = 0;
	const piece = new Uint8Array(3 << 16);
	for (let at = 0, end; at < given.length; at = end) {
		end = Math.min(at + (1 << 16), given.length);
		if (end < given.length && (given.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--; // do not split a surrogate pair
		size += encoder.encodeInto(given.slice(at, end), piece).written;
	}
	return size;
}

/** The request for the engine's version, sent once at start-up. */
export const version = () => withoutInput("version");

/**
 * @param {string} op
 * @returns {Call}
 */
function withoutInput(op) {
	return { op, header: headerOf({}), body: null, decode: json };
}

/**
 * @param {string} op
 * @param {Input} input
 * @param {(answer: Answer, held: Held, op: string) => any} decode
 * @param {Held} [held]
 * @returns {Call}
 */
function ofConversation(op, input, decode, held = new Held()) {
	checkInput(op, input);
	const { conversation, ...rest } = input;
	const header = headerOf(withoutPrompts(rest));
	if (conversation === undefined) stringify(conversation, "the conversation", "bad_json"); // throws with the reason
	return { op, header, body: bodyOf(conversation, held), decode: (answer) => decode(answer, held, op) };
}

/** Members of request bodies that have the messages; an object with one of them is a conversation. */
export const LISTS = ["messages", "input", "contents"];

/**
 * Throws if an input is no object, or the conversation itself: a list of messages, bytes, or a request body.
 * @param {string} op
 * @param {any} input
 */
export function checkInput(op, input) {
	if (typeof input !== "object" || input === null) {
		throw new TampError(
			"bad_request",
			"",
			`cannot ${op}: want an object with a conversation, got ${input === null ? "null" : typeof input}`,
		);
	}
	if (input.conversation !== undefined) return;
	const name = LISTS.find((name) => input[name] !== undefined);
	const given = Array.isArray(input) || isBytes(input) ? "a conversation" : name && `{ ${name} }`;
	if (!given) return;
	throw new TampError(
		"bad_request",
		"",
		`cannot ${op}: want { conversation: … }, got ${given}: put it into { conversation }`,
	);
}

/**
 * A conversation or messages as JSON, as a string or as bytes; null if absent.
 * @param {unknown} given
 * @param {Held} held
 */
function bodyOf(given, held) {
	if (given === undefined) return null;
	if (isBytes(given)) return bytesOf(given, "");
	if (typeof given === "string") return escapeLoneSurrogates(given);
	return stringify(given, "the conversation", "bad_json", (value) => held.write(value) ?? JSON.stringify(value));
}

/**
 * @param {string} op
 * @param {string} what
 * @param {unknown} given
 * @param {string} counter
 * @returns {Call}
 */
function ofText(op, what, given, counter) {
	const body = typeof given === "string" ? given : bytesOf(given, `${what}: want a string or bytes`);
	return { op, header: headerOf({ counter }), body, decode: json };
}

/**
 * The prompts of a plan are for the host's model, and as long as the conversation. The engine needs those that a model
 * has answered, to recognize an answer that repeats them; the others are not sent. An invalid plan is sent unchanged;
 * the engine refuses it.
 * @param {any} input
 */
function withoutPrompts(input) {
	if (!Array.isArray(input.plan?.requests)) return input;
	const isAnswered = (/** @type {any} */ { id }) =>
		!input.extractive &&
		Array.isArray(input.results) &&
		input.results.some((/** @type {any} */ r) => r?.id === id && r.text);
	const requests = input.plan.requests.map((/** @type {any} */ r) =>
		r && typeof r === "object" && !isAnswered(r) ? { ...r, system: "", user: "" } : r,
	);
	return { ...input, plan: { ...input.plan, requests } };
}

/** The verdict needs the totals only. @param {any} report */
function withoutCalls(report) {
	return report && typeof report === "object" ? { ...report, calls: undefined } : report;
}

/**
 * A request about two conversations: the earlier one is in the header, as text or as JSON.
 * @param {string} op
 * @param {Input} previous
 * @param {Input} input
 * @param {object} [rest] further members of the request
 */
function comparison(op, previous, input, rest) {
	const { body } = ofConversation(op, previous, json); // throws the same errors as for any input
	if (input) checkInput(op, input);
	const asText = typeof previous.conversation === "string" || isBytes(previous.conversation);
	const marked = typeof body === "string" && body.includes("tamp-held-");
	const parsed = marked && !asText ? JSON.parse(/** @type {string} */ (body)) : previous.conversation;
	const earlier = !asText ? parsed : typeof body === "string" ? body : text(body);
	// Only these members are sent, so that an outcome may be given as an input.
	const both = {
		...rest,
		conversation: input?.conversation,
		format: input?.format ?? previous.format,
		previous: earlier,
	};
	return ofConversation(op, /** @type {any} */ (both), json);
}

/** @param {object} rest */
function headerOf(rest) {
	const written = stringify(rest, "the input", "bad_request");
	refuseLarge("read the input", written.length);
	return encoder.encode(written);
}

/**
 * @param {unknown} value
 * @param {string} what
 * @param {"bad_json" | "bad_request" | "too_large"} code
 * @param {(value: unknown) => string | undefined} [write]
 */
export function stringify(value, what, code, write = JSON.stringify) {
	let written;
	try {
		written = write(value);
	} catch (thrown) {
		// The JSON is longer than a string may be, or nested too deeply for the stack, which is an InternalError in
		// Firefox.
		const name = thrown instanceof Error ? thrown.name : "";
		if (name === "RangeError" || name === "InternalError") code = "too_large";
		const tooLong = code === "too_large" && !/stack|recursion/i.test(String(thrown));
		const why = tooLong ? `it is longer than a string may be; ${LIMIT}` : reason(thrown);
		const place = name === "TypeError" ? refusedIn(value) : "";
		const isCycle = place !== "" && !/BigInt/.test(String(thrown));
		throw new TampError(code, place, `cannot write ${what} as JSON: ${isCycle ? "an object is inside itself" : why}`);
	}
	if (written === undefined) throw new TampError(code, "", `cannot write ${what} as JSON: it is ${typeof value}`);
	return written;
}

/**
 * A JavaScript string may contain a lone surrogate; UTF-8 cannot, and an encoder would silently replace it by U+FFFD.
 * In valid JSON it can only be inside a string, where \udXXX means the same. One after a backslash is invalid JSON in
 * both forms, so it is not changed, and the engine refuses it.
 * @param {string} given
 */
function escapeLoneSurrogates(given) {
	if (given.length > MAX_BYTES || given.isWellFormed?.()) return given; // checkSize refuses a text over MAX_BYTES
	return given.replace(/\\.|\p{Surrogate}/gsu, (found) =>
		found.length === 1 ? `\\u${found.charCodeAt(0).toString(16)}` : found,
	);
}

/** @param {unknown} value */
export function isBytes(value) {
	return ArrayBuffer.isView(value) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

/**
 * A Uint8Array of this realm over the same memory.
 * @param {any} value
 * @param {string} wanted text of the error
 */
function bytesOf(value, wanted) {
	if (!isBytes(value))
		throw new TampError("bad_request", "", `cannot ${wanted}, got ${value === null ? "null" : typeof value}`);
	try {
		return ArrayBuffer.isView(value)
			? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
			: new Uint8Array(value);
	} catch {
		throw new TampError("bad_request", "", "cannot read the bytes: their memory was transferred");
	}
}

/** @param {Answer} answer */
function json(answer) {
	const result = JSON.parse(text(answer.header));
	if (result?.error) throw new TampError(result.error.code, result.error.path ?? "", result.error.message);
	return result;
}

/**
 * Decodes an answer with a conversation: as text if the input was text or bytes, else as parsed JSON.
 * @param {Input} input
 * @returns {(answer: Answer, held: Held, op: string) => any}
 */
function withConversation(input) {
	const asText = typeof input?.conversation === "string" || isBytes(input?.conversation);
	return (answer, held, op) => {
		const result = json(answer);
		const written = text(answer.body);
		if (op) held.require(op, written); // a session has changed already: its archive has the values as strings
		return { conversation: asText ? written : held.read(written), ...result };
	};
}

/** An archive is text; the header has only its error, if any. @param {Answer} answer @param {Held} held */
function archived(answer, held) {
	json(answer);
	return held.archived(text(answer.body));
}

/** A saved original, which a host may keep as bytes. @param {unknown} given */
function originalText(given) {
	return typeof given === "string" ? given : text(bytesOf(given, "recall: want originals as strings or bytes"));
}

/** @param {Uint8Array | null} bytes */
function text(bytes) {
	try {
		return strict.decode(bytes ?? new Uint8Array());
	} catch {
		throw new TampError("bad_json", "", "cannot return the conversation as text: it is not valid UTF-8");
	}
}
