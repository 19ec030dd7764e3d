// This file checks the memory of an instance, which never shrinks.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { generated, recorded } from "../bench/conversation.mjs";
import { watched } from "../bench/watched.mjs";
import { later } from "./few.js";
import { root } from "./support.js";

const corpus = process.env.TAMP_CORPUS ?? path.join(root, "../shared/data");

test("many calls of plan and apply need no more memory than a few", later, async () => {
	const { engine, memory } = await watched();
	const conversation = recorded(corpus, 4_000_000) ?? generated(4_000_000);
	for (let turn = 0; turn < 20; turn++) {
		const input = { conversation: conversation.replace("]", `${" ".repeat(turn)}]`), preset: "s06" }; // a different conversation each time
		engine.apply({ ...input, plan: engine.plan(input), results: [] });
	}
	const size = memory();
	// 64 MB is the limit for this size (bench.mjs); the rest is room for another corpus.
	assert.ok(size < 80 << 20, `${size} bytes`);
});
