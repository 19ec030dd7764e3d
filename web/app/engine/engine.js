// This file is the page's side of the worker: at most one job running and one waiting, and the latest input wins.

/** @typedef {import("./types.js").Job} Job */
/** @typedef {import("./types.js").FromWorker} FromWorker */

/** Opens the worker. `hear` gets every message of the job that is still wanted, and the two that belong to no job. */
export class Engine {
	/** @param {(message: FromWorker) => void} hear */
	constructor(hear) {
		this.hear = hear;
		/** @type {Job | null} */
		this.waiting = null;
		/** The id of the job that the worker is doing; 0 where it is idle. */
		this.running = 0;
		this.last = 0;
		/** Who waits for an answer beside the jobs. @type {Map<number, (answer: import("./queries.js").Answer) => void>} */
		this.asked = new Map();
		this.start();
	}

	start() {
		this.worker = new Worker(new URL("../../engine.worker.js", import.meta.url), { type: "module" });
		this.worker.onmessage = (/** @type {MessageEvent<FromWorker>} */ event) => this.receive(event.data);
		this.worker.onerror = (event) => {
			event.preventDefault();
			this.worker?.terminate();
			const id = this.running;
			this.running = 0;
			for (const answer of this.asked.values()) answer({ failure: "the engine stopped" });
			this.asked.clear();
			if (id === 0) return this.hear({ type: "broken", message: event.message || "the worker did not start" });
			// The worker died on this job, out of memory as a rule. A new one takes the next job.
			this.start();
			this.hear({ type: "failed", id, during: "counting", failure: { code: "internal", path: "", message: event.message || "the engine stopped" } });
			this.hear({ type: "done", id });
			this.next();
		};
	}

	/** Takes the place of whatever waits; what runs stops at its next stage. @param {Job} job */
	submit(job) {
		this.waiting = job;
		if (this.running === 0) this.next();
		else this.worker?.postMessage({ type: "supersede", id: this.running });
	}

	/** Asks beside the jobs: answered between two of their stages. @param {import("./types.js").Question} question @returns {Promise<import("./queries.js").Answer>} */
	ask(question) {
		const id = ++this.last;
		this.worker?.postMessage({ type: "ask", id, question });
		return new Promise((resolve) => this.asked.set(id, resolve));
	}

	next() {
		if (!this.waiting) return;
		const job = this.waiting;
		this.waiting = null;
		this.running = ++this.last;
		this.worker?.postMessage({ type: "job", id: this.running, job });
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
			if (this.running === 0) this.hear(message);
			return;
		}
		// What a superseded job still says would flicker over what comes next.
		if ("id" in message && this.waiting) return;
		this.hear(message);
	}
}
