// This file tests that a long text keeps every character when it is encoded in parts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { encoded } from "../app/ui/encoded.js";

test("a text that is encoded in parts is the same text", async () => {
	for (const before of [0, 1, 2, 3]) {
		const text = `${"x".repeat(before)}${"é😀".repeat(1_000_000)}`;
		assert.equal(await (await encoded(text)).text(), text, `${before} letters before`);
	}
	assert.equal((await encoded("")).size, 0);
});

test("half a character is replaced, as in one part", async () => {
	const text = `${"x".repeat(999_999)}\ud83d${"x".repeat(10)}`;
	assert.equal(await (await encoded(text)).text(), text.toWellFormed());
});
