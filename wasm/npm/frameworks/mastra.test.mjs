// This file runs an agent of Mastra with the processor of tamp/mastra, and compares the cost with that of the same loop
// without it.

import { createRequire } from "node:module";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { processor } from "../mastra.js";
import { compare, outputOf, PROMPT } from "../test/cost.js";
import { startFake } from "../test/fake.js";

const require = createRequire(new URL("../../../.build/frameworks/package.json", import.meta.url));
const framework = (/** @type {string} */ name) => import(pathToFileURL(require.resolve(name)).href);

process.env.MASTRA_TELEMETRY_DISABLED = "1";
const provider = await startFake();
after(() => provider.stop());

for (const [rounds, max] of /** @type {const} */ ([
	[40, 0.85],
	[100, 0.5],
])) {
	test(`Mastra, ${rounds} rounds`, async (t) => {
		const [{ Agent }, { createTool }, { createAnthropic }, { z }] = await Promise.all(
			["@mastra/core/agent", "@mastra/core/tools", "@ai-sdk/anthropic", "zod"].map(framework),
		);
		const bash = createTool({
			id: "bash",
			description: "run a command",
			inputSchema: z.object({ command: z.string() }),
			execute: async (/** @type {any} */ { command }) => outputOf(command),
		});
		await compare(t, provider, {
			name: "mastra",
			rounds,
			max,
			options: { preset: "balanced" },
			loop: async (baseURL, tamp) => {
				const agent = new Agent({
					id: "reader",
					name: "reader",
					instructions: "You help.",
					model: createAnthropic({ apiKey: "key", baseURL: `${baseURL}/v1` })("claude-sonnet-5"),
					tools: { bash },
					inputProcessors: [processor(tamp)],
				});
				const { steps } = await agent.stream(PROMPT, { maxSteps: rounds + 1 });
				return { text: (await steps).at(-1).text };
			},
		});
	});
}
