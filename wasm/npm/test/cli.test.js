// This file tests the command tamp: its exit codes and messages, and the audit of a folder with files of every kind.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../index.js";
import { MAX_HIDDEN, MAX_PRICE } from "../rank.js";
import { PACKED, repeated, SESSION } from "./packed.js";

const cli = fileURLToPath(new URL("../cli.js", import.meta.url));
const corpus = process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const log = join(corpus, "claude-code/claude-code-log--a7da6a22-facc-4fcd-8bab-f83c87862004.jsonl");
const folder = mkdtempSync(join(tmpdir(), "tamp-cli-"));
after(() => rmSync(folder, { recursive: true }));

/** @param {string[]} args @param {string} [input] */
function tamp(args, input) {
	const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
		input: input ?? "",
		encoding: "utf8",
		maxBuffer: 2 ** 26,
	});
	return { status, stdout, stderr };
}

const valid = '[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hello to you."}]';
const orphan =
	'{"model":"claude-opus-4-5","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}]}';

test("audit reads the usage of Kimi CLI, which is in a file next to the context", () => {
	const sessions = join(folder, "kimi", "s");
	mkdirSync(sessions, { recursive: true });
	const context = [
		'{"role":"_checkpoint","id":0}',
		'{"role":"user","content":"x"}',
		'{"role":"assistant","content":"y"}',
	];
	const usage = { input_other: 100, input_cache_read: 2000, input_cache_creation: 0, output: 50 };
	const wire = [
		{ type: "metadata", protocol_version: "1.3" },
		{ timestamp: 1770000000.5, message: { type: "StatusUpdate", payload: { token_usage: usage } } },
	];
	writeFileSync(join(sessions, "context.jsonl"), context.join("\n"));
	writeFileSync(join(sessions, "context_1.jsonl"), context.join("\n"));
	writeFileSync(join(sessions, "wire.jsonl"), wire.map((line) => JSON.stringify(line)).join("\n"));
	const { stdout, stderr } = tamp(["audit", "--json", join(folder, "kimi")]);
	assert.equal(stderr, "");
	const { sessions: found, unread, skipped } = JSON.parse(stdout);
	assert.deepEqual([found.length, found[0].calls, unread, skipped.length], [1, 1, [], 2]);
	assert.equal(found[0].start, 1770000000500);
});

test("check and count read a file or stdin, and say in the exit code what they found", () => {
	assert.deepEqual(tamp(["check"], valid), { status: 0, stdout: "valid\n", stderr: "" });
	const broken = tamp(["check", "-"], orphan);
	assert.equal(broken.status, 1);
	assert.match(broken.stdout, /^error A\S+ at \/messages\/0\/content\/0: /m);
	assert.equal(JSON.parse(tamp(["check", "--json"], orphan).stdout).valid, false);
	assert.match(tamp(["count"], valid).stdout, /^\d+ tokens \(\d+ to \d+\)\n$/);
});

test("repair writes the repaired conversation", () => {
	const { status, stdout, stderr } = tamp(["repair"], orphan);
	assert.equal(status, 0);
	assert.equal(stderr, "1 problem repaired, 0 left\n");
	assert.equal(tamp(["check"], stdout).status, 0);
});

test("compact writes the compacted conversation, and the originals if a file is named", () => {
	const archive = join(folder, "archive.jsonl.txt");
	const { status, stdout, stderr } = tamp(["compact", "--force", "--archive", archive, log]);
	assert.equal(status, 0, stderr);
	assert.match(stderr, /^\d+ tokens before, \d+ after\n$/);
	assert.ok(stdout.length < readFileSync(log, "utf8").length / 2);
	assert.ok(readFileSync(archive, "utf8").length > 1000); // not only the header
});

test("compact says when the policy removes nothing yet", () => {
	const { status, stdout, stderr } = tamp(["compact", "--discard"], valid);
	assert.equal(status, 0, stderr);
	assert.equal(stdout, valid);
	assert.match(stderr, /^(\d+) tokens before, \1 after: the policy removes nothing yet, --force compacts anyway\n$/);
	assert.doesNotMatch(tamp(["compact", "--force", "--discard"], valid).stderr, /--force/);
});

test("compact --force writes nothing over the hard limit", () => {
	const lines = Array.from({ length: 30_000 }, (_, i) => `request ${i} took ${(i * 37) % 991} ms`);
	const input = JSON.stringify({
		model: "claude-opus-4-5",
		messages: [
			{ role: "user", content: "Find the slow requests." },
			{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "bash", input: {} }] },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: lines.join("\n") }] },
		],
	});
	for (const [preset, code] of Object.entries({ balanced: 0, turns: 1, clear_thinking: 1 })) {
		const { status, stdout, stderr } = tamp(["compact", "--preset", preset, "--force", "--discard"], input);
		assert.equal(status, code, `${preset}: ${stderr}`);
		if (status === 0) assert.match(stderr, /^\d{6} tokens before, \d{1,5} after/);
		else assert.match(stderr, /cannot compact further: start a new session; \d+ tokens are used, at most \d+ fit/);
		assert.equal(stdout === "", status === 1);
	}
});

test("compact writes the warnings of the plan, the first 20 of many", () => {
	assert.match(
		tamp(["compact", "--force", "--discard"], valid).stderr,
		/\nnothing can be freed: all messages are [^\n]+\n$/,
	);
	const lines = readFileSync(log, "utf8").split("\n").slice(0, 9);
	const broken = Array.from({ length: 30 }, (_, i) => `"text ${i}"`);
	const { status, stderr } = tamp(["compact", "--discard"], [...lines, ...broken, ""].join("\n"));
	assert.equal(status, 0, stderr);
	assert.equal(stderr.match(/^line \d+ is a string, not an object: it is kept/gm)?.length, 20);
	assert.match(stderr, /\nand \d+ more warnings\n$/);
});

test("audit writes names of files without their control characters, and says which name it cannot open", () => {
	const names = join(folder, "names");
	mkdirSync(names);
	writeFileSync(join(names, "red\u001b[31m\nline.json"), valid);
	writeFileSync(Buffer.concat([Buffer.from(`${names}/`), Buffer.from([0xff]), Buffer.from(".json")]), valid);
	const { status, stdout } = tamp(["audit", names]);
	assert.equal(status, 0);
	assert.match(stdout, /names\/red\\u001b\[31m\\u000aline\.json/);
	assert.match(stdout, /its name is not valid UTF-8: rename it/);
	assert.doesNotMatch(stdout, /\u001b/);
	const missing = tamp(["audit", join(folder, "missing")]);
	assert.deepEqual([missing.status, missing.stdout], [1, ""]);
	assert.match(missing.stderr, /^tamp: cannot read .*missing: ENOENT/);
});

test("resume writes the compacted log next to it as a new session, and recall reads its originals", () => {
	const below = join(folder, "resumed");
	mkdirSync(below);
	const file = join(below, "a7da6a22-facc-4fcd-8bab-f83c87862004.jsonl");
	copyFileSync(log, file);
	const before = readFileSync(file);
	const { status, stdout, stderr } = tamp(["resume", "--window", "50000", file]);
	assert.equal(status, 0, stderr);
	const [, id] = /claude --resume ([\da-f-]{36})\n$/.exec(stdout) ?? [];
	const text = readFileSync(join(below, `${id}.jsonl`), "utf8");
	for (const [, session] of text.matchAll(/"sessionId":"([^"]*)"/g)) assert.equal(session, id);
	assert.match(stderr, /^\d+ tokens before, \d+ after; .* is unchanged\nthe originals: .*\.originals\n$/);
	assert.deepEqual(readFileSync(file), before);
	assert.equal(tamp(["check"], text).status, 0);
	const [, ref = ""] = /originals ([\da-f]{16})/.exec(text) ?? [];
	const originals = ["--archive", join(below, `${id}.jsonl.originals`)];
	const whole = tamp(["recall", ref, ...originals]).stdout;
	assert.ok(whole.length > 1000);
	assert.equal(JSON.parse(tamp(["recall", ref, ...originals, "--json"]).stdout).text, whole.slice(0, -1));
	assert.match(tamp(["recall", "0123456789abcdef", ...originals]).stderr, /^tamp: .*\(at \/ref\)\n$/);
	const own = join(below, "own.json");
	writeFileSync(own, '{"trigger":{"window":20000}}');
	const policy = tamp(["compact", "--discard", "--force", "--policy", own], text);
	assert.equal(policy.stdout, tamp(["compact", "--discard", "--force", "--window", "20000"], text).stdout);
	assert.notEqual(policy.stdout, text);
	writeFileSync(own, "[]");
	assert.match(tamp(["compact", "--discard", "--policy", own], text).stderr, /own\.json is no JSON object/);
});

test("convert writes another format, and lists its losses", () => {
	const { status, stdout, stderr } = tamp(["convert", "--to", "openai-chat", log]);
	assert.equal(status, 0, stderr);
	assert.ok(JSON.parse(stdout).length > 10 || JSON.parse(stdout).messages.length > 10);
	assert.match(stderr, /^lost at \/\S+: .+, .+\n/);
	assert.equal(tamp(["convert", "--to", "morse", log]).status, 1);
});

test("compact keeps and removes the messages and blocks that the user names", () => {
	const says = (/** @type {string} */ role, /** @type {unknown} */ content) => ({ role, content });
	const body = (/** @type {any[]} */ messages) => ({ model: "claude-opus-4-5", messages });
	const call = { type: "tool_use", id: "t", name: "f", input: {} };
	const result = says("user", [{ type: "tool_result", tool_use_id: "t", content: "long ".repeat(400) }]);
	const yes = { type: "text", text: "Yes." };
	const messages = [says("user", "Go."), says("assistant", [yes, call]), result];
	messages.push(says("assistant", "Done."), says("user", "Thanks."), says("assistant", "Bye."), says("user", "Next."));
	const compacted = (/** @type {string[]} */ ...args) => {
		const { status, stdout, stderr } = tamp(["compact", "--discard", ...args], JSON.stringify(body(messages)));
		return status === 0 ? JSON.parse(stdout) : stderr;
	};
	// A block goes with the other half of its pair, a message with all its blocks.
	const paired = [messages[0], says("assistant", [yes]), ...messages.slice(3)];
	for (const ref of ["1.1", "2"]) assert.deepEqual(compacted("--drop", ref), body(paired));
	assert.deepEqual(compacted("--drop", "1", "--drop", "3.0"), body([messages[0], ...messages.slice(4)]));
	const clearing = ["--force", "--preset", "s06", "--policy", join(folder, "few.json")];
	writeFileSync(clearing[4] ?? "", '{"clear":{"keepRecent":0,"triggerTokens":1}}');
	assert.notDeepEqual(compacted(...clearing).messages?.[2], messages[2]);
	assert.deepEqual(compacted(...clearing, "--keep", "1", "--keep", "2.0").messages.slice(1, 3), messages.slice(1, 3));
	assert.match(compacted("--keep", "9"), /message 9 has no block 0/);
});

test("resume refuses what no agent keeps in a file", () => {
	const body = join(folder, "body.json");
	writeFileSync(body, valid);
	assert.match(tamp(["resume", body]).stderr, /^tamp: cannot resume: a session of anthropic/);
});

test("wrong usage is exit code 2 with the help, an unreadable input 1 with its place", () => {
	for (const args of [
		[],
		["shrink"],
		["check", "a", "b"],
		["count", "--fast"],
		["audit", ".", "--totals", "monthly"],
		["audit", ".", "--threads", "0"],
		["usage", ".", "--totals", "monthly"],
		["usage", ".", "--hidden", "9"],
		["audit", ".", "--ttl", "2h"],
		["audit", ".", "--breakpoints", "none"],
		["audit", ".", "--hidden", "9.5"],
		["audit", ".", "--hidden", "-1"],
		["audit", ".", "--prices", "3"],
		["audit", ".", "--prices", "3,x"],
		["audit", ".", "--prices", "0,1"],
		["audit", ".", "--multipliers", "=2"],
		["audit", ".", "--multipliers", "batch,fast=0"],
		["audit", ".", "--multipliers", "fast=x"],
		["count", "--ttl", "1h"],
		["check", "--archive", "x"],
		["convert"],
		["inline"],
		["inline", "--json", "a.js"],
		["compact", "--discard", "--drop", "first", log],
		["recall", "0123456789abcdef"],
		["recall", "--archive", "x"],
		["resume"],
		["resume", "-"],
		["compact", "--discard", "--window", "0"],
		["compact"],
		["compact", "--force"],
		["compact", "--archive", ""],
		["compact", "--archive", "a.jsonl", "--discard"],
	]) {
		const { status, stdout, stderr } = tamp(args);
		assert.deepEqual([status, stdout], [2, ""], args.join(" "));
		assert.match(stderr, /^tamp: [^\\]+\n\nUsage: tamp COMMAND/); // no escaped line break of Node's message
	}
	for (const args of [["--help"], ["help"], ["compact", "-h"]]) assert.equal(tamp(args).status, 0);
	assert.match(tamp(["--version"]).stdout, /^\d+\.\d+\.\d+/);
	const broken = tamp(["count"], '[{"role":"user","content":7}]');
	assert.equal(broken.status, 1);
	assert.match(broken.stderr, /^tamp: cannot .+ \(at \/0\/content\)\n$/);
	assert.match(tamp(["count", join(folder, "absent.json")]).stderr, /^tamp: cannot read .*absent\.json: ENOENT/);
	assert.equal(tamp(["check", folder]).stderr, `tamp: cannot read ${folder}: it is a folder\n`);
});

test("an audit counts with the cache, the hidden tokens and the prices of its options", async () => {
	const only = join(folder, "only");
	mkdirSync(only);
	writeFileSync(join(only, "s.json"), valid);
	const engine = await load();
	const prices = { input: 2000, output: 8000, read: 250, write5m: 0, write1h: 0 };
	for (const [args, choice] of /** @type {[string[], import("../wire.js").ReplayChoice][]} */ ([
		[["--ttl", "1h", "--hidden", "20000"], { ttl: "1h", hidden: 20000 }],
		[["--breakpoints", "automatic"], { breakpoints: "automatic" }],
		[["--prices", "2,8,0.5,0"], { prices }],
		[["--multipliers", "batch, own=3"], { multipliers: [{ name: "batch" }, { name: "own", permille: 3000 }] }],
		[["--prices", "2,8"], { prices: { ...prices, read: 100, write5m: 1250, write1h: 2000 } }],
	])) {
		const [session] = JSON.parse(tamp(["audit", only, "--json", ...args]).stdout).sessions;
		const { cost, fixed } = engine.audit({ conversation: valid, ...choice });
		assert.deepEqual([session.cost, session.fixed], [cost, fixed], args.join(" "));
	}
	const audit = (/** @type {number} */ hidden, /** @type {number} */ input) =>
		engine.audit({ conversation: valid, hidden, prices: { ...prices, input } });
	audit(MAX_HIDDEN, MAX_PRICE);
	assert.throws(() => audit(MAX_HIDDEN + 1, MAX_PRICE), /hidden/);
	assert.throws(() => audit(MAX_HIDDEN, MAX_PRICE + 1), /prices/);
});

test("an exact counter loads its vocabulary", () => {
	const text = '{"model":"gpt-5","messages":[{"role":"user","content":"Hello there."}]}';
	const exact = tamp(["count", "--json", "--counter", "o200k_base"], text).stdout;
	assert.equal(JSON.parse(exact).counter, "o200k_base");
	assert.equal(tamp(["count", "--json", "--counter", "auto"], text).stdout, exact);
});

test("a reader that closes the pipe early causes no error", () => {
	const { status, stderr } = spawnSync("bash", ["-c", `'${process.execPath}' '${cli}' repair '${log}' | head -c 10`], {
		encoding: "utf8",
	});
	assert.equal(status, 0);
	assert.doesNotMatch(stderr, /Error|EPIPE/);
});

test("audit reads links to files outside of the folder, and nothing twice or forever", () => {
	const linked = join(folder, "linked");
	mkdirSync(linked);
	copyFileSync(log, join(linked, "real.jsonl"));
	symlinkSync("real.jsonl", join(linked, "same.jsonl"));
	symlinkSync(log, join(linked, "outside.jsonl"));
	symlinkSync(".", join(linked, "loop"));
	symlinkSync("absent", join(linked, "dead.json"));
	assert.equal(spawnSync("mkfifo", [join(linked, "pipe.json")]).status, 0);
	const { sessions, unread } = JSON.parse(tamp(["audit", linked, "--json"]).stdout);
	const names = (/** @type {any[]} */ all) => all.map(({ file }) => file.slice(linked.length + 1));
	assert.deepEqual(names(sessions), ["outside.jsonl", "real.jsonl"]);
	assert.deepEqual(names(unread), ["dead.json", "loop", "pipe.json"]);
	mkdirSync(join(folder, "nothing"));
	assert.match(tamp(["audit", join(folder, "nothing")]).stdout, /^There is no session log below /);
});

test("audit ranks the sessions of a folder, and lists each file that it cannot read with its reason", () => {
	const below = join(folder, "logs", "deep");
	mkdirSync(below, { recursive: true });
	copyFileSync(log, join(below, "real.jsonl"));
	const files = {
		"broken.jsonl": '{"type":"user","mess',
		"empty.jsonl": "",
		"foreign.json": '{"name":"tamp"}',
		"short.json": valid,
		"void.jsonl": "",
	};
	for (const [name, text] of Object.entries(files)) writeFileSync(join(below, name), text);
	const leftOut = {
		"a.jsonl.deleted.2026-11-01T10-00-00.000Z": "deleted",
		"a.jsonl.reset.1": "reset",
		"notes.txt": "name",
	};
	for (const name of Object.keys(leftOut)) writeFileSync(join(below, name), "not a session");
	writeFileSync(join(below, "huge.jsonl"), "");
	truncateSync(join(below, "huge.jsonl"), 2 ** 30); // without blocks on disk
	const { status, stdout, stderr } = tamp(["audit", join(folder, "logs"), "--json", "--threads", "2"]);
	assert.equal(status, 0, stderr);
	const { sessions, unread, skipped, days, projects } = JSON.parse(stdout);
	assert.deepEqual(
		skipped.map((/** @type {any} */ { file, reason }) => [file, /deleted|reset|name/.exec(reason)?.[0]]),
		Object.entries(leftOut).map(([name, why]) => [join(below, name), why]),
	);
	assert.deepEqual(
		sessions.map((/** @type {any} */ s) => s.file),
		[join(below, "real.jsonl"), join(below, "short.json")],
	);
	assert.ok(sessions[0].saved > 0 && sessions[0].cost - sessions[0].compacted === sessions[0].saved);
	assert.deepEqual(
		unread.map((/** @type {any} */ u) => u.file),
		["broken.jsonl", "empty.jsonl", "foreign.json", "huge.jsonl", "void.jsonl"].map((name) => join(below, name)),
	);
	assert.match(unread[1].reason, /empty/);
	assert.match(unread[3].reason, /1074 MB, at most 128 MB/);
	for (const totals of [days, projects]) {
		assert.equal(
			totals.reduce((/** @type {number} */ sum, /** @type {any} */ t) => sum + t.calls, 0),
			sessions[0].calls + 1,
		);
	}
	const { periods } = JSON.parse(stdout);
	for (const by of ["daily", "weekly", "blocks"]) {
		const sum = (/** @type {string} */ name) =>
			periods[by].reduce((/** @type {number} */ all, /** @type {any} */ t) => all + t[name], 0);
		for (const name of ["calls", "cost", "saved"])
			assert.equal(
				sum(name),
				sessions.reduce((/** @type {number} */ all, /** @type {any} */ s) => all + s[name], 0),
				`${by} ${name}`,
			);
		const listed = tamp(["audit", join(folder, "logs"), "--totals", by]).stdout;
		assert.ok(
			periods[by].every((/** @type {any} */ t) => listed.includes(`  ${t.name}\n`)),
			by,
		);
		assert.ok(!listed.includes("\u001b"), "no color outside of a terminal");
	}
	const text = tamp(["audit", join(folder, "logs")]).stdout;
	assert.match(text, /^2 sessions, \d+ calls, \$\d+\.\d\d\. Compaction would have saved \$/);
	const { misses } = sessions[0];
	assert.ok(misses.names > 0 && misses.missed <= misses.names);
	assert.match(
		text,
		/\nOf \d+ names? that the agents used later, \d+ would have been in the context \(\d+ %\); \d+ of /,
	);
	assert.match(text, /5 files could not be read:\n {2}.*broken\.jsonl: /);
	assert.match(text, /\n {2}2 files: .*empty.*\n {4}.*empty\.jsonl\n {4}.*void\.jsonl\n {2}.*foreign\.json: /);
	assert.equal(text.split("an Anthropic Messages body").length, 2, "the accepted formats are listed once");
	assert.match(text, /3 files left out:\n {2}.*\.deleted\..*: its agent has deleted the session\n/);
});

test("usage has the totals of audit, also with forks of a session, other prices and calls without usage", () => {
	const logs = join(folder, "logs");
	writeFileSync(join(logs, "copy.jsonl"), readFileSync(log, "utf8").split("\n").slice(0, -9).join("\n"));
	for (const args of [[], ["--prices", "3,15"], ["--multipliers", "own=1.25"]]) {
		const { sessions, ...audited } = JSON.parse(tamp(["audit", logs, "--json", ...args]).stdout);
		const used = JSON.parse(tamp(["usage", logs, "--json", ...args]).stdout);
		const sum = (/** @type {(session: any) => number} */ of) =>
			sessions.reduce((/** @type {number} */ all, /** @type {any} */ s) => all + of(s), 0);
		const apart = (/** @type {string} */ name) => ({
			calls: sum((s) => s[name].calls),
			cost: sum((s) => s[name].cost),
		});
		assert.ok(sum((s) => s.copies) > 0 && sum((s) => s.cost) > 0);
		assert.deepEqual(used, {
			sessions: sessions.length,
			calls: sum((s) => s.calls),
			cost: sum((s) => s.cost),
			copies: sum((s) => s.copies),
			subagents: apart("subagents"),
			branches: apart("branches"),
			priced: sessions.every((/** @type {any} */ s) => s.priced),
			...(args[0] === "--multipliers" ? { multipliers: sessions[0].multipliers } : {}),
			periods: withoutSaved(audited.periods),
			projects: withoutSaved(audited.projects),
			unread: audited.unread,
			skipped: audited.skipped,
		});
	}
	const { status, stdout } = tamp(["usage", logs, "--totals", "weekly"]);
	assert.equal(status, 0);
	assert.match(stdout, /^3 sessions, \d+ calls, \$\d+\.\d\d\.\n/);
	assert.match(stdout, /\n {6}cost {2}calls {2}week from\n( +\$\d+\.\d\d +\d+ {2}(\d{4}-\d\d-\d\d|no date)\n)+\n/);
	assert.match(stdout, /5 files could not be read:/);
	assert.match(tamp(["usage", join(folder, "nothing")]).stdout, /^There is no session log below /);
});

/** @param {any} value */
const withoutSaved = (value) => JSON.parse(JSON.stringify(value, (key, part) => (key === "saved" ? undefined : part)));

test("each command reads a session that Codex has compressed, and refuses one that has gigabytes", () => {
	const packed = join(folder, "packed");
	mkdirSync(packed);
	writeFileSync(join(packed, "rollout-1.jsonl"), SESSION);
	writeFileSync(join(packed, "rollout-2.jsonl.zst"), PACKED);
	writeFileSync(join(packed, "rollout-3.jsonl.zst"), repeated(3000)); // 12 KB become 393 MB
	for (const command of [["check"], ["count"], ["compact", "--discard"], ["repair"]]) {
		const { status, stdout } = tamp([...command, join(packed, "rollout-2.jsonl.zst")]);
		assert.deepEqual({ status, stdout }, { status: 0, stdout: tamp(command, SESSION).stdout }, command[0]);
		const bomb = tamp([...command, join(packed, "rollout-3.jsonl.zst")]);
		assert.equal(bomb.status, 1);
		assert.match(bomb.stderr, /more than 268 MB, the maximum/);
	}
	const { sessions, unread } = JSON.parse(tamp(["audit", packed, "--json"]).stdout);
	assert.equal(sessions.length, 2);
	assert.deepEqual([sessions[0].copies, sessions[1].calls, sessions[1].copies], [0, 0, sessions[0].calls], "a copy");
	assert.match(unread[0].reason, /more than 128 MB, the maximum/);
});

test("audit names the multipliers, and the windows and compactions of the agents", () => {
	const codex = join(folder, "codex");
	mkdirSync(codex);
	const item = (/** @type {string} */ role, /** @type {string} */ type) => ({
		type: "response_item",
		payload: { type: "message", role, content: [{ type, text: "Hello." }] },
	});
	const info = { last_token_usage: { input_tokens: 900, output_tokens: 9 }, model_context_window: 258_400 };
	const lines = [
		item("user", "input_text"),
		item("assistant", "output_text"),
		{ type: "event_msg", payload: { type: "token_count", info } },
		{ type: "compacted", payload: { message: "So far.", replacement_history: [item("user", "input_text").payload] } },
		item("user", "input_text"),
		item("assistant", "output_text"),
	];
	writeFileSync(
		join(codex, "rollout.jsonl"),
		lines.map((line) => JSON.stringify({ timestamp: "2026-11-26T10:00:00Z", ...line })).join("\n"),
	);
	const [session] = JSON.parse(tamp(["audit", codex, "--json"]).stdout).sessions;
	assert.deepEqual(session.agent, {
		window: 258_400,
		compactions: [{ name: "compacted", path: "/3", calls: 1 }],
	});
	const text = tamp(["audit", codex, "--multipliers", "batch,own=1.25"]).stdout;
	assert.match(text, /\nAll prices are multiplied, as for the first session: batch 0\.5, own 1\.25\.\n/);
	assert.match(text, /\nThe agents compacted 1 time themselves, in 1 session\.\n/);
	assert.match(text, /\nWindows that the agents worked with: 258400 tokens\.\n/);
});

test("audit without a folder reads those of the agents; a terminal gets colors, unless NO_COLOR is set", async () => {
	const { agentFolders, report, takesColor } = await import("../audit.js");
	const { rank } = await import("../rank.js");
	const home = join(folder, "home");
	mkdirSync(join(home, ".claude", "projects", "p"), { recursive: true });
	mkdirSync(join(home, "codex", "sessions"), { recursive: true });
	assert.deepEqual(agentFolders({}, home), [join(home, ".claude", "projects")]);
	const claude = `${join(home, "no")}, ${join(home, ".claude")}`;
	assert.deepEqual(agentFolders({ CODEX_HOME: join(home, "codex"), CLAUDE_CONFIG_DIR: claude }, home), [
		join(home, ".claude", "projects"),
		join(home, "codex", "sessions"),
	]);
	assert.deepEqual(agentFolders({}, join(folder, "nothing")), []);
	assert.ok(takesColor({ isTTY: true }, {}) && !takesColor({}, {}) && !takesColor({ isTTY: true }, { NO_COLOR: "1" }));
	const engine = await load();
	const ranked = rank([{ file: "a", ...engine.audit({ conversation: valid }) }], []);
	const colored = report(ranked, "x", "daily", true);
	assert.equal(colored.replace(/\u001b\[\d+m/g, ""), report(ranked, "x"));
	assert.ok(colored.includes("\u001b[1m"));
});

test("the blocks of five hours begin with the full hour of the first call that is in none", async () => {
	const { rank } = await import("../rank.js");
	const engine = await load();
	const one = { file: "a", ...engine.audit({ conversation: valid }) };
	const at = (/** @type {string} */ time, /** @type {number} */ n) => ({
		id: `c${n}`,
		time: Date.parse(time),
		cost: 1,
		compacted: 1,
	});
	const times = ["2026-11-22T23:50:00Z", "2026-11-23T03:59:00Z", "2026-11-23T04:00:00Z", "2026-11-24T12:00:00Z"];
	const { periods } = rank([{ ...one, bills: times.map(at) }], []);
	const counts = (/** @type {any[]} */ all) => all.map(({ name, calls }) => [name, calls]);
	assert.deepEqual(counts(periods.blocks), [
		["2026-11-22 23:00", 2],
		["2026-11-23 04:00", 1],
		["2026-11-24 12:00", 1],
	]);
	assert.deepEqual(counts(periods.weekly), [
		["2026-11-16", 1],
		["2026-11-23", 3],
	]);
	assert.equal(periods.daily.length, 3);
});
