// This file starts workers. Entry points for runtimes without workers leave it out.

import { builtin } from "./builtin.js";

/** @typedef {import("./remote.js").Spawn} Spawn */
/** @typedef {import("./remote.js").Thread} Thread */

/**
 * Starts worker.js as a module Worker in browsers, or as a thread in Node.
 * @type {Spawn}
 */
export const spawnFile = {
	ownWasm: true,
	async start(onMessage, onError) {
		if (typeof Worker === "function") {
			// Bundlers look for this expression.
			return ofWorker(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }), onMessage, onError);
		}
		const Thread = await threads();
		// Without the flags of this process: some, such as --input-type, would keep a worker from starting.
		return ofThread(new Thread(new URL("./worker.js", import.meta.url), { execArgv: [] }), onMessage, onError);
	},
};

/**
 * Starts the text of inline/thread.js, for bundles without worker.js.
 * @type {Spawn}
 */
export const spawnText = {
	ownWasm: false,
	async start(onMessage, onError) {
		const Thread = typeof Worker === "function" ? undefined : await threads();
		const { default: text } = await import("./inline/thread.js");
		if (Thread) return ofThread(new Thread(text, { eval: true, execArgv: [] }), onMessage, onError);
		const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
		return ofWorker(new Worker(url), onMessage, onError, () => URL.revokeObjectURL(url));
	},
};

/** @returns {Promise<any>} the Worker of node:worker_threads, which only Node has */
async function threads() {
	if (!(/** @type {any} */ (globalThis).process?.versions?.node)) throw new Error("this runtime has no workers");
	return (await builtin("node:worker_threads")).Worker;
}

/**
 * @param {Worker} worker
 * @param {(message: any) => void} onMessage
 * @param {(thrown: unknown) => void} onError
 * @param {() => void} [onEnd]
 * @returns {Thread}
 */
function ofWorker(worker, onMessage, onError, onEnd) {
	worker.onmessage = ({ data }) => onMessage(data);
	worker.onerror = (event) => onError(event.message || "the script did not load");
	return {
		post: (message, transfer) => worker.postMessage(message, transfer),
		hold() {},
		terminate() {
			worker.terminate();
			onEnd?.();
		},
	};
}

/**
 * @param {any} thread a Worker of node:worker_threads
 * @param {(message: any) => void} onMessage
 * @param {(thrown: unknown) => void} onError
 * @returns {Thread}
 */
function ofThread(thread, onMessage, onError) {
	thread.on("message", onMessage);
	thread.on("error", onError);
	return {
		post: (message, transfer) => thread.postMessage(message, transfer),
		// An idle worker must not keep the process alive, a working one must.
		hold: (busy) => (busy ? thread.ref() : thread.unref()),
		terminate: () => thread.terminate(),
	};
}
