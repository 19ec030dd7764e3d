// This file has what the agent loops on the vendors' SDKs share: the policy, the prompts, the answers, a tool, the
// compaction in the middle, and the check of a provider behind the AI SDK.

import assert from "node:assert/strict";
import { load } from "../index.js";

/**
 * A vendor's module, without its types: they do not compile with exactOptionalPropertyTypes.
 * @param {string} path
 * @returns {Promise<any>}
 */
export const vendor = (path) => import(`../../../web/node_modules/${path}`);

export const engine = await load();
export const presets = engine.presets().map(({ name }) => name);
export const ROUNDS = 9;
const policy = {
	trigger: { window: 6000, reserveOutput: 500, bufferTokens: 0 },
	pin: { recentTokens: 500, recentTurns: 1 },
};

/** @param {number} round */
export const prompt = (round) => `Prompt ${round}: look at the files. Never change port ${8000 + round}.`;

/** The answers of the fake provider's model: thinking and two parallel calls, then a text. */
export const steps = Array.from({ length: ROUNDS }, (_, n) => [
	{
		do: "agent",
		thinking: `Prompt ${n} is about two files.`,
		calls: ["a", "b"].map((name) => ({ tool: "read", input: { path: `${name}${n}.go` } })),
	},
	{ do: "agent", text: `Done with part ${n}.` },
]).flat();

/** What the tool returns. @param {unknown} path */
export const output = (path) => `the content of ${path}\n`.repeat(60);

/**
 * Compacts with the answers of a summarizer that fails now and then. The preset clear_thinking removes too little for
 * the small window.
 * @template C
 * @param {C} conversation
 * @param {import("../index.js").Format} format
 * @param {string} preset
 * @param {import("../index.js").DeepPartial<import("../index.js").Policy>} [limits]
 * @returns {C}
 */
export function compacted(conversation, format, preset, limits = preset === "clear_thinking" ? {} : policy) {
	const input = { conversation, format, preset, policy: limits, force: true };
	const plan = engine.plan(input);
	const results = engine
		.summarize({ ...input, plan })
		.map((result, i) => (i % 3 === 2 ? { id: result.id, err: "overloaded" } : result));
	return /** @type {C} */ (engine.apply({ ...input, plan, results }).conversation);
}

/** A conversation that a loop compacts; `changed` counts the compactions that changed it. */
export class Loop {
	/** @param {import("../index.js").Format} format @param {string} preset */
	constructor(format, preset) {
		this.format = format;
		this.preset = preset;
		/** @type {any[]} */
		this.messages = [];
		this.changed = 0;
	}

	/** Compacts after every third round. @param {number} round */
	compact(round) {
		if (round % 3 !== 2) return;
		const before = JSON.stringify(this.messages);
		this.messages = compacted(this.messages, this.format, this.preset);
		this.changed += Number(JSON.stringify(this.messages) !== before);
	}

	/** Requires that something was compacted. The preset clear_thinking finds nothing in these conversations. */
	end() {
		assert.ok(this.changed > 0 || this.preset === "clear_thinking", "something was compacted");
	}
}

/** Refuses a prompt of the AI SDK's provider interface as the providers do. @param {any[]} prompt */
function refuseBroken(prompt) {
	/** @type {Set<string>} */
	let open = new Set();
	for (const { role, content } of prompt) {
		if (role === "tool") {
			for (const part of content) assert.ok(open.delete(part.toolCallId), "a result without its call");
			continue;
		}
		assert.equal(open.size, 0, "a call without its result");
		if (role === "assistant")
			open = new Set(
				content.flatMap((/** @type {any} */ part) => (part.type === "tool-call" ? [part.toolCallId] : [])),
			);
	}
	assert.equal(open.size, 0, "a call without its result at the end");
}

let calls = 0;

/** Two parallel calls after a prompt, an answer after their results. @param {any[]} prompt @returns {any[]} */
export function answerTo(prompt) {
	refuseBroken(prompt);
	if (prompt.at(-1).role === "tool") return [{ type: "text", text: "Done with this part." }];
	return ["a", "b"].map((name) => ({
		type: "tool-call",
		toolCallId: `call_${++calls}`,
		toolName: "read",
		input: JSON.stringify({ path: `${name}${calls}.go` }),
	}));
}

/** The chunks of a stream with these parts. @param {any[]} content @param {object} finish */
export const chunksOf = (content, finish) => [
	{ type: "stream-start", warnings: [] },
	...content.flatMap((part) =>
		part.type === "text"
			? [
					{ type: "text-start", id: "1" },
					{ type: "text-delta", id: "1", delta: part.text },
					{ type: "text-end", id: "1" },
				]
			: [part],
	),
	finish,
];
