// This file calls every method of the engine the way a user would.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../index.js";
import { anthropic, log, openai } from "./support.js";

const engine = await load();

/** A policy that clears at every turn, also in a small conversation. */
const eager = { preset: "s06" };

test("the version is a version", () => assert.match(engine.version, /^\d+\.\d+\.\d+/));

test("detect names the format and counts the messages", () => {
	assert.deepEqual(engine.detect({ conversation: anthropic(2) }), { format: "anthropic", messages: 6 });
	assert.deepEqual(engine.detect({ conversation: openai(2) }), { format: "openai-chat", messages: 6 });
	assert.deepEqual(engine.detect({ conversation: log(2) }), { format: "claude-code", messages: 6 });
});

test("format overrides detection", () => {
	const conversation = [{ role: "user", content: "Hello" }];
	assert.equal(engine.detect({ conversation }).format, "anthropic");
	assert.equal(engine.detect({ conversation, format: "openai-chat" }).format, "openai-chat");
});

test("count is consistent, and names its counter", () => {
	const conversation = anthropic(3);
	const count = engine.count({ conversation });
	assert.equal(count.messages.length, conversation.length);
	assert.ok(count.total > 3000, `${count.total} tokens`);
	assert.equal(count.counter, "estimate");
	for (const message of count.messages) assert.ok(message.blocks.reduce((a, b) => a + b, 0) <= message.tokens);
	assert.equal(engine.count({ conversation, counter: "chars4" }).counter, "chars4");
});

test("countText takes text and bytes alike", () => {
	const text = "A quick brown fox. 敏捷的棕色狐狸。";
	const bytes = new TextEncoder().encode(text);
	for (const counter of [undefined, "estimate", "chars4", "chars3", "cjk"]) {
		const tokens = engine.countText(text, counter);
		// A sentence: all counters are within a factor of its words and its characters.
		assert.ok(Number.isInteger(tokens) && tokens > 5 && tokens < 40, `${counter}: ${tokens}`);
		assert.equal(engine.countText(bytes, counter), tokens, counter);
		assert.equal(engine.countText(bytes.buffer, counter), tokens, counter);
	}
	assert.equal(engine.countText(""), 0);
	assert.equal(engine.countText(new Uint8Array()), 0);
});

test("check finds nothing in a valid conversation", () => {
	for (const conversation of [anthropic(), openai(), log()]) {
		assert.deepEqual(engine.check({ conversation }), { valid: true, problems: [] });
	}
});

test("check names the rule, the place and the provider's words", () => {
	const conversation = anthropic(2);
	conversation.splice(1, 1); // the call goes, its result stays
	const report = engine.check({ conversation });
	assert.equal(report.valid, false);
	const problem = report.problems.find(({ rule }) => rule === "A3_orphan");
	assert.ok(problem);
	assert.equal(problem.severity, "error");
	assert.equal(problem.path, "/1/content/0");
	assert.match(problem.providerError ?? "", /tool_use_id/);
	assert.ok(problem.message && problem.repair);
});

test("repair returns a valid conversation, and lists its changes", () => {
	const conversation = anthropic(2);
	conversation.splice(1, 1);
	const repaired = engine.repair({ conversation });
	assert.equal(engine.check({ conversation: repaired.conversation }).valid, true);
	assert.deepEqual(
		repaired.problems.map(({ rule }) => rule).filter((rule) => rule === "A3_orphan"),
		["A3_orphan"],
	);
	assert.equal(conversation.length, 5, "the input is left alone");
});

test("inspect reports what plan and apply do to every block", () => {
	const conversation = anthropic();
	const input = { conversation, ...eager };
	const inspection = engine.inspect(input);
	assert.equal(inspection.format, "anthropic");
	assert.equal(inspection.messages.length, conversation.length);
	const cleared = inspection.messages.flatMap(({ blocks }) => blocks).filter(({ fate }) => fate === "cleared");
	assert.equal(cleared.length, 3, "six results, the newest three stay");
	for (const block of cleared) {
		assert.equal(block.kind, "tool_result");
		assert.equal(block.tool, "search");
		assert.ok(block.why && block.after < block.tokens);
		assert.ok([...block.preview].length <= 200 && block.chars > 200); // a preview has at most 200 characters
	}
	const plan = engine.plan(input);
	assert.equal(plan.edits.length, 3);
	assert.deepEqual([plan.before, plan.after], [inspection.before, inspection.after]);
});

test("plan, archive, apply: smaller, still valid, and nothing lost", () => {
	for (const conversation of [anthropic(), openai(), log()]) {
		const input = { conversation, ...eager };
		const plan = engine.plan(input);
		assert.ok(plan.after < plan.before && plan.edits.length === 3);
		assert.deepEqual(plan.requests, []);

		const archive = engine.archive({ ...input, plan });
		const lines = archive.trimEnd().split("\n");
		assert.equal(
			lines.length,
			plan.archive.reduce((sum, { start, end }) => sum + end - start, 0),
		);
		for (const { message, edit } of plan.edits.map((edit, i) => ({ edit, message: JSON.parse(lines[i] ?? "") }))) {
			assert.match(JSON.stringify(message), /of the output/, edit.reason);
		}

		const outcome = engine.apply({ ...input, plan, results: [] });
		assert.equal(typeof outcome.conversation, typeof conversation);
		assert.deepEqual([outcome.before, outcome.after], [plan.before, plan.after]);
		assert.equal(engine.count({ conversation: outcome.conversation }).total, outcome.after);
		assert.equal(engine.check({ conversation: outcome.conversation }).valid, true);
		assert.equal(typeof outcome.state, "string");
		assert.ok(outcome.actions.filter(({ kind }) => kind === "clear_result").length === 3);
		assert.equal(outcome.next, undefined);

		const again = engine.plan({ ...input, conversation: outcome.conversation, state: outcome.state });
		assert.deepEqual(again.edits, [], "cleared results stay cleared");
	}
});

test("a plan survives JSON and a conversation that has grown", () => {
	const input = { conversation: anthropic(), ...eager };
	const plan = JSON.parse(JSON.stringify(engine.plan(input)));
	const grown = [...input.conversation, { role: "user", content: "Thank you." }];
	const outcome = engine.apply({ ...input, conversation: grown, plan, results: [] });
	const after = /** @type {any[]} */ (outcome.conversation);
	assert.deepEqual(after.at(-1), grown.at(-1));
});

test("a policy overrides its preset", () => {
	const input = { conversation: anthropic(), ...eager };
	assert.equal(engine.plan({ ...input, policy: { clear: { keepRecent: 1 } } }).edits.length, 5);
	assert.equal(engine.plan({ ...input, policy: { clear: { keepTools: ["search"] } } }).edits.length, 0);
	const outcome = engine.apply({
		...input,
		policy: { clear: { placeholder: "(gone)" } },
		plan: engine.plan({ ...input, policy: { clear: { placeholder: "(gone)" } } }),
		results: [],
	});
	assert.match(JSON.stringify(outcome.conversation), /\(gone\)/);
});

test("presets have every value and the parameters to change", () => {
	const presets = engine.presets();
	const names = presets.map(({ name }) => name);
	for (const name of ["harness", "s06", "prune", "clear_tool_uses", "clear_thinking"])
		assert.ok(names.includes(name), name);
	for (const { name, title, description, policy, params } of presets) {
		assert.ok(title && description && params.length > 0, name);
		for (const { path } of params) {
			const value = path.split(".").reduce((/** @type {any} */ at, key) => at[key], policy);
			assert.notEqual(value, undefined, `${name}: ${path}`);
		}
		// The values of a preset, given as a policy, change nothing.
		const input = { conversation: anthropic(), preset: name };
		assert.deepEqual(engine.plan({ ...input, policy }), engine.plan(input), name);
	}
});

test("empty lists are lists, not null", () => {
	/** @param {unknown} value @param {string} path */
	const noNull = (value, path) => {
		assert.notEqual(value, null, path);
		if (typeof value === "object")
			for (const [key, inner] of Object.entries(value ?? {})) noNull(inner, `${path}/${key}`);
	};
	const input = { conversation: [{ role: "user", content: "Hello" }] };
	const plan = engine.plan(input);
	noNull(plan, "plan");
	for (const method of /** @type {const} */ (["detect", "count", "check", "repair", "inspect"]))
		noNull(engine[method](input), method);
	noNull(engine.apply({ ...input, plan, results: [] }), "apply");
	noNull(engine.presets(), "presets");
});

test("equal arguments give equal results, and are not changed", () => {
	const input = { conversation: anthropic(), ...eager };
	const before = structuredClone(input);
	const plan = engine.plan(input);
	for (let i = 0; i < 5; i++) assert.deepEqual(engine.plan(input), plan);
	engine.apply({ ...input, plan, results: [] });
	assert.deepEqual(input, before);
});

test("methods may be taken from the engine, which is frozen", () => {
	const { detect, countText } = engine;
	assert.equal(detect({ conversation: anthropic(1) }).messages, 4);
	assert.ok(countText("word") > 0);
	assert.ok(Object.isFrozen(engine));
});
