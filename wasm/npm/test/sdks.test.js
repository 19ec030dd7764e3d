// This file runs agent loops with tools on the AI SDK and on Google's SDK, compacted in the middle with every preset.
// The AI SDK checks its messages itself; the model behind it and the fake of Gemini refuse what the real ones refuse.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { load } from "../index.js";

/**
 * A vendor's module, without its types: they do not compile with exactOptionalPropertyTypes.
 * @param {string} path
 * @returns {Promise<any>}
 */
const vendor = (path) => import(`../../../web/node_modules/${path}`);
const { GoogleGenAI } = await vendor("@google/genai/dist/node/index.mjs");
const { generateText, jsonSchema, stepCountIs, streamText, tool } = await vendor("ai5/dist/index.mjs");
const { MockLanguageModelV2, simulateReadableStream } = await vendor("ai5/dist/test/index.mjs");

const engine = await load();
const presets = engine.presets().map(({ name }) => name);
const policy = {
	trigger: { window: 6000, reserveOutput: 500, bufferTokens: 0 },
	pin: { recentTokens: 500, recentTurns: 1 },
};
const ROUNDS = 9;
const output = (/** @type {unknown} */ path) => `the content of ${path}\n`.repeat(60);

/**
 * Compacts with the answers of a summarizer that fails now and then.
 * @template C
 * @param {C} conversation
 * @param {import("../index.js").Format} format
 * @param {string} preset
 * @returns {C}
 */
function compacted(conversation, format, preset) {
	const input = { conversation, format, preset, policy, force: true };
	const plan = engine.plan(input);
	const results = engine
		.summarize({ ...input, plan })
		.map((result, i) => (i % 3 === 2 ? { id: result.id, err: "overloaded" } : result));
	return /** @type {C} */ (engine.apply({ ...input, plan, results }).conversation);
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
function answerTo(prompt) {
	refuseBroken(prompt);
	if (prompt.at(-1).role === "tool") return [{ type: "text", text: "Done with this part." }];
	return ["a", "b"].map((name) => ({
		type: "tool-call",
		toolCallId: `call_${++calls}`,
		toolName: "read",
		input: JSON.stringify({ path: `${name}${calls}.go` }),
	}));
}

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const model = new MockLanguageModelV2({
	doGenerate: async (/** @type {any} */ { prompt }) => {
		const content = answerTo(prompt);
		return { content, usage, warnings: [], finishReason: content[0].type === "text" ? "stop" : "tool-calls" };
	},
	doStream: async (/** @type {any} */ { prompt }) => {
		const content = answerTo(prompt);
		const parts = content.flatMap((part) =>
			part.type === "text"
				? [
						{ type: "text-start", id: "1" },
						{ type: "text-delta", id: "1", delta: part.text },
						{ type: "text-end", id: "1" },
					]
				: [part],
		);
		const finish = { type: "finish", usage, finishReason: content[0].type === "text" ? "stop" : "tool-calls" };
		return {
			stream: simulateReadableStream({
				chunks: /** @type {any[]} */ ([{ type: "stream-start", warnings: [] }, ...parts, finish]),
			}),
		};
	},
});
const tools = {
	read: tool({
		description: "read a file",
		inputSchema: jsonSchema(/** @type {any} */ ({ type: "object", properties: { path: { type: "string" } } })),
		execute: async (/** @type {any} */ { path }) => output(path),
	}),
};

for (const preset of presets) {
	for (const call of [generateText, streamText]) {
		test(`${call.name}, ${preset}: no request is refused`, async () => {
			/** @type {any[]} */
			let messages = [];
			let changed = 0;
			for (let round = 0; round < ROUNDS; round++) {
				messages.push({
					role: "user",
					content: `Prompt ${round}: look at the files. Never change port ${8000 + round}.`,
				});
				const result = call({
					model,
					tools,
					messages,
					stopWhen: stepCountIs(4),
					maxRetries: 0,
					onError: (/** @type {any} */ { error }) => assert.fail(String(error)),
				});
				const { response } =
					call === generateText ? await result : { response: await /** @type {any} */ (result).response };
				messages.push(...response.messages);
				assert.equal(engine.detect({ conversation: messages }).format, "ai-sdk");
				if (round % 3 === 2) {
					const before = JSON.stringify(messages);
					messages = compacted(messages, "ai-sdk", preset);
					changed += Number(JSON.stringify(messages) !== before);
					assert.equal(engine.check({ conversation: messages, format: "ai-sdk" }).valid, true);
				}
			}
			assert.ok(changed > 0 || preset === "clear_thinking", "something was compacted");
		});
	}
}

/** The reason why Gemini 3 refuses contents, with its words; "" if it takes them. @param {any[]} contents */
function refusal(contents) {
	const of = (/** @type {any} */ content, /** @type {string} */ kind) =>
		content.parts.filter((/** @type {any} */ part) => part[kind]);
	if (contents.length === 0) return "contents is not specified";
	const turn = contents.findLastIndex(
		({ role, parts }) => role === "user" && parts.some((/** @type {any} */ part) => !part.functionResponse),
	);
	for (let i = 0; i < contents.length; i++) {
		if (contents[i].parts.length === 0) return "contents.parts must not be empty.";
		if (!["user", "model"].includes(contents[i].role)) return "Please use a valid role: user, model.";
		const asked = of(contents[i], "functionCall");
		if (asked.length > 0 && contents[i - 1]?.role !== "user")
			return "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
		const expected =
			i > 0 ? of(contents[i - 1], "functionCall").map((/** @type {any} */ part) => part.functionCall.id) : [];
		const given = of(contents[i], "functionResponse").map((/** @type {any} */ part) => part.functionResponse.id);
		if (String(expected.sort()) !== String(given.sort()))
			return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
		if (asked.length > 0 && i > turn && !asked[0].thoughtSignature)
			return "Function call is missing a thought_signature in functionCall parts.";
	}
	return of(contents.at(-1), "functionCall").length > 0
		? "Please ensure that the number of function response parts is equal."
		: "";
}

const server = createServer(async (request, response) => {
	let body = "";
	for await (const chunk of request) body += chunk;
	const { contents } = JSON.parse(body);
	const why = refusal(structuredClone(contents));
	const done = contents.at(-1).parts.some((/** @type {any} */ part) => part.functionResponse);
	const id = () => `call_${++calls}`;
	const parts = done
		? [
				{ text: "Let me think.", thought: true },
				{ text: "Done with this part.", thoughtSignature: "c2ln" },
			]
		: [
				{ functionCall: { id: id(), name: "read", args: { path: "a.go" } }, thoughtSignature: "c2ln" },
				{ functionCall: { id: id(), name: "read", args: { path: "b.go" } } },
			];
	response.writeHead(why ? 400 : 200, { "content-type": "application/json" });
	response.end(
		JSON.stringify(
			why
				? { error: { code: 400, message: why, status: "INVALID_ARGUMENT" } }
				: {
						candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
						usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5 },
					},
		),
	);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
after(() => server.close());
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
const google = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: `http://127.0.0.1:${port}` } });

for (const preset of presets) {
	test(`@google/genai, ${preset}: no request is refused`, async () => {
		/** @type {any[]} */
		let contents = [];
		let changed = 0;
		for (let round = 0; round < ROUNDS; round++) {
			contents.push({
				role: "user",
				parts: [{ text: `Prompt ${round}: look at the files. Never change port ${8000 + round}.` }],
			});
			for (let step = 0; step < 2; step++) {
				const answer = await google.models.generateContent({ model: "gemini-3-pro-preview", contents });
				engine.observe(undefined, /** @type {object} */ (answer.usageMetadata));
				contents.push(answer.candidates?.[0]?.content);
				const responses = (answer.functionCalls ?? []).map((/** @type {any} */ { id, name, args }) => ({
					functionResponse: { id, name, response: { output: output(args?.path) } },
				}));
				if (responses.length > 0) contents.push({ role: "user", parts: responses });
				if (round % 3 === 2) {
					const before = JSON.stringify(contents);
					contents = compacted(contents, "gemini", preset);
					changed += Number(JSON.stringify(contents) !== before);
				}
			}
			assert.equal(engine.check({ conversation: { model: "gemini-3-pro-preview", contents } }).valid, true);
		}
		assert.ok(changed > 0 || preset === "clear_thinking", "something was compacted");
	});
}

test("the fake of Gemini refuses what Gemini refuses", async () => {
	const call = { role: "model", parts: [{ functionCall: { id: "1", name: "read", args: {} } }] };
	await assert.rejects(
		google.models.generateContent({
			model: "gemini-3-pro",
			contents: [{ role: "user", parts: [{ text: "x" }] }, call],
		}),
		/number of function response parts|thought_signature/,
	);
	await assert.rejects(
		google.models.generateContent({
			model: "gemini-3-pro",
			contents: [{ role: "model", parts: [{ text: "x" }] }, call],
		}),
		/immediately after a user turn/,
	);
});
