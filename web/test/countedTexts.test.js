// This file tests which texts of a block are counted, and so are shown as tokens, in each format.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countedTexts } from "../app/engine/countedTexts.js";
import { docOf, lookUp, sourceOf } from "../app/engine/pointer.js";

/** The texts of a block that is a whole document. @param {unknown} value @param {string} kind */
function textsOf(value, kind) {
	const text = JSON.stringify(value);
	const doc = docOf(text, false);
	return countedTexts(lookUp(doc, ""), { kind, role: "user" }, (path) => sourceOf(text, doc, path) ?? "");
}

const ARGS = { path: "a.go" };
const JSON_ARGS = JSON.stringify(ARGS);

/** @type {[string, string, unknown, string[]][]} the format, the kind of the block, the block, its texts */
const BLOCKS = [
	["anthropic", "tool_use", { type: "tool_use", id: "a", name: "read", input: ARGS }, ["read", JSON_ARGS]],
	["anthropic", "tool_result", { type: "tool_result", content: [{ type: "text", text: "out" }] }, ["out"]],
	[
		"openai-chat",
		"tool_use",
		{ type: "function", function: { name: "read", arguments: JSON_ARGS } },
		["read", JSON_ARGS],
	],
	["openai-responses", "text", { type: "output_text", text: "done" }, ["done"]],
	["openai-responses", "tool_use", { type: "function_call", name: "read", arguments: JSON_ARGS }, ["read", JSON_ARGS]],
	[
		"openai-responses",
		"tool_use",
		{ type: "custom_tool_call", name: "patch", input: "*** Begin" },
		["patch", "*** Begin"],
	],
	["openai-responses", "tool_result", { type: "function_call_output", call_id: "a", output: "out" }, ["out"]],
	[
		"openai-responses",
		"tool_result",
		{ type: "function_call_output", output: [{ type: "input_text", text: "out" }, { type: "input_image" }] },
		["out"],
	],
	[
		"openai-responses",
		"thinking",
		{ type: "reasoning", summary: [{ type: "summary_text", text: "why" }], encrypted_content: "x" },
		["why"],
	],
	["gemini", "text", { text: "hello", thoughtSignature: "x" }, ["hello"]],
	["gemini", "tool_use", { functionCall: { name: "read", args: ARGS } }, ["read", JSON_ARGS]],
	["gemini", "tool_result", { functionResponse: { name: "read", response: { output: "out" } } }, ['{"output":"out"}']],
	["ai-sdk", "tool_use", { type: "tool-call", toolName: "read", input: ARGS }, ["read", JSON_ARGS]],
	["ai-sdk", "tool_result", { type: "tool-result", toolName: "read", output: { type: "text", value: "out" } }, ["out"]],
	["ai-sdk", "thinking", { type: "reasoning", text: "why" }, ["why"]],
	["pi", "tool_use", { type: "toolCall", name: "read", arguments: ARGS }, ["read", JSON_ARGS]],
	["opencode", "tool_use", { type: "tool", tool: "read", state: { input: ARGS, output: "out" } }, ["read", JSON_ARGS]],
	["opencode", "tool_result", "out", ["out"]],
	["hostile", "tool_use", { name: 5, functionCall: [], input: null, constructor: 1 }, ["null"]],
	["hostile", "text", { type: "text", text: { a: 1 } }, []],
	["hostile", "tool_result", { functionResponse: "x", output: null, state: [] }, []],
];

for (const [format, kind, block, want] of BLOCKS)
	test(`${format}: ${kind} ${JSON.stringify(block).slice(0, 50)}`, () => assert.deepEqual(textsOf(block, kind), want));
