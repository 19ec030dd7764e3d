// This file is the page's side of text.worker.js: it requests a block, its source, or a search, and passes on the
// answers. The latest request of each kind wins; a replaced request is never answered.

import { ROOT } from "../root.js";
import { UNREAD } from "./parts.js";

/** @import { Part } from "./parts.js" */
/** @import { Repeat } from "../blocks/repeats.js" */
/** @import { Laid } from "../blocks/rows.js" */
/** @import { Source } from "../engine/types.js" */

/**
 * @typedef {{index: number, path: string, kind: string, role: string, tool: string, id: string, tokens: number}} Entry
 *   the part of a row that the worker needs
 */
/**
 * @typedef {{failed: number[], repeats: {groups: Repeat[], rows: number[], tokens: number}}} Facts failed: rows of
 *   results that say they are errors
 */
/** @typedef {{index: number, count: number, snippet: string}} Hit */
/**
 * @typedef {{index: number, parts: Part[], cut: boolean, source: string, near: number, counted?: string[]}} Content
 *   counted: the texts that the engine counts; near: the index of the requested match in the parts; -1 for none
 */
/** @typedef {{query: string, nth: number}} Near the nth match of a search in the block, from 0 */
/**
 * @typedef {{type: "open", key: number, blob: Blob, rows: Entry[]} | {type: "find", id: number, query: string} | {type:
 *   "block", id: number, index: number, limit: number, source: boolean, near: Near | null, counted?: boolean}} ToTexts
 */
/**
 * @typedef {{type: "opened", key: number, facts: Facts} | {type: "found", id: number, hits: Hit[], done: boolean} |
 *   {type: "block", id: number, content: Content} | {type: "lost", message: string}} FromTexts
 */

export class Texts {
	/**
	 * @param {{facts: (facts: Facts | null) => void, found: (hits: Hit[], done: boolean) => void}} listeners facts: null
	 *   if the texts cannot be read
	 */
	constructor(listeners) {
		this.listeners = listeners;
		this.key = 0;
		this.last = 0;
		this.search = 0;
		/** @type {Map<string, {id: number, take: (content: Content) => void}>} pending requests, by kind */
		this.waiting = new Map();
		/** @type {Worker | null} */
		this.worker = null;
	}

	/** @param {Source} source @param {Laid} laid */
	open(source, laid) {
		if (this.key === source.key) return;
		this.key = source.key;
		this.waiting.clear();
		this.search = 0;
		this.worker ??= this.start();
		const rows = laid.rows.map(({ index, block, role, tool }) => ({
			index,
			path: block.path,
			kind: block.kind,
			role,
			tool,
			id: block.id ?? "",
			tokens: block.tokens,
		}));
		this.say({ type: "open", key: source.key, blob: source.blob, rows });
	}

	start() {
		const worker = new Worker(new URL("text.worker.js", ROOT), { type: "module" });
		worker.onmessage = (/** @type {MessageEvent<FromTexts>} */ event) => this.receive(event.data);
		worker.onerror = (event) => {
			// Usually out of memory. The list still works; the next session gets a new worker.
			event.preventDefault();
			worker.terminate();
			this.worker = null;
			for (const [who, { take }] of this.waiting) {
				this.waiting.delete(who);
				take({ index: -1, parts: [UNREAD], cut: false, source: "", near: -1 });
			}
			this.listeners.facts(null);
		};
		return worker;
	}

	/** Searches a text from the first row on; "" cancels the running search. @param {string} query */
	find(query) {
		this.search = ++this.last;
		this.say({ type: "find", id: this.search, query });
	}

	/**
	 * @param {string} who the kind of the request: a later one of the same kind replaces it
	 * @param {number} index of the row
	 * @param {{limit?: number, source?: boolean, near?: Near | null, counted?: boolean}} how limit: maximum of
	 *   characters, 0 for all; source: the source text instead; near: the lines around this match instead; counted: the
	 *   texts that the engine counts instead
	 * @param {(content: Content) => void} take
	 */
	ask(who, index, { limit = 0, source = false, near = null, counted = false }, take) {
		if (!this.worker) return take({ index, parts: [UNREAD], cut: false, source: "", near: -1 });
		const id = ++this.last;
		this.waiting.set(who, { id, take });
		this.say({ type: "block", id, index, limit, source, near, counted });
	}

	/** @param {ToTexts} message */
	say(message) {
		this.worker?.postMessage(message);
	}

	/** @param {FromTexts} message */
	receive(message) {
		switch (message.type) {
			case "opened":
				if (message.key === this.key) this.listeners.facts(message.facts);
				return;
			case "lost":
				return this.listeners.facts(null);
			case "found":
				if (message.id === this.search) this.listeners.found(message.hits, message.done);
				return;
			case "block":
				for (const [who, { id, take }] of this.waiting) {
					if (id !== message.id) continue;
					this.waiting.delete(who);
					take(message.content);
				}
		}
	}
}
