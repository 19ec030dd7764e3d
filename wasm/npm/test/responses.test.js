// This file runs agent loops with tools on OpenAI's SDK for Responses against the fake provider, which refuses what the
// real one refuses, compacted in the middle with every preset.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import OpenAI from "../../../web/node_modules/openai/index.mjs";
import { startFake } from "./fake.js";
import { engine, Loop, output, presets, prompt, ROUNDS, steps } from "./loops.js";

const provider = await startFake();
after(() => provider.stop());

/** @type {OpenAI.Responses.Tool[]} */
const tools = [
	{
		type: "function",
		name: "read",
		strict: false,
		parameters: { type: "object", properties: { path: { type: "string" } } },
	},
];

/** The outputs of the calls in a response. @param {OpenAI.Responses.Response} answer */
function outputs(answer) {
	/** @type {OpenAI.Responses.ResponseInputItem[]} */
	const items = [];
	for (const item of answer.output)
		if (item.type === "function_call")
			items.push({
				type: "function_call_output",
				call_id: item.call_id,
				output: output(JSON.parse(item.arguments).path),
			});
	return items;
}

for (const preset of presets) {
	for (const stream of [false, true]) {
		test(`openai, Responses, ${preset}${stream ? ", streamed" : ""}: no request is refused`, async () => {
			const script = `${preset}-${stream}`;
			const client = new OpenAI({
				apiKey: "key",
				baseURL: `${await provider.script(script, steps)}/v1`,
				maxRetries: 0,
			});
			const loop = new Loop("openai-responses", preset);
			for (let round = 0; round < ROUNDS; round++) {
				loop.messages.push({ role: "user", content: prompt(round) });
				for (let step = 0; step < 2; step++) {
					const body = {
						model: "gpt-5",
						input: loop.messages,
						tools,
						store: false,
						include: /** @type {OpenAI.Responses.ResponseIncludable[]} */ (["reasoning.encrypted_content"]),
						reasoning: { effort: /** @type {const} */ ("low") },
					};
					const answer = stream
						? await client.responses.stream(body).finalResponse()
						: await client.responses.create(body);
					if (answer.usage) engine.observe(undefined, answer.usage);
					loop.messages.push(...answer.output, ...outputs(answer));
					assert.equal(engine.detect({ conversation: loop.messages }).format, "openai-responses");
					loop.compact(round);
				}
				assert.equal(engine.check({ conversation: { input: loop.messages, store: false } }).valid, true);
			}
			const calls = await provider.calls(script);
			assert.equal(calls.length, 2 * ROUNDS);
			for (const { problems } of calls) assert.deepEqual(problems ?? [], []);
			loop.end();
		});
	}
}

test("the fake of Responses refuses what Responses refuses", async () => {
	const base = `${await provider.script("refusals", [{ do: "ok", text: "x" }])}/v1`;
	const client = new OpenAI({ apiKey: "key", baseURL: base, maxRetries: 0 });
	const call = /** @type {const} */ ({ type: "function_call", call_id: "c1", name: "read", arguments: "{}" });
	const ask = (/** @type {OpenAI.Responses.ResponseInputItem[]} */ ...items) =>
		client.responses.create({ model: "gpt-5", input: [{ role: "user", content: "go" }, ...items], store: false });
	await assert.rejects(ask(call), /No tool output found for function call c1/);
	await assert.rejects(
		ask({ type: "function_call_output", call_id: "c1", output: "x" }),
		/No tool call found for function call output with call_id c1/,
	);
	await assert.rejects(
		ask({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" }),
		/of type 'reasoning' was provided without its required following item/,
	);
});
