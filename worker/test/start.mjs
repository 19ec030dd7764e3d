// This file starts a Worker on workerd, with miniflare, for the tests and the benchmark. It uses the settings of
// wrangler.jsonc and the bindings of the test.
// @ts-check

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @typedef {{ kind: keyof typeof doubles, bindings: Record<string, string> }} Double */
/** @typedef {(name: "stdout" | "stderr", chunk: Buffer) => void} Listener */

/** The compatibility settings of production. */
function settings() {
	const text = readFileSync(`${root}/wrangler.jsonc`, "utf8").replace(/^\s*\/\/.*$/gm, "");
	const { compatibility_date: compatibilityDate, compatibility_flags: compatibilityFlags, assets } = JSON.parse(text);
	// Of the static assets, what the program itself reads: npm/vocab, as .build/site has it.
	const serviceBindings = { [assets.binding]: { disk: { path: fileURLToPath(new URL("../wasm", `file://${root}`)) } } };
	return { compatibilityDate, compatibilityFlags, serviceBindings };
}

/** The built Worker of Tamp. */
export function tamp() {
	/** @param {string} path @param {"ESModule" | "CompiledWasm"} type */
	const module = (path, type) => ({ type, path: `${root}/${path}` });
	const modules = [
		module("worker.mjs", "ESModule"),
		module("instance.mjs", "ESModule"),
		module("build/wasm_exec.js", "ESModule"),
		module("build/runtime.mjs", "ESModule"),
		module("build/app.wasm", "CompiledWasm"),
	];
	return { modulesRoot: root, modules };
}

/**
 * Wrapped bindings that replace the platform's: models that a server of the test implements, and stores that fail. They
 * are separate modules because a binding is created inside the runtime.
 */
const doubles = {
	// Posts { model, input } to URL. For a status other than 200 it throws the body of the response.
	ai: `export default ({ URL }) => ({
    async run(model, input) {
      const answer = await fetch(URL, { method: "POST", body: JSON.stringify({ model, input }) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
  });`,
	// Every call fails, as those of R2 do during an outage.
	down: `export default ({ WORDS }) => ({
    async get() { throw new Error(WORDS); },
    async put() { throw new Error(WORDS); },
  });`,
};

/**
 * @param {any} worker tamp(), or { script }
 * @param {Record<string, unknown> & { doubles?: Record<string, Double> }} bindings as miniflare names them
 * @param {Listener} [listen] receives the output of the runtime and of the program
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
				name: "tested",
				unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
				...settings(),
				...worker,
				...bindings,
				wrappedBindings: Object.fromEntries(
					wrapped.map(([name, { bindings: given }]) => [name, { scriptName: `double-${name}`, bindings: given }]),
				),
			},
			...wrapped.map(([name, { kind }]) => ({ name: `double-${name}`, modules: true, script: doubles[kind] })),
		],
	});
	await miniflare.ready;
	// The direct address: miniflare's public one is another Worker in front of it.
	return { url: String(await miniflare.unsafeGetDirectURL("tested")), stop: () => miniflare.dispose() };
}
