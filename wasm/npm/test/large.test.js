// This file checks that inputs over the limit are refused, with the size and the limit, before they are copied into the
// engine's memory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { watched } from "../bench/watched.mjs";
import { loadInWorker } from "../index.js";
import { later, some } from "./few.js";

const LIMIT = 256 * 2 ** 20;
const { engine, memory } = await watched();

/** @param {number} size */
const refusal = (size) => (/** @type {any} */ error) => {
	assert.equal(error.name, "TampError");
	assert.equal(error.code, "too_large");
	assert.equal(error.path, "");
	assert.match(error.message, new RegExp(`is ${size} bytes, at most 268435456 bytes \\(256 MiB\\) are accepted`));
	return true;
};

test("strings, bytes and objects over 256 MiB are refused, and not copied into the engine's memory", () => {
	const before = memory();
	const bytes = new Uint8Array(LIMIT + 1);
	assert.throws(() => engine.detect({ conversation: bytes }), refusal(LIMIT + 1));
	assert.throws(() => engine.plan({ conversation: bytes.buffer }), refusal(LIMIT + 1));
	assert.throws(() => engine.loadVocabulary("o200k_base", bytes), refusal(LIMIT + 1));
	assert.throws(() => engine.session({ conversation: bytes }), refusal(LIMIT + 1));
	const session = engine.session({ conversation: [] });
	assert.throws(() => session.append(bytes), refusal(LIMIT + 1));
	assert.deepEqual(session.conversation(), []);
	session.close();
	// Each of these strings takes seconds.
	/** @type {[() => unknown, number][]} */
	const strings = [
		[() => engine.count({ conversation: "x".repeat(LIMIT + 1) }), 1],
		[() => engine.check({ conversation: `x${"\u{1f600}".repeat(LIMIT / 4)}` }), 1], // as UTF-8; no pair is cut
		[() => engine.countText("x".repeat(LIMIT + 1)), 1],
		[() => engine.detect({ conversation: ["x".repeat(LIMIT)] }), 4],
	];
	for (const [call, over] of some(strings, 3)) assert.throws(call, refusal(LIMIT + over));
	assert.throws(() => engine.checkAppend({ conversation: ["x".repeat(LIMIT)] }, { conversation: [] }), {
		code: "too_large",
	});
	// A copy of one input would be 256 MiB. The engine's own garbage is at most a few pages.
	assert.ok(memory() - before < LIMIT / 64, `the memory grew by ${memory() - before} bytes`);
});

test("an object that is longer than a string may be is refused with the limit", later, () => {
	const part = "x".repeat(LIMIT);
	assert.throws(() => engine.detect({ conversation: [part, part, part] }), {
		code: "too_large",
		message: /longer than a string may be; at most 268435456 bytes/,
	});
	/** @type {any} */
	let deep = [];
	for (let i = 0; i < 200_000; i++) deep = [deep];
	assert.throws(() => engine.detect({ conversation: deep }), {
		code: "too_large",
		message: /as JSON: (?!it is longer)/,
	});
});

test("inputs over the limit are not sent to the worker", async () => {
	const remote = await loadInWorker();
	const bytes = new Uint8Array(LIMIT + 1);
	await assert.rejects(remote.detect({ conversation: bytes }, { transfer: true }), refusal(LIMIT + 1));
	assert.equal(bytes.length, LIMIT + 1, "it was not moved");
	await assert.rejects(remote.session({ conversation: bytes }), refusal(LIMIT + 1));
	remote.terminate();
});

test("an input at the limit is passed to the engine", () => {
	assert.throws(() => engine.loadVocabulary("o200k_base", new Uint8Array(LIMIT)), { code: "bad_request" });
});
