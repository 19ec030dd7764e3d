// This file runs the loops of the vendors' SDKs at the major version before the newest, which adapters.test.js runs.

import { after, test } from "node:test";
import { compare } from "../test/cost.js";
import { startFake } from "../test/fake.js";
import { framework, SIZES } from "./framework.mjs";
import { chats, responses, runTools, toolRunner } from "../test/vendors.js";

const provider = await startFake();
after(() => provider.stop());

const { default: Anthropic } = await framework("anthropic-sdk-0");
const { default: OpenAI } = await framework("openai-6");
const { GoogleGenAI } = await framework("google-genai-2");

for (const [rounds, max] of SIZES) {
	/** @type {[string, import("../test/vendors.js").Loop][]} */
	const loops = [
		["@anthropic-ai/sdk 0, tool runner", toolRunner(Anthropic)],
		["openai 6, tool runner", runTools(OpenAI)],
		["openai 6, Responses", responses(OpenAI)],
		["@google/genai 2, chats", chats(GoogleGenAI)],
	];
	for (const [name, run] of loops) {
		test(`${name}, ${rounds} rounds`, async (t) => {
			/** @type {(baseURL: string, tamp: import("../index.js").Compactor) => Promise<{ text: string }>} */
			const loop = (baseURL, tamp) => run(baseURL, tamp, rounds);
			await compare(t, provider, { name, rounds, max, options: { preset: "balanced" }, loop });
		});
	}
}
