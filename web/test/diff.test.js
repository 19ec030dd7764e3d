// This file tests in Node what the diff shows: lines and messages of both sides, compared with a slow reference.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../wasm/npm/index.js";
import { align } from "../app/output/align.js";
import { hunksOf } from "../app/output/lineDiff.js";
import { entriesOf } from "../app/output/messages.js";
import { anthropic, claudeCode, openai } from "./sessions.js";

/** Numbers that look random and are the same each time. @param {number} seed */
function dice(seed) {
	return (/** @type {number} */ sides) => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed % sides;
	};
}

/** The number of common lines, by trying everything. @param {string[]} a @param {string[]} b @returns {number} */
function slowCommon(a, b) {
	if (a.length === 0 || b.length === 0) return 0;
	const [restA, restB] = [a.slice(1), b.slice(1)];
	return a[0] === b[0] ? 1 + slowCommon(restA, restB) : Math.max(slowCommon(restA, b), slowCommon(a, restB));
}

test("the lines of both sides are all there, and as many are equal as can be", () => {
	const roll = dice(5);
	for (let n = 0; n < 300; n++) {
		const text = () => Array.from({ length: 1 + roll(7) }, () => "abc".charAt(roll(3)));
		const [a, b] = [text(), text()];
		const hunks = hunksOf(a.join("\n"), b.join("\n"));
		assert.deepEqual([hunks.flatMap((hunk) => hunk.a), hunks.flatMap((hunk) => hunk.b)], [a, b]);
		let common = 0;
		for (const [i, hunk] of hunks.entries()) {
			assert.notEqual(hunk.same, hunks[i - 1]?.same, "neighbors differ in kind");
			if (hunk.same) assert.deepEqual(hunk.a, hunk.b);
			if (hunk.same) common += hunk.a.length;
		}
		assert.equal(common, slowCommon(a, b), `${a} and ${b}`);
	}
});

test("texts too long for the table share their head and their tail", () => {
	const lines = (/** @type {string} */ of) => Array.from({ length: 1000 }, (_, i) => `${of} ${i}`);
	const hunks = hunksOf(["head", ...lines("old"), "tail"].join("\n"), ["head", ...lines("new"), "tail"].join("\n"));
	assert.deepEqual(
		hunks.map(({ same, a, b }) => [same, a.length, b.length]),
		[
			[true, 1, 1],
			[false, 1000, 1000],
			[true, 1, 1],
		],
	);
});

test("each message of both sides is in one segment; equal ones are equal, edited ones keep their role or their call", async () => {
	const engine = await load();
	const seen = new Set();
	for (const [format, conversation] of /** @type {const} */ ([
		["anthropic", JSON.stringify(anthropic(30, 2500))],
		["openai-chat", JSON.stringify(openai(60))],
		["claude-code", claudeCode(44)],
	])) {
		for (const preset of ["harness", "s06", "turns", "balanced", "hierarchical"]) {
			const input = { conversation, preset, force: preset !== "harness" };
			const plan = engine.plan(input);
			const results = engine.summarize({ ...input, plan });
			const { conversation: packed } = engine.apply({ ...input, plan, results });
			const text = typeof packed === "string" ? packed : JSON.stringify(packed);
			const [a, b] = [entriesOf(conversation, format), entriesOf(text, format)];
			let [i, k] = [0, 0];
			for (const segment of align(a, b)) {
				assert.deepEqual([segment.a[0], segment.b[0]], [i, k], "no gap");
				[i, k] = [segment.a[1], segment.b[1]];
				const [left, right] = [a.slice(...segment.a), b.slice(...segment.b)];
				seen.add(segment.kind);
				if (segment.kind === "same")
					assert.deepEqual(
						left.map(({ key }) => key),
						right.map(({ key }) => key),
					);
				if (segment.kind === "edit") {
					assert.deepEqual([left.length, right.length, left[0].role], [1, 1, right[0].role]);
					assert.notEqual(left[0].key, right[0].key);
				}
			}
			assert.deepEqual([i, k], [a.length, b.length], `${format}, ${preset}`);
		}
	}
	assert.deepEqual([...seen].sort(), ["edit", "same", "swap"]);
});
