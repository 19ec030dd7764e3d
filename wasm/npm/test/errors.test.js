// This file checks that bad input is refused with a code, a path and a message, and that the engine stays usable.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { compact, compactor, load, TampError } from "../index.js";
import { anthropic } from "./support.js";

const engine = await load();

afterEach(() =>
	assert.equal(engine.detect({ conversation: anthropic(1) }).messages, 4, "the engine answers the next call"),
);

/**
 * @param {() => unknown} call
 * @param {string} code
 * @returns {TampError}
 */
function refused(call, code) {
	let result;
	try {
		result = call();
	} catch (thrown) {
		assert.ok(thrown instanceof TampError && thrown instanceof Error, String(thrown));
		assert.equal(thrown.name, "TampError");
		assert.equal(thrown.code, code, thrown.message);
		assert.equal(typeof thrown.path, "string");
		assert.match(thrown.message, /^cannot /);
		return thrown;
	}
	return assert.fail(`not refused: ${JSON.stringify(result)}`);
}

const detect = (/** @type {unknown} */ conversation) => () => engine.detect({ conversation });

test("a conversation in place of { conversation } is refused by what was given, and so is a forgotten engine", async () => {
	const messages = anthropic(2);
	/** @type {[any, RegExp][]} */
	const unwrapped = [
		[{ messages }, /got \{ messages \}: put it into \{ conversation \}/],
		[{ model: "m", input: messages, preset: "s06" }, /got \{ input \}/],
		[{ contents: messages }, /got \{ contents \}/],
		[messages, /got a conversation/],
		[new TextEncoder().encode(JSON.stringify(messages)), /got a conversation/],
	];
	for (const [input, message] of unwrapped) {
		for (const call of [engine.plan, engine.count, engine.check, engine.session, engine.replay, engine.archive])
			assert.match(refused(() => call(input), "bad_request").message, message);
		assert.match(refused(() => engine.quality({ conversation: messages }, input), "bad_request").message, message);
		await assert.rejects(compact(engine, input, { save: "discard" }), { code: "bad_request", message });
	}
	for (const [first, message] of /** @type {[any, RegExp][]} */ ([
		[{ conversation: messages }, /want an engine, await load\(\), got something else/],
		[messages, /got something else/],
		[undefined, /got something else/],
		[load(), /got a promise/],
	])) {
		await assert.rejects(compact(first, { conversation: messages }, { save: "discard" }), {
			code: "bad_request",
			message,
		});
	}
	for (const host of [undefined, {}, { save: undefined }, { save: "no" }]) {
		await assert.rejects(compact(engine, { conversation: messages }, /** @type {any} */ (host)), {
			code: "bad_request",
			path: "/save",
			message: /save: "discard"/,
		});
	}
});

test("every optional setting may be undefined", async () => {
	const nothing = {
		format: undefined,
		model: undefined,
		preset: undefined,
		policy: { clear: undefined, trigger: { window: undefined } },
		counter: undefined,
		thinking: undefined,
		state: undefined,
		usage: undefined,
		idleSec: undefined,
		force: undefined,
		focus: undefined,
	};
	const host = {
		summarize: undefined,
		concurrency: undefined,
		signal: undefined,
		onProgress: undefined,
		onWarning: undefined,
	};
	const conversation = anthropic(8);
	const want = await compact(engine, { conversation }, { save: "discard" });
	assert.deepEqual(await compact(engine, { ...nothing, conversation }, { save: "discard", ...host }), want);
	const { state: _, usage, idleSec, force, focus, ...settings } = nothing;
	const tamp = await compactor({ save: "discard", ...host, ...settings, engine: undefined, from: undefined });
	const turn = { usage, idleSec, force, focus, signal: undefined };
	assert.deepEqual(await tamp(conversation, turn), want.conversation);
});

test("conversations that are not JSON", () => {
	const cyclic = { messages: anthropic(1), self: {} };
	cyclic.self = cyclic;
	const cases = {
		empty: "",
		blank: " \n",
		prose: "hello",
		"cut short": '[{"role":"user","content":"Hel',
		"two values": "[] []",
		binary: new Uint8Array([0, 159, 146, 150, 255]),
		"no bytes": new Uint8Array(),
		"a cycle": cyclic,
		"a BigInt": [{ role: "user", content: 1n }],
		nothing: undefined,
		"a function": () => 1,
		"a symbol": Symbol("s"),
		"a toJSON that throws": {
			toJSON() {
				throw new Error("not today");
			},
		},
	};
	for (const [name, conversation] of Object.entries(cases)) {
		const error = refused(detect(conversation), "bad_json");
		assert.doesNotMatch(error.message, /\n/, name);
	}
	assert.match(refused(detect(cases["a toJSON that throws"]), "bad_json").message, /not today/);
});

test("bytes that are not UTF-8 are reported, and repaired to U+FFFD", () => {
	const conversation = Buffer.from('[{"role":"user","content":"caf\xe9"}]', "latin1");
	assert.equal(engine.check({ conversation }).problems[0]?.rule, "J1_lone_surrogate");
	assert.match(JSON.stringify(engine.repair({ conversation }).conversation), /caf\ufffd/);
});

test("JSON that is not a conversation", () => {
	for (const conversation of [5, null, true, {}, [5], { messages: 5 }, "null"]) {
		const thrown = (() => {
			try {
				engine.check({ conversation });
			} catch (e) {
				return e;
			}
		})();
		if (thrown)
			assert.ok(thrown instanceof TampError && ["unknown_format", "bad_message"].includes(thrown.code), String(thrown));
		else assert.fail(`accepted: ${JSON.stringify(conversation)}`);
	}
});

test("depth bombs, as text and as an object", () => {
	refused(detect("[".repeat(100_000)), "too_large");
	/** @type {unknown[]} */
	let deep = [];
	for (let i = 0; i < 5_000; i++) deep = [deep];
	refused(detect([{ role: "user", content: deep }]), "too_large");
	for (let i = 0; i < 1_000_000; i++) deep = [deep];
	refused(detect(deep), "too_large"); // deeper than JSON.stringify goes
});

test("arguments of the wrong shape", () => {
	const bad = /** @type {any} */ (engine);
	for (const input of [undefined, null, 5, "text"]) refused(() => bad.detect(input), "bad_request");
	refused(() => bad.detect({ conversation: anthropic(1), counter: "nonsense", polcy: {} }), "bad_request");
	refused(() => bad.count({ conversation: anthropic(1), counter: "nonsense" }), "bad_request");
	refused(() => bad.countText(5), "bad_request");
	refused(() => bad.countText(undefined), "bad_request");
	refused(() => bad.plan({ conversation: anthropic(1), policy: { clear: 1n } }), "bad_request");
	refused(() => bad.archive({ conversation: anthropic(1) }), "bad_plan");
	const moved = new TextEncoder().encode(JSON.stringify(anthropic(1)));
	structuredClone(moved, { transfer: [moved.buffer] });
	refused(() => engine.detect({ conversation: moved }), "bad_request");
});

test("formats, presets and policies that do not exist", () => {
	const conversation = anthropic(1);
	refused(() => engine.detect({ conversation, format: /** @type {any} */ ("nonsense") }), "unknown_format");
	refused(() => engine.plan({ conversation, preset: "harnes" }), "bad_policy");
	const unknown = refused(
		() => engine.plan({ conversation, policy: /** @type {any} */ ({ clear: { keepRecnt: 1 } }) }),
		"bad_policy",
	);
	assert.match(unknown.message, /keepRecent/, "a suggestion");
	refused(() => engine.plan({ conversation, policy: { clear: { keepRecent: -1 } } }), "bad_policy");
	refused(
		() => engine.plan({ conversation, policy: /** @type {any} */ (JSON.parse('{"__proto__":{"clear":{}}}')) }),
		"bad_policy",
	);
});

test("plans for another conversation", () => {
	const input = { conversation: anthropic(), preset: "s06" };
	const plan = engine.plan(input);
	refused(() => engine.apply({ ...input, conversation: anthropic(5), plan, results: [] }), "stale_plan");
	const hostile = { ...plan, edits: plan.edits.map((edit) => ({ ...edit, message: edit.message + 1000 })) };
	refused(() => engine.apply({ ...input, plan: hostile, results: [] }), "bad_plan");
	refused(() => engine.apply({ ...input, plan: /** @type {any} */ ({ edits: "many" }), results: [] }), "bad_plan");
});
