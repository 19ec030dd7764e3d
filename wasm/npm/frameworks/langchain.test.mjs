// This file runs an agent of LangChain 0.3, whose loop is an AgentExecutor, with the fetch of tamp/anthropic, and compares the
// cost with that of the same loop without it. wasm/npm/test/adapters.test.js has LangChain 1.

import { after, test } from "node:test";
import { compactingFetch } from "../anthropic.js";
import { compare, outputOf, PROMPT } from "../test/cost.js";
import { startFake } from "../test/fake.js";
import { framework, SIZES } from "./framework.mjs";

const provider = await startFake();
after(() => provider.stop());

for (const [rounds, max] of SIZES) {
	test(`LangChain 0.3, ${rounds} rounds`, async (t) => {
		const [{ AgentExecutor, createToolCallingAgent }, { ChatAnthropic }, { ChatPromptTemplate }, { tool }] =
			await Promise.all(
				["langchain/agents", "@langchain/anthropic", "@langchain/core/prompts", "@langchain/core/tools"].map(framework),
			);
		const schema = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
		const tools = [
			tool(async (/** @type {any} */ { command }) => outputOf(command), {
				name: "bash",
				description: "run a command",
				schema,
			}),
		];
		const prompt = ChatPromptTemplate.fromMessages([
			["system", "You help."],
			["human", "{input}"],
			["placeholder", "{agent_scratchpad}"],
		]);
		await compare(t, provider, {
			name: "LangChain 0.3",
			rounds,
			max,
			options: { preset: "balanced" },
			loop: async (anthropicApiUrl, tamp) => {
				const llm = new ChatAnthropic({
					model: "claude-sonnet-5",
					apiKey: "key",
					anthropicApiUrl,
					maxRetries: 0,
					maxTokens: 1000,
					clientOptions: { fetch: compactingFetch(tamp) },
				});
				const agent = createToolCallingAgent({ llm, tools, prompt });
				const executor = new AgentExecutor({ agent, tools, maxIterations: rounds + 1 });
				const { output } = await executor.invoke({ input: PROMPT });
				return { text: typeof output === "string" ? output : output[0].text };
			},
		});
	});
}
