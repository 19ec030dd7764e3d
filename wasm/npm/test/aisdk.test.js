// This file runs agent loops on versions 6 and 7 of the AI SDK, compacted in the middle with every preset, as messages
// and as UIMessage[]. sdks.test.js has version 5. Each version checks its messages itself; the model refuses what
// providers refuse.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../index.js";

/**
 * A vendor's module, without its types: they do not compile with exactOptionalPropertyTypes.
 * @param {string} path
 * @returns {Promise<any>}
 */
const vendor = (path) => import(`../../../web/node_modules/${path}`);
const engine = await load();
const presets = engine.presets().map(({ name }) => name);
const policy = {
	trigger: { window: 6000, reserveOutput: 500, bufferTokens: 0 },
	pin: { recentTokens: 500, recentTurns: 1 },
};
const ROUNDS = 9;
const picture = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const page = new URL("https://example.org/a.pdf");

/**
 * Compacts with the extractive summarizer.
 * @param {any[]} conversation
 * @param {import("../index.js").Format} format
 * @param {string} preset
 * @param {import("../index.js").DeepPartial<import("../index.js").Policy>} [limits]
 */
function compacted(conversation, format, preset, limits = policy) {
	const input = { conversation, format, preset, policy: limits, force: true };
	const plan = engine.plan(input);
	return engine.apply({ ...input, plan, results: engine.summarize({ ...input, plan }) }).conversation;
}

/** Refuses a prompt whose calls have no results. @param {any[]} prompt */
function refuseBroken(prompt) {
	/** @type {Set<string>} */
	let open = new Set();
	for (const { role, content } of prompt) {
		if (role === "tool")
			for (const part of content) assert.ok(open.delete(part.toolCallId), "a result without its call");
		else assert.equal(open.size, 0, "a call without its result");
		if (role === "assistant")
			open = new Set(
				content.flatMap((/** @type {any} */ part) => (part.type === "tool-call" ? [part.toolCallId] : [])),
			);
	}
	assert.equal(open.size, 0, "a call without its result at the end");
}

for (const [name, file, version] of [
	["ai6", "index.mjs", "V3"],
	["ai7", "index.js", "V4"],
]) {
	const { convertToModelMessages, generateText, jsonSchema, stepCountIs, tool } = await vendor(`${name}/dist/${file}`);
	const mocks = await vendor(`${name}/dist/test/${file}`);
	let calls = 0;
	const model = new mocks[`MockLanguageModel${version}`]({
		supportedUrls: { "*/*": [/.*/] }, // nothing is downloaded
		doGenerate: async (/** @type {any} */ { prompt }) => {
			refuseBroken(prompt);
			const asks = prompt.at(-1).role !== "tool";
			const content = asks
				? ["a", "b"].map((path) => ({
						type: "tool-call",
						toolCallId: `call_${++calls}`,
						toolName: "read",
						input: JSON.stringify({ path: `${path}${calls}.go` }),
					}))
				: [{ type: "text", text: "Done with this part." }];
			return {
				content,
				usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } },
				warnings: [],
				finishReason: { unified: asks ? "tool-calls" : "stop", raw: undefined },
			};
		},
	});
	const tools = {
		read: tool({
			description: "read a file",
			inputSchema: jsonSchema(/** @type {any} */ ({ type: "object", properties: { path: { type: "string" } } })),
			execute: async (/** @type {any} */ { path }) => `the content of ${path}\n`.repeat(60),
		}),
	};
	/** The messages of all steps. @param {any[]} messages @returns {Promise<any[]>} */
	const answer = async (messages) => {
		const result = await generateText({ model, tools, messages, stopWhen: stepCountIs(4), maxRetries: 0 });
		return result.responseMessages ?? result.response.messages; // from version 7 on, the latter has the last step only
	};

	for (const preset of presets) {
		test(`${name}, ${preset}: no request is refused, and objects come back as they were`, async () => {
			/** @type {any[]} */
			let messages = [];
			let changed = 0;
			for (let round = 0; round < ROUNDS; round++) {
				messages.push({
					role: "user",
					content: `Prompt ${round}: look at the files. Never change port ${8000 + round}.`,
				});
				messages.push(...(await answer(messages)));
				if (round % 3 !== 2) continue;
				const before = JSON.stringify(messages);
				messages = compacted(messages, "ai-sdk", preset);
				changed += Number(JSON.stringify(messages) !== before);
				assert.equal(engine.check({ conversation: messages, format: "ai-sdk" }).valid, true);
			}
			assert.ok(changed > 0 || preset === "clear_thinking", "something was compacted");
			const image = { type: "image", image: picture };
			const file = { type: "file", data: page, mediaType: "application/pdf" };
			messages = compacted([...messages, { role: "user", content: [image, file] }], "ai-sdk", preset, {});
			assert.equal(messages.at(-1).content[0].image, picture);
			assert.equal(messages.at(-1).content[1].data, page);
			await answer(messages);
		});

		test(`${name}, ${preset}: UIMessage[] is converted after a compaction`, async () => {
			/** @type {any[]} */
			let messages = [];
			for (let round = 0; round < ROUNDS; round++) {
				messages.push({ id: `u${round}`, role: "user", parts: [{ type: "text", text: `Prompt ${round}.` }] });
				const parts = [1, 2].map((n) => ({
					type: "tool-read",
					toolCallId: `c${round}_${n}`,
					state: "output-available",
					input: { path: `${n}.go` },
					output: `the content of ${n}.go\n`.repeat(60),
				}));
				const said = { type: "text", text: "Done with this part.", state: "done" };
				messages.push({
					id: `a${round}`,
					role: "assistant",
					parts: [{ type: "step-start" }, ...parts, { type: "step-start" }, said],
				});
			}
			messages = compacted(messages, "ai-sdk-ui", preset);
			messages.push({ id: "u", role: "user", parts: [{ type: "text", text: "And now?" }] });
			await answer(await convertToModelMessages(messages));
		});
	}
}
