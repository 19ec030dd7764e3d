// This file feeds each member of the vendors' union types (blocks, items, parts), as the pinned SDKs declare them, to
// parse, count, check and render. A member that is new in an SDK fails here by its name until `places` says what a
// request with it looks like.

import assert from "node:assert/strict";
import { test } from "node:test";
import { engine } from "./loops.js";
import { unions } from "./unions.js";

const go = { role: "user", content: "go" };
const text = { type: "text", text: "some words" };

// A request of Anthropic with a block of the user, of the assistant, or of the system.
const asked = (/** @type {any} */ block) => ({ system: "x", messages: [{ role: "user", content: [block] }] });
const said = (/** @type {any[]} */ ...blocks) => ({ messages: [go, { role: "assistant", content: blocks }] });
const told = (/** @type {any} */ block) => ({ messages: [go, { role: "system", content: [block] }] });
const called = (/** @type {any} */ block) => ({
	messages: [
		...said(block).messages,
		{ role: "user", content: [{ type: "tool_result", tool_use_id: block.id, content: "x" }] },
	],
});
const result = (/** @type {any} */ block) => ({
	messages: [
		...said({ type: "tool_use", id: block.tool_use_id, name: "read", input: {} }).messages,
		{ role: "user", content: [block] },
	],
});
const served = (/** @type {any} */ block) =>
	said(block, {
		type: block.type === "mcp_tool_use" ? "mcp_tool_result" : `${block.name}_tool_result`,
		tool_use_id: block.id,
		content: [],
	});
const servedResult = (/** @type {any} */ block) =>
	said(
		block.type === "mcp_tool_result"
			? { type: "mcp_tool_use", id: block.tool_use_id, name: "read", server_name: "x", input: {} }
			: { type: "server_tool_use", id: block.tool_use_id, name: serverTool(block.type), input: {} },
		block,
	);
const serverTool = (/** @type {string} */ type) => type.replace(/_tool_result$/, "");

// A request of Responses with an item, a call or an output.
const item = (/** @type {any} */ ...items) => ({ input: [go, ...items] });
const follows = (/** @type {any} */ value) => item(value, { role: "assistant", content: "done" });
const output = (/** @type {any} */ value) => {
	if (value.type === "function_call_output") value = { ...value, call_id: value.call_id ?? "id_1" }; // only an output of its own has none
	const type = value.type.replace(/_output$/, "");
	const id = value.call_id ?? value.id;
	const call = {
		type,
		id,
		call_id: id,
		name: "read",
		arguments: "{}",
		input: "x",
		action: {},
		operation: {},
		code: "x",
	};
	return item(call, value);
};
const answered = (/** @type {any} */ value) => {
	const type = `${value.type}_output`;
	return item(value, { type, call_id: value.call_id, id: value.id, output: "x", result: "x", tools: [] });
};

const chat = (/** @type {any[]} */ ...messages) => ({ messages: [go, ...messages] });
const gemini = (/** @type {any[]} */ ...contents) => ({
	contents: [{ role: "user", parts: [{ text: "go" }] }, ...contents],
});
const model = (/** @type {any} */ part) => gemini({ role: "model", parts: [{ text: "some words" }, part] });
const user = (/** @type {any} */ part) => gemini({ role: "user", parts: [part] });

const inResult = (/** @type {any} */ b) => result({ type: "tool_result", tool_use_id: "id_1", content: [b] });
const inItem = (/** @type {any} */ part) => item({ type: "message", role: "user", content: [part] });
const inOutput = (/** @type {any} */ part) => output({ type: "function_call_output", call_id: "id_1", output: [part] });
const inUser = (/** @type {any} */ part) => chat({ role: "user", content: [part] });
const inAssistant = (/** @type {any} */ part) => chat({ role: "assistant", content: [part] });
const calling = (/** @type {any} */ call) => ({ role: "assistant", content: null, tool_calls: [call] });
const calls = { type: "function", function: { name: "f", arguments: "{}" } };
const approval = { type: "mcp_approval_response", approve: true };
const approving = { type: "mcp_approval_request", name: "x", arguments: "{}" };
const deferred = (/** @type {string} */ name) => ({ name, input_schema: {}, defer_loading: true });
const callsTool = (/** @type {any} */ call) =>
	chat(calling(call), { role: "tool", tool_call_id: call.id, content: "x" });
const callPart = (/** @type {any} */ part) =>
	gemini(
		{ role: "model", parts: [part] },
		{
			role: "user",
			parts: [{ functionResponse: { id: part.functionCall.id, name: part.functionCall.name, response: {} } }],
		},
	);
const responsePart = (/** @type {any} */ part) =>
	gemini(
		{
			role: "model",
			parts: [{ functionCall: { id: part.functionResponse.id, name: part.functionResponse.name, args: {} } }],
		},
		{ role: "user", parts: [part] },
	);

/** What Repair removes from the end of a request. @type {Record<string, any[]>} */
const orphans = {
	anthropic: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "none", content: "x" }] }],
	"openai-chat": [{ role: "tool", tool_call_id: "none", content: "x" }],
	"openai-responses": [{ type: "function_call_output", call_id: "none", output: "x" }],
	gemini: [{ role: "user", parts: [{ functionResponse: { id: "none", name: "read", response: {} } }] }],
};

/**
 * The same place for several members, by their names.
 * @param {...[string, (value: any) => any]} rows
 * @returns {Record<string, (value: any) => any>}
 */
const where = (...rows) =>
	Object.fromEntries(rows.flatMap(([names, place]) => names.split(" ").map((name) => [name, place])));

/** A request with the member, by its union and its name. */
const places = {
	blocks: where(
		["text image document search_result container_upload", asked],
		["thinking redacted_thinking mcp_tool_listing fallback", (block) => said(block, text)],
		["tool_use", called],
		["tool_result", result],
		["server_tool_use mcp_tool_use", served],
		["web_search_tool_result web_fetch_tool_result advisor_tool_result tool_search_tool_result", servedResult],
		["code_execution_tool_result bash_code_execution_tool_result", servedResult],
		["text_editor_code_execution_tool_result mcp_tool_result", servedResult],
		["compaction", (block) => ({ messages: [{ role: "assistant", content: [block] }, go] })],
		["tool_addition tool_removal", told],
	),
	resultBlocks: where(
		["text image document search_result browser_state", inResult],
		[
			"tool_reference",
			(block) => ({
				...inResult(block),
				tools: [deferred(block.tool_name), { name: "read", input_schema: { type: "object" } }],
			}),
		],
	),
	items: where(
		["message assistant compaction_trigger", item],
		["developer ItemReference reasoning compaction additional_tools configuration_update mcp_list_tools", follows],
		["file_search_call web_search_call code_interpreter_call image_generation_call mcp_call", follows],
		["function_call custom_tool_call computer_call tool_search_call local_shell_call shell_call", answered],
		["apply_patch_call program", answered],
		["function_call_output custom_tool_call_output computer_call_output local_shell_call_output", output],
		["shell_call_output apply_patch_call_output program_output", output],
		["tool_search_output", (value) => item({ type: "tool_search_call", call_id: value.call_id, arguments: {} }, value)],
		["mcp_approval_request", (value) => item(value, { ...approval, approval_request_id: value.id })],
		["mcp_approval_response", (value) => item({ ...approving, id: value.approval_request_id }, value)],
	),
	itemParts: where(["input_text input_image input_file", inItem]),
	outputParts: where(["input_text input_image input_file", inOutput]),
	messages: where(
		["developer system user", chat],
		["assistant", (message) => chat({ ...message, content: message.content ?? "x" })],
		["tool", (message) => chat(calling({ ...calls, id: message.tool_call_id }), message)],
		[
			"function",
			(message) => chat({ role: "assistant", function_call: { name: message.name, arguments: "{}" } }, message),
		],
	),
	userParts: where(["text image_url input_audio file", inUser]),
	assistantParts: where(["text refusal", inAssistant]),
	calls: where(["function custom", callsTool]),
	part: where(
		["text executableCode codeExecutionResult toolCall toolResponse", model],
		["thought thoughtSignature", (part) => model({ text: "x", ...part })], // a part has data
		["inlineData fileData", user],
		["partMetadata", (part) => user({ text: "x", ...part })],
		["videoMetadata mediaResolution", (part) => user({ fileData: { fileUri: "gs://a/b" }, ...part })],
		["audioTranscription speechMetadata mediaProcessing", user],
		["functionCall", callPart],
		["functionResponse", responsePart],
	),
};

/** The format of each union. @param {string} union */
function formatOf(union) {
	if (/^(blocks|resultBlocks)$/.test(union)) return "anthropic";
	if (/^(items|itemParts|outputParts)$/.test(union)) return "openai-responses";
	return union === "part" ? "gemini" : "openai-chat";
}

/** @type {any[]} */
const targets = ["anthropic", "openai-chat", "openai-responses", "gemini", "ai-sdk"];

/** What no block of the conversation has tokens for, and why. @type {Record<string, string>} */
const uncounted = {
	"blocks compaction": "the smallest has no content",
	"blocks fallback": "the model does not get it",
};

/** The most tokens of a request with 20,000 characters of base64: half of what they are as text. */
const mostOpaque = 7000;

const found = unions();

test("each union of the SDKs is known", () => {
	assert.deepEqual(Object.keys(found).sort(), Object.keys(places).sort());
});

for (const [union, place] of Object.entries(places)) {
	const members = found[union] ?? [];
	const format = formatOf(union);
	for (const { name, smallest, whole } of members) {
		test(`${union}: ${name}`, () => {
			const request = place[name];
			assert.ok(request, `${union} has a new member, ${name}: say in places what a request with it looks like`);
			for (const member of smallest) {
				/** @type {string} */
				const conversation = JSON.stringify(request(member));
				const { problems } = engine.check({ conversation, format });
				assert.deepEqual(
					problems.filter(({ severity }) => severity === "error"),
					[],
					clip(conversation),
				);
				assert.equal(engine.repair({ conversation, format }).conversation, conversation);
			}
			const { messages } = engine.count({ conversation: request(smallest[0]), format });
			const zero = messages.some(({ blocks }) => blocks.some((tokens) => tokens === 0));
			assert.equal(zero, `${union} ${name}` in uncounted, JSON.stringify(messages));
			for (const to of targets) engine.convert({ conversation: request(smallest[0]), format, to });
			for (const member of [...smallest, ...whole]) keeps(request(member), member, format);
		});
	}
}

/** A text without its base64. @param {string} json */
const clip = (json) => json.replace(/[A-Za-z0-9+/]{100,}/g, "…");

/**
 * Asserts that a request with a member is counted without what only its provider reads, and that the member stays byte
 * for byte where the rest of the request changes.
 * @param {any} request
 * @param {any} value
 * @param {import("../index.js").Format} format
 */
function keeps(request, value, format) {
	const { total } = engine.count({ conversation: JSON.stringify(request), format });
	assert.ok(total < mostOpaque, `${total} tokens: ${clip(JSON.stringify(value))}`);
	/** @type {any[]} */
	const list = request.messages ?? request.input ?? request.contents;
	list.splice(1, 0, ...(orphans[format] ?? []));
	const repaired = engine.repair({ conversation: JSON.stringify(request), format });
	assert.ok(repaired.conversation.includes(JSON.stringify(value).slice(1, -1)), clip(JSON.stringify(value)));
}
