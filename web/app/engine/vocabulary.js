// This file downloads the vocabularies of the exact counters on first use, one at a time, and each once.
// They stay in Blobs, so that passing one to a worker copies nothing.

import { ROOT } from "../root.js";

/** @typedef {{name: string, blob: Blob}} Vocabulary */
/** @typedef {{name: string, done: number, total: number}} Loading bytes; total: 0 if unknown */

/** The vocabularies, with their approximate download size in bytes. The files are in npm/vocab. */
export const VOCABULARIES = [
	{ name: "o200k_base", title: "o200k_base", of: "GPT-4o and later", size: 1_600_000 },
	{ name: "cl100k_base", title: "cl100k_base", of: "GPT-4", size: 740_000 },
];

/** @param {string} name */
export function isVocabulary(name) {
	return VOCABULARIES.some((one) => one.name === name);
}

/**
 * The counter that the engine's "auto" uses for the models of a profile once its vocabulary is loaded: "estimate" for
 * Claude models, which have no public vocabulary.
 * @param {string} profile
 */
export function nearest(profile) {
	if (profile.startsWith("claude")) return "estimate";
	return profile === "gpt-4" ? "cl100k_base" : "o200k_base";
}

export class Vocabularies {
	/** @param {(loading: Loading) => void} onProgress called for each received part */
	constructor(onProgress) {
		this.onProgress = onProgress;
		/** @type {Map<string, Blob>} */
		this.held = new Map();
		/** @type {{name: string, stop: AbortController} | null} */
		this.running = null;
	}

	/** The loaded vocabularies that a counter of this name needs. @param {string} name @returns {Vocabulary[]} */
	of(name) {
		const blob = this.held.get(name);
		return blob ? [{ name, blob }] : [];
	}

	/** Cancels the running download. */
	stop() {
		this.running?.stop.abort();
		this.running = null;
	}

	/** Removes a damaged vocabulary, so that it can be loaded again. @param {string} name */
	forget(name) {
		this.held.delete(name);
	}

	/**
	 * Fetches a vocabulary; the running download of another one is canceled.
	 * @param {string} name
	 * @param {boolean} [reload] bypass all caches
	 * @returns {Promise<boolean>} false if another load replaced this one
	 * @throws Error with a message for users, if it cannot be loaded
	 */
	async load(name, reload = false) {
		if (this.held.has(name)) return true;
		if (this.running?.name === name) return false; // the first caller finishes it
		this.stop();
		const stop = new AbortController();
		const running = { name, stop };
		this.running = running;
		try {
			this.onProgress({ name, done: 0, total: 0 });
			const blob = await fetched(
				name,
				stop.signal,
				reload,
				(done, total) => this.running === running && this.onProgress({ name, done, total }),
			);
			if (this.running !== running) return false;
			this.held.set(name, blob);
			return true;
		} catch (cause) {
			if (this.running !== running) return false;
			throw cause;
		} finally {
			if (this.running === running) this.running = null;
		}
	}
}

/**
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {boolean} reload
 * @param {(done: number, total: number) => void} onProgress
 */
async function fetched(name, signal, reload, onProgress) {
	const response = await fetch(new URL(`npm/vocab/${name}.bin`, ROOT), {
		signal,
		cache: reload ? "reload" : "default",
	}).catch(() => {
		throw new Error(navigator.onLine === false ? "you are offline" : "the server cannot be reached");
	});
	if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
	// With a content encoding, content-length is not the length of the decoded body.
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
		done += value.length;
		onProgress(done, total);
	}
}
