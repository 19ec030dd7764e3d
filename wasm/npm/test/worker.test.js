// This file checks that the engine in a worker returns the same as the synchronous one, for concurrent calls.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { load, loadInWorker, TampError } from "../index.js";
import { anthropic, log, openai } from "./support.js";

const engine = await load();
const remote = await loadInWorker();
after(() => remote.terminate());

const eager = { preset: "s06" };

test("every method returns the same as the synchronous engine", async () => {
	assert.equal(remote.version, engine.version);
	assert.deepEqual(await remote.presets(), engine.presets());
	assert.equal(await remote.countText("some words"), engine.countText("some words"));
	assert.equal(
		await remote.countText(new TextEncoder().encode("some words"), "chars4"),
		engine.countText("some words", "chars4"),
	);
	for (const conversation of [anthropic(), openai(), log(), new TextEncoder().encode(log())]) {
		const input = { conversation, ...eager };
		for (const method of /** @type {const} */ (["detect", "count", "check", "repair", "inspect", "plan"])) {
			assert.deepEqual(await remote[method](input), engine[method](input), method);
		}
		const plan = engine.plan(input);
		assert.equal(await remote.archive({ ...input, plan }), engine.archive({ ...input, plan }));
		assert.deepEqual(
			await remote.apply({ ...input, plan, results: [] }),
			engine.apply({ ...input, plan, results: [] }),
		);
	}
});

test("each of many concurrent calls gets its answer", async () => {
	const answers = await Promise.all(
		Array.from({ length: 50 }, (_, i) => remote.detect({ conversation: anthropic(i) })),
	);
	assert.deepEqual(
		answers.map(({ messages }) => messages),
		Array.from({ length: 50 }, (_, i) => 2 * i + 2),
	);
});

test("errors are unchanged, and reject only their own call", async () => {
	const calls = await Promise.allSettled([
		remote.detect({ conversation: "not JSON" }),
		remote.detect({ conversation: anthropic(1) }),
		remote.plan({ conversation: anthropic(1), preset: "nonsense" }),
		remote.detect(/** @type {any} */ (null)),
	]);
	assert.deepEqual(
		calls.map((call) => (call.status === "rejected" ? call.reason.code : call.value)),
		["bad_json", { format: "anthropic", messages: 4 }, "bad_policy", "bad_request"],
	);
	for (const call of calls) if (call.status === "rejected") assert.ok(call.reason instanceof TampError);
});

test("bytes are copied, unless they are transferred", async () => {
	const text = JSON.stringify(anthropic());
	const bytes = new TextEncoder().encode(text);
	const whole = new Uint8Array(bytes); // memory of exactly its size
	assert.equal((await remote.repair({ conversation: whole })).conversation, text);
	assert.equal(whole.length, bytes.length, "kept");

	const part = whole.subarray(0);
	const given = remote.repair({ conversation: whole }, { transfer: true });
	assert.equal(whole.length, 0, "given away");
	assert.equal(part.length, 0);
	assert.equal((await given).conversation, text);
	await assert.rejects(remote.repair({ conversation: whole }, { transfer: true }), { code: "bad_request" });

	const around = new TextEncoder().encode(`  ${text}  `);
	const inside = around.subarray(2, around.length - 2);
	assert.equal((await remote.repair({ conversation: inside }, { transfer: true })).conversation, text);
	assert.equal(inside.length, text.length, "a part is never given away, for the rest would go with it");

	const words = new Uint8Array(new TextEncoder().encode("some words"));
	assert.equal(await remote.countText(words, undefined, { transfer: true }), engine.countText("some words"));
	assert.equal(words.length, 0);
});

test("terminate rejects open and later calls", async () => {
	const mortal = await loadInWorker();
	const flying = mortal.detect({ conversation: anthropic(1) });
	mortal.terminate();
	await assert.rejects(flying, { code: "terminated" });
	await assert.rejects(mortal.detect({ conversation: anthropic(1) }), { code: "terminated" });
	mortal.terminate();
});

test("a worker that cannot load is an error", async () => {
	await assert.rejects(loadInWorker(new URL("absent.wasm", import.meta.url)), {
		name: "TampError",
		code: "load_failed",
	});
});

test("a worker gets every kind of source", async () => {
	const file = new URL("../tamp.wasm", import.meta.url);
	const bytes = readFileSync(file);
	for (const source of [file, bytes, await WebAssembly.compile(bytes), new Response(bytes)]) {
		const other = await loadInWorker(source);
		assert.equal(other.version, engine.version);
		other.terminate();
	}
});

test("an idle worker does not keep the process alive, a working one does", () => {
	const script = `
    const { loadInWorker } = await import(${JSON.stringify(new URL("../index.js", import.meta.url).href)});
    const engine = await loadInWorker();
    engine.countText("some words").then(() => console.log("answered"));`;
	const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
		encoding: "utf8",
		timeout: 120_000,
	});
	assert.deepEqual([run.status, run.stdout, run.stderr], [0, "answered\n", ""]);
});
