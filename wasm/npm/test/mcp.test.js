// This file runs `tamp mcp` with the official client over stdio: its tools, and paths that leave its folder.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { outputOf, PROMPT } from "./cost.js";
import { few, later } from "./few.js";
import { vendor } from "./loops.js";

const cli = fileURLToPath(new URL("../cli.js", import.meta.url));
const away = realpathSync(mkdtempSync(join(tmpdir(), "tamp-mcp-")));
const root = join(away, "root");
const { Client } = await vendor("@modelcontextprotocol/client/dist/index.mjs");
const { StdioClientTransport } = await vendor("@modelcontextprotocol/client/dist/stdio.mjs");

/** @type {any} */
let client;
let errors = "";

/** A request that a compaction makes smaller. */
const request = {
	model: "claude-sonnet-5",
	max_tokens: 9,
	messages: [
		{ role: "user", content: PROMPT },
		...Array.from({ length: 30 }, (_, i) => [
			{
				role: "assistant",
				content: [{ type: "tool_use", id: `t${i}`, name: "bash", input: { command: `cat ${i}.go` } }],
			},
			{ role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content: outputOf(`part${i}.go`) }] },
		]).flat(),
	],
};

before(async () => {
	mkdirSync(join(root, "inner"), { recursive: true });
	writeFileSync(join(root, "request.json"), JSON.stringify(request));
	writeFileSync(
		join(root, "inner", "broken.json"),
		JSON.stringify({ ...request, messages: request.messages.slice(2) }),
	);
	writeFileSync(join(away, "secret.json"), JSON.stringify(request));
	mkdirSync(join(away, "root-2"));
	writeFileSync(join(away, "root-2", "secret.json"), JSON.stringify(request));
	client = new Client({ name: "test", version: "1" });
	const transport = new StdioClientTransport({
		command: process.execPath,
		args: [cli, "mcp", "--root", root],
		stderr: "pipe",
	});
	transport.stderr?.on("data", (/** @type {Buffer} */ chunk) => {
		errors += chunk;
	});
	await client.connect(transport);
});
after(async () => {
	await client.close();
	rmSync(away, { recursive: true });
	assert.equal(errors, "", "nothing is written to stderr");
});

/** @param {string} name @param {object} input @returns {Promise<{ text: string, failed: boolean }>} */
async function call(name, input) {
	const { content, isError } = await client.callTool({ name, arguments: input });
	assert.equal(content.length, 1);
	return { text: content[0].text, failed: isError === true };
}

test("the tools read a file, and write what they made of it next to it", async () => {
	const { tools } = await client.listTools();
	const names = ["audit", "check", "compact_file", "count", "recall"];
	assert.deepEqual(
		tools.map((/** @type {any} */ { name }) => name),
		names,
	);
	for (const { inputSchema, annotations, name } of tools) {
		assert.equal(inputSchema.type, "object");
		assert.equal(annotations.readOnlyHint, name !== "compact_file");
	}
	assert.equal((await call("check", { file: "request.json" })).text, "valid");
	const given = readFileSync(join(root, "request.json"), "utf8");
	const first = await call("compact_file", { file: "request.json" });
	assert.equal(readFileSync(join(root, "request.json"), "utf8"), given, "the file stays as it is");
	const [before, small] = /^(\d+) tokens before, (\d+) after$/m.exec(first.text)?.slice(1).map(Number) ?? [];
	assert.ok(before && small && small < before / 2, first.text);
	const [, made = "", originals = ""] = /^compacted: (.*)\noriginals: (.*), which/m.exec(first.text) ?? [];
	const { messages } = JSON.parse(readFileSync(join(root, made), "utf8"));
	assert.ok(messages.length > 1 && existsSync(join(root, originals)));

	const ref = /[0-9a-f]{16}/.exec(JSON.stringify(messages))?.[0];
	const page = await call("recall", { archive: originals, ref, limit: 500 });
	assert.match(page.text, /\[500 of \d+ characters were read; go on with offset 500\]$/);
	if (few) return;

	const second = await call("compact_file", { file: "request.json" });
	assert.ok(!second.text.includes(made), "a second result has another name");
	assert.match((await call("count", { file: "request.json" })).text, /^\d{5,} tokens \(\d+ to \d+\)$/);
	assert.match(
		(await call("check", { file: join(root, "inner/broken.json") })).text,
		/^not valid\nerror: The [^()]+\. \(A\S+ at /,
	);
	assert.match((await call("recall", { archive: originals, text: "func part3_1(" })).text, /^\d+: .*part3_1\(/m);
	assert.match((await call("recall", { archive: originals, text: "never there" })).text, /^no line of \d+ characters/);
	assert.equal((await call("recall", { archive: originals, ref: "0123456789abcdef" })).failed, true);
	assert.match((await call("audit", {})).text, /sessions, \d+ calls/);
});

test("a path that leaves the folder is refused, without a word on what it names", async () => {
	const links = {
		file: "../secret.json",
		other: "../root-2/secret.json",
		missing: "../missing.json",
		absolute: "/etc/passwd",
	};
	for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, `${name}.json`));
	symlinkSync("..", join(root, "up"));
	symlinkSync("/", join(root, "top"));
	symlinkSync("inner/broken.json", join(root, "within.json"));
	assert.equal((await call("count", { file: "within.json" })).failed, false, "a link that stays in the folder");
	const outside = [
		"../secret.json",
		"../root-2/secret.json",
		"inner/../../secret.json",
		join(away, "secret.json"),
		"up/secret.json",
		"up/up/secret.json",
		"top/etc/passwd",
		"/etc/passwd",
		"/proc/self/environ",
		"~/.ssh/id_ed25519",
		"missing.json/../../secret.json",
		"a\0b",
		"",
		"..",
		"x".repeat(100_000),
		...Object.keys(links).map((name) => `${name}.json`),
	];
	const { tools } = await client.listTools();
	const answers = new Set();
	for (const file of outside) {
		for (const { name, inputSchema } of tools) {
			const path = name === "audit" ? "folder" : (inputSchema.required[0] ?? "");
			if (file === "" && name === "audit") continue;
			const { text, failed } = await call(name, { [path]: file });
			assert.equal(failed, true, `${name} ${file}`);
			assert.doesNotMatch(text, /tokens|root:|listen/);
			if (file !== "") answers.add(text.replace(file, ""));
		}
	}
	const [refusal] = answers;
	assert.deepEqual([...answers], [refusal], "the answer does not say whether the file exists");
	if (!few) assert.match((await call("audit", {})).text, /it is not in the folder that --root names/);
	assert.deepEqual(readdirSync(away).sort(), ["root", "root-2", "secret.json"]);
});

test("what is no file, is empty or too large is refused", later, async () => {
	writeFileSync(join(root, "empty.json"), "");
	writeFileSync(join(root, "large.json"), "");
	truncateSync(join(root, "large.json"), 3_000_000_000);
	writeFileSync(join(root, "torn.json"), '{"messages":[{"role":"user","content":"never in a log');
	if (process.platform === "linux") spawnSync("mkfifo", [join(root, "pipe.json")]);
	for (const [file, reason] of /** @type {const} */ ([
		["empty.json", /the file is empty/],
		["large.json", /at most 128 MB/],
		["inner", /it is not a file|EISDIR/],
		["torn.json", /cannot/],
		...(process.platform === "linux" ? [/** @type {const} */ (["pipe.json", /it is not a file/])] : []),
	])) {
		for (const name of ["count", "compact_file"]) {
			const { text, failed } = await call(name, { file });
			assert.equal(failed, true, `${name} ${file}: ${text}`);
			assert.match(text, reason);
		}
	}
	for (const name of ["large.json", "pipe.json"]) rmSync(join(root, name), { force: true });
});

test("calls at the same time are answered, and one that is cancelled ends", later, async () => {
	const answers = await Promise.all(Array.from({ length: 4 }, () => call("count", { file: "request.json" })));
	assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
	const stop = new AbortController();
	const cancelled = client.callTool({ name: "audit", arguments: {} }, { signal: stop.signal });
	setTimeout(() => stop.abort());
	await assert.rejects(cancelled);
	assert.equal((await call("count", { file: "request.json" })).failed, false);
});

test("lines that are no messages are answered or skipped, and stderr has nothing of them", later, async () => {
	const child = spawn(process.execPath, [cli, "mcp", "--root", root], { stdio: ["pipe", "pipe", "pipe"] });
	let [out, err] = ["", ""];
	child.stdout.on("data", (chunk) => {
		out += chunk;
	});
	child.stderr.on("data", (chunk) => {
		err += chunk;
	});
	const lines = [
		"swordfish",
		"[".repeat(100_000),
		'{"jsonrpc":"2.0","id":"swordfish"}',
		'{"jsonrpc":"2.0","id":1,"method":"swordfish","params":{"swordfish":1}}',
		'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"swordfish"}}',
		'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":"swordfish"}}',
	];
	child.stdin.end(`${lines.join("\n")}\n`);
	const code = await new Promise((resolve) => child.once("exit", resolve));
	assert.equal(code, 0, err);
	assert.doesNotMatch(err, /swordfish/);
	for (const line of out.split("\n").filter(Boolean)) JSON.parse(line);
});

test("what stdin had before its end is answered", () => {
	const call = (/** @type {number} */ id, /** @type {string} */ method, /** @type {object} */ params) =>
		`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
	const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
	const input =
		call(1, "initialize", hello) +
		'{"jsonrpc":"2.0","method":"notifications/initialized"}\n' +
		call(2, "tools/call", { name: "count", arguments: { file: "request.json" } });
	const { status, stdout } = spawnSync(process.execPath, [cli, "mcp", "--root", root], { encoding: "utf8", input });
	assert.equal(status, 0);
	const answers = stdout.trim().split("\n");
	assert.deepEqual(
		answers.map((line) => JSON.parse(line).id),
		[1, 2],
	);
	assert.match(answers[1] ?? "", /\d+ tokens/);
});

test("wrong usage of mcp is an error", () => {
	for (const [args, reason] of /** @type {const} */ ([
		[["--root", join(away, "missing")], /cannot serve .*missing/],
		[["file.json"], /mcp takes no file/],
		[["--json"], /mcp has no option --json/],
	])) {
		const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "mcp", ...args], {
			encoding: "utf8",
			input: "",
		});
		assert.notEqual(status, 0);
		assert.equal(stdout, "");
		assert.match(stderr, reason);
	}
});

test("the hooks of the manual save what Claude Code removes, and recall reads it", later, async () => {
	const page = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8");
	const [block] = [...page.matchAll(/```json\n(.*?)```/gs)]
		.map(([, json]) => JSON.parse(json ?? ""))
		.filter(({ hooks }) => hooks);
	const project = join(root, "project");
	mkdirSync(join(project, ".claude"), { recursive: true });
	const log = join(away, "session.jsonl");
	const lines = request.messages.map((message, i) => {
		const common = {
			uuid: `u${i}`,
			parentUuid: i > 0 ? `u${i - 1}` : null,
			sessionId: "s",
			cwd: project,
			isSidechain: false,
		};
		return JSON.stringify({
			...common,
			type: message.role,
			message: { ...message, model: "claude-sonnet-5" },
			timestamp: "2026-11-27T06:00:00.000Z",
		});
	});
	writeFileSync(log, `${lines.join("\n")}\n`);
	const run = (/** @type {string} */ event, /** @type {object} */ input) => {
		const [{ matcher, hooks }] = block.hooks[event];
		const done = spawnSync(
			"sh",
			["-c", hooks[0].command.replace(/npx --no-install \S+/, `"${process.execPath}" "${cli}"`)],
			{
				cwd: project,
				encoding: "utf8",
				input: JSON.stringify({
					session_id: "s",
					transcript_path: log,
					cwd: project,
					hook_event_name: event,
					...input,
				}),
			},
		);
		assert.equal(done.status, 0, done.stderr);
		return { matcher, stdout: done.stdout };
	};
	run("PreCompact", { trigger: "auto", custom_instructions: "" });
	const { matcher, stdout } = run("SessionStart", { source: "compact", model: "claude-sonnet-5" });
	assert.equal(matcher, "compact");
	assert.match(stdout, /\.claude\/originals\.txt/);
	const { text } = await call("recall", { archive: "project/.claude/originals.txt", text: "func part3_1(" });
	assert.match(text, /^\d+: .*part3_1\(/m);
});
