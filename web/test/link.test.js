// This file tests in Node that a link brings a session back unchanged, and that a link that was cut, changed or made to
// fill the memory is refused with a reason.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { BadLink, MAX_HASH_LENGTH, pack, sessionIn, unpack } from "../app/session/link.js";
import { anthropic, claudeCode } from "./sessions.js";

test("a session comes back from its link to the letter", async () => {
	for (const text of [JSON.stringify(anthropic(4)), claudeCode(3), "é😀\0\r\n", "x".repeat(70_000)]) {
		const packed = await pack(new Blob([text]));
		assert.match(packed, /^[\w-]+$/);
		assert.ok(packed.length < MAX_HASH_LENGTH);
		const found = sessionIn(`#preset=prune&session=${packed}&name=${encodeURIComponent(" ../ru\u202en\n.json ")}`);
		assert.deepEqual(found, { text: packed, name: "..run.json" });
		assert.equal(await (await unpack(packed)).text(), text);
	}
	assert.equal(sessionIn("#preset=prune"), null);
	assert.equal(sessionIn("#session=x")?.name, "session of a link");
});

test("a session too large for a link is not packed", async () => {
	let seed = 3;
	const noise = Uint8Array.from({ length: 50_000 }, () => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed & 255;
	});
	assert.equal(await pack(new Blob([noise])), "");
	assert.equal(await pack(new Blob(["x".repeat(4 * 1024 * 1024 + 1)])), "");
});

test("a bad link is refused with its reason", async () => {
	const packed = await pack(new Blob([JSON.stringify(anthropic(4))]));
	const bomb = deflateRawSync(Buffer.alloc(5 * 1024 * 1024)).toString("base64url");
	for (const [text, reason] of /** @type {const} */ ([
		[packed.slice(0, -40), /cut or changed/],
		[`${packed.slice(0, 100)}*${packed.slice(101)}`, /cut or changed/],
		["", /cut or changed/],
		["a".repeat(5), /cut or changed/],
		["a".repeat(MAX_HASH_LENGTH + 1), /longer than any link/],
		[bomb, /larger than this page allows/],
	]))
		await assert.rejects(unpack(text), (error) => error instanceof BadLink && reason.test(error.message));
});
