// This file tests in Node the text about a trigger, with the triggers that the engine reports.

import assert from "node:assert/strict";
import { test } from "node:test";
import { triggerWords } from "../app/policy/trigger.js";
import { load } from "../../wasm/npm/index.js";

const engine = await load();
const presets = engine.presets();

const call = (/** @type {string} */ id) => [
	{ role: "assistant", content: [{ type: "tool_use", id, name: "read", input: {} }] },
	{ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "one line\n".repeat(200) }] },
];
const conversation = [{ role: "user", content: "Go." }, ...["a", "b", "c", "d", "e"].flatMap(call)];

/** @type {{why: string, preset: string, policy?: any, force?: boolean, says: RegExp, share: boolean}[]} */
const rows = [
	{
		why: "below the lowest limit",
		preset: "balanced",
		says: /^Acts above 145,000 tokens \(soft limit\): not yet$/,
		share: true,
	},
	{
		why: "the hard limit is the lowest",
		preset: "balanced",
		policy: { trigger: { softPermille: 0, window: 100_000, bufferTokens: 0 } },
		says: /^Acts above 90,000 tokens \(hard limit\): not yet$/,
		share: true,
	},
	{
		why: "clears at every turn, summaries are counted by characters",
		preset: "s06",
		policy: { clear: { keepRecent: 1 } },
		says: /^Clears at every turn, summarizes above 50,000 tokens \(JSON characters ÷ 4\)$/,
		share: true,
	},
	{
		why: "clears at every turn, no summaries",
		preset: "clear_thinking",
		policy: { clear: { enabled: true, keepRecent: 1 } },
		says: /^Acts at every turn$/,
		share: false,
	},
	{
		why: "waits for a number of calls",
		preset: "clear_tool_uses",
		policy: { clear: { triggerToolUses: 9 } },
		says: /^Acts above 9 calls \(number of calls\), it has 5: not yet$/,
		share: true,
	},
	{
		why: "fired",
		preset: "balanced",
		policy: { trigger: { window: 5000, bufferTokens: 0, minGainPermille: 0 } },
		says: /^Fired: above 3,625 tokens \(soft limit\)$/,
		share: true,
	},
	{
		why: "over the limit, but a compaction would free too little",
		preset: "balanced",
		policy: { trigger: { window: 5000, bufferTokens: 0, minGainPermille: 900 }, clear: { when: "" } },
		says: /^Acts above 3,625 tokens \(soft limit\): waits, since a compaction would free too little$/,
		share: true,
	},
	{
		why: "over the limit, but a compaction would free too little or not pay yet",
		preset: "balanced",
		policy: { trigger: { window: 5000, bufferTokens: 0, minGainPermille: 900 } },
		says: /^Acts above 3,625 tokens \(soft limit\): waits, since a compaction would free too little or not pay yet$/,
		share: true,
	},
	{
		why: "clearing pays",
		preset: "balanced",
		policy: { clear: { keepRecent: 1, rentPermille: 1 }, pin: { recentTurns: 1, recentTokens: 100 } },
		says: /^Clearing pays: keeping the old results has cost [\d,]+ tokens so far, rewriting costs [\d,]+$/,
		share: true,
	},
	{
		why: "by hand",
		preset: "turns",
		force: true,
		says: /^Fired by hand$/,
		share: false,
	},
];

for (const { why, preset, policy = {}, force = false, says, share } of rows) {
	test(`the text about a trigger: ${why}`, () => {
		const { trigger } = engine.inspect({ conversation, preset, policy, force });
		const base = presets.find(({ name }) => name === preset)?.policy;
		const whole = {
			...base,
			trigger: { ...base?.trigger, ...policy.trigger },
			clear: { ...base?.clear, ...policy.clear },
		};
		const words = triggerWords(trigger, whole);
		assert.match(words.text, says);
		assert.equal(words.share !== null, share);
		if (trigger.waitsFor && trigger.kind === "every_turn")
			assert.equal(words.share, (trigger.waitsUsed ?? 0) / (trigger.waitsLimit ?? 0));
	});
}
