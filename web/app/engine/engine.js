// This file is the page's side of engine.worker.js: at most one job runs and one waits, and the latest input wins.

import { ROOT } from "../root.js";

/** @import { Job, FromWorker } from "./types.js" */

/** Starts the worker. */
export class Engine {
	/**
	 * @param {import("../ui/pieces.js").Pieces} pieces run `onMessage`
	 * @param {(message: FromWorker) => void} onMessage gets every message of a job that is not superseded, and "ready"
	 *   and "broken"
	 */
	constructor(pieces, onMessage) {
		this.onMessage = (/** @type {FromWorker} */ message) =>
			pieces.add(
				() => this.isCurrent(message) && onMessage(message),
				() => this.drawn(message),
			);
		/** @type {Job | null} */
		this.waiting = null;
		/** The id of the running job; 0 if the worker is idle. */
		this.running = 0;
		/** The id of the job that began last. */
		this.latest = 0;
		this.last = 0;
		/**
		 * Callbacks of questions without an answer yet, by id.
		 * @type {Map<number, (answer: import("./queries.js").Answer) => void>}
		 */
		this.asked = new Map();
		this.start();
	}

	start() {
		this.worker = new Worker(new URL("engine.worker.js", ROOT), { type: "module" });
		this.worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ event) => this.receive(event.data);
		this.worker.onerror = (event) => {
			event.preventDefault();
			this.worker?.terminate();
			const id = this.running;
			this.running = 0;
			for (const answer of this.asked.values()) answer({ failure: "the engine stopped" });
			this.asked.clear();
			if (id === 0) return this.onMessage({ type: "broken", message: event.message || "the worker did not start" });
			// The worker died in this job, usually out of memory. A new one takes the next job.
			this.start();
			this.onMessage({
				type: "failed",
				id,
				during: "counting",
				failure: { code: "internal", path: "", message: event.message || "the engine stopped" },
			});
			this.onMessage({ type: "done", id });
			this.next();
		};
	}

	/** Replaces the waiting job; the running job stops at its next stage. @param {Job} job */
	submit(job) {
		this.waiting = job;
		if (this.running === 0) this.next();
		else this.worker?.postMessage({ type: "supersede", id: this.running });
	}

	/**
	 * Asks a question outside the jobs; it is answered between two stages of a job.
	 * @param {import("./types.js").Question} question
	 * @returns {Promise<import("./queries.js").Answer>}
	 */
	ask(question) {
		const id = ++this.last;
		this.worker?.postMessage({ type: "ask", id, question });
		return new Promise((resolve) => this.asked.set(id, resolve));
	}

	/** Stops the running job at once: the worker goes, and a new one takes the next job. */
	cancel() {
		const id = this.running;
		if (id === 0) return;
		this.worker?.terminate();
		this.running = 0;
		this.waiting = null;
		for (const answer of this.asked.values()) answer({ failure: "canceled" });
		this.asked.clear();
		this.start();
		this.onMessage({ type: "done", id });
	}

	next() {
		if (!this.waiting) return;
		const job = this.waiting;
		this.waiting = null;
		this.running = this.latest = ++this.last;
		this.worker?.postMessage({ type: "job", id: this.running, job });
	}

	/** Lets the job of a drawn message go on: the engine waits after its inspection. @param {FromWorker} message */
	drawn(message) {
		if (message.type === "inspection") this.worker?.postMessage({ type: "drawn", id: message.id });
	}

	/** Whether no later job has been submitted than the one that the message is of. @param {FromWorker} message */
	isCurrent(message) {
		return !("id" in message) || (message.id === this.latest && !this.waiting);
	}

	/** @param {FromWorker} message */
	receive(message) {
		if (message.type === "answer") {
			this.asked.get(message.id)?.(message.answer);
			return void this.asked.delete(message.id);
		}
		if ("id" in message && message.type === "done") {
			this.running = 0;
			this.next();
			if (this.running === 0) this.onMessage(message);
			return;
		}
		// Messages of a superseded job are dropped: the page would flicker.
		if ("id" in message && this.waiting) return;
		this.onMessage(message);
	}
}
