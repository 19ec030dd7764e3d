// This file runs agent loops on the vendors' SDKs through the adapters, against a fake provider that refuses the same
// requests as the real ones, and compares their cost with that of the same loop without compaction.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import Anthropic from "../../../web/node_modules/@anthropic-ai/sdk/index.mjs";
import OpenAI from "../../../web/node_modules/openai/index.mjs";
import { middleware, prepareStep } from "../ai-sdk.js";
import { compactingFetch as ofAnthropic } from "../anthropic.js";
import { compactingFetch as ofOpenAI } from "../openai.js";
import { compactingFetch as ofGoogle } from "../google.js";
import { compactor, load } from "../index.js";
import { middleware as ofLangChain } from "../langchain.js";
import { processor } from "../mastra.js";
import { plugin } from "../opencode.js";
import { extension } from "../pi.js";
import { compare, outputOf, PROMPT, TOOLS } from "./cost.js";
import { startFake } from "./fake.js";
import { later } from "./few.js";
import { vendor } from "./loops.js";
import { chats, openai, PARAMETERS, responses, runTools, toolRunner } from "./vendors.js";

/** @typedef {import("../index.js").Compactor} Compactor */
/** @typedef {import("./vendors.js").Loop} Loop */

const provider = await startFake();
after(() => provider.stop());

/**
 * Rounds, the maximum cost of a loop (1 without compaction), its settings, and whether it always runs. The short loop
 * checks the adapter: its window is small, so that it compacts, which does not pay before its end.
 * @type {[number, number, object, object][]}
 */
const SIZES = [
	[14, 1.2, { policy: { trigger: { window: 16_000, reserveOutput: 1000, bufferTokens: 0 } } }, {}],
	[40, 0.85, {}, later],
	[100, 0.5, {}, later],
];
const model = "claude-sonnet-5";
const { GoogleGenAI } = await vendor("@google/genai/dist/node/index.mjs");

for (const [rounds, max, settings, when] of SIZES) {
	const options = { preset: "balanced", ...settings };
	for (const version of ["ai7", "ai6", "ai5"]) {
		for (const way of /** @type {const} */ (["prepareStep", "middleware"])) {
			test(
				`${version}, ${way}, ${rounds} rounds`,
				version === "ai7" && way === "prepareStep" && rounds === 40 ? {} : later,
				async (t) => {
					const file = version === "ai7" ? "index.js" : "index.mjs";
					const sdk = await vendor(`${version}/dist/${file}`);
					const { createAnthropic } = await vendor(`${version}-anthropic/dist/${file}`);
					const read = sdk.tool({
						inputSchema: sdk.jsonSchema({ type: "object", properties: { command: { type: "string" } } }),
						execute: async (/** @type {any} */ { command }) => outputOf(command),
					});
					await compare(t, provider, {
						name: `${version} ${way}`,
						rounds,
						max,
						options,
						loop: async (baseURL, tamp) => {
							const plain = createAnthropic({ apiKey: "key", baseURL: `${baseURL}/v1` })(model);
							const isStep = way === "prepareStep";
							/** @type {any[]} */
							const messages = [{ role: "user", content: PROMPT }];
							// Versions 5 and 6 refuse "citations": null, which the fake sends without streaming.
							const result = await sdk[version === "ai7" ? "generateText" : "streamText"]({
								model: isStep ? plain : sdk.wrapLanguageModel({ model: plain, middleware: middleware(tamp) }),
								system: "You help.",
								messages,
								tools: { bash: read },
								stopWhen: sdk.stepCountIs(rounds + 1),
								maxRetries: 0,
								...(isStep ? { prepareStep: prepareStep(tamp) } : {}),
							});
							// In version 7 response has the last step only.
							const answers = (await result.responseMessages) ?? (await result.response).messages;
							return { text: await result.text, ...(isStep ? { history: [...messages, ...answers] } : {}) };
						},
					});
				},
			);
		}
	}

	/** @type {[string, object, Loop][]} */
	const loops = [
		["Anthropic's tool runner", when, toolRunner(Anthropic)],
		["OpenAI's tool runner", later, runTools(OpenAI)],
		["Responses", when, responses(OpenAI)],
		["Google's chats", later, chats(GoogleGenAI)],
	];
	for (const [name, when, run] of loops) {
		test(`${name}, ${rounds} rounds`, when, async (t) => {
			const loop = (/** @type {string} */ baseURL, /** @type {Compactor} */ tamp) => run(baseURL, tamp, rounds);
			await compare(t, provider, { name, rounds, max, options, loop });
		});
	}

	for (const kind of /** @type {const} */ (["commands", "files"])) {
		test(`LangChain's agent, ${rounds} rounds of ${kind}`, later, async (t) => {
			const { createAgent, tool } = await vendor("langchain/dist/index.js");
			const { ChatAnthropic } = await vendor("@langchain/anthropic/dist/index.js");
			const { name, parameter, description } = TOOLS[kind];
			const schema = { type: "object", properties: { [parameter]: { type: "string" } }, required: [parameter] };
			const tools = [
				tool(async (/** @type {any} */ input) => outputOf(input[parameter]), { name, description, schema }),
			];
			await compare(t, provider, {
				name: "langchain",
				kind,
				rounds,
				// A file that was read stays as long as reading it again would cost.
				max: kind === "files" ? Math.max(max, 1.2) : max,
				options,
				loop: async (anthropicApiUrl, tamp) => {
					const llm = new ChatAnthropic({ model, apiKey: "key", anthropicApiUrl, maxRetries: 0, maxTokens: 1000 });
					const agent = createAgent({ model: llm, tools, systemPrompt: "You help.", middleware: [ofLangChain(tamp)] });
					const input = { messages: [{ role: "user", content: PROMPT }] };
					const { messages } = await agent.invoke(input, { recursionLimit: 4 * rounds + 10 });
					assert.equal(messages.length, 2 * rounds + 2, "the state keeps the original messages");
					return { text: messages.at(-1).text };
				},
			});
		});
	}

	test(`OpenAI's Agents SDK, ${rounds} rounds`, later, async (t) => {
		const { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } = await vendor("@openai/agents/dist/index.mjs");
		setTracingDisabled(true);
		const read = tool({
			name: "bash",
			description: "run a command",
			strict: false,
			parameters: { ...PARAMETERS, additionalProperties: true },
			execute: async (/** @type {any} */ { command }) => outputOf(command),
		});
		await compare(t, provider, {
			name: "agents",
			rounds,
			max,
			options,
			loop: async (baseURL, tamp) => {
				const runner = new Runner({
					modelProvider: new OpenAIProvider({ openAIClient: openai(OpenAI, baseURL, tamp) }),
				});
				const agent = new Agent({ name: "reader", instructions: "You help.", model: "gpt-5", tools: [read] });
				const { finalOutput } = await runner.run(agent, PROMPT, { maxTurns: rounds + 1 });
				return { text: finalOutput };
			},
		});
	});
}

/** The adapters with a function that records what it sends. @param {import("../index.js").Compactor} tamp */
function recorded(tamp) {
	/** @type {{ url: string, body: any, headers: Headers }[]} */
	const sent = [];
	/** @type {typeof fetch} */
	const send = async (url, init) => {
		sent.push({ url: String(url), body: init?.body, headers: new Headers(init?.headers) });
		return new Response("{}");
	};
	return { sent, anthropic: ofAnthropic(tamp, send), google: ofGoogle(tamp, send), openai: ofOpenAI(tamp, send) };
}

test("requests without a whole history are sent as they are", async () => {
	const { sent, anthropic, google, openai } = recorded(await compactor({ preset: "harness", save: "discard" }));
	const messages = longHistory();
	/** @type {[typeof fetch, string, unknown][]} */
	const rows = [
		[anthropic, "v1/messages/count_tokens", { messages }],
		[anthropic, "v1/messages/batches", { requests: [{ params: { messages } }] }],
		[anthropic, "v1/messages", { thread: { type: "continue", previous_message_id: "msg_1" }, messages }],
		[anthropic, "v1/messages", { messages: "no list" }],
		[openai, "v1/responses", { input: messages, previous_response_id: "resp_1" }],
		[openai, "v1/responses", { input: messages, conversation: "conv_1" }],
		[openai, "v1/responses", { input: "Go." }],
		[openai, "v1/embeddings", { input: messages }],
		[google, "v1beta/models/gemini-3-pro-preview:countTokens", { contents: messages }],
		[google, "v1beta/models/gemini-3-pro-preview:generateContent", { contents: "Go." }],
	];
	for (const [send, path, request] of rows) {
		const body = JSON.stringify(request);
		await send(`https://example.org/${path}?beta=true`, { method: "POST", body });
		assert.equal(sent.at(-1)?.body, body, path);
	}
	await anthropic(new URL("https://example.org/v1/messages"));
	assert.equal(sent.length, rows.length + 1);
});

test("a request with a history is compacted, with the length of its new body, and a failure is thrown", async () => {
	const { sent, anthropic } = recorded(await compactor({ preset: "harness", save: "discard" }));
	const body = JSON.stringify({ model: "m", messages: longHistory(), max_tokens: 9 });
	const init = { method: "POST", headers: { "content-length": String(body.length), "x-api-key": "k" }, body };
	await anthropic("https://example.org/v1/messages?beta=true", init);
	const [{ body: small, headers } = { body: "", headers: new Headers() }] = sent;
	assert.ok(small.length < body.length / 2);
	assert.deepEqual({ ...JSON.parse(small), messages: 0 }, { model: "m", messages: 0, max_tokens: 9 });
	assert.deepEqual([headers.get("content-length"), headers.get("x-api-key")], [null, "k"]);

	const began = JSON.stringify({ ...JSON.parse(body), thread: { type: "create" } });
	const refused = await anthropic("https://example.org/v1/messages", { ...init, body: began });
	assert.equal(refused.status, 400);
	assert.equal((await refused.json()).error.details.error_code, "thread_unsupported_request");
	assert.equal(sent.length, 1, "a thread begins nowhere");

	const full = recorded(await compactor({ preset: "harness", save: () => Promise.reject(new Error("disk full")) }));
	await assert.rejects(full.anthropic("https://example.org/v1/messages", init), /disk full/);
	const client = new Anthropic({ apiKey: "key", maxRetries: 0, fetch: full.anthropic });
	await assert.rejects(
		client.messages.create(JSON.parse(body)),
		(/** @type {any} */ { cause }) => cause.message === "disk full",
	);
	assert.equal(full.sent.length, 0);
});

test("a prompt of Mastra is compacted, and one that pi sends, but no body without a history", async () => {
	const tamp = await compactor({ preset: "harness", save: "discard" });
	const engine = await load();
	const { conversation: prompt } = engine.convert({ conversation: longHistory(), to: "ai-sdk" });
	const { id, processLLMRequest } = processor(tamp);
	const made = await processLLMRequest({ prompt, abortSignal: undefined });
	assert.equal(id, "tamp");
	assert.ok(JSON.stringify(made.prompt).length < JSON.stringify(prompt).length / 2);
	await assert.rejects(processLLMRequest({ prompt, abortSignal: AbortSignal.abort(new Error("stop")) }), /stop/);

	/** @type {Record<string, (event: any) => Promise<any>>} */
	const handlers = {};
	const on = (/** @type {string} */ name, /** @type {any} */ handler) => {
		handlers[name] = handler;
	};
	extension(tamp)({ on });
	const send = handlers.before_provider_request ?? assert.fail();
	const payload = { model, messages: longHistory(), max_tokens: 9 };
	const sent = await send({ payload });
	assert.ok(JSON.stringify(sent).length < JSON.stringify(payload).length / 2);
	assert.equal(sent.max_tokens, 9);
	for (const other of [undefined, {}, { input: "Go." }]) assert.equal(await send({ payload: other }), undefined);
});

test("the messages of opencode are compacted in the list that it gives", async () => {
	let saved = "";
	const save = (/** @type {string} */ jsonl) => {
		saved += jsonl;
	};
	const transform = (await plugin(await compactor({ preset: "harness", save }))())[
		"experimental.chat.messages.transform"
	];
	const info = (/** @type {string} */ id, /** @type {string} */ role) => ({
		id,
		sessionID: "ses_1",
		role,
		time: { created: 1 },
	});
	const whole = [
		{ info: info("msg_u", "user"), parts: [{ id: "prt_u", type: "text", text: PROMPT }] },
		...Array.from({ length: 12 }, (_, i) => ({
			info: info(`msg_${i}`, "assistant"),
			parts: [
				{
					id: `prt_${i}`,
					type: "tool",
					tool: "bash",
					callID: `c${i}`,
					state: {
						status: "completed",
						input: { command: "make" },
						output: outputOf(`part${i}.go`),
						time: { start: 1, end: 2 },
					},
				},
			],
		})),
	];
	const output = { messages: [...whole] };
	const { messages } = output;
	await transform({}, output);
	assert.equal(output.messages, messages, "opencode goes on with its own list");
	assert.ok(JSON.stringify(messages).length < JSON.stringify(whole).length / 2);
	assert.match(saved, /func part0_0\(/);
});

/** A history that the preset harness compacts. */
function longHistory() {
	const read = (/** @type {number} */ i) => ({
		type: "tool_use",
		id: `t${i}`,
		name: "read",
		input: { path: `${i}.go` },
	});
	return [
		{ role: "user", content: PROMPT },
		...Array.from({ length: 12 }, (_, i) => [
			{ role: "assistant", content: [read(i)] },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content: outputOf(`part${i}.go`) }] },
		]).flat(),
	];
}
