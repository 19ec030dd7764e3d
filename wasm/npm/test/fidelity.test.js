// This file checks that unchanged messages are returned unchanged: text byte for byte, objects by value.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../index.js";
import { anthropic, log, openai } from "./support.js";

const engine = await load();
const bytesOf = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** One valid message with everything that parsing and writing JSON would change. */
const odd = [
	String.raw`{ "role":"user",  "content":"a\u00e9\/\ud83d\ude00 é 😀` +
		"\u2028" +
		'", "n":9007199254740993.000, "e":1E400,',
	String.raw`  "k":1, "k":2, "__proto__":{"x":1}, "constructor":null, "toString":[], "pair":"\ud83d\ude00", "nul":"\u0000" }`,
].join("\n\t");

test("text and bytes are returned as text, byte for byte", () => {
	const texts = {
		array: `  [\n${odd}\n ] \n`,
		body: `{"max_tokens":12345678901234567890,"system":"s","messages":[${odd}],"metadata":{"__proto__":1}}`,
		log: log(2),
		"log without a last newline": log(2).trimEnd(),
		"log with CRLF": log(2).replaceAll("\n", "\r\n"),
	};
	for (const [name, text] of Object.entries(texts)) {
		assert.equal(engine.repair({ conversation: text }).conversation, text, name);
		assert.equal(engine.repair({ conversation: bytesOf(text) }).conversation, text, name);
		assert.equal(engine.repair({ conversation: bytesOf(text).buffer }).conversation, text, name);
		const input = { conversation: text, preset: "s06" };
		assert.equal(engine.apply({ ...input, plan: engine.plan(input), results: [] }).conversation, text, name);
	}
});

test("an edit does not change any other byte", () => {
	const messages = anthropic().map((message) => JSON.stringify(message, null, 1));
	messages[0] = odd;
	const text = `[${messages.join(" ,\n")}]`;
	const input = { conversation: text, preset: "s06" };
	const plan = engine.plan(input);
	const after = String(engine.apply({ ...input, plan, results: [] }).conversation);
	assert.notEqual(after, text);
	const edited = new Set(plan.edits.map(({ message }) => message));
	assert.equal(edited.size, 3);
	let at = 0;
	messages.forEach((message, i) => {
		const found = after.indexOf(message, at);
		assert.equal(found >= 0, !edited.has(i), `message ${i}`);
		if (found >= 0) at = found + message.length;
	});
});

test("the archive has the unchanged originals", () => {
	const messages = anthropic().map((message) =>
		JSON.stringify(message).replace('"role"', '"n":9007199254740993,"role"'),
	);
	const input = { conversation: `[${messages.join()}]`, preset: "s06" };
	const plan = engine.plan(input);
	const archive = engine
		.archive({ ...input, plan })
		.trimEnd()
		.split("\n");
	assert.deepEqual(
		archive,
		plan.edits.map(({ message }) => messages[message]),
	);
});

test("objects are returned as objects", () => {
	for (const conversation of [anthropic(2), openai(2)]) {
		assert.deepEqual(engine.repair({ conversation }).conversation, conversation);
	}
});

test("prototype keys are data", () => {
	const conversation = JSON.parse(
		'[{"role":"user","content":"Hello","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}]',
	);
	const { conversation: back } = engine.repair({ conversation });
	assert.equal(JSON.stringify(back), JSON.stringify(conversation));
	assert.equal(/** @type {any} */ ({}).polluted, undefined);
});

test("half of a surrogate pair is a problem, and repaired to U+FFFD", () => {
	const conversation = [{ role: "user", content: "half \ud83d of a pair, and \ude00 the other" }];
	const { valid, problems } = engine.check({ conversation });
	assert.deepEqual([valid, problems.map((p) => [p.rule, p.path])], [false, [["J1_lone_surrogate", "/0/content"]]]);
	const whole = [{ role: "user", content: "half \ufffd of a pair, and \ufffd the other" }];
	assert.deepEqual(engine.repair({ conversation }).conversation, whole);

	const text = '[{"role":"user","content":"half \ud83d of a pair, \ude00, and whole 😀"}]';
	const { conversation: back } = engine.repair({ conversation: text });
	assert.equal(back, '[{"role":"user","content":"half \\ufffd of a pair, \\ufffd, and whole 😀"}]');
});

test("a lone surrogate after a backslash stays invalid", () => {
	assert.throws(() => engine.detect({ conversation: '[{"role":"user","content":"a\\\ud83d"}]' }), { code: "bad_json" });
	// After an escaped backslash it is a normal character.
	const { conversation } = engine.repair({ conversation: '[{"role":"user","content":"a\\\\\ud83d"}]' });
	assert.equal(conversation, '[{"role":"user","content":"a\\\\\\ufffd"}]');
});

test("a view of a part of memory is read as that part", () => {
	const text = JSON.stringify(anthropic(1));
	const around = bytesOf(`junk${text}junk`);
	const view = around.subarray(4, around.length - 4);
	assert.equal(engine.repair({ conversation: view }).conversation, text);
	assert.equal(engine.repair({ conversation: Buffer.from(text) }).conversation, text);
	assert.equal(engine.repair({ conversation: new DataView(view.buffer, 4, text.length) }).conversation, text);
	const shared = new Uint8Array(new SharedArrayBuffer(text.length));
	shared.set(bytesOf(text));
	assert.equal(engine.repair({ conversation: shared }).conversation, text);
});

test("toJSON and undefined are as JSON.stringify has them, and a function comes back", () => {
	const messages = anthropic(1);
	assert.equal(engine.detect({ conversation: { toJSON: () => messages } }).messages, 4);
	const f = () => {};
	const withHoles = [{ role: "user", content: "Hello", gone: undefined, f }];
	assert.deepEqual(engine.repair({ conversation: withHoles }).conversation, [{ role: "user", content: "Hello", f }]);
});
