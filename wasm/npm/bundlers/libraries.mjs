// This file has the rows of run.mjs for libraries: each runs the code of the package's README as it is written there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { startFake } from "../test/fake.js";
import { files, inPage, project, root, run } from "./scratch.mjs";

/** The code of a section of the README. @param {string} begin a regular expression of its begin */
function example(begin) {
	const readme = readFileSync(path.join(root, "wasm/npm/README.md"), "utf8");
	return new RegExp(`${begin}\\n(.*?)\`\`\``, "s").exec(readme)?.[1] ?? assert.fail(begin);
}

/** Removes a field of the fake's answer that the AI SDK refuses; the vendor's own client accepts it. */
const forAISDK = `(async (answer) => new Response((await answer.text()).replace('"citations":null,', ""), answer))`;

/**
 * Runs a program against the fake provider, and checks that each of its calls had five of eight results cleared.
 * @param {string} name
 * @param {string} text the answer of each call
 * @param {number} calls
 * @param {(url: string) => Promise<void>} program
 */
async function withProvider(name, text, calls, program) {
	const fake = await startFake();
	const run = name.replaceAll(/\W+/g, "-");
	try {
		await program(await fake.script(run, Array(calls).fill({ do: "ok", text })));
		const received = await fake.calls(run);
		assert.equal(received.length, calls);
		for (const { body } of received) {
			assert.equal(JSON.stringify(body).match(/Previous: used read/g)?.length, 5, "five of eight results are cleared");
		}
	} finally {
		await fake.stop();
	}
}

/** @type {Record<string, (name: string) => Promise<void>>} */
export const libraries = {
	React: async (name) => {
		const dir = project(name, {
			"index.html": files.html.replace("page.js", "page.jsx"),
			"page.jsx": `import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { loadInWorker } from "tamp";
${example("### React.*?```jsx")}
const place = document.body.appendChild(document.createElement("div"));
new MutationObserver(() => { globalThis.result = Number(place.textContent); }).observe(place, { subtree: true, characterData: true, childList: true });
createRoot(place).render(<Tokens conversation={[{ role: "user", content: "Find the bug." }]} />);
`,
		});
		const { build } = await import("vite7");
		await build({
			root: dir,
			configFile: false,
			logLevel: "silent",
			worker: { format: "es" },
			esbuild: { jsx: "automatic" },
		});
		const { load } = await import(pathToFileURL(path.join(dir, "node_modules/tamp/index.js")).href);
		const conversation = [{ role: "user", content: "Find the bug." }];
		assert.equal(await inPage(path.join(dir, "dist")), (await load()).count({ conversation }).total);
	},
	"the AI SDK": (name) =>
		withProvider(name, "It is in line 3.", 2, async (provider) => {
			const dir = project(name, {
				"setup.mjs": `import { compactor } from "tamp";
export const originals = [];
export const tamp = await compactor({ preset: "s06", save: (jsonl) => void originals.push(jsonl) });
const real = globalThis.fetch;
globalThis.fetch = async (url, init) => ${forAISDK}(
	await real(String(url).replace("https://api.anthropic.com", ${JSON.stringify(provider)}), init));
export const tools = {};
export const messages = [{ role: "user", content: "Find the bug." }];
for (let i = 0; i < 8; i++) {
	const call = { toolCallId: "t" + i, toolName: "read" };
	messages.push({ role: "assistant", content: [{ type: "tool-call", ...call, input: { path: "part" + i } }] });
	messages.push({ role: "tool", content: [{ type: "tool-result", ...call, output: { type: "text", value: "line\\n".repeat(500) } }] });
}
`,
				"main.mjs": `import { messages, originals, tamp, tools } from "./setup.mjs";\n${example("## Adapters.*?```ts")}
console.log((await generateText({ model, messages })).text, originals.length);\n`,
			});
			assert.match(await run(dir, process.execPath, "main.mjs"), /It is in line 3\. 2/);
		}),
	"LangChain, and models of the AI SDK with a fetch": (name) =>
		withProvider(name, "It is in line 3.", 3, async (provider) => {
			const dir = project(name, {
				"main.mjs": `import { createAnthropic } from "@ai-sdk/anthropic";
import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText } from "ai";
import { compactor } from "tamp";
import { compactingFetch as ofAnthropic } from "tamp/anthropic";
import { compactingFetch as ofOpenAI } from "tamp/openai";
const originals = [];
const tamp = await compactor({ preset: "s06", save: (jsonl) => void originals.push(jsonl) });
const messages = [new HumanMessage("Find the bug.")];
const prompt = [{ role: "user", content: "Find the bug." }];
for (let i = 0; i < 8; i++) {
	const call = { name: "read", args: { path: "part" + i }, id: "t" + i, type: "tool_call" };
	messages.push(new AIMessage({ content: "", tool_calls: [call] }));
	messages.push(new ToolMessage({ content: "line\\n".repeat(500), tool_call_id: call.id }));
	const same = { toolCallId: call.id, toolName: call.name };
	prompt.push({ role: "assistant", content: [{ type: "tool-call", ...same, input: call.args }] });
	prompt.push({ role: "tool", content: [{ type: "tool-result", ...same, output: { type: "text", value: "line\\n".repeat(500) } }] });
}
const base = ${JSON.stringify(provider)};
const fetch = ofAnthropic(tamp);
const claude = new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "key", anthropicApiUrl: base, clientOptions: { fetch } });
const gpt = new ChatOpenAI({ model: "gpt-4o", apiKey: "key", configuration: { baseURL: base + "/v1", fetch: ofOpenAI(tamp) } });
for (const model of [claude, gpt]) console.log((await model.invoke(messages)).content);
const model = createAnthropic({ baseURL: base + "/v1", apiKey: "key", fetch: async (...sent) => ${forAISDK}(await fetch(...sent)) })("claude-sonnet-4-5");
console.log((await generateText({ model, messages: prompt })).text, originals.length);
`,
			});
			const out = await run(dir, process.execPath, "main.mjs");
			assert.match(out, /It is in line 3\.\nIt is in line 3\.\nIt is in line 3\. 3/);
		}),
};
