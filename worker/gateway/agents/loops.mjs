// This file has the loops over npm packages of `make test-agents`: loops.mjs NAME MODULES BASE MODEL TASK works on the
// task with one tool, a shell, and prints the last answer. clients.py has those in Python.

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [name, modules, base, model, task] = process.argv.slice(2);

/** @param {string} command */
function bash(command) {
	const done = spawnSync("bash", ["-c", `exec 2>&1; ${command}`], { encoding: "utf8" });
	return done.status === 0 ? done.stdout : `${done.stdout}exit status ${done.status}`;
}

const schema = {
	type: "object",
	properties: { command: { type: "string" }, description: { type: "string" } },
	required: ["command"],
};

const loops = {
	// Google's Interactions API without stored state: each request has all steps.
	async interactions() {
		const { GoogleGenAI } = await import(`${modules}/@google/genai/dist/node/index.mjs`);
		const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: base } });
		const input = [{ type: "user_input", content: [{ type: "text", text: task }] }];
		for (;;) {
			const answer = await client.interactions.create({
				model,
				input,
				store: false,
				system_instruction: "You work in a shell.",
				generation_config: { thinking_summaries: "auto" },
				tools: [{ type: "function", name: "bash", description: "Run a command.", parameters: schema }],
			});
			input.push(...answer.steps);
			const calls = answer.steps.filter((step) => step.type === "function_call");
			if (calls.length === 0) return answer.output_text;
			for (const {
				id,
				name,
				arguments: { command },
			} of calls)
				input.push({ type: "function_result", call_id: id, name, result: bash(command) });
		}
	},

	// The AI SDK over OpenRouter's provider, which sends reasoning_details back with each answer.
	async openRouter() {
		const { generateText, tool, isStepCount, jsonSchema } = await load("ai");
		const { createOpenRouter } = await load("@openrouter/ai-sdk-provider");
		const { text } = await generateText({
			model: createOpenRouter({ apiKey: "k", baseURL: base })(model, {
				reasoning: { enabled: true, effort: "medium" },
			}),
			prompt: task,
			tools: {
				bash: tool({
					description: "Run a command.",
					inputSchema: jsonSchema(schema),
					execute: ({ command }) => bash(command),
				}),
			},
			stopWhen: isStepCount(1000),
		});
		return text;
	},
};

/** @param {string} name of a package */
function load(name) {
	return import(pathToFileURL(createRequire(`${modules}/`).resolve(name)).href);
}

console.log(await loops[name]());
