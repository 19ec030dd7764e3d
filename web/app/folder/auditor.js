// This file runs an audit in Web Workers: each reads one file after another, so the memory is that of a few files,
// whatever the folder has.

import { refusalOf } from "../../npm/unpack.js";
import { ROOT } from "../root.js";

/** @import { Log } from "./files.js" */
/** @import { Audit } from "../../npm/wire.js" */
/** @typedef {import("../../npm/wire.js").ReplayChoice & {preset?: string}} Choice */
/** @typedef {{id: number, file: File, choice: Choice}} ToAudit */
/** @typedef {{id: number, audit: Audit} | {id: number, reason: string}} FromAudit */

/** The memory of an engine grows with its largest file and never shrinks, so the number of engines is limited. */
const MAX_WORKERS = 4;
/** After a larger file the worker is replaced, which frees its memory. */
const LARGE = 8_000_000; // bytes

/** One worker; `audit` reads a file with it. */
class Thread {
	constructor() {
		this.last = 0;
		/** @type {Worker | null} */
		this.worker = null;
	}

	/** @param {File} file @param {Choice} choice @returns {Promise<FromAudit>} */
	audit(file, choice) {
		const id = ++this.last;
		this.worker ??= new Worker(new URL("audit.worker.js", ROOT), { type: "module" });
		const { worker } = this;
		return new Promise((resolve) => {
			worker.onmessage = (/** @type {MessageEvent<FromAudit>} */ { data }) => {
				if (data.id !== id) return;
				if (file.size > LARGE) this.stop();
				resolve(data);
			};
			worker.onerror = (event) => {
				event.preventDefault();
				this.stop(); // usually out of memory; the next file gets a new worker
				resolve({ id, reason: `the engine stopped: ${event.message || "it could not be loaded"}` });
			};
			worker.postMessage({ id, file, choice });
		});
	}

	stop() {
		this.worker?.terminate();
		this.worker = null;
	}
}

/**
 * Audits all files, and resolves when all are done. An aborted audit stops at once, and never resolves.
 * @param {Log[]} logs
 * @param {Choice} choice
 * @param {AbortSignal} signal
 * @param {(log: Log, result: {audit: Audit} | {reason: string}) => void} each called for each file, in any order
 */
export async function auditAll(logs, choice, signal, each) {
	let next = 0;
	const work = async () => {
		const thread = new Thread();
		signal.addEventListener("abort", () => thread.stop());
		for (let log = logs[next++]; log !== undefined && !signal.aborted; log = logs[next++]) {
			/** @type {{audit: Audit} | {reason: string}} */
			let result;
			try {
				const file = await log.file();
				const reason = refusalOf(file.size);
				result = reason ? { reason } : await thread.audit(file, choice);
			} catch (thrown) {
				result = { reason: `cannot read the file: ${/** @type {Error} */ (thrown).message}` };
			}
			if (!signal.aborted) each(log, result);
		}
		thread.stop();
	};
	const count = Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1, logs.length);
	await Promise.all(Array.from({ length: count }, work));
}
