// This file is the Worker's entry: it reads a request's body in one piece and hands it to an instance of the Go program. Rules
// live in Go; here is only which instance answers. README.md says why there are two ways.

import "./build/wasm_exec.js";
import { createRuntimeContext, loadModule } from "./build/runtime.mjs";

/** As in body.go. */
const MAX_BODY = 32 << 20;

/** The kept instance is let go once a large conversation has blown it up: wasm memory never shrinks, and an isolate has 128 MB. */
const MAX_KEPT_MEMORY = 64 << 20;

/** The kept instance; a promise while it starts. @type {Promise<Started> | undefined} */
let kept;

/** @typedef {{ binding: Record<string, any>, memory: WebAssembly.Memory, exited: boolean }} Started */

export default {
  /**
   * @param {Request} request
   * @param {Record<string, any>} env
   * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
   */
  async fetch(request, env, ctx) {
    const limited = await overLimit(request, env);
    const body = limited ? null : await read(request);
    return !limited && waits(request) ? answerAlone(request, env, ctx, body) : answerKept(request, env, ctx, body, limited);
  },
};

/** Whether answering takes I/O: a store, a model. @param {Request} request */
function waits({ method, url }) {
  const path = new URL(url).pathname;
  return (method === "POST" && path === "/v1/compact") || ((method === "GET" || method === "HEAD") && path.startsWith("/v1/transcripts/"));
}

/**
 * Answers at once, in the kept instance. Nothing is awaited between the call and its answer, so no two requests ever meet in it.
 * @param {Request} request
 * @param {object} env
 * @param {object} ctx
 * @param {Uint8Array | undefined | null} body
 * @param {boolean} limited
 */
async function answerKept(request, env, ctx, body, limited) {
  kept ??= start(env, ctx);
  const mine = kept;
  try {
    const go = await mine;
    const { method, url } = request;
    const answer = go.binding.answer({ method, url, headers: [...request.headers], body, tooLarge: body === undefined, limited });
    if (go.exited || go.memory.buffer.byteLength > MAX_KEPT_MEMORY) forget(mine);
    return new Response(method === "HEAD" ? null : answer.body, answer);
  } catch {
    forget(mine); // out of memory, or a bug of ours: the next request starts afresh
    return broken();
  }
}

/**
 * Answers in an instance of its own, which ends with the request.
 * @param {Request} request
 * @param {object} env
 * @param {object} ctx
 * @param {Uint8Array | undefined | null} body
 */
async function answerAlone(request, env, ctx, body) {
  if (body === undefined) return answerKept(request, env, ctx, body, false);
  try {
    const { binding } = await start(env, ctx);
    binding.body = body;
    request.signal.addEventListener("abort", () => binding.leave());
    const { method, url, headers } = request;
    return await binding.handleRequest(new Request(url, { method, headers }));
  } catch {
    return broken();
  }
}

/**
 * Starts an instance, by the library's own way.
 * @param {object} env
 * @param {object} ctx
 * @returns {Promise<Started>}
 */
async function start(env, ctx) {
  const module = await loadModule();
  const go = new globalThis.Go();
  /** @type {Started} */
  const started = { binding: {}, memory: undefined, exited: false };
  await new Promise((resolve, reject) => {
    const instance = new WebAssembly.Instance(module, { ...go.importObject, workers: { ready: resolve } });
    started.memory = instance.exports.mem;
    go.run(instance, createRuntimeContext({ env, ctx, binding: started.binding })).then(() => {
      started.exited = true;
      reject(new Error("the program ended before it was ready"));
    }, reject);
  });
  return started;
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
 * Reads the body in one piece: null where there is none, undefined where it is too large.
 * @param {Request} request
 * @returns {Promise<Uint8Array | null | undefined>}
 */
async function read(request) {
  if (!request.body) return null;
  const length = request.headers.get("content-length");
  if (length !== null) return Number(length) > MAX_BODY ? undefined : new Uint8Array(await request.arrayBuffer());
  const chunks = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function broken() {
  const message = "cannot finish the request: an internal error of tamp, please report it";
  return Response.json({ error: { code: "internal", path: "", message } }, { status: 500, headers: { "cache-control": "no-store" } });
}
