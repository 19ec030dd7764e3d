// This file runs opencode with the plugin of tamp/opencode and without it, and compares the cost of its requests.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { costOf, outputOf, PROMPT, scriptOf } from "../test/cost.js";
import { startFake } from "../test/fake.js";

const opencode = fileURLToPath(
	new URL("../../../.build/frameworks/node_modules/opencode-linux-x64/bin/opencode", import.meta.url),
);
const here = (/** @type {string} */ name) => JSON.stringify(new URL(`../${name}`, import.meta.url).href);
const away = mkdtempSync(join(tmpdir(), "tamp-opencode-"));
const provider = await startFake();
after(async () => {
	await provider.stop();
	rmSync(away, { recursive: true });
});

/**
 * The bodies of the requests of a task.
 * @param {number} rounds
 * @param {string} archive of the plugin; "": without it
 */
async function requestsOf(rounds, archive) {
	const home = mkdtempSync(join(away, "home-"));
	const work = join(home, "work");
	mkdirSync(join(work, ".opencode/plugins"), { recursive: true });
	const plugin = `
		import { appendFileSync } from "node:fs";
		import { compactor } from ${here("index.js")};
		import { plugin } from ${here("opencode.js")};
		const save = (jsonl) => appendFileSync(${JSON.stringify(archive)}, jsonl);
		export const Tamp = plugin(await compactor({ preset: "balanced", save }));`;
	if (archive) writeFileSync(join(work, ".opencode/plugins/tamp.js"), plugin);
	for (let i = 0; i < rounds; i++) writeFileSync(join(work, `part${i}.go`), outputOf(`part${i}.go`));
	const script = `opencode-${rounds}-${archive ? "tamp" : "plain"}`;
	const steps = scriptOf(rounds, "commands", (file) => ({ command: `cat ${file}`, description: "Show a part" }));
	const baseURL = `${await provider.script(script, steps)}/v1`;
	const limit = { context: 1_000_000, output: 4000 };
	const models = { "claude-sonnet-5": { name: "m", reasoning: false, options: {}, limit } };
	const x = { npm: "@ai-sdk/anthropic", name: "x", options: { baseURL, apiKey: "key" }, models };
	writeFileSync(join(work, "opencode.json"), JSON.stringify({ provider: { x }, permission: { bash: "allow" } }));
	const env = { HOME: home, OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
	const child = spawn(opencode, ["run", "-m", "x/claude-sonnet-5", PROMPT], {
		cwd: work,
		env: { PATH: process.env.PATH, ...env },
		stdio: ["ignore", "ignore", "pipe"], // stderr has the outputs of the tools
	});
	let errors = "";
	child.stderr.on("data", (chunk) => {
		errors = `${errors}${chunk}`.slice(-2000);
	});
	const code = await new Promise((resolve) => child.once("exit", resolve));
	assert.equal(code, 0, errors);
	const calls = (await provider.calls(script)).filter(({ body }) => body.tools?.length > 0); // not the title
	assert.deepEqual(
		calls.flatMap(({ problems }) => problems),
		[],
	);
	assert.equal(calls.length, rounds + 1);
	return calls.map(({ body }) => body);
}

// Of each request 9,000 tokens are opencode's own instructions and tools, which no compaction makes smaller.
for (const [rounds, max] of /** @type {const} */ ([
	[40, 0.85],
	[100, 0.5],
])) {
	test(`opencode, ${rounds} rounds`, async (t) => {
		const archive = join(away, `originals-${rounds}.jsonl`);
		const plain = costOf(await requestsOf(rounds, ""));
		const compacted = costOf(await requestsOf(rounds, archive));
		t.diagnostic(`opencode, ${rounds} rounds: ${(compacted / plain).toFixed(3)} of the cost`);
		assert.ok(compacted <= max * plain, `${compacted / plain}`);
		const outputs = new Set(readFileSync(archive, "utf8").match(/func part\d+_0\(/g));
		assert.ok(outputs.size > rounds / 3, `${outputs.size} outputs were saved`);
	});
}
