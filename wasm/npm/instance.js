// This file starts tamp.wasm and passes bytes to and from it. It contains no rules about conversations.
//
// The protocol; wasm/main.go has the same text. All data is passed in the module's memory, since passing one JavaScript
// value to Go takes as long as counting a paragraph:
//
// allocate(size) -> address JavaScript writes the op's name, header and body there, without gaps; it need not fill it
//   handle(op, header, body) -> address of four uint32: address and size of the answer's header, and of its body
//
// The arguments of handle are the three sizes. The request's header is the JSON of the input without its conversation,
// its body the bytes of the conversation. The answer's header is the JSON of the result, or
// {"error":{code,path,message}}; its body is the rendered conversation or the archive. The size 2^32 - 1 means no body.
// An answer is valid until the next call. The module imports tamp.progress(done, of), and calls it during long ops; if
// it returns 0, the op stops.

import { reason, TampError } from "./error.js";
import { Go, withStandIns } from "./shims.js";

/** @typedef {{ header: Uint8Array, body: Uint8Array | null }} Answer */
/**
 * @typedef {(op: string, header: Uint8Array, body: string | Uint8Array | null, progress?: OnProgress) => Answer} Handle
 */
/**
 * One call of an instance. requestBody returns the request's body in the instance's memory, which can be read even
 * after the instance has died; memory is the size of that memory in bytes.
 * @typedef {(...request: Parameters<Handle>) => { answer: Answer, requestBody: () => Uint8Array, memory: number }}
 *   CallInstance
 */
/** @typedef {(done: number, of: number) => unknown} OnProgress */
/**
 * An instance with more memory than this, in bytes, is released after the call: wasm memory never shrinks. It is far
 * more than a session of 32 MB needs.
 */
const MAX_MEMORY = 512 * 2 ** 20;

/**
 * Starts an instance, and returns a function that calls it. If the instance dies (out of memory or stack),
 * that call throws code "internal", and the next call starts a new instance of the same module. A call that grows the
 * memory past MAX_MEMORY releases the instance as well, unless sessions are open in it: then it is released when the
 * last one is closed.
 * @param {WebAssembly.Module} module tamp.wasm
 * @returns {Promise<Handle>}
 */
export async function start(module) {
	const prepared = prepare();
	/** @type {CallInstance | undefined} */
	let callInstance = run(prepared, await instantiate(module, prepared.importObject));
	/** @type {Map<string, () => Uint8Array>} */
	const vocabularies = new Map(); // by their request headers; every new instance loads them
	const restart = () => {
		const prepared = prepare();
		const fresh = run(prepared, new WebAssembly.Instance(module, prepared.importObject));
		for (const [header, bytes] of vocabularies)
			vocabularies.set(header, fresh("loadVocabulary", encoder.encode(header), bytes()).requestBody);
		return fresh;
	};

	let sessions = 0; // open in this instance
	const release = () => {
		for (const [header, bytes] of vocabularies) {
			const copy = bytes().slice(); // a view would keep the memory alive
			vocabularies.set(header, () => copy);
		}
		callInstance = undefined;
	};

	return function call(op, header, body, progress) {
		/** @type {ReturnType<CallInstance> | undefined} */
		let result;
		/** @type {CallInstance | undefined} */
		let current; // the progress callback may call the engine, too, and so replace the instance
		try {
			callInstance ??= restart(); // at the next call and not when an instance dies, so that the failing call fails quickly
			current = callInstance;
			result = current(op, header, body, progress);
		} catch (cause) {
			if (cause instanceof CallbackError) throw cause.cause;
			// A trap or a stack overflow: the instance's memory may be inconsistent.
		}
		if (!result) {
			if (callInstance === current) {
				callInstance = undefined;
				sessions = 0;
			}
			throw new TampError(
				"internal",
				"",
				`cannot finish ${op}: the engine ran out of memory or stack; the next call starts a new instance`,
			);
		}
		const { answer, requestBody, memory } = result;
		if (op === "loadVocabulary" && answer.header.length === 2) {
			// {}: no error
			vocabularies.set(new TextDecoder().decode(header), requestBody);
		}
		if (callInstance === current) {
			if (op === "session.open" && !isError(answer)) sessions++;
			if (op === "session.close" && !isError(answer)) sessions--;
			if (memory > MAX_MEMORY && sessions === 0) release();
		}
		return answer;
	};
}

/**
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Imports} imports
 */
async function instantiate(module, imports) {
	try {
		return await WebAssembly.instantiate(module, imports);
	} catch (thrown) {
		throw new TampError(
			"load_failed",
			"",
			`cannot start tamp.wasm, which must come from the same build as wasm_exec.js: ${reason(thrown)}`,
		);
	}
}

const NONE = 2 ** 32 - 1;
const encoder = globalThis.TextEncoder && new TextEncoder(); // some runtimes without WebAssembly have none (refused.js)

/** @param {Answer} answer */
function isError({ header }) {
	return new TextDecoder().decode(header.subarray(0, 9)) === '{"error":';
}

function prepare() {
	const program = new Go();
	// Concurrent garbage collection cannot finish in a program that never waits, as this one, so memory would grow. A
	// collection after each half of what is live, not after as much again, makes the memory a seventh smaller at the same speed.
	program.env = { GODEBUG: "gcstoptheworld=1", GOGC: "50" };
	// The program prints only when it dies, and its output could quote a conversation, so it is dropped.
	program.importObject.gojs["runtime.wasmWrite"] = () => {};
	program.exit = () => {};
	/** @type {{ onProgress: OnProgress | undefined, thrown: { cause: unknown } | undefined }} */
	const listener = { onProgress: undefined, thrown: undefined };
	const progress = (/** @type {number} */ done, /** @type {number} */ of) => {
		try {
			return listener.onProgress?.(done, of) === false ? 0 : 1;
		} catch (cause) {
			listener.thrown = { cause }; // an exception must not unwind Go's frames: the program could not continue
			return 0;
		}
	};
	return { program, listener, importObject: { ...program.importObject, tamp: { progress } } };
}

/**
 * Runs main, which blocks at once, and returns the function that calls the module's exports.
 * @param {ReturnType<typeof prepare>} prepared
 * @param {WebAssembly.Instance} instance
 * @returns {CallInstance}
 */
function run({ program, listener }, instance) {
	withStandIns(() => program.run(instance).catch(() => {})); // ends only when the program dies, which the next call detects
	const { allocate, handle, mem } = /** @type {Record<string, any>} */ (instance.exports);
	if (typeof allocate !== "function" || typeof handle !== "function") {
		throw new TampError("load_failed", "", "cannot start tamp.wasm: the file is another program");
	}
	/**
	 * Allocates memory and writes the name, the header and the body there. Returns the address and the size of the body.
	 * @param {Uint8Array} name
	 * @param {Uint8Array} header
	 * @param {string | Uint8Array | null} body
	 */
	const write = (name, header, body) => {
		const start = name.length + header.length;
		/** @param {number} length */
		const open = (length) => {
			const at = allocate(start + length) >>> 0; // it may replace mem.buffer
			const memory = new Uint8Array(mem.buffer, at, start + length);
			memory.set(name);
			memory.set(header, name.length);
			return memory.subarray(start);
		};
		if (typeof body === "string") {
			const memory = open(body.length + (body.length >> 3)); // enough for texts that are mostly ASCII
			const { read, written } = encoder.encodeInto(body, memory);
			if (read === body.length) return { from: memory.byteOffset, length: written };
			body = encoder.encode(body);
		}
		const memory = open(body?.length ?? 0);
		memory.set(body ?? []);
		return { from: memory.byteOffset, length: body === null ? NONE : body.length };
	};

	return function callInstance(op, header, body, onProgress) {
		const name = encoder.encode(op);
		const { from, length } = write(name, header, body);
		const outer = listener.onProgress; // the callback may call the engine, too
		listener.onProgress = onProgress;
		const answer = handle(name.length, header.length, length) >>> 0;
		if (program.exited || answer === 0) throw new Error("the program has died");
		const { thrown } = listener;
		listener.onProgress = outer;
		listener.thrown = undefined;
		if (thrown) throw new CallbackError(thrown.cause);
		const [headerFrom = 0, headerSize = 0, bodyFrom = 0, bodySize = 0] = new Uint32Array(mem.buffer, answer, 4);
		const part = (/** @type {number} */ at, /** @type {number} */ size) => new Uint8Array(mem.buffer, at, size).slice();
		return {
			answer: { header: part(headerFrom, headerSize), body: bodySize === NONE ? null : part(bodyFrom, bodySize) },
			requestBody: () => new Uint8Array(mem.buffer, from, length),
			memory: mem.buffer.byteLength,
		};
	};
}

/** Wraps what the caller's progress callback threw. */
class CallbackError {
	/** @param {unknown} cause */
	constructor(cause) {
		this.cause = cause;
	}
}
