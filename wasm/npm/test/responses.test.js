// This file runs agent loops with tools on OpenAI's SDK for Responses against the fake provider, which refuses what the
// real one refuses, compacted in the middle with every preset.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import OpenAI from "../../../web/node_modules/openai/index.mjs";
import { load } from "../index.js";
import { startFake } from "./fake.js";

const engine = await load();
const provider = await startFake();
after(() => provider.stop());

const ROUNDS = 9;
const policy = {
	trigger: { window: 6000, reserveOutput: 500, bufferTokens: 0 },
	pin: { recentTokens: 500, recentTurns: 1 },
};
const output = (/** @type {unknown} */ path) => `the content of ${path}\n`.repeat(60);
/** @type {OpenAI.Responses.Tool[]} */
const tools = [
	{
		type: "function",
		name: "read",
		strict: false,
		parameters: { type: "object", properties: { path: { type: "string" } } },
	},
];

/** The answers of the model: reasoning and two parallel calls, then a text. */
const steps = Array.from({ length: ROUNDS }, (_, n) => [
	{
		do: "agent",
		thinking: `Prompt ${n} is about two files.`,
		calls: ["a", "b"].map((name) => ({ tool: "read", input: { path: `${name}${n}.go` } })),
	},
	{ do: "agent", text: `Done with part ${n}.` },
]).flat();

/**
 * Compacts with the answers of a summarizer that fails now and then.
 * @param {OpenAI.Responses.ResponseInputItem[]} conversation
 * @param {string} preset
 */
function compacted(conversation, preset) {
	const input = { conversation, format: /** @type {const} */ ("openai-responses"), preset, policy, force: true };
	const plan = engine.plan(input);
	const results = engine
		.summarize({ ...input, plan })
		.map((result, i) => (i % 3 === 2 ? { id: result.id, err: "overloaded" } : result));
	return engine.apply({ ...input, plan, results }).conversation;
}

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

for (const { name: preset } of engine.presets()) {
	for (const stream of [false, true]) {
		test(`openai, Responses, ${preset}${stream ? ", streamed" : ""}: no request is refused`, async () => {
			const script = `${preset}-${stream}`;
			const client = new OpenAI({
				apiKey: "key",
				baseURL: `${await provider.script(script, steps)}/v1`,
				maxRetries: 0,
			});
			/** @type {OpenAI.Responses.ResponseInputItem[]} */
			let input = [];
			let changed = 0;
			for (let round = 0; round < ROUNDS; round++) {
				input.push({
					role: "user",
					content: `Prompt ${round}: look at the files. Never change port ${8000 + round}.`,
				});
				for (let step = 0; step < 2; step++) {
					const body = {
						model: "gpt-5",
						input,
						tools,
						store: false,
						include: /** @type {OpenAI.Responses.ResponseIncludable[]} */ (["reasoning.encrypted_content"]),
						reasoning: { effort: /** @type {const} */ ("low") },
					};
					const answer = stream
						? await client.responses.stream(body).finalResponse()
						: await client.responses.create(body);
					if (answer.usage) engine.observe(undefined, answer.usage);
					input.push(.../** @type {OpenAI.Responses.ResponseInputItem[]} */ (answer.output), ...outputs(answer));
					assert.equal(engine.detect({ conversation: input }).format, "openai-responses");
					if (round % 3 === 2) {
						const before = JSON.stringify(input);
						input = compacted(input, preset);
						changed += Number(JSON.stringify(input) !== before);
					}
				}
				assert.equal(engine.check({ conversation: { input, store: false } }).valid, true);
			}
			const calls = await provider.calls(script);
			assert.equal(calls.length, 2 * ROUNDS);
			for (const { problems } of calls) assert.deepEqual(problems ?? [], []);
			assert.ok(changed > 0 || preset === "clear_thinking", "something was compacted");
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
		ask({ type: "reasoning", id: "rs_1", summary: [] }),
		/of type 'reasoning' was provided without its required following item/,
	);
});
