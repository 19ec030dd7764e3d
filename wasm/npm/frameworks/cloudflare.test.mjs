// This file runs the Worker of cloudflare.worker.js on workerd, with and without the compaction function of tamp/cloudflare, and
// compares the cost of its requests.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { costOf, outputOf } from "../test/cost.js";
import { startFake } from "../test/fake.js";
import { root } from "../test/support.js";

const { Miniflare } = createRequire(path.join(root, "worker/package.json"))("miniflare");
const out = mkdtempSync(path.join(tmpdir(), "tamp-cloudflare-"));
const bundled = spawnSync(
	path.join(root, ".build/esbuild"),
	[
		fileURLToPath(new URL("cloudflare.worker.js", import.meta.url)),
		"--bundle",
		"--format=esm",
		"--conditions=workerd,worker,browser",
		"--external:cloudflare:*",
		"--external:node:*",
		"--loader:.wasm=copy",
		`--outdir=${out}`,
	],
	{ encoding: "utf8", env: { ...process.env, NODE_PATH: path.join(root, ".build/frameworks/node_modules") } },
);
assert.equal(bundled.status, 0, bundled.stderr);
const provider = await startFake();
let archive = "";
const store = createServer(async (request, response) => {
	for await (const chunk of request) archive += chunk;
	response.end();
}).listen(0, "127.0.0.1");
await once(store, "listening");
const worker = new Miniflare({
	modulesRoot: out,
	modules: readdirSync(out).map((name) => ({
		type: name.endsWith(".wasm") ? "CompiledWasm" : "ESModule",
		path: path.join(out, name),
	})),
	compatibilityDate: "2026-04-26",
	compatibilityFlags: ["nodejs_compat"],
	durableObjects: { CHAT: { className: "Chat", useSQLite: true } },
});
after(async () => {
	await worker.dispose();
	await provider.stop();
	store.close();
	rmSync(out, { recursive: true });
});

/** @param {number} rounds @param {number} limit */
async function run(rounds, limit) {
	const name = `cloudflare-${rounds}-${limit}`;
	const steps = Array.from({ length: rounds }, (_, i) => [
		{ do: "agent", text: "", calls: [{ tool: "bash", input: { command: `part${i}.go` } }] },
		{ do: "agent", text: `Done with ${i}.` },
	]).flat();
	const task = {
		outputs: Array.from({ length: rounds }, (_, i) => outputOf(`part${i}.go`)),
		baseURL: `${await provider.script(name, steps)}/v1`,
		limit,
		archive: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (store.address()).port}`,
	};
	const answer = await worker.dispatchFetch("http://worker/", { method: "POST", body: JSON.stringify(task) });
	assert.equal(answer.status, 200, await answer.clone().text());
	const calls = await provider.calls(name);
	assert.deepEqual(
		calls.flatMap(({ problems }) => problems),
		[],
	);
	assert.equal(calls.length, 2 * rounds);
	return { cost: costOf(calls.map(({ body }) => body)), history: await answer.text() };
}

for (const [rounds, max] of /** @type {const} */ ([
	[40, 0.85],
	[100, 0.5],
])) {
	test(`a Session of Cloudflare's Agents SDK, ${rounds} prompts`, async (t) => {
		const plain = await run(rounds, 0);
		archive = "";
		const { cost, history } = await run(rounds, 20_000);
		t.diagnostic(`cloudflare, ${rounds} prompts: ${(cost / plain.cost).toFixed(2)} of the cost`);
		assert.ok(cost <= max * plain.cost, `${cost / plain.cost}`);
		assert.match(history, /"id":"compaction_/);
		for (let i = 0; i < rounds; i++) {
			for (const text of [`port ${8000 + i}.`, `func part${i}_0(`]) {
				assert.ok(history.includes(text) || archive.includes(text), `${text} is left or saved`);
			}
		}
	});
}
