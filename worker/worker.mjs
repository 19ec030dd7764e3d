// This file is the Worker's entry: it reads a request's body in one piece and hands it to an instance of the Go program. Rules
// live in Go; here is only which instance answers. README.md says why there are two ways.
// @ts-check

import "./build/wasm_exec.js";
import { createRuntimeContext, loadModule } from "./build/runtime.mjs";

/** As in body.go. */
const MAX_BODY = 32 << 20;

/** Of the one answer that does not come from Go. As in guard.go. */
const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The kept instance is let go once a large conversation has blown it up: wasm memory never shrinks, and an isolate has 128 MB. */
const MAX_KEPT_MEMORY = 64 << 20;

/** The kept instance; a promise while it starts. @type {Promise<Started> | undefined} */
let kept;

/** Vocabularies that the static assets do not have. @type {Set<string>} */
const absent = new Set();

/** @typedef {{ binding: Record<string, any>, memory?: WebAssembly.Memory, exited: boolean }} Started */
/** @typedef {Uint8Array | null | "too large" | "broken off"} Body what came, or why it did not */

export default {
  /**
   * @param {Request} request
   * @param {Record<string, any>} env
   * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
   */
  async fetch(request, env, ctx) {
    try {
      const limited = await overLimit(request, env);
      const body = limited ? null : await read(request);
      const alone = !limited && typeof body !== "string" && (waits(request) || isLong(request));
      return await (alone ? answerAlone(request, env, ctx, body) : answerKept(request, env, ctx, body, limited));
    } catch {
      return broken(); // a binding that throws, out of memory, or a bug of ours
    }
  },
};

/** Whether answering takes I/O: a store, a model. @param {Request} request */
function waits({ method, url }) {
  const path = new URL(url).pathname;
  return (method === "POST" && path === "/v1/compact") || ((method === "GET" || method === "HEAD") && path.startsWith("/v1/transcripts/"));
}

/** Whether answering may take seconds of computing; it pauses now and then, which the kept instance may not. @param {Request} request */
function isLong({ method, url }) {
  const path = new URL(url).pathname;
  return method === "POST" && (path === "/v1/replay" || path === "/v1/replayAt");
}

/**
 * Answers at once, in the kept instance. Nothing is awaited between the call and its answer, so no two requests ever meet in it.
 * If the answer names a vocabulary that the instance does not have, the file is read and the request is answered again.
 * @param {Request} request
 * @param {Record<string, any>} env
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 * @param {Body} body
 * @param {boolean} limited
 */
async function answerKept(request, env, ctx, body, limited) {
  const wrong = limited ? "limited" : typeof body === "string" ? body : "";
  const head = [request.method, request.url, wrong, linesOf(request.headers)].join("\n");
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  for (;;) {
    kept ??= start(env, ctx);
    const mine = kept;
    try {
      const go = await mine;
      for (const [name, file] of files) if (!go.binding.load(name, file)) absent.add(name);
      /** @type {[string, Uint8Array<ArrayBuffer> | null]} */
      const [answer, bytes] = go.binding.answer(head, typeof body === "string" ? null : body);
      if (go.exited || (go.memory?.buffer.byteLength ?? 0) > MAX_KEPT_MEMORY) forget(mine);
      const [status, wanted = "", said, ...lines] = answer.split("\n");
      const file = wanted && !files.has(wanted) && (await vocabulary(env, wanted));
      if (file) {
        files.set(wanted, file);
        continue;
      }
      ctx.waitUntil(later(() => console.log(said)));
      return new Response(request.method === "HEAD" ? null : bytes, { status: Number(status), headers: pairsIn(lines) });
    } catch (error) {
      forget(mine); // the next request starts afresh
      throw error;
    }
  }
}

/**
 * Reads the file of a vocabulary from the static assets, which are those of the playground. Returns null if they do not have it.
 * @param {Record<string, any>} env
 * @param {string} name
 */
async function vocabulary(env, name) {
  if (!env.ASSETS || absent.has(name)) return null;
  const response = await env.ASSETS.fetch(`https://assets.invalid/npm/vocab/${name}.bin`);
  if (response.ok) return new Uint8Array(await response.arrayBuffer());
  if (response.status === 404) absent.add(name);
  return null;
}

/**
 * Answers in an instance of its own, which ends with the request.
 * @param {Request} request
 * @param {object} env
 * @param {object} ctx
 * @param {Uint8Array | null} body
 */
async function answerAlone(request, env, ctx, body) {
  const { binding } = await start(env, ctx);
  const { method, url, headers } = request;
  Object.assign(binding, { body, headers: linesOf(headers) }); // the library's own reading would split a header at its commas
  request.signal.addEventListener("abort", () => binding.leave());
  return binding.handleRequest(new Request(url, { method }));
}

/** Headers as one string, as in fetch_js.go: each name and each value on a line of its own. @param {Headers} headers */
const linesOf = (headers) => [...headers].flat().join("\n");

/** @param {string[]} lines @returns {[string, string][]} */
const pairsIn = (lines) => Array.from({ length: lines.length >> 1 }, (_, i) => [lines[2 * i] ?? "", lines[2 * i + 1] ?? ""]);

/**
 * Starts an instance, by the library's own way.
 * @param {object} env
 * @param {object} ctx
 * @returns {Promise<Started>}
 */
async function start(env, ctx) {
  const module = await loadModule();
  const go = new /** @type {any} */ (globalThis).Go();
  go.env = { GODEBUG: "gcstoptheworld=1" }; // as in wasm/npm/instance.js
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

/** Does what nobody waits for, once the response is on its way. @param {() => void} work */
async function later(work) {
  await new Promise((resolve) => setTimeout(resolve, 0));
  work();
}

/** @param {Promise<Started>} which */
function forget(which) {
  if (kept === which) kept = undefined;
}

/** @param {Request} request @param {Record<string, any>} env */
async function overLimit(request, env) {
  if (!env.RATE_LIMITER || request.method === "OPTIONS" || new URL(request.url).pathname === "/healthz") return false;
  const { success } = await env.RATE_LIMITER.limit({ key: request.headers.get("cf-connecting-ip") ?? "unknown" });
  return !success;
}

/**
 * Reads the body in one piece: null where there is none.
 * @param {Request} request
 * @returns {Promise<Body>}
 */
async function read(request) {
  if (!request.body) return null;
  const length = request.headers.get("content-length");
  if (Number(length) > MAX_BODY) return "too large";
  try {
    if (length !== null) return new Uint8Array(await request.arrayBuffer());
    const chunks = [];
    let size = 0;
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > MAX_BODY) return "too large";
      chunks.push(chunk);
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  } catch {
    return "broken off";
  }
}

function broken() {
  const message = "cannot finish the request: an internal error of tamp, please report it";
  return Response.json({ error: { code: "internal", path: "", message } }, { status: 500, headers: HEADERS });
}
