// This file communicates with listen.js. Inputs are encoded and answers decoded here, so that a call means exactly the
// same as on the synchronous engine. Messages contain bytes, which are transferred instead of copied if possible.

import { reason, TampError } from "./error.js";
import { start } from "./instance.js";
import { hasTag } from "./module.js";

/** @typedef {import("./instance.js").Answer} Answer */
/** @typedef {import("./methods.js").Call} Call */
/**
 * @typedef {{ resolve: (answer: Answer) => void, reject: (thrown: unknown) => void, progress?:
 *   import("./instance.js").OnProgress | undefined }} Waiting
 */
/**
 * @typedef {{ post: (message: object, transfer: ArrayBuffer[]) => void, hold: (busy: boolean) => void, terminate: () =>
 *   unknown }} Thread
 */

/**
 * A way to start a thread that runs listen.js. ownWasm: the thread finds the wasm itself.
 * @typedef {{ start: (onMessage: (message: any) => void, onError: (thrown: unknown) => void) => Promise<Thread>,
 *   ownWasm: boolean }} Spawn
 */
/** @typedef {{ send: (call: Call, mayMove: boolean) => Promise<Answer>, terminate: () => void }} Remote */

const encoder = globalThis.TextEncoder && new TextEncoder(); // some runtimes without WebAssembly have none (refused.js)
const terminated = () => new TampError("terminated", "", "cannot finish the call: the worker was terminated");

/**
 * Starts a worker and the engine in it. If no worker starts, the engine runs on this thread, and onWarning gets the
 * reason.
 * @param {import("./api.js").Platform} platform
 * @param {import("./index.js").Source} [source] of tamp.wasm
 * @param {import("./index.js").WorkerOptions["onWarning"]} [onWarning]
 * @returns {Promise<Remote>}
 */
export async function open(platform, source, onWarning) {
	const url = hasTag(source, "URL") ? /** @type {URL} */ (source) : undefined;
	// The worker loads a URL itself; anything else is compiled here once.
	const given = source === undefined || url ? source : await platform.compile(source);
	let why = "this runtime has no workers";
	for (const spawn of platform.spawn) {
		/** @type {Awaited<ReturnType<typeof connect>>} */
		let connection;
		try {
			connection = await connect(spawn);
		} catch (thrown) {
			why = reason(thrown) ?? why;
			continue;
		}
		try {
			await connection.load(url?.href ?? given ?? (spawn.ownWasm ? null : await platform.source()));
			return connection;
		} catch (thrown) {
			connection.terminate();
			if (source !== undefined) throw thrown; // another way to start a worker would not find it either
			why = reason(thrown) ?? why;
		}
	}
	const local = await onThisThread(given === undefined ? await platform.source() : await platform.compile(given));
	const warning = new TampError("load_failed", "", `cannot start a worker, so calls block this thread: ${why}`);
	onWarning?.(/** @type {import("./index.js").TampError} */ (warning));
	return local;
}

/**
 * @param {WebAssembly.Module} module
 * @returns {Promise<Remote>}
 */
async function onThisThread(module) {
	const handle = await start(module);
	let ended = false;
	return {
		async send({ op, header, body, progress }) {
			if (ended) throw terminated();
			return handle(op, header, body, progress);
		},
		terminate() {
			ended = true;
		},
	};
}

/**
 * Starts a worker, and waits until it listens.
 * @param {Spawn} spawn
 */
async function connect(spawn) {
	/** @type {Map<number, Waiting>} */
	const waiting = new Map();
	/** @type {unknown} */
	let ended;
	let last = 0;
	/** @type {() => void} */
	let ready = () => {};
	const up = new Promise((resolve) => (ready = () => resolve(undefined)));

	/** @param {unknown} thrown */
	const end = (thrown) => {
		ended ??= thrown;
		for (const { reject } of waiting.values()) reject(ended);
		waiting.clear();
		ready();
	};
	const thread = await spawn.start(
		({ id, answer, error, done, of }) => {
			if (id === undefined) return ready();
			const call = waiting.get(id);
			if (done !== undefined) return void call?.progress?.(done, of);
			waiting.delete(id);
			if (waiting.size === 0) thread.hold(false);
			if (error) call?.reject(new TampError(error.code, error.path, error.message));
			else call?.resolve(answer);
		},
		(thrown) => end(new TampError("load_failed", "", `cannot run the worker: ${reason(thrown)}`)),
	);

	/**
	 * @param {object} message
	 * @param {ArrayBuffer[]} transfer
	 * @param {import("./instance.js").OnProgress} [progress]
	 * @returns {Promise<any>}
	 */
	const request = (message, transfer, progress) =>
		new Promise((resolve, reject) => {
			if (ended) return reject(ended);
			const id = ++last;
			thread.post({ id, ...message }, transfer);
			waiting.set(id, { resolve, reject, progress });
			thread.hold(true);
		});

	await up; // a message that is posted before the script of the worker has run may be lost
	if (ended) {
		thread.terminate();
		throw ended;
	}
	return {
		/** @param {unknown} source null: the worker finds the wasm itself */
		load: (source) => request({ load: source }, []),
		/**
		 * @param {Call} call
		 * @param {boolean} mayMove the body's memory may be transferred
		 * @returns {Promise<Answer>}
		 */
		send({ op, header, body, progress }, mayMove) {
			const bytes = typeof body === "string" ? encoder.encode(body) : body;
			// Only a whole buffer can be transferred: for a view of a part the rest would be lost, too.
			const isWhole = bytes?.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
			const sent = (bytes !== body || mayMove) && isWhole ? bytes : (bytes?.slice() ?? null);
			const transfer = /** @type {ArrayBuffer[]} */ ([header.buffer, ...(sent ? [sent.buffer] : [])]);
			return request({ op, header, body: sent, progress: progress !== undefined }, transfer, progress);
		},
		terminate() {
			end(terminated());
			thread.terminate();
		},
	};
}
