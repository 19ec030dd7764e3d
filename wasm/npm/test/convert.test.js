// This file tests convert on real conversations: each format of a request to each other one.

import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../index.js";

const corpus = process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const engine = await load();
const targets = /** @type {const} */ (["anthropic", "openai-chat", "openai-responses", "gemini", "ai-sdk"]);

/** The longest conversation of a format that is not too large for a test. @param {string} format */
function real(format) {
	const folder = path.join(corpus, format);
	let longest = { text: "", messages: 0 };
	for (const name of existsSync(folder) ? readdirSync(folder) : []) {
		const file = path.join(folder, name);
		if (!/\.jsonl?$/.test(name) || statSync(file).size > 2_500_000) continue;
		const text = readFileSync(file, "utf8");
		const { messages } = engine.detect({ conversation: text });
		if (messages > longest.messages) longest = { text, messages };
	}
	return longest.text;
}

const errors = (/** @type {import("../index.js").Problem[]} */ problems) =>
	problems.filter(({ severity }) => severity === "error");

for (const from of ["anthropic", "openai-chat", "openai-responses", "gemini", "claude-code", "codex", "pi"]) {
	test(`a real conversation of ${from} becomes a valid request of every format`, () => {
		const given = real(from);
		if (!given) return console.log(`no ${from} in the corpus: set TAMP_CORPUS`);
		// Some sessions end in the middle of a call; what was valid stays valid.
		const valid = errors(engine.check({ conversation: given }).problems).length === 0;
		for (const to of targets) {
			const { conversation, losses } = engine.convert({ conversation: given, to });
			assert.equal(typeof conversation, "string", "as text, since it came as text");
			const text = String(conversation);
			if (from === to) assert.equal(text, given);
			if (valid) assert.deepEqual(errors(engine.check({ conversation: text, format: to }).problems), [], `to ${to}`);
			assert.deepEqual(errors(engine.repair({ conversation: text, format: to }).left), [], `to ${to}, repaired`);
			for (const { path, what, became } of losses) {
				assert.match(path, /^(\/.*)?$/);
				assert.ok(what && became, `${path}: ${what}, ${became}`);
			}
		}
	});
}
