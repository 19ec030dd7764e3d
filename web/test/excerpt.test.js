// This file tests the pure parts of the page in Node: the excerpt of an error, and the words for numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOf } from "../app/engine/excerpt.js";
import { bytes, fileName, nameAs, plural, saved, sentence } from "../app/ui/words.js";

const utf8 = (/** @type {string} */ text) => new TextEncoder().encode(text);

test("the caret is under the code point that the engine names", () => {
	const at = (/** @type {string} */ text, /** @type {string} */ message) => {
		const excerpt = excerptOf(utf8(text), { path: "", message });
		return [...(excerpt?.text ?? "")].slice(excerpt?.caret).join("");
	};
	assert.equal(at("[1,\n 2 3]", "cannot parse JSON: x at line 2, column 4"), "3]");
	assert.equal(at('["汉字😀" 3]', "cannot parse JSON: x at line 1, column 8"), "3]");
	assert.equal(at("[\t1 2]", "cannot parse JSON: x at line 1, column 5"), "2]");
	assert.equal(at("[1", "cannot parse JSON: cut short at line 1, column 3"), "");
	assert.equal(at(`${"x".repeat(500)}!${"y".repeat(500)}`, "at line 1, column 501"), `!${"y".repeat(47)}…`);
});

test("a pointer shows the value that it points at", () => {
	assert.equal(
		excerptOf(utf8('{"messages": [{"role": "alien"}]}'), { path: "/messages/0", message: "x" })?.text,
		'{"role":"alien"}',
	);
	assert.equal(excerptOf(utf8('{"a/b": {"~": 1}}'), { path: "/a~1b/~0", message: "x" })?.text, "1");
	assert.equal(excerptOf(utf8('{"a": 1}\n{"b": [2]}\n'), { path: "/1/b", message: "x" })?.text, "[2]");
	assert.equal(excerptOf(utf8("{}"), { path: "/gone/far", message: "x" }), undefined);
});

test("words for numbers", () => {
	assert.deepEqual(
		[bytes(0), bytes(1), bytes(999), bytes(1200), bytes(98_400), bytes(10_240_000)],
		["0 bytes", "1 byte", "999 bytes", "1.2 kB", "98 kB", "10.2 MB"],
	);
	assert.deepEqual(
		[saved(100, 100), saved(1000, 997), saved(1000, 10), saved(0, 0), saved(1000, 1)],
		["0 %", "0.3 %", "99 %", "0 %", "99 %"],
	);
	assert.equal(plural(1234, "message"), "1,234 messages");
});

test("names of downloads come from the name of the input", () => {
	assert.equal(fileName("notes.json", "anthropic", "compacted"), "notes.compacted.json");
	assert.equal(fileName("log.jsonl", "claude-code", "compacted"), "log.compacted.jsonl");
	assert.equal(fileName("notes.compacted.json", "openai-chat", "archive"), "notes.archive.jsonl");
	assert.equal(fileName("", "anthropic", "compacted"), "session.compacted.json");
});

test("names of downloads are those of logs if the input is a log, and say the format if it is another one", () => {
	assert.equal(fileName("rollout.jsonl", "codex", "compacted"), "rollout.compacted.jsonl");
	assert.equal(fileName("pasted session", "codex", "compacted"), "pasted session.compacted.jsonl");
	assert.equal(
		fileName("session.json", "gemini-cli", "compacted"),
		"session.compacted.json",
		"its older files are JSON",
	);
	assert.equal(nameAs("rollout.jsonl", "packed", "gemini"), "rollout.compacted.gemini.json");
	assert.equal(nameAs("rollout.jsonl", "original", "ai-sdk"), "rollout.ai-sdk.json");
});

test("a sentence begins with a capital letter, unless it begins with a name", () => {
	assert.equal(sentence("read again later"), "Read again later");
	for (const text of ["main.go was read again", "core/apply.go: read again", "tool_use without a result"])
		assert.equal(sentence(text), text);
});
