// This file measures the answer to a compaction of Claude Code, as its hook gives it, in Node: node wasm/npm/bench/plugin.mjs
// Each run compiles the engine again. The client is built with Bun, which runs this file, too: bun wasm/npm/bench/plugin.mjs

import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { compaction } from "../compaction.js";
import { load } from "../index.js";

const core = new URL("../../../core/", import.meta.url);
const sources = readdirSync(core, { recursive: true })
	.map(String)
	.sort()
	.filter((name) => /^(?!.*testdata).*\.go$/.test(name))
	.map((name) => readFileSync(new URL(name, core), "utf8"));

/** A session that reads sources, in rows of the event. @param {number} bytes */
function session(bytes) {
	/** @type {import("../rows.js").Row[]} */
	const rows = [{ role: "user", text: "Read all of it.", toolUses: [], handle: "h" }];
	for (let i = 0, size = 0; size < bytes; i++) {
		const text = `${i}\n${(sources[i % sources.length] ?? "").slice(0, 9000)}`;
		const use = { tool_use_id: `t${i}`, tool: "Bash", input: { command: `cat ${i}.go` } };
		rows.push({ role: "assistant", text: `I read part ${i}.`, toolUses: [] });
		rows.push({ role: "assistant", text: "", toolUses: [use] });
		rows.push({ role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: `t${i}`, text }] });
		size += text.length;
	}
	return rows;
}

for (const bytes of [400_000, 3_000_000, 10_000_000]) {
	const messages = session(bytes);
	for (let run = 1; run <= 3; run++) {
		let loaded = 0;
		/** @type {Record<string, string>} */
		const files = {};
		const start = performance.now();
		const { said } = await compaction(
			{ messages },
			{
				engine: async () => {
					const begin = performance.now();
					const module = await WebAssembly.compile(readFileSync(new URL("../tamp.wasm", import.meta.url)));
					const engine = await load(module);
					loaded = performance.now() - begin;
					return engine;
				},
				session: async () => ({ log: "/p/s.jsonl", model: "claude-opus-4-5", settings: [] }),
				read: async (path) => files[path] ?? Promise.reject(new Error("ENOENT")),
				write: async (path, text) => {
					files[path] = text;
				},
				list: async () => [],
				now: () => 0,
			},
		);
		const all = performance.now() - start;
		const load1 = (loadavg()[0] ?? 0).toFixed(1);
		console.log(
			`${bytes / 1e6} MB of text, run ${run}: engine ${loaded.toFixed(0)} ms, in all ${all.toFixed(0)} ms; machine load ${load1}; ${said.replace(/;.*/, "")}`,
		);
	}
}
