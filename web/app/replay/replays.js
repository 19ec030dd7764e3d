// This file is the page's side of replay.worker.js: the requested replays are computed one after another, in order, and
// kept until the session changes. A running replay that is no longer requested is stopped by terminating its worker,
// the only way to stop the engine.

import { ROOT } from "../root.js";

/** @import { Failure, PolicyPatch, Source, View } from "../engine/types.js" */
/** @import { Replay as Report, ReplayCall as Call, Resends, Compared } from "../../npm/wire.js" */

/**
 * @typedef {{preset?: string, policy?: PolicyPatch, thinking?: "keep" | "drop_block", compact?: false, counter?: string,
 *   resent?: true, vocabularies?: import("../engine/vocabulary.js").Vocabulary[]} & Omit<import("../../npm/wire.js").ReplayChoice, "compact">} Ask a
 *   replay, or with resent the division of what it sends again: equal asks have equal reports
 */
/**
 * @typedef {{type: "replay", id: number, key: number, blob: Blob, ask: Ask} | {type: "at", id: number, key: number,
 *   blob: Blob, ask: Ask, call: number} | {type: "verdict", id: number, reports: Report[]}} ToReplays
 */
/**
 * @typedef {{type: "progress", id: number, done: number, of: number} | {type: "answer", id: number, answer: any} |
 *   {type: "failed", id: number, failure: Failure}} FromReplays
 */
/** @typedef {{report: Report} | {resends: Resends} | {failure: Failure}} Settled */
/** @typedef {{settled?: Settled, done: number, of: number, running: boolean}} ReplayStatus of: 0 until it is known */

const KEPT = 40; // reports: a handful of presets under a few settings each
// Ms after which a running view of a call is stopped for the next one: a new worker takes about as long to start
const VIEW_TIMEOUT = 700;

/** A worker that does one thing at a time. */
class ReplayWorker {
	constructor() {
		/** @type {Worker | null} */
		this.worker = null;
		this.last = 0;
		/**
		 * @type {{id: number, resolve: (answer: any) => void, reject: (failure: Failure | null) => void, progress?: (done:
		 *   number, of: number) => void} | null}
		 */
		this.running = null;
	}

	/**
	 * Rejects with a Failure, or with null if it was stopped.
	 * @param {any} asked a message to the worker, without its id
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

	/** Stops the running task; an idle worker stays. */
	stop() {
		const { running } = this;
		if (!running) return;
		this.running = null;
		this.worker?.terminate();
		this.worker = null;
		running.reject(null);
	}

	start() {
		const worker = new Worker(new URL("replay.worker.js", ROOT), { type: "module" });
		worker.onmessage = (/** @type {MessageEvent<FromReplays>} */ { data }) => {
			const { running } = this;
			if (running?.id !== data.id) return;
			if (data.type === "progress") return running.progress?.(data.done, data.of);
			this.running = null;
			if (data.type === "answer") running.resolve(data.answer);
			else running.reject(data.failure);
		};
		worker.onerror = (event) => {
			// Usually out of memory.
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
	/** @param {() => void} changed a result or a progress arrived */
	constructor(changed) {
		this.changed = changed;
		this.worker = new ReplayWorker();
		/** Views of one call have their own worker, so that they do not stop a replay. */
		this.viewWorker = new ReplayWorker();
		/** @type {Source | null} */
		this.source = null;
		/** @type {Ask[]} */
		this.wanted = [];
		/** @type {Map<string, Settled>} */
		this.settled = new Map();
		/** @type {{name: string, done: number, of: number} | null} */
		this.running = null;
		/** The waiting questions by their name. @type {Map<string, {reports: Report[], take: (verdict: Compared) => void}>} */
		this.questions = new Map();
		/**
		 * The waiting view.
		 * @type {{ask: Ask, call: number, resolve: (view: any) => void, reject: (failure: Failure | null) => void} | null}
		 */
		this.waiting = null;
		this.timer = 0;
	}

	/** Replaces the session and stops all its work. @param {Source | null} source */
	open(source) {
		if (source?.key === this.source?.key) return;
		this.source = source;
		this.wanted = [];
		this.questions.clear();
		this.settled.clear();
		this.worker.stop();
		this.viewWorker.stop();
	}

	/** Sets the replays to compute, the most urgent first. @param {Ask[]} asks */
	want(asks) {
		this.wanted = asks;
		if (this.running && !asks.some((ask) => nameOf(ask) === this.running?.name)) this.worker.stop();
		void this.next();
	}

	/** @param {Ask} ask @returns {ReplayStatus} */
	status(ask) {
		const name = nameOf(ask);
		const running = this.running?.name === name;
		return {
			settled: this.settled.get(name),
			running,
			done: running && this.running ? this.running.done : 0,
			of: running && this.running ? this.running.of : 0,
		};
	}

	/**
	 * Computes the verdict on reports; the latest call of a name wins.
	 * @param {string} name
	 * @param {Report[]} reports
	 * @param {(verdict: Compared) => void} take
	 */
	ask(name, reports, take) {
		this.questions.set(name, { reports: reports.map((report) => ({ ...report, calls: [] })), take });
		void this.next();
	}

	/**
	 * The conversation as it was sent at a call, compared with the session up to that call. The latest call wins: one
	 * that was replaced rejects with null, a failed one with a Failure.
	 * @param {Ask} ask
	 * @param {number} call
	 * @returns {Promise<Extract<View, {name: "diff"}>>}
	 */
	look(ask, call) {
		this.waiting?.reject(null);
		return new Promise((resolve, reject) => {
			this.waiting = { ask, call, resolve, reject };
			if (this.viewWorker.running) this.timer ||= +setTimeout(() => this.viewWorker.stop(), VIEW_TIMEOUT);
			else void this.nextView();
		});
	}

	async nextView() {
		const { source, waiting } = this;
		if (!source || !waiting) return;
		this.waiting = null;
		const { ask, call, resolve, reject } = waiting;
		await this.viewWorker.run({ type: "at", key: source.key, blob: source.blob, ask, call }).then(resolve, reject);
		clearTimeout(this.timer);
		this.timer = 0;
		if (!this.viewWorker.running) await this.nextView();
	}

	/** @returns {Promise<void>} */
	async next() {
		const { source } = this;
		if (this.worker.running || !source) return;
		const [waiting] = this.questions;
		if (waiting) {
			const [asked, question] = waiting;
			this.questions.delete(asked);
			const verdict = await this.worker.run({ type: "verdict", reports: question.reports }).catch(() => null);
			if (source === this.source && verdict) question.take(verdict);
			return this.next();
		}
		const ask = this.wanted.find((one) => !this.settled.has(nameOf(one)));
		if (!ask) return;
		const name = nameOf(ask);
		this.running = { name, done: 0, of: 0 };
		this.changed();
		/** @type {Settled | null} */
		const settled = await this.worker
			.run({ type: "replay", key: source.key, blob: source.blob, ask }, (done, of) => {
				this.running = { name, done, of };
				this.changed();
			})
			.then(
				(answer) => (ask.resent ? { resends: answer } : { report: answer }),
				(failure) => failure && { failure },
			);
		if (this.running?.name === name) this.running = null;
		if (settled && source === this.source) {
			this.settled.set(name, settled);
			for (const old of this.settled.keys()) if (this.settled.size > KEPT) this.settled.delete(old);
		}
		this.changed();
		return this.next();
	}
}

/** @param {Ask} ask */
export function nameOf({ compact, preset, policy, model, ttl, breakpoints, hidden, prices, counter, resent }) {
	const counted = [model, ttl, breakpoints, hidden, prices, counter, ...(resent ? ["resent"] : [])];
	return JSON.stringify(compact === false ? [null, ...counted] : [preset, policy ?? {}, ...counted]);
}
