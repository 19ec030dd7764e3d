// This file tests that `tamp usage` reads the database of opencode, where Node has SQLite, and says what to do elsewhere.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { agentFolders, filesBelow, readLogs } from "../audit.js";
import { isDatabase, isSQLite, sessionsOf } from "../database.js";
import { load } from "../index.js";

/** @type {any} */
const sqlite = /** @type {any} */ (process).getBuiltinModule?.("node:sqlite");
const folder = mkdtempSync(join(tmpdir(), "tamp-database-"));
const file = join(folder, "opencode.db");

/** An engine as readLogs needs it. */
const engine = async () => {
	const tamp = await load();
	return /** @type {any} */ ({
		usage: async (/** @type {any} */ request) => tamp.usage(request),
		terminate() {},
	});
};
const usage = (/** @type {string} */ folder, /** @type {any} */ read = undefined) =>
	filesBelow(folder).then((found) =>
		readLogs(found, (engine, conversation) => engine.usage({ conversation }), { load: engine, ...(read && { read }) }),
	);

test("the sessions in a database of opencode are read as their exports", async () => {
	if (!sqlite) {
		writeFileSync(file, "SQLite format 3\0");
		const { unread, results } = await usage(folder);
		assert.equal(results.length, 0);
		assert.match(unread[0]?.reason ?? "", /opencode export/);
		return;
	}
	const database = new sqlite.DatabaseSync(file);
	database.exec(
		"CREATE TABLE session (id TEXT, directory TEXT); CREATE TABLE message (id TEXT, session_id TEXT, data TEXT, time_created INTEGER); CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)",
	);
	for (const session of ["ses_1", "ses_2"]) {
		database.prepare("INSERT INTO session VALUES (?, '/home/dev')").run(session);
		for (let i = 0; i < 4; i++) {
			const id = `msg_${session}_${i}`;
			const info =
				i % 2 === 0
					? { role: "user" }
					: {
							role: "assistant",
							modelID: "claude-opus-4-5",
							finish: "stop",
							cost: 0,
							tokens: { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } },
						};
			database.prepare("INSERT INTO message VALUES (?, ?, ?, ?)").run(id, session, JSON.stringify(info), i);
			const text = JSON.stringify({ type: "text", text: `text ${i} "of" ${session}` });
			database.prepare("INSERT INTO part VALUES (?, ?, ?, ?)").run(`prt_${i}`, id, session, text);
		}
	}
	database.close();
	const before = readFileSync(file);
	const { results, unread } = await usage(folder);
	assert.deepEqual(unread, []);
	assert.deepEqual(
		results.map((r) => [r.file, r.calls, /** @type {any} */ (r).cost, /** @type {any} */ (r).format]),
		[
			[`${file}#ses_1`, 2, 2 * (100 * 5 + 10 * 25), "opencode"],
			[`${file}#ses_2`, 2, 2 * (100 * 5 + 10 * 25), "opencode"],
		],
	);
	const [first] = await sessionsOf(file);
	const { messages } = JSON.parse(Buffer.from(first?.read() ?? []).toString());
	assert.equal(messages[1].parts[0].text, 'text 1 "of" ses_1');
	assert.deepEqual([messages[0].info.role, messages[0].info.id], ["user", "msg_ses_1_0"]);
	assert.deepEqual(readFileSync(file), before, "nothing is written");
	assert.deepEqual(readdirSync(folder), ["opencode.db"]);
});

test("the sessions in a database of Crush are read as its command writes them, from all projects that it lists", async () => {
	const home = mkdtempSync(join(tmpdir(), "tamp-home-"));
	const data = join(home, "project", ".crush");
	mkdirSync(data, { recursive: true });
	mkdirSync(join(home, ".local", "share", "crush"), { recursive: true });
	writeFileSync(
		join(home, ".local", "share", "crush", "projects.json"),
		JSON.stringify({ projects: [{ path: join(home, "project"), data_dir: data }, { data_dir: join(home, "gone") }] }),
	);
	const file = join(data, "crush.db");
	writeFileSync(file, "SQLite format 3\0");
	assert.deepEqual(agentFolders({}, home), [file]);
	if (!sqlite) return;
	writeFileSync(file, "");
	const database = new sqlite.DatabaseSync(file);
	database.exec(
		"CREATE TABLE sessions (id TEXT, created_at INTEGER); CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER, is_summary_message INTEGER); INSERT INTO sessions VALUES ('s', 1)",
	);
	const add = (
		/** @type {string} */ id,
		/** @type {string} */ role,
		/** @type {number} */ summary,
		/** @type {any[]} */ ...parts
	) =>
		database
			.prepare("INSERT INTO messages VALUES (?, 's', ?, ?, 'claude-opus-4-5', 1795939892, ?)")
			.run(id, role, JSON.stringify([...parts, { type: "finish", data: { reason: "stop", time: 1 } }]), summary);
	add("m0", "user", 0, { type: "text", data: { text: "long ago" } });
	add("m1", "assistant", 1, { type: "text", data: { text: 'a "summary"' } });
	add("m2", "user", 0, { type: "text", data: { text: "go on" } });
	add("m3", "assistant", 0, {
		type: "tool_call",
		data: { id: "t", name: "bash", input: '{"command":"ls"}', finished: true },
	});
	add("m4", "tool", 0, { type: "tool_result", data: { tool_call_id: "t", name: "bash", content: "a.go" } });
	database.close();
	const [session] = await sessionsOf(file);
	const conversation = session?.read() ?? new Uint8Array();
	const tamp = await load();
	const made = JSON.stringify(tamp.convert({ conversation, to: "anthropic" }).conversation);
	for (const text of ["summary", "go on", "ls", "a.go"]) assert.ok(made.includes(text), text);
	assert.ok(!made.includes("long ago"));
	const { results, unread } = await usage(file);
	assert.deepEqual(unread, []);
	assert.deepEqual(
		results.map((r) => [r.file, r.calls, /** @type {any} */ (r).format]),
		[[`${file}#s`, 1, "crush"]],
	);
});

test("a database of another program is named, and does not hide other files", async () => {
	const folder = mkdtempSync(join(tmpdir(), "tamp-database-"));
	writeFileSync(join(folder, "opencode.db"), "SQLite format 3\0 and no more");
	writeFileSync(join(folder, "log.jsonl"), "SQLite format 3\0");
	const { results, unread } = await usage(folder);
	assert.equal(results.length, 0);
	assert.equal(unread.length, 2);
	assert.ok(isSQLite(readFileSync(join(folder, "log.jsonl"))));
	assert.deepEqual(
		["opencode.db", "opencode-dev.db", "a/opencode.db", "a/crush.db", "opencode.db-wal"].map(isDatabase),
		[true, true, true, true, false],
	);
});

test("the folders of Kimi Code and the database of opencode are read by default", () => {
	const home = mkdtempSync(join(tmpdir(), "tamp-home-"));
	mkdirSync(join(home, ".kimi-code", "sessions"), { recursive: true });
	mkdirSync(join(home, ".local", "share", "opencode"), { recursive: true });
	writeFileSync(join(home, ".local", "share", "opencode", "opencode.db"), "");
	const folders = agentFolders({}, home);
	assert.deepEqual(folders, [
		join(home, ".kimi-code", "sessions"),
		join(home, ".local", "share", "opencode", "opencode.db"),
	]);
	assert.ok(folders.every((folder) => existsSync(folder)));
});
