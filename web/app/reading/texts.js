// This file is the page's side of the worker of the texts: it asks for a block, its source, or a search, and hears the answers.
// The latest wish of each kind wins; one that was overtaken is never answered.

import { UNREAD } from "./parts.js";

/** @typedef {import("./parts.js").Part} Part */
/** @typedef {import("../blocks/repeats.js").Repeat} Repeat */
/** @typedef {import("../blocks/rows.js").Laid} Laid */
/** @typedef {import("../engine/types.js").Source} Source */

/** @typedef {{index: number, path: string, kind: string, role: string, tool: string, id: string, tokens: number}} Entry a row, as far as the worker needs it */
/** @typedef {{failed: number[], repeats: {groups: Repeat[], rows: number[], tokens: number}}} Facts failed: rows of results that say they are errors */
/** @typedef {{index: number, count: number, snippet: string}} Hit */
/** @typedef {{index: number, parts: Part[], cut: boolean, source: string, near: number, counted?: string[]}} Content counted: the texts that the engine counts; near: which match of the parts is the one that was asked for; -1 for none */
/** @typedef {{query: string, nth: number}} Near the nth match of a search in the block, from 0 */
/** @typedef {{type: "open", key: number, blob: Blob, rows: Entry[]} | {type: "find", id: number, query: string} | {type: "block", id: number, index: number, limit: number, source: boolean, near: Near | null, counted?: boolean}} ToTexts */
/** @typedef {{type: "opened", key: number, facts: Facts} | {type: "found", id: number, hits: Hit[], done: boolean} | {type: "block", id: number, content: Content} | {type: "lost", message: string}} FromTexts */

export class Texts {
	/** @param {{facts: (facts: Facts | null) => void, found: (hits: Hit[], done: boolean) => void}} hear facts: null where the texts cannot be read */
	constructor(hear) {
		this.hear = hear;
		this.key = 0;
		this.last = 0;
		this.search = 0;
		/** @type {Map<string, {id: number, take: (content: Content) => void}>} who waits, by what for */
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
		const rows = laid.rows.map(({ index, block, role, tool }) => ({ index, path: block.path, kind: block.kind, role, tool, id: block.id ?? "", tokens: block.tokens }));
		this.say({ type: "open", key: source.key, blob: source.blob, rows });
	}

	start() {
		const worker = new Worker(new URL("../../text.worker.js", import.meta.url), { type: "module" });
		worker.onmessage = (/** @type {MessageEvent<FromTexts>} */ event) => this.receive(event.data);
		worker.onerror = (event) => {
			// Out of memory as a rule. The list still works; the next session gets a new worker.
			event.preventDefault();
			worker.terminate();
			this.worker = null;
			for (const [who, { take }] of this.waiting) {
				this.waiting.delete(who);
				take({ index: -1, parts: [UNREAD], cut: false, source: "", near: -1 });
			}
			this.hear.facts(null);
		};
		return worker;
	}

	/** Looks for a text from the first row on; "" ends the search under way. @param {string} query */
	find(query) {
		this.search = ++this.last;
		this.say({ type: "find", id: this.search, query });
	}

	/**
	 * @param {string} who asks: a later wish of the same takes the place of this one
	 * @param {number} index of the row
	 * @param {{limit?: number, source?: boolean, near?: Near | null, counted?: boolean}} how counted: the texts that the engine counts instead; limit: characters that are enough; source: the text as it stands in the input instead; near: what stands around this match
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
				if (message.key === this.key) this.hear.facts(message.facts);
				return;
			case "lost":
				return this.hear.facts(null);
			case "found":
				if (message.id === this.search) this.hear.found(message.hits, message.done);
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
