// This file tests in Node the functions of text.worker.js: paths, parts of a block, matches, repeats.
//
// Measures: the time for many repeats.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { clean } from "../app/reading/sanitize.js";
import { countIn, patternOf, snippetOf } from "../app/reading/matching.js";
import { partsOf, textsOf } from "../app/reading/parts.js";
import { docOf, lookUp, sourceOf } from "../app/engine/pointer.js";
import { repeatsIn } from "../app/blocks/repeats.js";
import { layOut } from "../app/blocks/rows.js";
import { totalsOf } from "../app/blocks/totals.js";
import { load } from "../../wasm/npm/index.js";
import { some } from "../../wasm/npm/test/few.js";
import { measure, test } from "./measure.js";
import { everything, repeating } from "./readable.js";
import { anthropic, claudeCode, openai } from "./sessions.js";

const CORPUS = process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** A session as the worker holds it. @param {string} text */
async function held(text) {
	const engine = await load();
	const inspection = engine.inspect({ conversation: text, preset: "harness", policy: {} });
	const { rows } = layOut(/** @type {any} */ (inspection));
	const entries = rows.map(({ index, block, role, tool }) => ({
		index,
		path: block.path,
		kind: block.kind,
		role,
		tool,
		id: block.id ?? "",
		tokens: block.tokens,
	}));
	const doc = docOf(
		text,
		entries.every((entry) => /^\/\d/.test(entry.path)),
	);
	return { rows, entries, doc, read: (/** @type {number} */ index) => lookUp(doc, entries[index].path) };
}

/**
 * Every block is found, its source is its value, and nothing of its text is left out.
 * @param {string} text
 * @param {string} name
 */
async function checkAll(text, name) {
	const { rows, entries, doc, read } = await held(text);
	for (const entry of entries) {
		const value = read(entry.index);
		assert.notEqual(value, undefined, `${name} ${entry.path}`);
		assert.deepEqual(JSON.parse(sourceOf(text, doc, entry.path) ?? "null"), value, `${name} ${entry.path}`);
		const parts = partsOf(value, entry);
		assert.ok(parts.length > 0, `${name} ${entry.path}`);
		const { preview } = rows[entry.index].block;
		if (entry.kind !== "text" || entry.role === "tools" || preview.length === 0) continue;
		assert.ok(
			parts.flatMap(textsOf).join("\n").startsWith(clean(preview).slice(0, 40)),
			`${name} ${entry.path}: ${preview.slice(0, 40)}`,
		);
	}
	return entries.length;
}

test("every block of every format is found in the source, to the letter", async () => {
	for (const [name, session] of Object.entries({
		anthropic: anthropic(4),
		openai: openai(4),
		everything: everything(),
		repeating: repeating(),
		bare: anthropic(3).messages,
	}))
		await checkAll(JSON.stringify(session, null, name === "openai" ? 2 : 0), name);
	await checkAll(claudeCode(4), "claude-code");
	await checkAll(`\n\n${claudeCode(2)}`, "claude-code after blank lines");
});

test("and every block of the real sessions", async () => {
	let blocks = 0;
	for (const folder of ["anthropic", "openai-chat", "claude-code"]) {
		const at = path.join(CORPUS, folder);
		if (!existsSync(at)) return console.log(`no real sessions at ${CORPUS}: not read`);
		for (const file of some(readdirSync(at), 4))
			if (/\.jsonl?$/.test(file))
				blocks += await checkAll(readFileSync(path.join(at, file), "utf8"), `${folder}/${file}`);
	}
	console.log(`${blocks} blocks of real sessions found`);
});

test("paths resolve own keys only, the last of equal keys, and otherwise undefined", () => {
	const text = '{"a/b": {"~": [1, {"x": "\\"}]"}]}, "k": 1, "k": {"constructor": 2}}';
	const doc = docOf(text, false);
	assert.equal(lookUp(doc, "/a~1b/~0/1/x"), '"}]');
	assert.equal(sourceOf(text, doc, "/a~1b/~0/1/x"), '"\\"}]"');
	assert.equal(sourceOf(text, doc, "/k"), '{"constructor": 2}');
	assert.equal(lookUp(doc, "/k/constructor"), 2);
	for (const gone of ["/toString", "/a~1b/constructor", "/a~1b/~0/length", "/k/x/y"])
		assert.equal(lookUp(doc, gone), undefined, gone);
	assert.equal(sourceOf(text, doc, "/gone"), undefined);
});

test("terminal output is cleaned for display", () => {
	const rows = [
		["\u001b[1;31mred\u001b[0m and \u001b]8;;https://x.example\u0007link\u001b]8;;\u0007", "red and link"],
		[" 10%\r 55%\r100%\nnext\r\n", "100%\nnext\n"],
		["bell\u0007 and null\0", "bell␇ and null␀"],
		["gpj\u202eexe", "gpj⟨U+202E⟩exe"],
		["tabs\tand 汉字 stay\n", "tabs\tand 汉字 stay\n"],
		["\u001b", ""],
	];
	for (const [given, want] of rows) assert.equal(clean(given).replace("␛", ""), want, JSON.stringify(given));
});

test("what a tool returned is readable in every format, and so is what the provider hides", () => {
	const result = { kind: "tool_result", role: "user" };
	const thinking = { kind: "thinking", role: "assistant" };
	const code = (/** @type {string} */ text) => [{ kind: "code", text }];
	const field = (/** @type {string} */ name, /** @type {string} */ text) => ({ kind: "field", name, text });
	const note = (/** @type {string} */ text) => [{ kind: "note", text }];
	const gemini = (/** @type {any} */ response) => ({ functionResponse: { name: "read", response } });
	const hidden = note("The provider keeps this text to itself; only an encrypted form is here.");
	/** @type {[string, any, {kind: string, role: string}, any[]][]} */
	const rows = [
		["Anthropic", { type: "tool_result", content: "line 1\nline 2" }, result, code("line 1\nline 2")],
		["Responses", { type: "function_call_output", output: "line 1\nline 2" }, result, code("line 1\nline 2")],
		["Gemini", gemini({ output: "line 1\nline 2" }), result, code("line 1\nline 2")],
		["Gemini in snake case", { function_response: { response: { result: "done" } } }, result, code("done")],
		["an error of Gemini", gemini({ error: "no such file" }), result, [field("error", "no such file")]],
		[
			"more than the output",
			gemini({ output: "ok", code: 0 }),
			result,
			[field("output", "ok"), { kind: "json", text: "0", title: "code" }],
		],
		["an empty response", gemini({}), result, note("The result is empty.")],
		["JSON in the output", gemini({ output: '{"a":1}' }), result, [{ kind: "json", text: '{"a":1}' }]],
		["AI SDK", { type: "tool-result", output: { type: "text", value: "line 1" } }, result, code("line 1")],
		["opencode", { type: "tool", state: { input: {}, output: "line 1" } }, result, code("line 1")],
		[
			"a call of Gemini in snake case",
			{ function_call: { name: "read", args: { path: "a.go" } } },
			{ kind: "tool_use", role: "assistant" },
			[field("path", "a.go")],
		],
		[
			"a document of Gemini",
			{ inlineData: { mimeType: "application/pdf", data: "AAAA" } },
			{ kind: "document", role: "user" },
			note("application/pdf data, 3 bytes. The source shows it."),
		],
		[
			"a file of Gemini",
			{ fileData: { fileUri: "https://x.example/f" } },
			{ kind: "document", role: "user" },
			note("A file at https://x.example/f, which this page does not fetch."),
		],
		["encrypted thinking", { type: "reasoning", summary: [], encrypted_content: "x" }, thinking, hidden],
		[
			"a summary of thinking",
			{ type: "reasoning", summary: [{ type: "summary_text", text: "First, the loop." }] },
			thinking,
			[{ kind: "prose", text: "First, the loop." }],
		],
		[
			"a command of the user in pi",
			{ role: "bashExecution", command: "ls", output: "a.go", exitCode: 0, timestamp: 1 },
			{ kind: "text", role: "user" },
			[field("command", "ls"), field("output", "a.go"), { kind: "json", text: "0", title: "exitCode" }],
		],
		["a response that is no object", gemini("x"), result, code("x")],
		["nothing", null, thinking, [{ kind: "json", text: "null" }]],
		["a number", 7, result, [{ kind: "json", text: "7" }]],
	];
	for (const [name, value, of, want] of rows) assert.deepEqual(partsOf(value, of), want, name);
});

test("a search is literal, ignores case, and reports positions in the unchanged text", () => {
	const count = (/** @type {string} */ query, /** @type {string} */ text) => countIn(patternOf(query), text);
	assert.equal(count("a.b", "a.b axb A.B"), 2);
	assert.equal(count("(x|y)*[z]\\-/^${}+?", "q(X|Y)*[Z]\\-/^${}+?"), 1);
	assert.equal(count("straße", "STRASSE straße STRAßE"), 2);
	assert.equal(count("ОШИБКА", "ошибка"), 1);
	assert.equal(count("😀", "😀😀"), 2);
	assert.match(snippetOf(patternOf("needle"), `${"x".repeat(200)}\nNeedle\n${"y".repeat(200)}`), /^…x+ Needle y+…$/);
});

test("repeats are found once: files by path, calls by input, results by text", async () => {
	const { rows, entries, read } = await held(JSON.stringify(repeating()));
	const { groups, tokens, rows: again } = repeatsIn(entries, read);
	assert.deepEqual(groups.map(({ kind, tool, what, at, same }) => [kind, tool, what, at.length, same]).sort(), [
		["call", "Bash", "go test ./...", 3, true],
		["file", "Read", "src/fold.go", 5, false],
		["result", "Grep", "Fold", 2, true],
	]);
	assert.equal(
		tokens,
		[...new Set(again)].reduce((sum, index) => sum + rows[index].block.tokens, 0),
	);
	assert.equal(
		tokens,
		groups.reduce((sum, group) => sum + group.tokens, 0),
		"no token is counted twice",
	);
	const other = await held(JSON.stringify(everything()));
	assert.deepEqual(repeatsIn(other.entries, other.read).groups, []);
});

test("shell commands that print one file read it", async () => {
	const commands = [
		"cat src/a.go",
		"sed -n '1,40p' src/a.go",
		"head -n 20 src/a.go",
		"cat src/a.go | wc -l",
		"cat src/*.go",
		"rm src/a.go",
	];
	const messages = commands.flatMap((command, i) => [
		{ role: "assistant", content: [{ type: "tool_use", id: `s${i}`, name: "bash", input: { command } }] },
		{ role: "user", content: [{ type: "tool_result", tool_use_id: `s${i}`, content: `output ${i}` }] },
	]);
	const { entries, read } = await held(JSON.stringify({ messages: [{ role: "user", content: "Go." }, ...messages] }));
	assert.deepEqual(
		repeatsIn(entries, read).groups.map(({ kind, what, at }) => [kind, what, at.length]),
		[["file", "src/a.go", 3]],
	);
});

measure("repeats cost linear time: equal lengths, equal heads", () => {
	const head = "x".repeat(20_000);
	const values = Array.from({ length: 1000 }, (_, i) => ({
		type: "tool_result",
		tool_use_id: `t${i}`,
		content: head + String(i).padStart(4, "0"),
	}));
	const entries = values.map((_, index) => ({
		index,
		path: "",
		kind: "tool_result",
		role: "user",
		tool: "t",
		id: `t${index}`,
		tokens: 100,
	}));
	const start = process.cpuUsage(); // other programs do not count
	assert.equal(repeatsIn(entries, (index) => values[index]).groups.length, 0);
	const { user, system } = process.cpuUsage(start);
	const ms = (user + system) / 1000;
	// Linear takes a fraction of a second; comparing all pairs takes minutes.
	assert.ok(ms < 2000, `${Math.round(ms)} ms for 20 MB`);
});

test("the table of tools adds up to the session", async () => {
	for (const session of [repeating(), everything(), openai(5)]) {
		const { rows } = await held(JSON.stringify(session));
		const { tools, rest, total, largest } = totalsOf(rows, new Set([rows.length - 2]));
		assert.equal(tools.reduce((sum, tool) => sum + tool.tokens, 0) + rest, total);
		assert.equal(
			total,
			rows.reduce((sum, { block }) => sum + block.tokens, 0),
		);
		for (const tool of tools) assert.equal(tool.callTokens + tool.resultTokens, tool.tokens);
		assert.deepEqual(
			largest.map(({ block }) => block.tokens),
			rows
				.map(({ block }) => block.tokens)
				.sort((a, b) => b - a)
				.slice(0, 10),
		);
	}
});
