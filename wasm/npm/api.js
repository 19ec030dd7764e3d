// This file makes load and loadInWorker for an entry point of the package: entry points differ in how they find the
// wasm and in the workers that they can start. index.d.ts documents both functions.

import { compactor } from "./compactor.js";
import { start } from "./instance.js";
import { closeSession, checkSize, methods, sessionMethods, version } from "./methods.js";
import { refused } from "./refused.js";
import { open } from "./remote.js";

/** @typedef {import("./index.js").Engine} Engine */
/** @typedef {import("./index.js").AsyncEngine} AsyncEngine */
/** @typedef {import("./index.js").Source} Source */

/**
 * What an entry point provides: the wasm if the caller gives no source, the function that compiles a source, and the
 * ways to start a worker, which are tried in order.
 * @typedef {{
 *   source: () => Promise<WebAssembly.Module>,
 *   compile: (source: Source) => Promise<WebAssembly.Module>,
 *   spawn: import("./remote.js").Spawn[],
 * }} Platform
 */

/**
 * Closes sessions that were garbage collected without close(). Some edge runtimes have no such registry; there sessions
 * must be closed.
 * @type {FinalizationRegistry<() => void> | undefined}
 */
const collected = globalThis.FinalizationRegistry && new FinalizationRegistry((close) => close());

/** @param {Platform} platform */
export function entryPoint(platform) {
	/** @type {Promise<Engine> | undefined} */
	let loading;
	/** @param {Source} [source] */
	const load = (source) => {
		loading ??= begin(platform, source).catch((thrown) => {
			loading = undefined; // a failed load may be tried again
			throw thrown;
		});
		return loading;
	};
	return {
		load,
		/** @param {import("./index.js").CompactorOptions} options */
		compactor: (options) => compactor(load, options),
		/**
		 * @param {Source} [source]
		 * @param {import("./index.js").WorkerOptions} [options]
		 */
		loadInWorker: (source, options) => beginInWorker(platform, source, options),
	};
}

/**
 * @param {Platform} platform
 * @param {Source} [source]
 */
async function begin(platform, source) {
	const none = refused();
	if (none) throw none;
	const handle = await start(await (source === undefined ? platform.source() : platform.compile(source)));
	/** @param {import("./methods.js").Call} call */
	const run = (call) => {
		const { op, header, body, decode, progress } = checkSize(call);
		return decode(handle(op, header, body, progress));
	};
	/** @type {Record<string, unknown>} */
	const engine = { version: run(version()) };
	for (const [name, prepare] of Object.entries(methods)) {
		engine[name] = (/** @type {unknown[]} */ ...args) => run(prepare(...args));
	}
	let sessions = 0; // never decreases: numbers must be unique across instances
	engine.session = (/** @type {import("./index.js").Input} */ input) => {
		const session = ++sessions,
			handle = { session };
		const { open, methods } = sessionMethods(handle, input);
		run(open);
		collected?.register(handle, () => {
			try {
				run(closeSession(session));
			} catch {} // it is already closed, or its instance died
		});
		return frozen(
			methods,
			(prepare) =>
				(/** @type {unknown[]} */ ...args) =>
					run(prepare(...args)),
		);
	};
	return /** @type {Engine} */ (/** @type {unknown} */ (Object.freeze(engine)));
}

/**
 * @param {Platform} platform
 * @param {Source} [source]
 * @param {import("./index.js").WorkerOptions} [options]
 * @returns {Promise<AsyncEngine>}
 */
async function beginInWorker(platform, source, options) {
	const none = refused();
	if (none) throw none;
	const remote = await open(platform, source, options?.onWarning);
	const call = version();
	/** @type {Record<string, unknown>} */
	const engine = { version: call.decode(await remote.send(call, false)), terminate: remote.terminate };
	/** @param {(...args: any[]) => import("./methods.js").Call} prepare */
	const sending =
		(prepare) =>
		async (/** @type {any[]} */ ...args) => {
			const call = checkSize(prepare(...args));
			const options = args[prepare.length]; // options are the argument after the named parameters of prepare
			return call.decode(await remote.send(call, options?.transfer === true));
		};
	for (const [name, prepare] of Object.entries(methods)) engine[name] = sending(prepare);
	let sessions = 0;
	engine.session = async (/** @type {import("./index.js").Input} */ input, /** @type {any} */ options) => {
		const session = ++sessions,
			handle = { session };
		const { open, methods } = sessionMethods(handle, input);
		await sending((_) => open)(input, options);
		// close may fail: it is already closed, or the worker has ended
		collected?.register(handle, () => void remote.send(closeSession(session), false).catch(() => {}));
		return frozen(methods, sending);
	};
	return /** @type {AsyncEngine} */ (/** @type {unknown} */ (Object.freeze(engine)));
}

/**
 * A frozen object with a function for each method.
 * @param {Record<string, (...args: any[]) => import("./methods.js").Call>} methods
 * @param {(prepare: (...args: any[]) => import("./methods.js").Call) => unknown} make
 */
function frozen(methods, make) {
	return Object.freeze(Object.fromEntries(Object.entries(methods).map(([name, prepare]) => [name, make(prepare)])));
}
