// This file runs agent loops with generateText and streamText on versions 5 to 7 of the AI SDK, compacted in the middle
// with every preset, as messages and as UIMessage[]. Each version checks its messages itself; the model refuses what
// providers refuse.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, chunksOf, compacted, engine, Loop, output, presets, prompt, ROUNDS, vendor } from "./loops.js";

const picture = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const page = new URL("https://example.org/a.pdf");

for (const [name, file, version] of [
	["ai5", "index.mjs", "V2"],
	["ai6", "index.mjs", "V3"],
	["ai7", "index.js", "V4"],
]) {
	const sdk = await vendor(`${name}/dist/${file}`);
	const mocks = await vendor(`${name}/dist/test/${file}`);
	const isOld = version === "V2";
	const usage = isOld
		? { inputTokens: 10, outputTokens: 5, totalTokens: 15 }
		: { inputTokens: { total: 10 }, outputTokens: { total: 5 } };
	/** The end of an answer. @param {any[]} content */
	const end = (content) => {
		const reason = content[0].type === "text" ? "stop" : "tool-calls";
		return { usage, finishReason: isOld ? reason : { unified: reason, raw: undefined } };
	};
	const model = new mocks[`MockLanguageModel${version}`]({
		supportedUrls: { "*/*": [/.*/] }, // nothing is downloaded
		doGenerate: async (/** @type {any} */ { prompt: messages }) => {
			const content = answerTo(messages);
			return { content, warnings: [], ...end(content) };
		},
		doStream: async (/** @type {any} */ { prompt: messages }) => {
			const content = answerTo(messages);
			const chunks = chunksOf(content, { type: "finish", ...end(content) });
			return { stream: sdk.simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
		},
	});
	const tools = {
		read: sdk.tool({
			description: "read a file",
			inputSchema: sdk.jsonSchema({ type: "object", properties: { path: { type: "string" } } }),
			execute: async (/** @type {any} */ { path }) => output(path),
		}),
	};
	/**
	 * The messages of all steps.
	 * @param {"generateText" | "streamText"} call
	 * @param {any[]} messages
	 * @returns {Promise<any[]>}
	 */
	const answer = async (call, messages) => {
		const result = await sdk[call]({
			model,
			tools,
			messages,
			stopWhen: sdk.stepCountIs(4),
			maxRetries: 0,
			onError: (/** @type {any} */ { error }) => assert.fail(String(error)),
		});
		// From version 7 on, response has the last step only.
		return (await result.responseMessages) ?? (await result.response).messages;
	};

	for (const preset of presets) {
		for (const call of /** @type {const} */ (["generateText", "streamText"])) {
			test(`${name}, ${call}, ${preset}: no request is refused, and objects come back as they were`, async () => {
				const loop = new Loop("ai-sdk", preset);
				for (let round = 0; round < ROUNDS; round++) {
					loop.messages.push({ role: "user", content: prompt(round) });
					loop.messages.push(...(await answer(call, loop.messages)));
					assert.equal(engine.detect({ conversation: loop.messages }).format, "ai-sdk");
					loop.compact(round);
					assert.equal(engine.check({ conversation: loop.messages, format: "ai-sdk" }).valid, true);
				}
				loop.end();
				const image = { type: "image", image: picture };
				const pdf = { type: "file", data: page, mediaType: "application/pdf" };
				const messages = compacted([...loop.messages, { role: "user", content: [image, pdf] }], "ai-sdk", preset, {});
				assert.equal(messages.at(-1).content[0].image, picture);
				assert.equal(messages.at(-1).content[1].data, page);
				await answer(call, messages);
			});
		}

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
					output: output(`${n}.go`),
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
			await answer("generateText", await sdk.convertToModelMessages(messages));
		});
	}
}
