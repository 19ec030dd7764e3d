// This file starts tamp.wasm and carries bytes in and out of it. It knows nothing of conversations.
//
// The protocol, in the same words as wasm/main.go. Everything crosses in the module's memory, since a JavaScript value
// in Go's hands takes as long as counting a paragraph:
//
//   room(size) -> address       JavaScript writes there the op's name, the header and the body, one after the other, and need not fill it
//   handle(op, header, body) -> address of four uint32: where the answer's header is, its size, where its body is, its size
//
// handle is given the three sizes. The request's header is the JSON of the input without its conversation, its body the conversation's
// bytes. The answer's header is the JSON of the result, or {"error":{code,path,message}}; its body the rendered conversation or the
// archive. A size of 2^32 - 1 is no body. An answer lies there until the next call. tamp.progress(done, of), which the module
// imports, is called while a long op is at work; it ends the op by returning 0.

import { reason, TampError } from "./error.js";
import { Go, withStandIns } from "./shims.js";

/** @typedef {{ header: Uint8Array, body: Uint8Array | null }} Answer */
/** @typedef {(op: string, header: Uint8Array, body: string | Uint8Array | null, progress?: Hear) => Answer} Handle */
/** @typedef {(...given: Parameters<Handle>) => { answer: Answer, given: () => Uint8Array, memory: number }} Cross and where an op that keeps its body has it: in its instance's memory, even after that died; and how large that memory is */
/** @typedef {(done: number, of: number) => unknown} Hear */
/** @typedef {import("./index.js").Source} Source */

/**
 * An instance with more memory than this is released after the call, in bytes: wasm memory never shrinks. Far over what a session of
 * 32 MB takes.
 */
const MAX_MEMORY = 512 * 2 ** 20;

/**
 * Compiles and starts an instance, and returns its function handle. When the instance ever dies (out of memory, out of stack), the call that
 * killed it throws code "internal", and the next one finds a fresh instance of the same module. The next one after a call that grew the
 * memory past MAX_MEMORY does, too, unless sessions are open: they live in the instance, which is released when the last one is closed.
 * @param {Source} [source]
 * @returns {Promise<Handle>}
 */
export async function start(source = new URL("./tamp.wasm", import.meta.url)) {
  const module = await compile(source);
  const prepared = prepare();
  /** @type {Cross | undefined} */
  let cross = enter(prepared, await instantiate(module, prepared.importObject));
  /** @type {Map<string, () => Uint8Array>} */
  const vocabularies = new Map(); // by their headers: every instance has them, so that one that died is not missed
  const again = () => {
    const prepared = prepare();
    const fresh = enter(prepared, new WebAssembly.Instance(module, prepared.importObject));
    for (const [header, bytes] of vocabularies) vocabularies.set(header, fresh("loadVocabulary", encoder.encode(header), bytes()).given);
    return fresh;
  };

  let sessions = 0; // open in this instance
  const release = () => {
    for (const [header, bytes] of vocabularies) {
      const own = bytes().slice(); // a view would keep the memory
      vocabularies.set(header, () => own);
    }
    cross = undefined;
  };

  return function call(op, header, body, progress) {
    /** @type {ReturnType<Cross> | undefined} */
    let crossed;
    /** @type {Cross | undefined} */
    let mine; // whoever listens to progress may call, too, and replace the instance meanwhile
    try {
      cross ??= again(); // when it is next needed, not when the old one dies: a call that fails should fail quickly
      mine = cross;
      crossed = mine(op, header, body, progress);
    } catch (cause) {
      if (cause instanceof Thrown) throw cause.cause;
      // A trap, or the end of the JavaScript stack: the instance's memory may be in any state.
    }
    if (!crossed) {
      if (cross === mine) {
        cross = undefined;
        sessions = 0;
      }
      throw new TampError("internal", "", `cannot finish ${op}: the engine ran out of memory or stack; the next call starts afresh`);
    }
    const { answer, given, memory } = crossed;
    if (op === "loadVocabulary" && answer.header.length === 2) vocabularies.set(new TextDecoder().decode(header), given); // {}: no error
    if (cross === mine) {
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
    throw new TampError("load_failed", "", `cannot start tamp.wasm, which must come from the same build as wasm_exec.js: ${reason(thrown)}`);
  }
}

const NONE = 2 ** 32 - 1;
const encoder = new TextEncoder();

/** @param {Answer} answer */
function isError({ header }) {
  return new TextDecoder().decode(header.subarray(0, 9)) === '{"error":';
}

function prepare() {
  const program = new Go();
  // While Go collects garbage beside a program that never waits, as ours, nobody may end it, and memory grows meanwhile.
  program.env = { GODEBUG: "gcstoptheworld=1" };
  // The program prints only when it dies, and what it prints could quote a conversation: nothing of it reaches the console.
  program.importObject.gojs["runtime.wasmWrite"] = () => {};
  program.exit = () => {};
  /** @type {{ hear: Hear | undefined, thrown: { cause: unknown } | undefined }} */
  const listener = { hear: undefined, thrown: undefined };
  const progress = (/** @type {number} */ done, /** @type {number} */ of) => {
    try {
      return listener.hear?.(done, of) === false ? 0 : 1;
    } catch (cause) {
      listener.thrown = { cause }; // through Go it must not go: nothing there would be left as it was
      return 0;
    }
  };
  return { program, listener, importObject: { ...program.importObject, tamp: { progress } } };
}

/**
 * Runs main, which waits at once: the functions that the module exports do all the work.
 * @param {ReturnType<typeof prepare>} prepared
 * @param {WebAssembly.Instance} instance
 * @returns {Cross}
 */
function enter({ program, listener }, instance) {
  withStandIns(() => program.run(instance).catch(() => {})); // ends only when the program dies, which call sees by itself
  const { room, handle, mem } = /** @type {Record<string, any>} */ (instance.exports);
  if (typeof room !== "function" || typeof handle !== "function") {
    throw new TampError("load_failed", "", "cannot start tamp.wasm: this is another program");
  }
  /**
   * Makes room and writes the three there. Returns where the body is, and its size.
   * @param {Uint8Array} name
   * @param {Uint8Array} header
   * @param {string | Uint8Array | null} body
   */
  const write = (name, header, body) => {
    const start = name.length + header.length;
    /** @param {number} length */
    const open = (length) => {
      const at = room(start + length) >>> 0; // which may replace the buffer
      const memory = new Uint8Array(mem.buffer, at, start + length);
      memory.set(name);
      memory.set(header, name.length);
      return memory.subarray(start);
    };
    if (typeof body === "string") {
      const memory = open(body.length + (body.length >> 3)); // as long as texts are that are mostly ASCII
      const { read, written } = encoder.encodeInto(body, memory);
      if (read === body.length) return { from: memory.byteOffset, length: written };
      body = encoder.encode(body);
    }
    const memory = open(body?.length ?? 0);
    memory.set(body ?? []);
    return { from: memory.byteOffset, length: body === null ? NONE : body.length };
  };

  return function cross(op, header, body, hear) {
    const name = encoder.encode(op);
    const { from, length } = write(name, header, body);
    const outer = listener.hear; // whoever listens may call in between
    listener.hear = hear;
    const answer = handle(name.length, header.length, length) >>> 0;
    if (program.exited || answer === 0) throw new Error("the program has died");
    const { thrown } = listener;
    listener.hear = outer;
    listener.thrown = undefined;
    if (thrown) throw new Thrown(thrown.cause);
    const [headerFrom = 0, headerSize = 0, bodyFrom = 0, bodySize = 0] = new Uint32Array(mem.buffer, answer, 4);
    const part = (/** @type {number} */ at, /** @type {number} */ size) => new Uint8Array(mem.buffer, at, size).slice();
    return {
      answer: { header: part(headerFrom, headerSize), body: bodySize === NONE ? null : part(bodyFrom, bodySize) },
      given: () => new Uint8Array(mem.buffer, from, length),
      memory: mem.buffer.byteLength,
    };
  };
}

/** What the caller's own function threw. */
class Thrown {
  /** @param {unknown} cause */
  constructor(cause) {
    this.cause = cause;
  }
}

/**
 * @param {Source} source
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(source) {
  try {
    if (source instanceof WebAssembly.Module || isCalled(source, "WebAssembly.Module")) return /** @type {WebAssembly.Module} */ (source);
    if (ArrayBuffer.isView(source) || isCalled(source, "ArrayBuffer")) return await WebAssembly.compile(/** @type {BufferSource} */ (source));
    if (source instanceof URL || isCalled(source, "URL")) {
      const url = /** @type {URL} */ (source);
      return url.protocol === "file:" ? await WebAssembly.compile(await readFile(url)) : await compileResponse(await fetch(url));
    }
    if (isCalled(source, "Response")) return await compileResponse(/** @type {Response} */ (source));
  } catch (thrown) {
    if (thrown instanceof TampError) throw thrown;
    throw new TampError("load_failed", "", `cannot load tamp.wasm: ${reason(thrown)}`);
  }
  throw new TampError("bad_request", "", "cannot load tamp.wasm: want a URL, a Response, bytes or a WebAssembly.Module");
}

/** @param {Response} response */
async function compileResponse(response) {
  if (!response.ok) throw new TampError("load_failed", "", `cannot load tamp.wasm: HTTP status ${response.status}`);
  const type = response.headers.get("Content-Type") ?? "";
  // Streaming refuses every other type; many static hosts send application/octet-stream, and it is the same bytes.
  if (/^\s*application\/wasm\s*(;|$)/i.test(type) && WebAssembly.compileStreaming) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Objects of another realm (a frame, a test runner's sandbox) are no instanceof our classes, but carry the same name.
 * @param {unknown} value
 * @param {string} name
 */
function isCalled(value, name) {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}

/** @param {URL} url */
async function readFile(url) {
  const fs = "node:fs/promises"; // a variable, so that bundlers for browsers do not look for it
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ fs)).readFile(url);
}
