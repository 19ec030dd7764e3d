// This file starts tamp.wasm and carries bytes in and out of it. It knows nothing of conversations.
//
// The protocol, in the same words as wasm/main.go: at start-up the program registers
//   globalThis.__tamp = { handle(op: string, header: Uint8Array, body: Uint8Array | null, progress?) -> { header: Uint8Array, body: Uint8Array | null } }
// The request's header is the JSON of the input without its conversation, its body the conversation's bytes. The answer's header
// is the JSON of the result, or {"error":{code,path,message}}; its body the rendered conversation or the archive, where there is one.
// Bytes are copied once each way, and neither side keeps the other's. progress(done: number, of: number) is called while a long op is
// at work; it ends the op by returning false.

import { reason, TampError } from "./error.js";
import { Go, withStandIns } from "./shims.js";

/** @typedef {{ header: Uint8Array, body: Uint8Array | null }} Answer */
/** @typedef {(op: string, header: Uint8Array, body: Uint8Array | null, progress?: Hear) => Answer} Handle */
/** @typedef {(done: number, of: number) => unknown} Hear */
/** @typedef {import("./index.js").Source} Source */

/**
 * Compiles and starts an instance, and returns its door. When the instance ever dies (out of memory, out of stack), the call that
 * killed it throws code "internal", and the next one finds a fresh instance of the same module.
 * @param {Source} [source]
 * @returns {Promise<Handle>}
 */
export async function start(source = new URL("./tamp.wasm", import.meta.url)) {
  const module = await compile(source);
  const program = prepare();
  /** @type {Handle | undefined} */
  let handle = enter(program, await instantiate(module, program));
  /** @type {Map<string, Uint8Array>} */
  const vocabularies = new Map(); // by their headers: every instance has them, so that one that died is not missed
  const again = () => {
    const program = prepare();
    const fresh = enter(program, new WebAssembly.Instance(module, program.importObject));
    for (const [header, body] of vocabularies) fresh("loadVocabulary", new TextEncoder().encode(header), body);
    return fresh;
  };

  return function call(op, header, body, progress) {
    /** @type {Answer | undefined} */
    let answer;
    try {
      handle ??= again(); // when it is next needed, not when the old one dies: a call that fails should fail quickly
      answer = handle(op, header, body, progress);
    } catch {
      // A trap, or the end of the JavaScript stack: the instance's memory may be in any state.
    }
    if (!answer) {
      handle = undefined;
      throw new TampError("internal", "", `cannot finish ${op}: the engine ran out of memory or stack; the next call starts afresh`);
    }
    if (op === "loadVocabulary" && body && answer.header.length === 2) vocabularies.set(new TextDecoder().decode(header), body.slice()); // {}: no error
    return answer;
  };
}

/**
 * @param {WebAssembly.Module} module
 * @param {ReturnType<typeof prepare>} program
 */
async function instantiate(module, program) {
  try {
    return await WebAssembly.instantiate(module, program.importObject);
  } catch (thrown) {
    throw new TampError("load_failed", "", `cannot start tamp.wasm, which must come from the same build as wasm_exec.js: ${reason(thrown)}`);
  }
}

function prepare() {
  const program = new Go();
  // The program prints only when it dies, and what it prints could quote a conversation: nothing of it reaches the console.
  program.importObject.gojs["runtime.wasmWrite"] = () => {};
  program.exit = () => {};
  return program;
}

/**
 * Runs main, which registers the handle before it first waits.
 * @param {ReturnType<typeof prepare>} program
 * @param {WebAssembly.Instance} instance
 * @returns {Handle}
 */
function enter(program, instance) {
  /** @type {Record<string, any>} */
  const global = globalThis;
  const was = Object.getOwnPropertyDescriptor(globalThis, "__tamp");
  return withStandIns(() => {
    try {
      program.run(instance).catch(() => {}); // ends only when the program dies, which call sees by itself
      const door = global.__tamp === was?.value ? undefined : global.__tamp;
      if (!door) throw new TampError("load_failed", "", "cannot start tamp.wasm: this is another program");
      return door.handle;
    } finally {
      if (was) Object.defineProperty(globalThis, "__tamp", was);
      else delete global.__tamp;
    }
  });
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
