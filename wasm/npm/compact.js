// This file has the loop around an engine: plan, save, summarize, apply, until nothing is left to do. It contains no
// rules about conversations, only the host's contract: the archive is saved before the outcome is used, and every
// request gets a result, which may be an error.

import { reason, TampError } from "./error.js";
import { digestOf, elementsOf, split, written } from "./marks.js";
import { checkInput, isBytes } from "./methods.js";

/** @typedef {import("./index.js").Engine} Engine */
/** @typedef {import("./index.js").AsyncEngine} AsyncEngine */
/** @typedef {import("./index.js").Host} Host */
/** @typedef {import("./index.js").Input} Input */
/** @typedef {import("./index.js").Outcome} Outcome */
/** @typedef {import("./index.js").Plan} Plan */
/** @typedef {import("./index.js").Progress} Progress */
/** @typedef {import("./index.js").SummaryResult} SummaryResult */

/** Default of Host.concurrency: rate limits of small provider accounts allow this many. */
const CONCURRENCY = 4;

/** HTTP statuses from 400 to 499 of temporary failures: a timeout, a conflict, too early, a rate limit. */
const TEMPORARY = new Set([408, 409, 425, 429]);

/**
 * A string in JSON that begins with a label of a summary, or is a placeholder of a cleared result; core/internal/marker
 * writes them. "[Old tool result content cleared]" is not among them, since agents write it, too.
 */
const COMPACTED = new RegExp(
	`"\\[(${[
		"compacted summary of turns \\d+-\\d+[;\\]]",
		"Summary of the earlier (conversation|\\d+ messages), as history",
		"Conversation compressed\\. Transcript: ",
		"Compressed\\]\\\\n",
		'Previous: used [^"\\]]+\\]"',
		'cleared to save context\\]"',
	].join("|")})`,
);

const WITHOUT_STATE = {
	code: "state_missing",
	message:
		"the conversation was compacted before, and no state was given: its summaries are summarized again as if they were " +
		"messages. Give the state of the last outcome, or use compactor(), which keeps it",
};

const AGAIN = {
	code: "compacted_again",
	message:
		"the conversation goes on from one that was compacted before, and its outcome is not in it: a loop that sends its " +
		"whole history each time compacts all of it again. Go on with the outcome's conversation and state, or use " +
		"compactor(), which recognizes the history",
};

/** Conversations that compact has changed, of each engine, the newest last: their length, digest and policy. */
const REMEMBERED = 16;
/** @type {WeakMap<object, { length: number, digest: string, by: string }[]>} */
const compacted = new WeakMap();

/** @param {import("./index.js").Warning} warning */
const print = ({ message }) => console.warn(`tamp: ${message}`);

/** A conversation as JSON. @param {unknown} conversation */
function textOf(conversation) {
	if (typeof conversation === "string") return conversation;
	if (isBytes(conversation)) {
		return new TextDecoder().decode(/** @type {ArrayBuffer} */ (conversation));
	}
	return written(conversation);
}

/**
 * The messages of a conversation, as JSON without breakpoints; undefined for a log, and where the runtime has no digests
 * (pages without TLS).
 * @param {unknown} conversation
 */
function messagesOf(conversation) {
	if (!globalThis.crypto?.subtle) return undefined;
	try {
		const isText = typeof conversation === "string" || isBytes(conversation);
		const history = isText ? JSON.parse(textOf(conversation)) : conversation;
		return elementsOf(history, split(history).list).map(({ key }) => key);
	} catch {
		return undefined;
	}
}

/** @param {string[]} keys @param {number} length of the beginning */
const digestOfFirst = (keys, length) => digestOf("", keys.slice(0, length).join("\n"));

/**
 * Reports whether a conversation goes on from one of those. An identical conversation does not count: a program may
 * compare presets on it.
 * @param {string[]} keys
 * @param {string} by its preset and policy: with others it is compared, not compacted again
 * @param {{ length: number, digest: string, by: string }[]} forms
 */
async function goesOnFromOne(keys, by, forms) {
	for (const { length, digest, by: other } of forms) {
		if (other === by && length < keys.length && (await digestOfFirst(keys, length)) === digest) return true;
	}
	return false;
}

/**
 * Throws if an argument is no engine: it was forgotten, or is still loading.
 * @param {string} what
 * @param {string} path
 * @param {any} engine
 */
export function checkEngine(what, path, engine) {
	if (typeof engine?.plan === "function") return;
	const got = typeof engine?.then === "function" ? "a promise" : "something else";
	throw new TampError("bad_request", path, `cannot ${what}: want an engine, await load(), got ${got}`);
}

/**
 * Throws if a host does not say what becomes of the originals.
 * @param {string} what
 * @param {any} save
 */
export function checkSave(what, save) {
	if (typeof save === "function" || save === "discard") return;
	throw new TampError(
		"bad_request",
		"/save",
		`cannot ${what}: save gets the originals that are removed; to lose them, set save: "discard"`,
	);
}

/**
 * @param {Engine | AsyncEngine} engine
 * @param {Input} input
 * @param {Host} host
 * @returns {Promise<Outcome>}
 */
export async function compact(engine, input, host) {
	checkEngine("compact, as compact(engine, { conversation }, { save })", "", engine);
	checkSave("compact", host?.save);
	const seen = compacted.get(engine) ?? [];
	const keys = messagesOf(input?.conversation);
	const by = written([input?.preset, input?.policy]);
	if (keys && (await goesOnFromOne(keys, by, seen))) (host.onWarning ?? print)(AGAIN);
	const outcome = await run(engine, input, host);
	if (keys && outcome.after !== outcome.before) {
		const form = { length: keys.length, digest: await digestOfFirst(keys, keys.length), by };
		compacted.set(engine, [...seen, form].slice(-REMEMBERED));
	}
	return outcome;
}

/**
 * The loop of compact, without a memory of the conversations before.
 * @param {Engine | AsyncEngine} engine
 * @param {Input} input
 * @param {Host & { quality?: boolean }} host quality: false leaves out the quality of several rounds
 * @returns {Promise<Outcome>}
 */
export async function run(engine, input, host) {
	const { save, summarize, concurrency = CONCURRENCY, onProgress, onWarning = print } = host;
	const signal = host.signal ?? new AbortController().signal;
	if (!Number.isInteger(concurrency) || concurrency < 1) {
		throw new TampError("bad_request", "", "cannot compact: concurrency must be a whole number of at least 1");
	}
	signal.throwIfAborted();
	checkInput("compact", input);
	const whole = await repaired(engine, input, onWarning);
	if (whole.originals && save !== "discard") {
		await save(whole.originals);
		signal.throwIfAborted();
	}
	input = whole.input;
	if (!summarize) input = { ...input, extractive: true };
	/** @type {Plan | undefined} */
	let plan = await engine.plan(input);
	if (!input.state && COMPACTED.test(textOf(input.conversation))) onWarning(WITHOUT_STATE);
	const original = input;
	/** @type {Outcome | undefined} */
	let done;
	let rounds = 0;
	while (plan) {
		const round = ++rounds;
		signal.throwIfAborted();
		onProgress?.({ type: "plan", round, plan });
		if (save !== "discard" && plan.archive.length > 0) {
			const jsonl = await engine.archive({ ...input, plan });
			await save(jsonl);
			signal.throwIfAborted();
			onProgress?.({ type: "saved", round, bytes: new TextEncoder().encode(jsonl).length });
		}
		const { requests } = plan;
		let answered = 0;
		/** @param {SummaryResult} result */
		const note = (result) => onProgress?.({ type: "summary", round, result, done: ++answered, of: requests.length });
		/** @type {SummaryResult[]} */
		let results = [];
		if (summarize) {
			results = await answerAll(plan, summarize, concurrency, signal, note);
		} else if (requests.length > 0) {
			results = await engine.summarize({ ...input, plan });
			results.forEach(note);
		}
		signal.throwIfAborted();
		/** @type {Outcome} */
		const { next, ...outcome } = await engine.apply({
			...input,
			plan,
			results,
			...(done ? { fates: done.fates } : {}),
		});
		const warnings = [...(done?.warnings ?? []), ...(outcome.warnings ?? [])];
		done = done
			? { ...done, ...outcome, before: done.before, actions: [...done.actions, ...outcome.actions] }
			: outcome;
		if (warnings.length > 0) done.warnings = warnings;
		outcome.warnings?.forEach(onWarning);
		// The usage of the last response is for the conversation before compaction.
		const { usage: _, ...rest } = input;
		input = { ...rest, conversation: outcome.conversation, state: outcome.state };
		plan = next;
	}
	const outcome = /** @type {Outcome} */ (done);
	if (rounds > 1 && outcome.quality && host.quality !== false) {
		outcome.quality = await engine.quality(original, input); // of all rounds
	}
	onProgress?.({ type: "done", outcome });
	return outcome;
}

/** The rule about the window of a model, which compaction is for. */
const OVER_WINDOW = "R5_context";

/** @param {import("./index.js").Problem[]} problems */
const errorsIn = (problems) => problems.filter(({ severity, rule }) => severity === "error" && rule !== OVER_WINDOW);

/**
 * The places and rules of some problems, as text.
 * @param {import("./index.js").Problem[]} problems
 */
const listed = (problems) =>
	`${problems
		.slice(0, 3)
		.map(({ rule, path, message }) => `${message} (${rule} at ${path})`)
		.join(" ")}${problems.length > 3 ? ` And ${problems.length - 3} more.` : ""}`;

/**
 * Warns if the provider would refuse a conversation.
 * @param {import("./index.js").Problem[]} problems
 * @param {(warning: import("./index.js").Warning) => void} onWarning
 */
function warnBroken(problems, onWarning) {
	if (problems.length > 0) {
		onWarning({
			code: "conversation_broken",
			message: `the conversation stays broken, and the provider would refuse it. ${listed(problems)}`,
		});
	}
}

/**
 * Warns if the provider would refuse a conversation as it is.
 * @param {Engine | AsyncEngine} engine
 * @param {Input} input
 * @param {((warning: import("./index.js").Warning) => void) | undefined} onWarning
 */
export async function warnIfBroken(engine, { conversation, format }, onWarning = print) {
	const { problems } = await engine.check({ conversation, ...(format ? { format } : {}) });
	warnBroken(errorsIn(problems), onWarning);
}

/**
 * The input with its conversation repaired if the provider would refuse it, with a warning: a compaction must not hand on
 * what ends the session. What the host chose are positions, which a repair would move: then it stays as it is.
 * @param {Engine | AsyncEngine} engine
 * @param {Input} input
 * @param {(warning: import("./index.js").Warning) => void} onWarning
 * @returns {Promise<{ input: Input, originals?: string | undefined }>} originals: what the repair removed or changed
 */
async function repaired(engine, input, onWarning) {
	const { conversation, format } = input;
	if (conversation === undefined) return { input }; // the plan says what is wrong
	const one = { conversation, ...(format ? { format } : {}) };
	const report = await engine.check(one);
	const found = errorsIn(report.problems);
	if (found.length === 0) return { input };
	if ([input.keep, input.drop, input.summarize].some((list) => (list?.length ?? 0) > 0)) {
		warnBroken(found, onWarning);
		return { input };
	}
	const { conversation: whole, problems, left, originals } = await engine.repair(one);
	const done = errorsIn(problems);
	if (done.length > 0) {
		onWarning({
			code: "conversation_repaired",
			message: `the conversation was broken, and is repaired: the provider would have refused it. ${listed(done)}`,
		});
	}
	warnBroken(errorsIn(left), onWarning);
	return done.length > 0 ? { input: { ...input, conversation: whole }, originals } : { input };
}

/**
 * Answers the requests of a plan in their order, `concurrency` at a time. A temporary failure of summarize becomes an
 * answer; an abort ends all of it at once, even if summarize ignores the signal.
 * @param {Plan} plan
 * @param {NonNullable<Host["summarize"]>} summarize
 * @param {number} concurrency
 * @param {AbortSignal} signal
 * @param {(result: SummaryResult) => void} note
 * @returns {Promise<SummaryResult[]>}
 */
async function answerAll({ requests }, summarize, concurrency, signal, note) {
	/** @type {SummaryResult[]} */
	const results = [];
	let next = 0,
		ended = false;
	const work = async () => {
		while (next < requests.length && !signal.aborted) {
			const at = next++;
			const request = /** @type {Plan["requests"][number]} */ (requests[at]);
			const result = await answer(request, summarize, signal);
			if (signal.aborted || ended) return;
			results[at] = result;
			note(result);
		}
	};
	/** @type {() => void} */
	let stop = () => {};
	const aborted = new Promise((_, reject) => {
		stop = () => reject(signal.reason);
		signal.addEventListener("abort", stop, { once: true });
	});
	try {
		await Promise.race([aborted, Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, work))]);
	} catch (thrown) {
		next = requests.length; // send no further requests
		ended = true;
		throw thrown;
	} finally {
		signal.removeEventListener("abort", stop);
	}
	return results;
}

/**
 * @param {Plan["requests"][number]} request
 * @param {NonNullable<Host["summarize"]>} summarize
 * @param {AbortSignal} signal
 * @returns {Promise<SummaryResult>}
 */
async function answer(request, summarize, signal) {
	try {
		const text = await summarize(request, signal);
		if (typeof text === "string") return { id: request.id, text };
		throw new TampError("bad_request", "", `cannot compact: want a string from summarize, got ${kindOf(text)}`);
	} catch (thrown) {
		if (isPermanent(thrown) || isMistake(thrown)) throw thrown;
		if (isBadHeader(thrown)) {
			// the message of the JavaScript engine quotes the value, which may be a key
			throw new TampError(
				"bad_request",
				"",
				"cannot compact: summarize cannot send its request: a header, such as its key, has a character that no header may have",
			);
		}
		return { id: request.id, err: reason(thrown) || "the call failed" };
	}
}

/**
 * Reports a failure that the same request would have again: an HTTP status for a wrong key, an unknown model or a
 * refused request, as `status` (the vendors' clients) or `statusCode` (the AI SDK), or an error of this package.
 * @param {unknown} thrown
 */
function isPermanent(thrown) {
	for (const error of causes(thrown)) {
		const status = error.status ?? error.statusCode;
		if (error instanceof TampError || error.code === "insufficient_quota") return true;
		if (Number.isInteger(status) && status >= 300) return status < 500 && !TEMPORARY.has(status);
	}
	return false;
}

/** @param {unknown} value */
function kindOf(value) {
	if (value === null || value === undefined) return String(value);
	return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}

/**
 * Reports a mistake in the code of summarize: each call would fail. The TypeError with which fetch reports a broken
 * connection is none: it has a cause or a code, or one of these messages.
 * @param {any} thrown
 */
function isMistake(thrown) {
	const { name, message, cause, code } = thrown ?? {};
	if (name !== "TypeError" && name !== "ReferenceError") return false;
	const ofFetch = /fetch|network|connect|load failed|sending request|terminated|aborted/i;
	return cause === undefined && code === undefined && !isBadHeader(thrown) && !ofFetch.test(message ?? "");
}

/** Reports the error of a header that cannot be sent. @param {unknown} thrown */
function isBadHeader(thrown) {
	return causes(thrown).some(
		({ name, code, message }) =>
			name === "TypeError" && (code === "ERR_INVALID_CHAR" || /header|ByteString|ISO-8859-1/i.test(message)),
	);
}

/**
 * An error and its causes, at most five in all; the AI SDK's cause after retries is lastError.
 * @param {any} thrown
 * @returns {any[]}
 */
function causes(thrown) {
	const list = [];
	let error = thrown;
	while (typeof error === "object" && error !== null && list.length < 5) {
		list.push(error);
		error = error.lastError ?? error.cause;
	}
	return list;
}
