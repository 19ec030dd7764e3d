// This file brings the vocabularies of the exact counters to the page: once somebody counts with one, one at a time, and none twice.
// They stay in Blobs, so that handing one to a worker copies nothing.

/** @typedef {{name: string, blob: Blob}} Vocabulary */
/** @typedef {{name: string, done: number, total: number}} Loading bytes; total: 0 where the server does not say */

/** What there is, and about how much there is to download. The files lie beside the engine. */
export const VOCABULARIES = [
	{ name: "o200k_base", title: "o200k_base", of: "GPT-4o and later", size: 1_600_000 },
	{ name: "cl100k_base", title: "cl100k_base", of: "GPT-4", size: 740_000 },
];

/** @param {string} name */
export function isVocabulary(name) {
	return VOCABULARIES.some((one) => one.name === name);
}

/**
 * The counter that the engine's "auto" takes for the models of a profile, once its vocabulary is loaded: "estimate" for Claude models,
 * which have no public vocabulary.
 * @param {string} profile
 */
export function nearest(profile) {
	if (profile.startsWith("claude")) return "estimate";
	return profile === "gpt-4" ? "cl100k_base" : "o200k_base";
}

export class Vocabularies {
	/** @param {(loading: Loading) => void} tell how far it is */
	constructor(tell) {
		this.tell = tell;
		/** @type {Map<string, Blob>} */
		this.held = new Map();
		/** @type {{name: string, stop: AbortController} | null} */
		this.under = null;
	}

	/** Those that a counter of this name needs and that are here. @param {string} name @returns {Vocabulary[]} */
	of(name) {
		const blob = this.held.get(name);
		return blob ? [{ name, blob }] : [];
	}

	/** Ends a download under way. */
	stop() {
		this.under?.stop.abort();
		this.under = null;
	}

	/** One that turned out to be damaged is fetched anew, past every cache, the next time. @param {string} name */
	forget(name) {
		this.held.delete(name);
	}

	/**
	 * Fetches one; another that is under way ends.
	 * @param {string} name
	 * @param {boolean} [anew] past every cache
	 * @returns {Promise<boolean>} false where another one was wanted before this one was here
	 * @throws Error in words, where it cannot be had
	 */
	async load(name, anew = false) {
		if (this.held.has(name)) return true;
		if (this.under?.name === name) return false; // whoever asked first goes on with it
		this.stop();
		const stop = new AbortController();
		const under = { name, stop };
		this.under = under;
		try {
			this.tell({ name, done: 0, total: 0 });
			const blob = await fetched(name, stop.signal, anew, (done, total) => this.under === under && this.tell({ name, done, total }));
			if (this.under !== under) return false;
			this.held.set(name, blob);
			return true;
		} catch (cause) {
			if (this.under !== under) return false;
			throw cause;
		} finally {
			if (this.under === under) this.under = null;
		}
	}
}

/**
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {boolean} anew
 * @param {(done: number, total: number) => void} tell
 */
async function fetched(name, signal, anew, tell) {
	const response = await fetch(new URL(`../../npm/vocab/${name}.bin`, import.meta.url), { signal, cache: anew ? "reload" : "default" }).catch(() => {
		throw new Error(navigator.onLine === false ? "you are offline" : "the server cannot be reached");
	});
	if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
	// What a host packs for the way has another length than what arrives.
	const total = response.headers.has("content-encoding") ? 0 : Number(response.headers.get("content-length") ?? 0);
	/** @type {BlobPart[]} */
	const parts = [];
	let done = 0;
	const reader = response.body.getReader();
	for (;;) {
		const { value, done: end } = await reader.read().catch(() => {
			throw new Error("the connection broke off");
		});
		if (end) return new Blob(parts);
		parts.push(value);
		tell((done += value.length), total);
	}
}
