// This file starts a Worker on real workerd, through miniflare, for the tests and the benchmark: ours as wrangler.jsonc has it,
// with the bindings that a test wants.
// @ts-check

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {{ kind: keyof typeof doubles, bindings: Record<string, string> }} Double */
/** @typedef {(name: "stdout" | "stderr", chunk: Buffer) => void} Listener */

/** What runs in production is what is tested. */
function settings() {
  const text = readFileSync(`${root}/wrangler.jsonc`, "utf8").replace(/^\s*\/\/.*$/gm, "");
  const { compatibility_date: compatibilityDate, compatibility_flags: compatibilityFlags, assets } = JSON.parse(text);
  // Of the static assets, what the program itself reads: npm/vocab, as .build/site has it.
  const serviceBindings = { [assets.binding]: { disk: { path: fileURLToPath(new URL("../wasm", `file://${root}`)) } } };
  return { compatibilityDate, compatibilityFlags, serviceBindings };
}

/** Ours. */
export function tamp() {
  /** @param {string} path @param {"ESModule" | "CompiledWasm"} type */
  const module = (path, type) => ({ type, path: `${root}/${path}` });
  const modules = [
    module("worker.mjs", "ESModule"), module("build/wasm_exec.js", "ESModule"), module("build/runtime.mjs", "ESModule"),
    module("build/app.wasm", "CompiledWasm"),
  ];
  return { modulesRoot: root, modules };
}

/**
 * Wrapped bindings that stand in for the platform's: models that a server of the test answers for, and stores that are down.
 * They are modules of their own because a binding is made inside the runtime.
 */
const doubles = {
  // Posts { model, input } to URL. A status other than 200 is thrown with the words that come with it.
  ai: `export default ({ URL }) => ({
    async run(model, input) {
      const answer = await fetch(URL, { method: "POST", body: JSON.stringify({ model, input }) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
  });`,
  // Every call fails, as R2's do when it is down.
  down: `export default ({ WORDS }) => ({
    async get() { throw new Error(WORDS); },
    async put() { throw new Error(WORDS); },
  });`,
};

/**
 * @param {any} worker what runs: tamp(), or { script }
 * @param {Record<string, unknown> & { doubles?: Record<string, Double> }} bindings as miniflare names them
 * @param {Listener} [listen] to what the runtime and the program print
 */
export async function start(worker, { doubles: wanted = {}, ...bindings }, listen = () => {}) {
  const wrapped = Object.entries(wanted);
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    port: 0,
    handleRuntimeStdio: (/** @type {NodeJS.ReadableStream} */ stdout, /** @type {NodeJS.ReadableStream} */ stderr) => {
      stdout.on("data", (chunk) => listen("stdout", chunk));
      stderr.on("data", (chunk) => listen("stderr", chunk));
    },
    workers: [
      {
        name: "tested", unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }], ...settings(), ...worker, ...bindings,
        wrappedBindings: Object.fromEntries(wrapped.map(([name, { bindings: given }]) => [name, { scriptName: `double-${name}`, bindings: given }])),
      },
      ...wrapped.map(([name, { kind }]) => ({ name: `double-${name}`, modules: true, script: doubles[kind] })),
    ],
  });
  await miniflare.ready;
  // Its own address: miniflare's front is another Worker in between.
  return { url: String(await miniflare.unsafeGetDirectURL("tested")), stop: () => miniflare.dispose() };
}
