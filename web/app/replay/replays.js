// This file is the page's side of the worker that replays sessions: what is wanted is worked out one after another, in order, and kept
// until the session changes. What runs and is wanted no more is ended with its worker: that is the one way to stop an engine at work.

/** @typedef {import("../engine/types.js").Failure} Failure */
/** @typedef {import("../engine/types.js").PolicyPatch} PolicyPatch */
/** @typedef {import("../engine/types.js").Source} Source */
/** @typedef {import("../engine/types.js").View} View */
/** @typedef {import("../../npm/wire.js").Replay} Report */
/** @typedef {import("../../npm/wire.js").ReplayCall} Call */

/** @typedef {{preset?: string, policy?: PolicyPatch, compact?: false, model?: string, ttl?: "5m" | "1h", counter?: string, vocabularies?: import("../engine/vocabulary.js").Vocabulary[]}} Ask a replay: equal asks have equal reports */
/** @typedef {{type: "replay", id: number, key: number, blob: Blob, ask: Ask} | {type: "at", id: number, key: number, blob: Blob, ask: Ask, call: number} | {type: "verdict", id: number, reports: Report[]}} ToReplays */
/** @typedef {{type: "progress", id: number, done: number, of: number} | {type: "answer", id: number, answer: any} | {type: "failed", id: number, failure: Failure}} FromReplays */
/** @typedef {{report: Report} | {failure: Failure}} Settled */
/** @typedef {{settled?: Settled, done: number, of: number, running: boolean}} Standing of: 0 as long as nobody knows */

const KEPT = 40; // reports: a handful of presets under a few settings each
const PATIENCE = 700; // ms after which a look at a call makes way for the next one: a new worker takes about as long to start

/** A worker that does one thing at a time. */
class Lane {
	constructor() {
		/** @type {Worker | null} */
		this.worker = null;
		this.last = 0;
		/** @type {{id: number, resolve: (answer: any) => void, reject: (failure: Failure | null) => void, progress?: (done: number, of: number) => void} | null} */
		this.running = null;
	}

	/**
	 * Rejects with a Failure, or with null where it was stopped.
	 * @param {any} asked a message to the worker, but for its id
	 * @param {(done: number, of: number) => void} [progress]
	 * @returns {Promise<any>}
	 */
	run(asked, progress) {
		this.stop();
		this.worker ??= this.start();
		const id = ++this.last;
		return new Promise((resolve, reject) => {
			this.running = { id, resolve, reject, progress };
			this.worker?.postMessage({ ...asked, id });
		});
	}

	/** Ends what runs; a worker that idles stays. */
	stop() {
		const { running } = this;
		if (!running) return;
		this.running = null;
		this.worker?.terminate();
		this.worker = null;
		running.reject(null);
	}

	start() {
		const worker = new Worker(new URL("../../replay.worker.js", import.meta.url), { type: "module" });
		worker.onmessage = (/** @type {MessageEvent<FromReplays>} */ { data }) => {
			const { running } = this;
			if (running?.id !== data.id) return;
			if (data.type === "progress") return running.progress?.(data.done, data.of);
			this.running = null;
			if (data.type === "answer") running.resolve(data.answer);
			else running.reject(data.failure);
		};
		worker.onerror = (event) => {
			// Out of memory as a rule.
			event.preventDefault();
			worker.terminate();
			this.worker = null;
			const { running } = this;
			this.running = null;
			running?.reject({ code: "internal", path: "", message: event.message || "the engine stopped" });
		};
		return worker;
	}
}

export class Replays {
	/** @param {() => void} changed something is further than before */
	constructor(changed) {
		this.changed = changed;
		this.lane = new Lane();
		/** Looks at one call have a lane of their own, so that they cost no replay under way. */
		this.looks = new Lane();
		/** @type {Source | null} */
		this.source = null;
		/** @type {Ask[]} */
		this.wanted = [];
		/** @type {Map<string, Settled>} */
		this.settled = new Map();
		/** @type {{name: string, done: number, of: number} | null} */
		this.under = null;
		/** @type {{reports: Report[], take: (text: string) => void} | null} */
		this.question = null;
		/** The look that waits. @type {{ask: Ask, call: number, resolve: (view: any) => void, reject: (failure: Failure | null) => void} | null} */
		this.waiting = null;
		this.timer = 0;
	}

	/** Another session, or none: nothing of the one before is worked out any further. @param {Source | null} source */
	open(source) {
		if (source?.key === this.source?.key) return;
		this.source = source;
		this.wanted = [];
		this.question = null;
		this.settled.clear();
		this.lane.stop();
		this.looks.stop();
	}

	/** What is to be worked out, the most urgent first. @param {Ask[]} asks */
	want(asks) {
		this.wanted = asks;
		if (this.under && !asks.some((ask) => nameOf(ask) === this.under?.name)) this.lane.stop();
		void this.next();
	}

	/** @param {Ask} ask @returns {Standing} */
	standing(ask) {
		const name = nameOf(ask);
		const running = this.under?.name === name;
		return { settled: this.settled.get(name), running, done: running && this.under ? this.under.done : 0, of: running && this.under ? this.under.of : 0 };
	}

	/** One sentence on reports; the newest question wins. @param {Report[]} reports @param {(text: string) => void} take */
	ask(reports, take) {
		this.question = { reports: reports.map((report) => ({ ...report, calls: [] })), take };
		void this.next();
	}

	/**
	 * The conversation as it was sent at a call, beside what the session was by then. The newest look wins: one that was overtaken
	 * before it began rejects with null, what goes wrong with a Failure.
	 * @param {Ask} ask
	 * @param {number} call
	 * @returns {Promise<Extract<View, {name: "diff"}>>}
	 */
	look(ask, call) {
		this.waiting?.reject(null);
		return new Promise((resolve, reject) => {
			this.waiting = { ask, call, resolve, reject };
			if (this.looks.running) this.timer ||= +setTimeout(() => this.looks.stop(), PATIENCE);
			else void this.nextLook();
		});
	}

	async nextLook() {
		const { source, waiting } = this;
		if (!source || !waiting) return;
		this.waiting = null;
		const { ask, call, resolve, reject } = waiting;
		await this.looks.run({ type: "at", key: source.key, blob: source.blob, ask, call }).then(resolve, reject);
		clearTimeout(this.timer);
		this.timer = 0;
		if (!this.looks.running) await this.nextLook();
	}

	/** @returns {Promise<void>} */
	async next() {
		const { source, question } = this;
		if (this.lane.running || !source) return;
		if (question) {
			this.question = null;
			const text = await this.lane.run({ type: "verdict", reports: question.reports }).catch(() => "");
			if (source === this.source && text) question.take(text);
			return this.next();
		}
		const ask = this.wanted.find((one) => !this.settled.has(nameOf(one)));
		if (!ask) return;
		const name = nameOf(ask);
		this.under = { name, done: 0, of: 0 };
		this.changed();
		/** @type {Settled | null} */
		const settled = await this.lane
			.run({ type: "replay", key: source.key, blob: source.blob, ask }, (done, of) => {
				this.under = { name, done, of };
				this.changed();
			})
			.then((report) => ({ report }), (failure) => failure && { failure });
		if (this.under?.name === name) this.under = null;
		if (settled && source === this.source) {
			this.settled.set(name, settled);
			for (const old of this.settled.keys()) if (this.settled.size > KEPT) this.settled.delete(old);
		}
		this.changed();
		return this.next();
	}
}

/** @param {Ask} ask */
export function nameOf({ compact, preset, policy, model, ttl, counter }) {
	const counted = [model ?? "", ttl ?? "", counter ?? ""];
	return JSON.stringify(compact === false ? [null, ...counted] : [preset, policy ?? {}, ...counted]);
}
