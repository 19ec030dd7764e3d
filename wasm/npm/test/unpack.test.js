// This file tests the decoder of Zstandard: what zstd wrote, frames in a row, limits, and damaged files.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decompress } from "../fzstd.js";
import { isPacked, unpacked } from "../unpack.js";
import { PACKED, repeated, SESSION } from "./packed.js";

const MOST = 1_000_000;

test("a session that zstd compressed is unpacked; any other file stays as it is", async () => {
	assert.equal(Buffer.from(await unpacked(PACKED, MOST)).toString(), SESSION);
	const plain = Buffer.from(SESSION);
	assert.equal(await unpacked(plain, 1), plain);
	assert.equal(isPacked(new Uint8Array()), false);
	const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
	for (let kind = 0; kind < 16; kind++) {
		const first = Buffer.concat([Buffer.from([0x50 + kind]), skippable.subarray(1), PACKED]); // as pzstd writes it
		assert.equal(Buffer.from(await unpacked(first, MOST)).toString(), SESSION);
	}
	const frames = Buffer.concat([PACKED, skippable, repeated(2), PACKED]);
	const text = Buffer.from(await unpacked(frames, MOST)).toString();
	assert.equal(text, SESSION + " ".repeat(2 ** 18) + SESSION);
});

test("a file with more than the limit is refused, and not written first", async () => {
	const bomb = repeated(100_000); // 400 KB become 13 GB
	await assert.rejects(unpacked(bomb, MOST), /its content has more than 1 MB, the maximum/);
	assert.equal(decompress(repeated(1), 2 ** 17)?.length, 2 ** 17);
	assert.equal(decompress(repeated(1), 2 ** 17 - 1), null);
	assert.equal(decompress(PACKED, SESSION.length)?.length, SESSION.length);
	assert.equal(decompress(PACKED, SESSION.length - 1), null);
	const declared = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, ...Array(7).fill(0xff), 0x0f, 1, 0, 0]);
	assert.equal(decompress(declared, MOST)?.length, 0, "nothing is allocated for the size in the header");
});

test("a damaged file is an error or another text, never more than the limit", async () => {
	for (let end = 4; end < PACKED.length; end++)
		assert.throws(() => decompress(PACKED.subarray(0, end), MOST), Error, String(end));
	for (let at = 4; at < PACKED.length; at++) {
		for (let bit = 0; bit < 8; bit += 3) {
			const damaged = Buffer.from(PACKED);
			damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
			let length = 0;
			try {
				length = decompress(damaged, MOST)?.length ?? 0;
			} catch (thrown) {
				assert.ok(thrown instanceof Error);
			}
			assert.ok(length <= MOST);
		}
	}
	await assert.rejects(unpacked(PACKED.subarray(0, 99), MOST), /^Error: cannot unpack the file: /);
});
