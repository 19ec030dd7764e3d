// This file is the Worker of cloudflare.test.mjs: a Durable Object with a Session of the Agents SDK, which answers prompts
// with one call of a tool each.

import { DurableObject } from "cloudflare:workers";
import { createAnthropic } from "@ai-sdk/anthropic";
import { Lifecycle } from "agents/lifecycle";
import { Sessions } from "agents/sessions";
import { convertToModelMessages, generateText, jsonSchema, stepCountIs, tool } from "ai";
import { compaction } from "../cloudflare.js";
import { load } from "../workerd.js";

export class Chat extends DurableObject {
	sessions = new Sessions();
	lifecycle = Lifecycle.install(this).use(this.sessions);
	session = this.sessions.session();

	/** @param {{ outputs: string[], baseURL: string, limit: number, archive: string }} task limit: 0 without compaction */
	async run({ outputs, baseURL, limit, archive }) {
		const { session } = this;
		const save = async (/** @type {string} */ body) => {
			await fetch(archive, { method: "POST", body });
		};
		if (limit)
			session.onCompaction(compaction({ engine: await load(), save, storage: this.ctx.storage })).compactAfter(limit);
		const settings = {
			model: createAnthropic({ apiKey: "key", baseURL })("claude-sonnet-5"),
			system: "You help.",
			tools: {
				bash: tool({
					inputSchema: jsonSchema({ type: "object", properties: { command: { type: "string" } } }),
					execute: async (/** @type {any} */ { command }) => outputs[Number(/\d+/.exec(command))],
				}),
			},
			stopWhen: stepCountIs(2),
			maxRetries: 0,
		};
		for (const i of outputs.keys()) {
			const text = `Prompt ${i}: read part ${i}. Never change port ${8000 + i}.`;
			await session.appendMessage({ id: `u${i}`, role: "user", parts: [{ type: "text", text }] });
			const messages = await convertToModelMessages(await session.getHistory());
			const { steps } = await generateText({ ...settings, messages });
			const parts = steps.flatMap(({ toolCalls, toolResults, text }) => [
				...(text ? [{ type: "text", text }] : []),
				...toolCalls.map(({ toolCallId, input }, n) => ({
					type: "tool-bash",
					toolCallId,
					state: "output-available",
					input,
					output: toolResults[n].output,
				})),
			]);
			await session.appendMessage({ id: `a${i}`, role: "assistant", parts });
		}
		return session.getHistory();
	}
}

export default {
	fetch: async (/** @type {Request} */ request, /** @type {any} */ { CHAT }) =>
		Response.json(await CHAT.getByName(crypto.randomUUID()).run(await request.json())),
};
