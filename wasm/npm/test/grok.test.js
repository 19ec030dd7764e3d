// This file tests that the answers of Grok CLI get the usage of their prompt, whose sums stay.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withUsage } from "../grok.js";
import { tamp } from "./command.js";

const lines = (/** @type {any[]} */ ...all) => `${all.map((line) => JSON.stringify(line)).join("\n")}\n`;
const prompt = (/** @type {number} */ prompt_index) => ({
	type: "user",
	content: [{ type: "text", text: "go" }],
	prompt_index,
});
const answer = { type: "assistant", content: "x", model_id: "claude-opus-4-5" };
const update = (/** @type {any} */ update, /** @type {any} */ about = {}) => ({
	params: { update, _meta: about },
});
const done = (/** @type {number[]} */ [inputTokens, cachedReadTokens, cacheCreationTokens, outputTokens] = []) =>
	update({
		sessionUpdate: "turn_completed",
		usage: { inputTokens, cachedReadTokens, cacheCreationTokens, outputTokens },
	});
const call = (/** @type {number} */ streamStartMs, /** @type {number} */ totalTokens) =>
	update({ sessionUpdate: "tool_call" }, { streamStartMs, totalTokens });

const updates = lines(
	update({ sessionUpdate: "user_message_chunk" }),
	done([500, 0, 0, 5]), // of a prompt that a compaction removed
	update({ sessionUpdate: "user_message_chunk" }),
	call(1, 1010),
	call(2, 1210), // two calls of one answer
	call(2, 1210),
	done([3700, 2200, 1400, 30]),
	update({ sessionUpdate: "user_message_chunk" }),
	done([1600, 1500, 50, 7]),
);
const history = lines(
	{ type: "system", content: "s" },
	prompt(1),
	answer,
	{ type: "tool_result" },
	answer,
	answer,
	prompt(2),
	answer,
);

/** @param {string} text @returns {any[]} */
const usages = (text) =>
	text
		.split("\n")
		.filter((line) => line.includes('"assistant"'))
		.map((line) => JSON.parse(line).usage);

test("the sums of a prompt are split by the sizes of its calls", () => {
	assert.deepEqual(usages(withUsage(history, updates)), [
		{ input: 100, read: 0, write: 900, output: 10 },
		{ input: 0, read: 1000, write: 200, output: 10 },
		{ input: 0, read: 1200, write: 300, output: 10 },
		{ input: 50, read: 1500, write: 50, output: 7 },
	]);
	const sum = (/** @type {string} */ name) =>
		usages(withUsage(history, updates.replaceAll("1210", "99999"))).reduce((all, usage) => all + usage[name], 0);
	assert.deepEqual([sum("read"), sum("write"), sum("output")], [3700, 1450, 37], "also if the sizes do not fit");
	assert.equal(sum("input") + sum("read") + sum("write"), 5300);
	for (const broken of ["", "{", "null\n3\n"]) assert.equal(withUsage(history, broken), history);
});

test("tamp usage bills the sums", () => {
	const folder = join(mkdtempSync(join(tmpdir(), "tamp-grok-")), ".grok", "sessions");
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "chat_history.jsonl"), history);
	writeFileSync(join(folder, "updates.jsonl"), updates);
	const { stdout } = tamp(["usage", folder, "--json", "--prices", "1,7,2,3"]);
	const { calls, cost } = JSON.parse(stdout);
	assert.deepEqual([calls, cost], [4, 150 + 7 * 37 + 2 * 3700 + 3 * 1450]);
});
