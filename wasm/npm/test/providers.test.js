// This file calls the fake provider with the vendors' clients, which checks the fake: these clients must be able to
// read its answers, and must turn its failures into their errors.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, test } from "node:test";
import Anthropic from "../../../web/node_modules/@anthropic-ai/sdk/index.mjs";
import OpenAI from "../../../web/node_modules/openai/index.mjs";
import { startFake } from "./fake.js";

const provider = await startFake();
after(() => provider.stop());

/** The text of an "ok" step. @param {string} prompt */
const answerTo = (prompt) => `The summary of ${createHash("sha256").update(prompt).digest("hex").slice(0, 12)}.`;

/** A client without retries, for one script. @param {string} base @param {object} [options] */
const anthropic = (base, options) =>
	new Anthropic({ baseURL: base, apiKey: "key", maxRetries: 0, logLevel: "off", ...options });
/** @param {string} base @param {object} [options] */
const openai = (base, options) =>
	new OpenAI({ baseURL: `${base}/v1`, apiKey: "key", maxRetries: 0, logLevel: "off", ...options });

let scripts = 0;
/** A new base URL for a script in its short form. @param {string} script */
const meets = (script) => `${provider.url}/s/script${++scripts}/${script}`;
const nameOf = (/** @type {string} */ base) => base.split("/s/")[1]?.split("/")[0] ?? "";

/** @type {Anthropic.MessageCreateParamsNonStreaming} */
const message = { model: "claude-opus-5", max_tokens: 4000, messages: [{ role: "user", content: "Hello" }] };
/** @type {{ model: string, messages: OpenAI.ChatCompletionMessageParam[] }} */
const chat = { model: "gpt-6", messages: [{ role: "user", content: "Hello" }] };

/**
 * Calls of both protocols, without and with streaming.
 * @param {string} base
 * @param {object} [options]
 * @returns {Record<string, () => Promise<any>>}
 */
const calls = (base, options) => ({
	messages: () => anthropic(base, options).messages.create(message),
	"messages, streaming": () => anthropic(base, options).messages.stream(message).finalMessage(),
	chat: () => openai(base, options).chat.completions.create(chat),
	"chat, streaming": () =>
		openai(base, options)
			.chat.completions.stream({ ...chat, stream_options: { include_usage: true } })
			.finalChatCompletion(),
});
const kinds = Object.keys(calls(""));
const isMessages = (/** @type {string} */ kind) => kind.startsWith("messages");

/** The error of a call that fails. @param {Promise<unknown>} call @returns {Promise<any>} */
const failure = (call) =>
	call.then(
		(value) => assert.fail(`it answered ${JSON.stringify(value)}`),
		(thrown) => thrown,
	);
/** The answer without unique IDs and without members that the clients' helpers add. @param {unknown} answer */
const plain = (answer) =>
	JSON.parse(
		JSON.stringify(answer)
			.replaceAll(/fake_\d{6}/g, "fake")
			.replaceAll(/,"(parsed|parsed_output|parsed_arguments)":(null|\{[^}]*\})/g, ""),
	);

for (const kind of kinds) {
	test(`${kind}: an answer`, async () => {
		const base = meets("ok");
		const answer = await calls(base)[kind]?.();
		assert.equal(isMessages(kind) ? answer.content[0].text : answer.choices[0].message.content, answerTo("Hello"));
		assert.equal(
			isMessages(kind) ? answer.stop_reason : answer.choices[0].finish_reason,
			isMessages(kind) ? "end_turn" : "stop",
		);
		assert.ok(
			(answer.usage.input_tokens ?? answer.usage.prompt_tokens) > 0 &&
				(answer.usage.output_tokens ?? answer.usage.completion_tokens) > 0,
		);
		const [call] = await provider.calls(nameOf(base));
		assert.deepEqual([call?.key, call?.problems, call?.stream], ["key", [], kind.endsWith("streaming")]);
	});

	test(`${kind}: a refusal, an answer that is cut, an empty one`, async () => {
		const refused = await calls(meets("refusal"))[kind]?.();
		if (isMessages(kind)) assert.deepEqual([refused.stop_reason, refused.content], ["refusal", []]);
		else
			assert.deepEqual(
				[refused.choices[0].message.content || null, refused.choices[0].message.refusal], // "" if it was streamed
				[null, "I cannot help with that."],
			);
		const cut = await calls(meets("length"))[kind]?.();
		assert.equal(
			isMessages(kind) ? cut.stop_reason : cut.choices[0].finish_reason,
			isMessages(kind) ? "max_tokens" : "length",
		);
		const empty = await calls(meets("empty"))[kind]?.();
		assert.deepEqual(
			isMessages(kind) ? empty.content : empty.choices[0].message.content || null,
			isMessages(kind) ? [] : null,
		);
	});

	test(`${kind}: every status is the error of its name`, async () => {
		/** @type {Array<[number, string, string]>} */
		const rows = [
			[400, "BadRequestError", "BadRequestError"],
			[401, "AuthenticationError", "AuthenticationError"],
			[403, "PermissionDeniedError", "PermissionDeniedError"],
			[404, "NotFoundError", "NotFoundError"],
			[408, "RequestTimeoutError", "APIError"],
			[413, "ContentTooLargeError", "APIError"],
			[429, "RateLimitError", "RateLimitError"],
			[500, "InternalServerError", "InternalServerError"],
			[529, "OverloadedError", "InternalServerError"],
		];
		for (const [status, ofAnthropic, ofOpenAI] of rows) {
			const error = await failure(calls(meets(`${status}:retry-after=7`))[kind]?.() ?? assert.fail());
			assert.deepEqual(
				[error.constructor.name, error.status, error.headers.get("retry-after")],
				[isMessages(kind) ? ofAnthropic : ofOpenAI, status, "7"],
			);
			assert.match(error.message, /the script says so/);
			assert.match(error.requestID, /^req_fake/);
			assert.ok(error instanceof (isMessages(kind) ? Anthropic : OpenAI).APIError);
		}
	});

	test(`${kind}: the client retries, and waits for retry-after`, async () => {
		const base = meets("429:retry-after=1,529:retry-after-ms=1,500:retry-after-ms=1,ok");
		const start = performance.now();
		const answer = await calls(base, { maxRetries: 3 })[kind]?.();
		assert.ok(performance.now() - start > 900, "it waited for a second; a timer may be early");
		assert.match(JSON.stringify(answer), new RegExp(answerTo("Hello")));
		assert.deepEqual(
			(await provider.calls(nameOf(base))).map(({ step }) => step),
			["status", "status", "status", "ok"],
		);
		const dropped = meets("drop,ok");
		await calls(dropped, { maxRetries: 1 })[kind]?.();
		assert.equal((await provider.calls(nameOf(dropped))).length, 2);
		const final = meets("400,ok");
		await failure(calls(final, { maxRetries: 3 })[kind]?.() ?? assert.fail());
		assert.equal((await provider.calls(nameOf(final))).length, 1, "permanent errors are not retried");
	});

	test(`${kind}: slow, cut, dropped, malformed, and an error inside`, async () => {
		const api = isMessages(kind) ? Anthropic : OpenAI;
		const streams = kind.endsWith("streaming");
		/** @param {string} script @param {object} [options] */
		const fails = (script, options) => failure(calls(meets(script), options)[kind]?.() ?? assert.fail());
		assert.ok((await fails("ok:delay=5s", { timeout: 200 })) instanceof api.APIConnectionTimeoutError);
		assert.ok((await fails("drop")) instanceof api.APIConnectionError);
		const cut = await fails("cut");
		assert.equal(cut.message, "terminated", "both clients pass on what fetch says");
		assert.equal(cut.constructor.name, streams ? (isMessages(kind) ? "AnthropicError" : "OpenAIError") : "TypeError");
		const malformed = await fails("malformed");
		assert.ok((streams ? (malformed.cause ?? malformed) : malformed) instanceof SyntaxError, String(malformed));
		if (streams) {
			const error = await fails("error");
			assert.ok(error instanceof api.APIError);
			assert.match(error.message, /the script says so/);
		} else {
			const answer = await calls(meets("error"))[kind]?.();
			assert.equal(answer?.error.message, "the script says so", "a client that trusts the status does not see it");
		}
	});
}

const input = { path: "core/part1.go", why: "It says “é” and 日本." };
const both = [
	{ tool: "read", input },
	{ tool: "run", input: {} },
];

test("messages: a stream is equal to the answer without streaming, with thinking and calls", async () => {
	const base = await provider.script("whole", [{ do: "agent", thinking: "Hm, 日本.", text: "I look.", calls: both }]);
	const asked = {
		...message,
		thinking: /** @type {const} */ ({ type: "enabled", budget_tokens: 1024 }),
		tools: ["read", "run"].map((name) => ({ name, input_schema: { type: /** @type {const} */ ("object") } })),
	};
	const whole = await anthropic(base).messages.create(asked);
	assert.deepEqual(
		whole.content.map(({ type }) => type),
		["thinking", "text", "tool_use", "tool_use"],
	);
	assert.deepEqual([/** @type {any} */ (whole.content[2]).input, whole.stop_reason], [input, "tool_use"]);
	let said = "",
		thought = "";
	const streamed = await anthropic(base)
		.messages.stream(asked)
		.on("text", (text) => {
			said += text;
		})
		.on("thinking", (text) => {
			thought += text;
		})
		.finalMessage();
	assert.deepEqual(plain(streamed), plain(whole));
	assert.deepEqual([said, thought], ["I look.", "Hm, 日本."]);
	const seen = [];
	for await (const event of await anthropic(base).messages.create({ ...asked, stream: true })) seen.push(event.type);
	assert.deepEqual([seen[0], ...seen.slice(-2)], ["message_start", "message_delta", "message_stop"]);
});

test("chat: a stream is equal to the answer without streaming, with calls", async () => {
	const base = await provider.script("chats", [{ do: "agent", text: "I look.", calls: both }]);
	const asked = {
		...chat,
		tools: ["read", "run"].map((name) => ({
			type: /** @type {const} */ ("function"),
			function: { name, parameters: { type: "object" } },
		})),
	};
	await openai(base).chat.completions.create(asked); // the two answers below read the same from the cache
	const whole = await openai(base).chat.completions.create(asked);
	const call = whole.choices[0]?.message.tool_calls?.[0];
	assert.deepEqual(
		[call?.type === "function" && JSON.parse(call.function.arguments), whole.choices[0]?.finish_reason],
		[input, "tool_calls"],
	);
	let said = "";
	const streamed = await openai(base)
		.chat.completions.stream({ ...asked, stream_options: { include_usage: true } })
		.on("content", (text) => {
			said += text;
		})
		.finalChatCompletion();
	assert.deepEqual(plain(streamed), plain(whole));
	assert.equal(said, "I look.");
});

test("messages: a tool round continues with its results", async () => {
	const base = await provider.script("round", [
		{ do: "agent", thinking: "Hm.", calls: both },
		{ do: "agent", text: "Done." },
	]);
	const client = anthropic(base);
	/** @type {Anthropic.MessageParam[]} */
	const messages = [{ role: "user", content: "Go." }];
	const asked = {
		...message,
		thinking: /** @type {const} */ ({ type: "adaptive" }),
		tools: ["read", "run"].map((name) => ({ name, input_schema: { type: /** @type {const} */ ("object") } })),
	};
	const first = await client.messages.create({ ...asked, messages });
	const ids = first.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
	const results = ids.map((id) => ({ type: /** @type {const} */ ("tool_result"), tool_use_id: id, content: "fine" }));
	const second = {
		...asked,
		messages: [
			...messages,
			{ role: /** @type {const} */ ("assistant"), content: first.content },
			{ role: /** @type {const} */ ("user"), content: results },
		],
	};

	// Requests that the real API refuses, with its messages.
	const [, assistant, user] = second.messages;
	const changed = first.content.map((block) => (block.type === "thinking" ? { ...block, thinking: "No." } : block));
	/** @type {Array<[RegExp, any[]]>} */
	const refused = [
		[
			/ids were found without `tool_result` blocks immediately after/,
			[messages[0], assistant, { role: "user", content: results.slice(1) }],
		],
		[/unexpected `tool_use_id`/, [messages[0], user]],
		[/must have a single result/, [messages[0], assistant, { role: "user", content: [...results, results[0]] }]],
		[/Invalid `signature` in `thinking` block/, [messages[0], { role: "assistant", content: changed }, user]],
		[
			/latest assistant message cannot be modified/,
			[messages[0], { role: "assistant", content: first.content.slice(1) }, user],
		],
		[
			/text content blocks must be non-empty/,
			[...second.messages, { role: "assistant", content: [{ type: "text", text: "" }] }],
		],
		[
			/A maximum of 4 blocks/,
			[
				{
					role: "user",
					content: Array.from("12345", (text) => ({ type: "text", text, cache_control: { type: "ephemeral" } })),
				},
			],
		],
	];
	for (const [says, messages] of refused) {
		const error = await failure(client.messages.create({ ...asked, messages }));
		assert.ok(error instanceof Anthropic.BadRequestError);
		assert.match(error.message, says);
	}
	const sampling = await failure(client.messages.create({ ...asked, messages, ...{ temperature: 1 } }));
	assert.match(
		sampling.message,
		/temperature: Extra inputs are not permitted/,
		"removed in the version that this client sends",
	);
	const last = await client.messages.create(second);
	assert.deepEqual(plain(last.content), [{ type: "text", text: "Done.", citations: null }]);
});

test("chat: the client's tool loop ends", async () => {
	const base = await provider.script("loop", [
		{ do: "agent", calls: both },
		{ do: "agent", text: "Done." },
	]);
	/** @type {any[]} */
	const used = [];
	const tool = (/** @type {string} */ name) => ({
		type: /** @type {const} */ ("function"),
		function: {
			name,
			description: name,
			parameters: { type: "object", properties: {} },
			parse: JSON.parse,
			function: (/** @type {any} */ given) => {
				used.push([name, given]);
				return "fine";
			},
		},
	});
	const runner = openai(base).chat.completions.runTools({ ...chat, tools: [tool("read"), tool("run")] });
	assert.equal(await runner.finalContent(), "Done.");
	assert.deepEqual(used, [
		["read", input],
		["run", {}],
	]);
	assert.deepEqual(
		(await provider.calls("loop")).flatMap(({ problems }) => problems),
		[],
	);
	const error = await failure(
		openai(base).chat.completions.create({
			...chat,
			messages: [...chat.messages, { role: "tool", tool_call_id: "call_1", content: "x" }],
		}),
	);
	assert.ok(error instanceof OpenAI.BadRequestError);
	assert.match(error.message, /must be a response to a preceding message/);
});

test("a wrong key is refused", async () => {
	for (const kind of kinds) {
		const error = await failure(calls(meets("ok"), { apiKey: "bad-key" })[kind]?.() ?? assert.fail());
		assert.deepEqual([error.constructor.name, error.status], ["AuthenticationError", 401]);
	}
});

test("messages: the prompt cache reads what an earlier request wrote", async () => {
	const client = anthropic(meets("ok"));
	const system = [
		{
			type: /** @type {const} */ ("text"),
			text: "Be brief. ".repeat(1000),
			cache_control: { type: /** @type {const} */ ("ephemeral") },
		},
	];
	const { usage: first } = await client.messages.create({ ...message, system });
	const { usage: second } = await client.messages.create({
		...message,
		system,
		messages: [...message.messages, { role: "user", content: "More." }],
	});
	assert.deepEqual([first.cache_read_input_tokens, second.cache_creation_input_tokens], [0, 0]);
	// So the prefix is longer than the minimum that a provider caches, 1,024 tokens.
	assert.ok((first.cache_creation_input_tokens ?? 0) > 2000);
	assert.equal(second.cache_read_input_tokens, first.cache_creation_input_tokens);
	const { usage: third } = await client.messages.create({
		...message,
		system: [{ ...system[0], type: "text", text: "Be long. ".repeat(1000) }],
	});
	assert.equal(third.cache_read_input_tokens, 0);
});
