// This file tests in Node that the fates and regions that the page shows agree with the packed session.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withOutcome } from "../app/blocks/fates.js";
import { Memory, pack } from "../app/engine/rounds.js";
import { load } from "../../wasm/npm/index.js";

const engine = await load();

/** Each text occurs once, so that it can be found again in the packed session. */
const conversation = Array.from({ length: 60 }, (_, i) => ({
	role: i % 2 === 0 ? "user" : "assistant",
	content: `Text ${i} begins. ${`It returns early on port ${8000 + i}. `.repeat(20)}`,
}));

const chunks = { summary: { chunkMessages: 8, maxTokens: 200, mergeTokens: 60 } };
const unbounded = { summary: { summaryPermille: 0 } };
const window = { trigger: { window: 16_000, bufferTokens: 0, softPermille: 300, targetPermille: 150 } };

// Above the hard limit summaries are requested whether they pay or not.
const full = { trigger: { ...window.trigger, window: 14_000 } };

/**
 * @type {[string, Pick<import("../../wasm/npm/index.js").Input, "preset" | "policy" | "force">, (i: number) =>
 *   boolean][]}
 */
const rows = [
	["one summary", { preset: "turns", force: true }, () => false],
	["two rounds", { preset: "hierarchical", force: true, policy: chunks }, () => false],
	["two rounds, a chunk fails", { preset: "hierarchical", force: true, policy: chunks }, (i) => i === 1],
	["the only request fails", { preset: "turns", policy: window }, () => true],
	["every request fails", { preset: "balanced", policy: { ...full, ...unbounded } }, () => true],
	["every second request fails", { preset: "balanced", policy: { ...full, ...unbounded } }, (i) => i % 2 === 1],
];

for (const [why, settings, fails] of rows) {
	test(`the page shows the fates of the packed session: ${why}`, async () => {
		const input = { conversation, counter: "estimate", ...settings };
		const inspection = engine.inspect(input);
		const plan = engine.plan(input);
		assert.ok(plan.requests.length > 0);
		/** @type {Record<string, {by: "fail"}>} */
		const answers = {};
		plan.requests.forEach(({ id }, i) => {
			if (fails(i)) answers[id] = { by: "fail" };
		});
		const packed = await pack(engine, input, plan, answers, new Memory(), async () => true);
		assert.ok(packed);
		const { messages } = withOutcome(inspection, packed);
		const text = JSON.stringify(packed.conversation);
		let sum = 0;
		for (const { index, blocks } of messages) {
			for (const { fate, after, why: reason } of blocks) {
				const whole = text.includes(JSON.stringify(conversation[index]?.content));
				assert.equal(whole, fate === "kept" || fate === "pinned", `message ${index} is ${fate}: ${reason}`);
				if (fate === "dropped") assert.equal(after, 0);
				sum += after;
			}
		}
		const overhead = 20 * messages.length; // of each message, which no block has
		assert.ok(sum <= packed.after && sum > packed.after - overhead, `${sum} of ${packed.after}`);
		for (const { requests, regions } of packed.rounds) {
			for (const { region, kind, reason } of regions) {
				const failed = requests.some(({ id, by }) => by === "fail" && region.requests?.includes(id));
				// The built-in summary is used instead of one that failed.
				const told = kind === "failed" || kind === "truncate" || reason.startsWith("the request failed");
				assert.equal(failed, told, `${kind}: ${reason}`);
			}
		}
	});
}
