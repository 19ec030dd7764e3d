// This file tests the fates of blocks over several rounds of a compaction.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compact, load, TampError } from "../index.js";

const engine = await load();

/** Twenty rounds of long texts, in chunks: one request for each chunk, and one more to merge their answers. */
const input = {
	conversation: Array.from({ length: 40 }, (_, i) => ({
		role: i % 2 === 0 ? "user" : "assistant",
		content: `Round ${i}: core/part${i}.go returns early on port ${8000 + i}. `.repeat(20),
	})),
	preset: "hierarchical",
	force: true,
	policy: { summary: { chunkMessages: 8, maxTokens: 200, mergeTokens: 60 } },
};

test("the fates of a compaction of two rounds are those of its input", async () => {
	let rounds = 0;
	const { conversation, fates = [] } = await compact(engine, input, {
		save: "discard",
		onProgress: ({ type }) => (rounds += Number(type === "plan")),
	});
	assert.equal(rounds, 2);
	assert.equal(fates.length, input.conversation.length);
	const sizes = engine.count({ conversation }).messages;
	const messages = /** @type {unknown[]} */ (conversation);
	/** Tokens of the blocks that a summary replaced, by the message that has it. @type {Map<number, number>} */
	const shares = new Map();
	fates.forEach(({ index, blocks: [block] }, m) => {
		if (block?.fate === "kept") assert.deepEqual(messages[index], input.conversation[m]);
		else assert.equal(block?.fate, "summarized");
		if (block?.summary) shares.set(block.summary.message, (shares.get(block.summary.message) ?? 0) + block.after);
	});
	assert.equal(shares.size, 1, "one merged summary");
	for (const [message, tokens] of shares) {
		const size = sizes[message]?.tokens ?? 0;
		assert.ok(tokens <= size && tokens > size - fates.length, `${tokens} of ${size}: each share is rounded down`);
	}
});

test("fates of another conversation are refused", () => {
	const plan = engine.plan(input);
	/** @type {import("../index.js").MessageFate[]} */
	const fates = [{ index: 99, blocks: [{ fate: "kept", after: 1 }] }];
	assert.throws(
		() => engine.apply({ ...input, plan, results: [], fates }),
		(cause) => cause instanceof TampError && cause.code === "bad_request" && cause.path === "/fates",
	);
});
