// This file tests tamp audit and tamp usage, on folders with files of every kind.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load } from "../index.js";
import { cli, folder, log, tamp, valid } from "./command.js";
import { some } from "./few.js";

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
	audit(10_000_000, 1_000_000);
	assert.throws(() => audit(10_000_001, 1_000_000), /hidden/);
	assert.throws(() => audit(10_000_000, 1_000_001), /prices/);
	assert.match(tamp(["audit", only, "--hidden", "10000001"]).stderr, /at most 10000000\n/);
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
	for (const args of some([[], ["--prices", "3,15"], ["--multipliers", "own=1.25"]], 3, 2)) {
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
	assert.match(
		text,
		/\nThe prices are multiplied: batch 0\.5, own 1\.25\. Models without such a factor keep theirs \(1\)\.\n/,
	);
	const call = (/** @type {string} */ role, /** @type {string} */ uuid, /** @type {any} */ more) => ({
		type: role,
		uuid,
		parentUuid: role === "user" ? null : "1",
		message: { role, content: "Hello.", ...more },
	});
	const usage = { input_tokens: 100_000, output_tokens: 0 };
	const opus = [call("user", "1", {}), call("assistant", "2", { id: "m", model: "claude-opus-4-6", usage })];
	writeFileSync(join(codex, "opus.jsonl"), opus.map((line) => JSON.stringify(line)).join("\n"));
	const standard = JSON.parse(tamp(["usage", codex, "--json"]).stdout);
	const mixed = JSON.parse(tamp(["usage", codex, "--json", "--multipliers", "regional"]).stdout);
	assert.deepEqual(
		mixed.multipliers.map((/** @type {any} */ { permille }) => permille).sort(),
		[1000, 1100],
		"each model has its own",
	);
	assert.equal(mixed.cost - standard.cost, 50_000, "a tenth of what Opus costs, nothing of GPT");
	assert.equal(JSON.parse(tamp(["usage", codex, "--json", "--multipliers", "fsat"]).stdout).unread.length, 2);
	assert.match(text, /\nThe agents compacted 1 time themselves, in 1 session\.\n/);
	assert.match(text, /\nWindows that the agents worked with: 258400 tokens\.\n/);
});

test("audit and usage without a folder read those of the agents", () => {
	const home = join(folder, "home");
	const write = (/** @type {string[]} */ ...path) => {
		mkdirSync(join(home, ...path, ".."), { recursive: true });
		copyFileSync(log, join(home, ...path));
	};
	const usage = (/** @type {Record<string, string>} */ env) =>
		spawnSync(process.execPath, [cli, "usage", "--json"], {
			env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home, ...env },
			encoding: "utf8",
		});
	const none = usage({ HOME: join(home, "nothing"), USERPROFILE: join(home, "nothing") });
	assert.deepEqual([none.status, none.stdout], [2, ""]);
	assert.match(none.stderr, /there is no folder of an agent on this machine: name a folder\n/);
	write(".claude", "projects", "p", "s.jsonl");
	const sessions = (/** @type {Record<string, string>} */ env) => JSON.parse(usage(env).stdout).sessions;
	assert.equal(sessions({}), 1);
	write("codex", "sessions", "s.jsonl");
	write(".kimi-code", "sessions", "s", "wire.jsonl");
	assert.equal(sessions({}), 2);
	const claude = `${join(home, "no")}, ${join(home, ".claude")}`;
	assert.equal(sessions({ CODEX_HOME: join(home, "codex"), CLAUDE_CONFIG_DIR: claude }), 3);
});
