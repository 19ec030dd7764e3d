// This file runs agent loops with tools on Google's SDK against the fake provider, which refuses what Gemini 3 refuses,
// compacted in the middle with every preset. responses.test.js does so with OpenAI's SDK, aisdk.test.js with the AI SDK.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startFake } from "./fake.js";
import { engine, Loop, output, presets, prompt, ROUNDS, steps, vendor } from "./loops.js";

const { GoogleGenAI } = await vendor("@google/genai/dist/node/index.mjs");
const provider = await startFake();
after(() => provider.stop());
const model = "gemini-3-pro-preview";
const tools = [{ functionDeclarations: [{ name: "read", parametersJsonSchema: { type: "object" } }] }];

/** A client of the fake. @param {string} baseUrl */
const google = (baseUrl) => new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl } });

/** The answer of a stream as one content. @param {AsyncIterable<any>} stream */
async function joined(stream) {
	const parts = [];
	let usage;
	for await (const { candidates, usageMetadata } of stream) {
		parts.push(...(candidates?.[0]?.content?.parts ?? []));
		usage = usageMetadata;
	}
	return { content: { role: "model", parts }, usage };
}

for (const preset of presets) {
	for (const stream of [false, true]) {
		test(`@google/genai, ${preset}${stream ? ", streamed" : ""}: no request is refused`, async () => {
			const script = `gemini-${preset}-${stream}`;
			const { models } = google(await provider.script(script, steps));
			const loop = new Loop("gemini", preset);
			const config = { systemInstruction: "Be brief.", tools, thinkingConfig: { includeThoughts: true } };
			for (let round = 0; round < ROUNDS; round++) {
				loop.messages.push({ role: "user", parts: [{ text: prompt(round) }] });
				for (let step = 0; step < 2; step++) {
					const input = { model, contents: loop.messages, config };
					const whole = stream ? undefined : await models.generateContent(input);
					const { content, usage } = whole
						? { content: whole.candidates[0].content, usage: whole.usageMetadata }
						: await joined(await models.generateContentStream(input));
					engine.observe(undefined, usage);
					const responses = content.parts.flatMap((/** @type {any} */ { functionCall: call }) =>
						call
							? [{ functionResponse: { id: call.id, name: call.name, response: { output: output(call.args.path) } } }]
							: [],
					);
					loop.messages.push(content);
					if (responses.length > 0) loop.messages.push({ role: "user", parts: responses });
					loop.compact(round);
				}
				assert.equal(engine.check({ conversation: { model, contents: loop.messages } }).valid, true);
			}
			const received = await provider.calls(script);
			assert.equal(received.length, 2 * ROUNDS);
			for (const { problems } of received) assert.deepEqual(problems, []);
			loop.end();
		});
	}
}

test("the fake of Gemini refuses what Gemini refuses", async () => {
	const { models } = google(await provider.script("refusals", [{ do: "ok", text: "x" }]));
	const call = { role: "model", parts: [{ functionCall: { id: "1", name: "read", args: {} } }] };
	const result = { role: "user", parts: [{ functionResponse: { id: "1", name: "read", response: { output: "x" } } }] };
	const ask = (/** @type {string} */ role) =>
		models.generateContent({ model, contents: [{ role, parts: [{ text: "x" }] }, call, result] });
	await assert.rejects(ask("user"), /thought_signature/);
	await assert.rejects(ask("model"), /immediately after a user turn/);
});
