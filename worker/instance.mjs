// This file starts instances of the Go program. README.md explains the two kinds.
// @ts-check

import "./build/wasm_exec.js";
import { createRuntimeContext, loadModule } from "./build/runtime.mjs";

/** @typedef {{ binding: Record<string, any>, memory?: WebAssembly.Memory, exited: boolean }} Started */

/**
 * Starts an instance, as the library does.
 * @param {object} env
 * @param {object} ctx
 * @returns {Promise<Started>}
 */
export async function start(env, ctx) {
	const module = await loadModule();
	const go = new /** @type {any} */ (globalThis).Go();
	go.env = { GODEBUG: "gcstoptheworld=1", GOGC: "50" }; // as in wasm/npm/instance.js
	/** @type {Started} */
	const started = { binding: {}, exited: false };
	await new Promise((resolve, reject) => {
		const instance = new WebAssembly.Instance(module, { ...go.importObject, workers: { ready: resolve } });
		started.memory = /** @type {WebAssembly.Memory} */ (instance.exports.mem);
		go.run(instance, createRuntimeContext({ env, ctx, binding: started.binding })).then(() => {
			started.exited = true;
			reject(new Error("the program ended before it was ready"));
		}, reject);
	});
	return started;
}
