// This file loads an engine and gives access to the size of its memory, which the engine does not report.

let copies = 0;

/**
 * @returns {Promise<{ engine: import("../index.js").Engine, memory: () => number }>} a separate engine, and the size of
 * its memory in bytes
 */
export async function watched() {
	const { instantiate } = WebAssembly;
	/** @type {WebAssembly.Memory | undefined} */
	let memory;
	WebAssembly.instantiate = /** @type {any} */ (
		async (/** @type {any} */ module, /** @type {any} */ imports) => {
			const instance = /** @type {any} */ (await instantiate(module, imports));
			memory = instance.exports.mem;
			return instance;
		}
	);
	const copy = `../index.js?watched=${++copies}`;
	const engine = await (await import(copy)).load();
	WebAssembly.instantiate = instantiate;
	return { engine, memory: () => memory?.buffer.byteLength ?? NaN };
}
