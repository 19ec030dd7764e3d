// This file runs an agent of Mastra with the processor of tamp/mastra, and one of the major version before, which has no such
// place, with the fetch of tamp/anthropic. It compares the cost with that of the same loop without it.

import { after, test } from "node:test";
import { compactingFetch } from "../anthropic.js";
import { processor } from "../mastra.js";
import { compare, outputOf, PROMPT } from "../test/cost.js";
import { startFake } from "../test/fake.js";
import { framework, SIZES } from "./framework.mjs";

process.env.MASTRA_TELEMETRY_DISABLED = "1";
const provider = await startFake();
after(() => provider.stop());

const { z } = await framework("zod");

/** The tool of the loop. @param {any} createTool */
const toolOf = (createTool) =>
	createTool({
		id: "bash",
		description: "run a command",
		inputSchema: z.object({ command: z.string() }),
		// Version 0.24 has the input in a member.
		execute: async (/** @type {any} */ { command, context }) => outputOf(command ?? context.command),
	});

for (const [rounds, max] of SIZES) {
	for (const { name, core, anthropic } of [
		{ name: "Mastra 1", core: "@mastra/core", anthropic: "@ai-sdk/anthropic" },
		{ name: "Mastra 0.24", core: "mastra-core-0", anthropic: "ai-sdk-anthropic-2" },
	]) {
		test(`${name}, ${rounds} rounds`, async (t) => {
			const [{ Agent }, { createTool }, { createAnthropic }] = await Promise.all(
				[`${core}/agent`, `${core}/tools`, anthropic].map(framework),
			);
			await compare(t, provider, {
				name,
				rounds,
				max,
				options: { preset: "balanced" },
				loop: async (url, tamp) => {
					const connection = { apiKey: "key", baseURL: `${url}/v1` };
					const settings = {
						id: "reader",
						name: "reader",
						instructions: "You help.",
						tools: { bash: toolOf(createTool) },
					};
					const agent = new Agent(
						name === "Mastra 1"
							? {
									...settings,
									model: createAnthropic(connection)("claude-sonnet-5"),
									inputProcessors: [processor(tamp)],
								}
							: {
									...settings,
									model: createAnthropic({ ...connection, fetch: compactingFetch(tamp) })("claude-sonnet-5"),
								},
					);
					const { steps } = await agent.stream(PROMPT, { maxSteps: rounds + 1 });
					return { text: (await steps).at(-1).text };
				},
			});
		});
	}
}
