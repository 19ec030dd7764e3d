// This file tests the command tamp: its exit codes and messages.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cli, folder, log, tamp, valid } from "./command.js";
import { compact, load } from "../index.js";
import { some } from "./few.js";
import { PACKED, repeated, SESSION } from "./packed.js";

const orphan =
	'{"model":"claude-opus-4-5","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}]}';

test("check and count read a file or stdin, and say in the exit code what they found", () => {
	assert.deepEqual(tamp(["check"], valid), { status: 0, stdout: "valid\n", stderr: "" });
	const broken = tamp(["check", "-"], orphan);
	assert.equal(broken.status, 1);
	assert.match(broken.stdout, /^error: The [^()]+\. \(A\S+ at \/messages\/0\/content\/0\)$/m);
	assert.equal(JSON.parse(tamp(["check", "--json"], orphan).stdout).valid, false);
	assert.match(tamp(["count"], valid).stdout, /^\d+ tokens \(\d+ to \d+\)\n$/);
});

test("repair writes the repaired conversation", () => {
	const { status, stdout, stderr } = tamp(["repair"], orphan);
	assert.equal(status, 0);
	assert.equal(
		stderr,
		"1 problem repaired, 0 left\nwhat it removed or changed is in no file: --archive FILE keeps it\n",
	);
	assert.equal(tamp(["check"], stdout).status, 0);
	assert.equal(tamp(["repair", "--discard"], orphan).stderr, "1 problem repaired, 0 left\n");
	assert.equal(tamp(["repair"], valid).stderr, "0 problems repaired, 0 left\n");
});

test("repair archives what it removes, once, and recall reads it", () => {
	const record = (/** @type {string} */ role, /** @type {string} */ uuid, /** @type {any} */ content) =>
		JSON.stringify({
			type: role,
			uuid,
			parentUuid: uuid === "1" ? null : `${Number(uuid) - 1}`,
			message: { role, content },
		});
	const result = [{ type: "tool_result", tool_use_id: "gone", content: "ORPHAN OUTPUT" }];
	const torn = '{"type":"user","message":{"content":"TORN PROMPT';
	const lines = [
		record("user", "1", "Start."),
		record("assistant", "2", "Well."),
		torn,
		record("user", "3", result),
		JSON.stringify(JSON.parse(record("assistant", "4", "PRETTY ANSWER")), null, 2),
		record("user", "5", "Go on."),
	];
	const broken = join(folder, "broken-session.jsonl");
	writeFileSync(broken, lines.join("\n"));
	const { status, stdout, stderr } = tamp(["repair", broken]);
	assert.equal(status, 0, stderr);
	assert.match(stdout, /PRETTY ANSWER/, "a record over several lines is sound");
	assert.doesNotMatch(stdout, /ORPHAN OUTPUT|TORN PROMPT/);
	assert.match(stderr, /what it removed or changed: tamp recall --archive .*broken-session\.jsonl\.originals\n/);
	const archive = `${broken}.originals`;
	assert.equal(readFileSync(archive, "utf8"), `${record("user", "3", result)}\n${torn}\n`);
	const recalled = tamp(["recall", "--archive", archive]).stdout;
	for (const text of ["ORPHAN OUTPUT", "TORN PROMPT"]) assert.ok(recalled.includes(text), text);
	assert.doesNotMatch(recalled, /PRETTY/);
	tamp(["repair", broken]);
	assert.equal(readFileSync(archive, "utf8").split("ORPHAN").length, 2, "not twice");

	const kept = join(folder, "repaired.originals");
	const compacted = tamp(["compact", "--force", "--archive", kept, broken]);
	assert.match(compacted.stderr, /was broken, and is repaired/);
	assert.match(readFileSync(kept, "utf8"), /ORPHAN OUTPUT/, "a compaction that repairs keeps it, too");
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

test("compact says that a session was compacted before, without advice for programs", () => {
	const summary = { role: "user", content: "[compacted summary of turns 1-2; originals 014d61fb005c9250]\nThe begin." };
	const input = JSON.stringify([summary, ...JSON.parse(valid), { role: "user", content: "Go on." }]);
	const { stderr } = tamp(["compact", "--discard"], input);
	assert.match(stderr, /^tamp: the session was compacted before: its summaries are summarized again/);
	assert.doesNotMatch(stderr, /compactor\(\)/);
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
		if (status === 0)
			assert.match(stderr, /^tamp: results that the model has not read are cut.*\n\d{6} tokens before, \d{1,5} after/);
		else assert.match(stderr, /cannot compact further: \d+ tokens are used, at most \d+ fit; start a new session/);
		assert.equal(stdout === "", status === 1);
	}
});

test("compact and resume repair a session that the provider refuses, and say so", () => {
	const call = (/** @type {string} */ id) => ({ type: "tool_use", id, name: "bash", input: { command: `cat ${id}` } });
	const result = (/** @type {string} */ id) => ({
		type: "tool_result",
		tool_use_id: id,
		content: "line of a file ".repeat(900),
	});
	/** @type {any[]} */
	const messages = [{ role: "user", content: "Read all files." }];
	for (let i = 0; i < 30; i++)
		messages.push({ role: "assistant", content: [call(`t${i}`)] }, { role: "user", content: [result(`t${i}`)] });
	messages.push({ role: "assistant", content: "Half done." }, { role: "user", content: "Go on." });
	/** @type {Record<string, (list: any[]) => any[]>} */
	const faults = {
		orphan: (list) => list.toSpliced(9, 0, { role: "user", content: [result("gone")] }),
		unanswered: (list) =>
			list.toSpliced(9, 0, { role: "assistant", content: [call("open")] }, { role: "user", content: "Stop." }),
		"no text": (list) => list.toSpliced(9, 0, { role: "user", content: "" }),
		"order of results": (list) =>
			list.toSpliced(8, 1, { role: "user", content: [{ type: "text", text: "Note." }, ...list[8].content] }),
		"the same id twice": (list) => list.toSpliced(9, 2, list[7], list[8]),
	};
	for (const [why, fault] of Object.entries(faults)) {
		const broken = JSON.stringify({ model: "claude-haiku-4-5", messages: fault(messages) });
		if (tamp(["check", "-"], broken).status === 0) continue; // the provider takes it
		const { status, stdout, stderr } = tamp(["compact", "--discard", "--window", "60000", "-"], broken);
		assert.match(stderr, /the conversation was broken, and is repaired|stays broken/, why);
		assert.equal(status, tamp(["check", "-"], stdout).status, `${why}: ${stderr}`);
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
	const [, total = "", after] =
		/^(\d+) tokens before, (\d+) after by the API's count, with system prompt and tools; .* is unchanged\nthe originals: .*\.originals\n$/.exec(
			stderr,
		) ?? [];
	assert.equal(Number(total), JSON.parse(tamp(["count", "--json", file]).stdout).usage.total, "as the page");
	assert.ok(Number(after) < Number(total));
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
	const wrong = [
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
		["resume"],
		["resume", "-"],
		["compact", "--discard", "--window", "0"],
		["compact"],
		["compact", "--force"],
		["compact", "--archive", ""],
		["compact", "--archive", "a.jsonl", "--discard"],
	];
	for (const args of some(wrong, 4)) {
		const { status, stdout, stderr } = tamp(args);
		assert.deepEqual([status, stdout], [2, ""], args.join(" "));
		assert.match(stderr, /^tamp: [^\\\n]+\nRun tamp --help [^\n]+\n$/); // two lines, no escaped line break of Node's message
	}
	for (const args of [["--help"], ["help"], ["compact", "-h"]]) assert.equal(tamp(args).status, 0);
	const { stdout: convert } = tamp(["convert", "--help"]);
	assert.match(convert, /^Usage: tamp convert \[FILE\] writes/);
	assert.doesNotMatch(convert, /--preset|Nothing is uploaded/);
	const [, accepted] = /accepted are ([^(]+) \(/.exec(tamp(["convert", "--to", "x"], valid).stderr) ?? [];
	assert.ok(convert.includes(`the format to write: ${accepted}\n`), "its formats are those of the engine");
	const formats = /export type Format = ([^;]+);/.exec(readFileSync(new URL("../wire.d.ts", import.meta.url), "utf8"));
	for (const name of JSON.parse(`[${formats?.[1]?.replaceAll("|", ",")}]`)) assert.ok(convert.includes(name), name);
	assert.match(tamp(["--version"]).stdout, /^\d+\.\d+\.\d+/);
	const broken = tamp(["count"], '[{"role":"user","content":7}]');
	assert.equal(broken.status, 1);
	assert.match(broken.stderr, /^tamp: cannot .+ \(at \/0\/content\)\n$/);
	assert.match(tamp(["count", join(folder, "absent.json")]).stderr, /^tamp: cannot read .*absent\.json: ENOENT/);
	assert.equal(tamp(["check", folder]).stderr, `tamp: cannot read ${folder}: it is a folder\n`);
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

test("each command reads a session that Codex has compressed, and refuses one that has gigabytes", () => {
	const packed = join(folder, "packed");
	mkdirSync(packed);
	writeFileSync(join(packed, "rollout-1.jsonl"), SESSION);
	writeFileSync(join(packed, "rollout-2.jsonl.zst"), PACKED);
	writeFileSync(join(packed, "rollout-3.jsonl.zst"), repeated(3000)); // 12 KB become 393 MB
	for (const command of some([["check"], ["count"], ["compact", "--discard"], ["repair"]], 4, 2)) {
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

test("resume makes the policy's own compaction, as the button of the page does, and forces one only if it makes none", async () => {
	const engine = await load();
	for (const { preset, window } of [
		{ preset: "balanced", window: 50_000 },
		{ preset: "turns", window: 1_000_000 },
	]) {
		const file = join(folder, `own-${preset}.jsonl`);
		copyFileSync(log, file);
		const input = { conversation: readFileSync(file), preset, policy: { trigger: { window } } };
		const seen = engine.inspect(input);
		const force = seen.before === seen.after;
		assert.equal(force, preset === "turns");
		const { conversation } = await compact(engine, { ...input, force }, { save: "discard" });
		const { status, stdout, stderr } = tamp(["resume", "--json", "--preset", preset, "--window", `${window}`, file]);
		assert.equal(status, 0, stderr);
		const [, old] = /"sessionId":"([^"]+)"/.exec(String(conversation)) ?? [];
		const written = readFileSync(JSON.parse(stdout).file, "utf8");
		const [, own] = /"sessionId":"([^"]+)"/.exec(written) ?? [];
		const lines = (/** @type {string} */ text) => text.replaceAll(/"(uuid|timestamp|parentUuid)":"[^"]*"/g, "");
		assert.equal(lines(written).replaceAll(own ?? "", old ?? ""), lines(String(conversation)));
	}
});
