// This file runs other libraries from npm for the driver, on the same messages as Tamp: node peers.mjs FOLDER, where the
// folder has their node_modules. The requests are { op: "compact", method, messages, target } and { op: "versions" }.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "../../wasm/npm/index.js";
import { serve } from "./serve.mjs";

const counter = "cl100k_base";
const format = "openai-chat";
const engine = await load();
engine.loadVocabulary(counter, await readFile(new URL(`../../wasm/npm/vocab/${counter}.bin`, import.meta.url)));

const folder = process.argv[2];
const find = createRequire(pathToFileURL(join(folder, "package.json")));
const take = (name) => import(pathToFileURL(find.resolve(name)).href);
const { pruneMessages } = await take("ai");
const { AIMessage, HumanMessage, SystemMessage, trimMessages } = await take("@langchain/core/messages");
const { ClearToolUsesEdit } = await take("langchain");
const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

const kinds = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
const roles = { system: "system", human: "user", ai: "assistant" };
const toLangChain = (messages) => messages.map(({ role, content }) => new kinds[role](content));
const fromLangChain = (messages) =>
	messages.map((message) => ({ role: roles[message.getType()], content: message.content }));
const countTokens = (messages) =>
	engine.count({ conversation: { messages: fromLangChain(messages) }, format, counter }).total;

const methods = {
	"ai pruneMessages": ({ messages }) => pruneMessages({ messages, reasoning: "all", toolCalls: "all" }),
	"@langchain/core trimMessages": async ({ messages, target }) => {
		const options = { maxTokens: target, tokenCounter: countTokens, strategy: "last", includeSystem: true };
		return fromLangChain(await trimMessages(toLangChain(messages), options));
	},
	"langchain ClearToolUsesEdit": async ({ messages, target }) => {
		const edited = toLangChain(messages);
		const edit = new ClearToolUsesEdit({ trigger: { tokens: target }, keep: { messages: 0 } });
		await edit.apply({ messages: edited, model: undefined, countTokens });
		return fromLangChain(edited);
	},
};

await serve({
	compact: async ({ method, ...request }) => ({ messages: await methods[method](request) }),
	versions: () => ({
		versions: Object.fromEntries(Object.keys(methods).map((n) => [n, dependencies[n.split(" ")[0]]])),
	}),
});
