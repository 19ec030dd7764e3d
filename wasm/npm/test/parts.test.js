// This file tests the wasm in two modules: which calls load the secondary one, and what happens if it does not load.

import assert from "node:assert/strict";
import { test } from "node:test";
import { entryPoint } from "../api.js";
import { compile } from "../compile.js";
import { anthropic, isSplit, log, openai } from "./support.js";

/** @param {string} name */
const module = (name) => compile(new URL(`../${name}.wasm`, import.meta.url));
const [whole, primary, secondary] = await Promise.all(["tamp", "tamp.primary", "tamp.secondary"].map(module));
assert(whole && primary && secondary);
const skip = !isSplit();

/** @param {() => WebAssembly.Module} secondary */
const engineOf = (secondary) =>
	entryPoint({ source: async () => ({ primary, secondary }), whole: async () => whole, compile, spawn: [] }).load();

test("plans and their application do not load the secondary module", async () => {
	const engine = await engineOf(() => assert.fail("the secondary module was loaded"));
	engine.presets();
	engine.models();
	for (const conversation of [anthropic(), openai(), log()]) {
		for (const preset of ["balanced", "harness", "turns", "regions"]) {
			const input = { conversation, preset, policy: { trigger: { window: 8_000 } }, force: true };
			engine.count(input);
			assert.equal(engine.check(input).valid, true);
			const plan = engine.plan(input);
			engine.archive({ ...input, plan });
			const results = engine.summarize({ ...input, plan });
			assert.notEqual(engine.apply({ ...input, plan, results }).actions.length, 0);
		}
	}
	const session = engine.session({ conversation: [] });
	for (const message of anthropic()) session.turn([message]);
	assert.equal(session.count().total > 1_000, true);
	session.close();
});

test("a call that needs the secondary module loads it once, and its answer is the same", {
	skip: !isSplit,
}, async () => {
	let loaded = 0;
	const engine = await engineOf(() => {
		loaded++;
		return secondary;
	});
	const other = await entryPoint({ source: async () => whole, whole: async () => whole, compile, spawn: [] }).load();
	const session = engine.session({ conversation: anthropic() });
	const input = { conversation: log(20) };
	assert.deepEqual(engine.replay(input), other.replay(input));
	assert.deepEqual(
		engine.convert({ conversation: anthropic(), to: "ai-sdk" }),
		other.convert({ conversation: anthropic(), to: "ai-sdk" }),
	);
	assert.equal(loaded, 1);
	assert.deepEqual(session.conversation(), anthropic()); // the memory is the same
});

test("a secondary module that does not load is an error, and the next call works", { skip }, async () => {
	let offline = true;
	const engine = await engineOf(() => {
		if (offline) throw new TypeError("no network");
		return secondary;
	});
	const input = { conversation: log() };
	for (let i = 0; i < 2; i++) {
		assert.throws(() => engine.replay(input), {
			code: "load_failed",
			message:
				"cannot finish replay: the secondary module of tamp.wasm did not load: no network; the next call starts a new instance",
		});
		assert.equal(engine.detect(input).format, "claude-code");
	}
	offline = false;
	assert.equal(engine.replay(input).calls.length, 7);
});

test("the secondary module of another build is an error", { skip }, async () => {
	const bytes = await import("node:fs/promises").then(({ readFile }) =>
		readFile(new URL("../tamp.secondary.wasm", import.meta.url)),
	);
	const name = bytes.indexOf("table.") + "table.".length;
	bytes.write("0000000000000000", name);
	const engine = await engineOf(() => new WebAssembly.Module(bytes));
	assert.throws(() => engine.replay({ conversation: log() }), { code: "load_failed", message: /0000000000000000/ });
	assert.equal(engine.detect({ conversation: log() }).format, "claude-code");
});
