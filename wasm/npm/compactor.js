// This file has the compactor: before each model call it takes the whole history and returns the messages to send. It
// recognizes a history by its content, whether that is the original one or begins with an earlier outcome, so what was
// compacted once stays as it is, and the prompt cache is read.
//
// Invariant: an outcome depends only on the checkpoint that it started from and on the messages after it. The open
// session is a cache: without it they are parsed again.

import { checkEngine, checkSave, run, warnIfBroken } from "./compact.js";
import { TampError } from "./error.js";
import { beginOf, digestOf, digestsOf, elementsOf, joined, messagesOf, restored, split } from "./marks.js";

/** @typedef {import("./index.js").Engine} Engine */
/** @typedef {import("./index.js").AsyncEngine} AsyncEngine */
/** @typedef {import("./index.js").CompactorOptions} CompactorOptions */
/** @typedef {import("./index.js").CompactorTurn} CompactorTurn */
/** A history of this length with this digest. @typedef {{ length: number, digest: string }} Form */
/**
 * What a compaction made of a history: forms are the beginnings of later histories, and keys the elements that replace
 * them.
 * @typedef {{ forms: Form[], keys: string[], state?: string }} Checkpoint
 */
/** Keys are the elements after the checkpoint. @typedef {{ session: any, at: Checkpoint, head: string, keys: string[] }} Open */

/**
 * The forms of a history that are recognized, most recently used: the original one, and that of a host which continues
 * with an earlier outcome, or sends a failed call again.
 */
const FORMS = 16;

/** Conversations that one compactor continues. An agent and its subagents share a client; few run at a time. */
const CHECKPOINTS = 16;

/** The options of a compactor: those of its host, and those of a request that all conversations have. */
const HOST = ["save", "summarize", "concurrency", "signal", "onProgress", "onWarning", "engine", "from"];
const SETTINGS = ["format", "counter", "preset", "policy", "thinking"];

/** Where a member of a policy is that is often given as an option. @type {Record<string, string>} */
const INSIDE = { window: "policy: { trigger: { window } }", model: "the body of the request", state: "from" };

/**
 * Throws for an option that does not exist: it would have no effect.
 * @param {object} options
 */
function checkOptions(options) {
	const known = [...HOST, ...SETTINGS];
	for (const [name, value] of Object.entries(options)) {
		if (value === undefined || known.includes(name)) continue;
		const near = known.map((other) => ({ other, far: distance(name.toLowerCase(), other.toLowerCase()) }));
		const best = near.sort((a, b) => a.far - b.far)[0];
		const hint = INSIDE[name]
			? `; it belongs into ${INSIDE[name]}`
			: best && best.far <= 2
				? `; did you mean ${best.other}?`
				: `; the options are ${known.join(", ")}`;
		throw new TampError("bad_request", `/${name}`, `cannot make a compactor: there is no option ${name}${hint}`);
	}
}

/**
 * Throws for an option of the host of the wrong type: the first compaction, which may be hours later, would throw.
 * @param {Record<string, any>} options
 */
function checkHost({ summarize, onProgress, onWarning, concurrency, signal }) {
	/** @param {string} name @param {string} want @param {unknown} got */
	const refuse = (name, want, got) => {
		throw new TampError(
			"bad_request",
			`/${name}`,
			`cannot make a compactor: ${name} must be ${want}, got ${typeof got}`,
		);
	};
	for (const [name, value] of Object.entries({ summarize, onProgress, onWarning })) {
		if ((value ?? undefined) !== undefined && typeof value !== "function") refuse(name, "a function", value);
	}
	if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0)) {
		refuse("concurrency", "a whole number of at least 1", concurrency);
	}
	if ((signal ?? undefined) !== undefined && typeof signal?.throwIfAborted !== "function")
		refuse("signal", "an AbortSignal", signal);
}

/** The number of letters to change, add or remove to make one word of another. @param {string} a @param {string} b */
function distance(a, b) {
	let row = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const change = /** @type {number} */ (row[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next[j] = Math.min(change, /** @type {number} */ (row[j]) + 1, /** @type {number} */ (next[j - 1]) + 1);
		}
		row = next;
	}
	return /** @type {number} */ (row[b.length]);
}

/** @param {string[]} list @param {string[]} start */
const beginsWith = (list, start) => start.length <= list.length && start.every((key, i) => key === list[i]);

/**
 * @param {() => Promise<Engine>} load
 * @param {CompactorOptions} options
 */
export async function compactor(load, options) {
	const { save, summarize, concurrency, signal, onProgress, onWarning, engine: given, from, ...input } = options ?? {};
	checkSave("make a compactor", save);
	checkOptions(options);
	checkHost(options);
	const engine = given ?? (await load());
	checkEngine("make a compactor", "/engine", engine);
	await engine.plan({ ...input, conversation: [] }); // throws for a preset or a policy that does not exist
	const host = {
		save,
		...(summarize ? { summarize } : {}),
		...(concurrency === undefined ? {} : { concurrency }),
		...(onProgress ? { onProgress } : {}),
		...(onWarning ? { onWarning } : {}),
	};
	/** @type {Checkpoint} */
	const start = { forms: [{ length: 0, digest: "" }], keys: [] };
	/** The most recently used is the last. */
	let checkpoints = from === undefined ? [] : read(from);
	/** @type {Open | undefined} */
	let open;
	let last = { keys: /** @type {string[]} */ ([]), digests: [""] };

	/** The checkpoint that covers the largest part of a history. @param {string[]} digests */
	function find(digests) {
		let best = { at: start, form: /** @type {Form} */ (start.forms[0]) };
		for (const at of checkpoints) {
			for (const form of at.forms) {
				if (digests[form.length] === form.digest && form.length >= best.form.length) best = { at, form };
			}
		}
		if (best.at !== start) checkpoints = [...checkpoints.filter((at) => at !== best.at), best.at];
		return best;
	}

	/**
	 * Reports whether a plan is due, from the open session if it has the beginning of the same history.
	 * @param {Checkpoint} at
	 * @param {string[]} keys of the messages after it
	 * @param {{ head: string, text: (keys: string[]) => string }} body
	 * @param {object} turn
	 */
	async function isDue(at, keys, { head, text }, turn) {
		const mine = open;
		open = undefined; // a call at the same time opens its own
		const fits = mine && mine.at === at && mine.head === head && beginsWith(keys, mine.keys);
		if (mine && !fits) await mine.session.close();
		const whole = fits ? "" : text([...at.keys, ...keys]);
		if (!fits) await warnIfBroken(engine, { ...input, conversation: whole }, onWarning);
		const session = fits ? mine.session : await engine.session({ ...input, ...stateOf(at), conversation: whole });
		try {
			const all = [...at.keys, ...keys];
			const begin = at.keys.length + (fits ? mine.keys.length : keys.length);
			// A UIMessage that has grown replaces the one in the session.
			const added = begin < all.length ? `[${joined(all.slice(beginOf(all, begin)))}]` : undefined;
			const { due } = await session.turn(added, turn);
			await close();
			open = { session, at, head, keys };
			return due;
		} catch (thrown) {
			await session.close();
			throw thrown;
		}
	}

	async function close() {
		const { session } = open ?? {};
		open = undefined;
		await session?.close();
	}

	/**
	 * The forms of a history after a compaction: those before, each with the messages that followed, and the outcome.
	 * @param {Checkpoint} at
	 * @param {Form} used
	 * @param {string[]} keys of the messages that followed
	 * @param {string[]} outcome
	 */
	async function formsAfter(at, used, keys, outcome) {
		/** @param {Form} form @param {string[]} list */
		const extended = async ({ length, digest }, list) => {
			for (const key of list) digest = await digestOf(digest, key);
			return { length: length + list.length, digest };
		};
		const before = [...at.forms.filter((form) => form !== used), used].slice(1 - FORMS);
		const forms = await Promise.all(before.map((form) => extended(form, keys)));
		return [...forms, await extended({ length: 0, digest: "" }, outcome)];
	}

	/** @param {any} history @param {CompactorTurn} [turn] */
	async function tamp(history, turn = {}) {
		const { signal: own, ...given } = turn;
		const options = host.summarize ? given : { ...given, extractive: true };
		const ends = own ?? signal;
		ends?.throwIfAborted();
		const { list, ...body } = split(history);
		const elements = elementsOf(history, list);
		const keys = elements.map(({ key }) => key);
		const digests = await digestsOf(keys, last);
		last = { keys, digests };
		const { at, form } = find(digests);
		const { length } = form;
		const after = keys.slice(length);
		if (!options.force && !(await isDue(at, after, body, options))) {
			const messages = [...restored(at.keys, elements.slice(0, length)), ...elements.slice(length)];
			return body.join(messagesOf(messages, list));
		}
		const { conversation, state, quality } = await run(
			engine,
			{ ...input, ...options, ...stateOf(at), conversation: body.text([...at.keys, ...after]) },
			ends ? { ...host, signal: ends } : host,
		);
		const made = JSON.parse(conversation);
		const outcome = elementsOf(made, split(made).list).map(({ key }) => key);
		if (quality) {
			const forms = await formsAfter(at, form, after, outcome);
			checkpoints = [...checkpoints.filter((other) => other !== at), { forms, keys: outcome, state }].slice(
				-CHECKPOINTS,
			);
		}
		return body.join(messagesOf(restored(outcome, elements), list));
	}

	return Object.assign(tamp, {
		export: () => JSON.stringify({ version: 1, checkpoints }),
		close,
	});
}

/** @param {Checkpoint} at */
const stateOf = ({ state }) => (state === undefined ? {} : { state });

/**
 * Reads what export returned.
 * @param {string} from
 * @returns {Checkpoint[]}
 */
function read(from) {
	let saved;
	try {
		saved = JSON.parse(from);
	} catch {}
	const isForm = (/** @type {any} */ form) => Number.isInteger(form?.length) && typeof form.digest === "string";
	const isCheckpoint = (/** @type {any} */ at) =>
		Array.isArray(at?.forms) &&
		at.forms.every(isForm) &&
		Array.isArray(at.keys) &&
		at.keys.every((/** @type {any} */ key) => typeof key === "string") &&
		typeof at.state === "string";
	if (saved?.version === 1 && Array.isArray(saved.checkpoints) && saved.checkpoints.every(isCheckpoint)) {
		return saved.checkpoints;
	}
	throw new TampError("bad_request", "/from", "cannot make a compactor: from is not what export returned");
}
