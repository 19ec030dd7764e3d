// This file has the loops of the vendors' SDKs with the fetch of an adapter. The SDK is an argument: adapters.test.js runs
// them with the newest major version, wasm/npm/frameworks with the one before.

import { compactingFetch as ofAnthropic } from "../anthropic.js";
import { compactingFetch as ofGoogle } from "../google.js";
import { compactingFetch as ofOpenAI } from "../openai.js";
import { outputOf, PROMPT } from "./cost.js";

/** @typedef {import("../index.js").Compactor} Compactor */
/** @typedef {(baseURL: string, tamp: Compactor, rounds: number) => Promise<{ text: string }>} Loop */

export const PARAMETERS = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };

/** @type {(Anthropic: any) => Loop} */
export const toolRunner = (Anthropic) => async (baseURL, tamp, rounds) => {
	const client = new Anthropic({ apiKey: "key", baseURL, maxRetries: 0, fetch: ofAnthropic(tamp) });
	const last = await client.beta.messages.toolRunner({
		model: "claude-sonnet-5",
		max_tokens: 1000,
		system: "You help.",
		messages: [{ role: "user", content: PROMPT }],
		max_iterations: rounds + 1,
		tools: [
			{
				name: "bash",
				description: "run a command",
				input_schema: { type: "object", properties: PARAMETERS.properties },
				run: async (/** @type {any} */ { command }) => outputOf(command),
				parse: (/** @type {any} */ input) => input,
			},
		],
	});
	return { text: last.content[0].text };
};

/** @param {any} OpenAI @param {string} baseURL @param {Compactor} tamp */
export const openai = (OpenAI, baseURL, tamp) =>
	new OpenAI({ apiKey: "key", baseURL: `${baseURL}/v1`, maxRetries: 0, fetch: ofOpenAI(tamp) });

/** @type {(OpenAI: any) => Loop} */
export const runTools = (OpenAI) => async (baseURL, tamp, rounds) => {
	const runner = openai(OpenAI, baseURL, tamp).chat.completions.runTools(
		{
			model: "gpt-5",
			messages: [{ role: "user", content: PROMPT }],
			tools: [
				{
					type: "function",
					function: {
						name: "bash",
						description: "run a command",
						parameters: PARAMETERS,
						parse: JSON.parse,
						function: async (/** @type {any} */ { command }) => outputOf(command),
					},
				},
			],
		},
		{ maxChatCompletions: rounds + 1 },
	);
	return { text: (await runner.finalContent()) ?? "" };
};

/** @type {(OpenAI: any) => Loop} */
export const responses = (OpenAI) => async (baseURL, tamp) => {
	const client = openai(OpenAI, baseURL, tamp);
	/** @type {any[]} */
	const input = [{ role: "user", content: PROMPT }];
	for (;;) {
		const answer = await client.responses.create({
			model: "gpt-5",
			input,
			tools: [{ type: "function", name: "bash", strict: false, parameters: PARAMETERS }],
			store: false,
			include: ["reasoning.encrypted_content"],
		});
		const calls = answer.output.filter((/** @type {any} */ { type }) => type === "function_call");
		if (calls.length === 0) return { text: answer.output_text };
		input.push(...answer.output);
		for (const { call_id, arguments: given } of calls) {
			input.push({ type: "function_call_output", call_id, output: outputOf(JSON.parse(given).command) });
		}
	}
};

/** @type {(GoogleGenAI: any) => Loop} */
export const chats = (GoogleGenAI) => async (baseUrl, tamp) => {
	const client = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl, fetch: ofGoogle(tamp) } });
	const tools = [{ functionDeclarations: [{ name: "bash", parametersJsonSchema: PARAMETERS }] }];
	const config = { tools, systemInstruction: "You help." };
	const chat = client.chats.create({ model: "gemini-3-pro-preview", config });
	let answer = await chat.sendMessage({ message: PROMPT });
	while (answer.functionCalls?.length > 0) {
		const message = answer.functionCalls.map((/** @type {any} */ { id, name, args }) => ({
			functionResponse: { id, name, response: { output: outputOf(args.command) } },
		}));
		answer = await chat.sendMessage({ message });
	}
	return { text: answer.text };
};
