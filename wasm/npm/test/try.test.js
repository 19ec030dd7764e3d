// This file tests what `tamp try`, `tamp doctor`, `tamp lost` and `tamp resume --restore` do without a real agent. The real
// agents run in worker/gateway/agents_try_test.go and agents_plugin_test.go.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { load } from "../index.js";
import { cli, folder, tamp } from "./command.js";
import { startFake } from "./fake.js";

const provider = await startFake();
after(() => provider.stop());

/** Writes a program with a name, and returns its path. @param {string} name @param {string} text */
function program(name, text) {
	const path = join(folder, name);
	writeFileSync(path, `#!/bin/sh\n${text}\n`);
	chmodSync(path, 0o755);
	return path;
}

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith("tamp-try-"));

/** @param {string[]} args @param {Record<string, string>} env */
const start = (args, env) => {
	const { ANTHROPIC_BASE_URL: _, ...rest } = process.env;
	return spawn(process.execPath, [cli, "try", ...args], { env: { ...rest, ...env }, detached: true });
};

/** @param {import("node:child_process").ChildProcessWithoutNullStreams} child */
async function ended(child) {
	let out = "";
	child.stderr.on("data", (chunk) => {
		out += chunk;
	});
	const [code] = await once(child, "close");
	return { code, out };
}

const BODY = JSON.stringify({
	model: "claude-opus-4-5",
	max_tokens: 9,
	messages: [{ role: "user", content: "Hello, this is a prompt with some words." }],
});

test("the client's requests pass, three lines say what was sent, and its exit code stays", async () => {
	const before = left();
	const claude = program(
		"claude",
		`curl -s -X POST "$ANTHROPIC_BASE_URL/v1/messages" -H "x-api-key: k" -H "anthropic-version: 2023-06-01" -H "content-type: application/json" -d '${BODY}' > "${folder}/answer.json"\nexit 7`,
	);
	for (const shadow of [[], ["--shadow"]]) {
		const { code, out } = await ended(
			start([...shadow, "--", claude], { ANTHROPIC_BASE_URL: `${provider.url}/s/try/ok` }),
		);
		assert.equal(code, 7, out);
		const [sent, other, missed] = out.trim().split("\n").slice(-3);
		assert.match(sent ?? "", /^tamp: sent: [\d,]+ tokens in 1 call$/);
		assert.match(
			other ?? "",
			shadow.length > 0 ? /^tamp: with Tamp it would have been: / : /^tamp: without Tamp it would have been: /,
		);
		assert.match(missed ?? "", /^tamp: missed: /);
		assert.equal(JSON.parse(readFileSync(join(folder, "answer.json"), "utf8")).type, "message");
	}
	assert.deepEqual(left(), before);
});

test("Ctrl-C reaches the client, whose exit code stays; a signal that ends it is 128 and its number", async () => {
	const ready = join(folder, "ready");
	const qwen = program("qwen", `trap 'exit 9' INT\ntouch "${ready}"\nwhile :; do sleep 0.1; done`);
	const child = start(["--", qwen], {});
	const done = ended(child);
	while (!existsSync(ready)) await new Promise((resolve) => setTimeout(resolve, 50));
	process.kill(-(/** @type {number} */ (child.pid)), "SIGINT"); // as a terminal does: to all of the group
	assert.equal((await done).code, 9);
	assert.equal((await ended(start(["--", program("gemini", "kill -TERM $$")], {}))).code, 143);
	assert.deepEqual(left(), []);
});

test("what cannot be tried is named", () => {
	assert.match(tamp(["try", "--", "emacs"]).stderr, /try knows no client emacs: it knows claude, /);
	assert.equal(tamp(["try", "claude"]).status, 2);
	assert.match(tamp(["try", "--", "kimi"]).stderr, /kimi has no address to go through: set KIMI_MODEL_BASE_URL/);
	assert.match(tamp(["try", "--", "/no/claude"]).stderr, /cannot run \/no\/claude: /);
});

test("doctor lists what is here and what is set up", () => {
	const home = join(folder, "doctor");
	mkdirSync(join(home, ".codex/sessions"), { recursive: true });
	const bin = join(home, "bin");
	mkdirSync(bin);
	writeFileSync(join(bin, "claude"), "#!/bin/sh\necho 2.1.332 \\(Claude Code\\)\n");
	chmodSync(join(bin, "claude"), 0o755);
	const env = { HOME: home, PATH: bin };
	const run = (/** @type {string[]} */ ...args) =>
		spawnSync(process.execPath, [cli, ...args], { cwd: home, env, encoding: "utf8" });
	assert.match(run("doctor").stdout, /^Claude Code 2\.1\.332, .*\n.*\n {2}set up: no\n/);
	assert.match(run("doctor").stdout, /Codex is not installed, but has logs\n/);
	assert.equal(run("plugin", "claude").status, 0);
	const [claude] = JSON.parse(run("doctor", "--json").stdout);
	assert.deepEqual(claude.ready, [`the plugin in ${join(home, ".claude/skills/tamp")}`]);
	assert.equal(claude.command, "npx tamp plugin claude");
});

/** A log of Claude Code that its own compaction has cut. */
function compactedLog() {
	/** @type {object[]} */
	const lines = [];
	const add = (/** @type {any} */ line) => {
		const n = lines.length;
		const parentUuid = n === 0 || line.subtype ? null : String(n - 1);
		lines.push({ uuid: String(n), parentUuid, sessionId: "s", cwd: "/p", version: "2.1.332", ...line });
	};
	const user = (/** @type {any} */ content) => add({ type: "user", message: { role: "user", content } });
	const answer = (/** @type {any} */ content) =>
		add({ type: "assistant", message: { id: `m${lines.length}`, role: "assistant", content } });
	user("Fix the server.");
	answer([{ type: "tool_use", id: "t", name: "Read", input: { file: "a.go" } }]);
	user([{ type: "tool_result", tool_use_id: "t", content: "func ListenOnSocket() in /srv/listen.go" }]);
	answer([{ type: "text", text: "I have read it." }]);
	add({ type: "system", subtype: "compact_boundary", content: "Conversation compacted" });
	user("This session is being continued from a previous conversation. The server was read.");
	answer([{ type: "text", text: "Now I change ListenOnSocket." }]);
	user("Go on.");
	return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

test("lost lists what the client's own compaction removed, and resume puts it back", async () => {
	const file = join(folder, "lost.jsonl");
	writeFileSync(file, compactedLog());
	const { stdout, stderr, status } = tamp(["lost", file]);
	assert.equal(status, 0, stderr);
	assert.match(
		stdout,
		/^[0-9a-f]{16} {2}Read \{"file":"a\.go"\}; needed by 1 later call \(ListenOnSocket\); 39 characters: /,
	);
	assert.match(tamp(["lost", file, "have", "READ"]).stdout, /an answer; 15 characters: I have read it\.\n$/);
	assert.match(tamp(["lost", file, "absent"]).stderr, /no compaction removed what has these words/);
	const ref = stdout.slice(0, 16);
	const made = JSON.parse(tamp(["resume", "--restore", ref, "--json", file]).stdout);
	const engine = await load();
	const { conversation } = engine.convert({ conversation: readFileSync(made.file, "utf8"), to: "anthropic" });
	assert.match(String(conversation), /from before the compaction:\\nfunc ListenOnSocket\(\) in \/srv\/listen\.go/);
	assert.match(
		tamp(["resume", "--restore", "0123456789abcdef", file]).stderr,
		/no compaction of this log removed a text/,
	);
	assert.equal(readFileSync(file, "utf8"), compactedLog(), "the log is unchanged");
});
