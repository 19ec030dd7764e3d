// This file tests the plugin for Claude Code without the client: the answer to its compaction, the commands, the
// installation. The real client runs it in worker/gateway/agents_plugin_test.go.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { spawnSync } from "node:child_process";
import { commanded } from "../commands.js";
import { compaction, DEADLINE_MS, folderOf, trimmed } from "../compaction.js";
import { load } from "../index.js";
import { messagesOf, rowsOf, withoutOpenRound } from "../rows.js";
import { cli, folder } from "./command.js";

/** @typedef {import("../rows.js").Row} Row */

const engine = await load();
const LOG = "/p/s.jsonl";

/** The machine of a session, with its files in memory. @param {Record<string, string>} files @param {Partial<import("../commands.js").Commander>} more */
function machineOf(files, more = {}) {
	/** @type {import("../commands.js").Commander} */
	const machine = {
		engine: async () => engine,
		session: async () => ({ log: LOG, model: "claude-opus-4-5", settings: ["/p/tamp.json"] }),
		read: async (path) => files[path] ?? Promise.reject(new Error("ENOENT")),
		write: async (path, text) => {
			files[path] = text;
		},
		list: async (path) =>
			Object.keys(files).flatMap((name) => (name.startsWith(path) ? [{ name: name.slice(path.length + 1) }] : [])),
		now: () => 0,
		rows: async () => [],
		insert: async () => undefined,
		...more,
	};
	return machine;
}

/** @param {string} text @param {object} [more] @returns {Row} */
const user = (text, more) => ({ role: "user", text, toolUses: [], ...more });
/** @param {string} text @param {Row["toolUses"]} [toolUses] @returns {Row} */
const assistant = (text, toolUses = []) => ({ role: "assistant", text, toolUses });

/** The rows of a session in which each block comes alone, as the client hands them over. @param {number} rounds @param {number} calls of each round */
function session(rounds, calls = 1) {
	const rows = [user("Rename the project, and never touch legacy/.", { handle: "h0" })];
	for (let i = 0; i < rounds; i++) {
		rows.push(assistant(""), assistant(`Round ${i}.`));
		const ids = Array.from({ length: calls }, (_, k) => `t${i}-${k}`);
		for (const id of ids)
			rows.push(assistant("", [{ tool_use_id: id, tool: "Bash", input: { command: `run ${id}` } }]));
		const text = Array.from({ length: 120 }, (_, k) => `line ${k} of part ${i} of the project`).join("\n");
		for (const id of ids.toReversed())
			rows.push(user("", { toolResults: [{ tool_use_id: id, text: `${id}\n${text}`, isError: false }] }));
	}
	return rows;
}

/** Asserts that rows are what the client takes and the provider accepts. @param {Row[]} rows @param {Row[]} before */
function assertAnswer(rows, before) {
	const { problems } = engine.check({ conversation: messagesOf(rows), format: "anthropic" });
	assert.deepEqual(
		problems.filter(({ severity }) => severity === "error"),
		[],
	);
	for (const row of rows) {
		if (row.handle) {
			assert.ok(before.includes(row));
			assert.ok(row.role === "user" && !(row.toolResults?.length ?? 0));
		} else assert.ok(Array.isArray(row.toolUses) && Array.isArray(row.toolResults));
	}
}

test("a session is answered, and its originals are saved first", async () => {
	const rows = session(60, 2);
	/** @type {Record<string, string>} */
	const files = {};
	const written = /** @type {string[]} */ ([]);
	const machine = machineOf(files);
	const { write } = machine;
	machine.write = (path, text) => {
		written.push(path);
		return write(path, text);
	};
	const { messages, said } = await compaction({ messages: rows }, machine);
	assertAnswer(messages, rows);
	assert.equal(messages[0], rows[0]);
	assert.match(said, /^\d+ tokens of messages before, \d+ after; the originals: \/p\/s\/tamp$/);
	assert.deepEqual(written, ["/p/s/tamp/1.originals", "/p/s/tamp/last.json"]);
	const all = files["/p/s/tamp/1.originals"] + JSON.stringify(messages);
	for (let i = 0; i < 60; i++) assert.ok(all.includes(`line 7 of part ${i} of the project`), `part ${i} is somewhere`);
	const again = [...messages, assistant("Done."), user("Go on.", { handle: "h1" }), ...session(40).slice(1)];
	const next = await compaction({ messages: again }, machine);
	assertAnswer(next.messages, again);
	assert.ok(next.messages.includes(/** @type {Row} */ (again.find(({ handle }) => handle === "h1"))));
	assert.ok(Object.keys(files).includes("/p/s/tamp/2.originals"));
});

test("parallel calls are one answer and one message of results", () => {
	const messages = messagesOf(session(1, 3));
	assert.deepEqual(
		messages.map(({ role, content }) => [role, content.length]),
		[
			["user", 44],
			["assistant", 4],
			["user", 3],
		],
	);
	assert.deepEqual(
		rowsOf(messages, []).map(({ toolUses, toolResults }) => [toolUses.length, toolResults?.length]),
		[
			[0, 0],
			[3, 0],
			[0, 3],
		],
	);
});

test("a round that began with thinking is text, since no row can have its thinking", () => {
	const before = session(2);
	const rows = rowsOf(messagesOf(before), before);
	const closed = withoutOpenRound(rows, before);
	assert.deepEqual(
		closed.slice(-3).map(({ role, toolUses }) => [role, toolUses.length]),
		[
			["assistant", 0],
			["user", 0],
			["user", 0],
		],
	);
	assert.match(closed.at(-1)?.text ?? "", /^Result of calling the Bash tool:\nt1-0\nline 0/);
	const without = before.filter(
		({ role, text, toolUses }) => role !== "assistant" || text !== "" || toolUses.length > 0,
	);
	assert.deepEqual(withoutOpenRound(rows, without), rows);
});

/** Random numbers below n, the same ones each time. @param {number} seed */
function random(seed) {
	return (/** @type {number} */ n) => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return Math.floor((seed / 2 ** 32) * n);
	};
}

test("whatever the event has, the answer is valid or an error says why", async () => {
	const outcomes = { answered: 0, refused: 0 };
	for (let seed = 1; seed <= 150; seed++) {
		const below = random(seed);
		const words = [
			"",
			"Go on.",
			"x".repeat(3000),
			"line\n".repeat(900),
			"\ud800",
			"<system-reminder>a</system-reminder>",
			"[compacted summary of turns 1-2; originals 014d61fb005c9250]\nx",
		];
		const word = () => words[below(words.length)] ?? "";
		const id = () => `t${below(12)}`;
		const wrong = [
			null,
			undefined,
			7,
			{},
			[],
			{ role: "system", text: "x" },
			{ role: "user" },
			{ role: "assistant", text: "", toolUses: [{}] },
		];
		const rows = Array.from({ length: below(60) }, (_, i) => {
			const kind = below(100);
			if (kind < 30) return user(word(), { handle: `h${i}` });
			if (kind < 55)
				return assistant(
					word(),
					below(2) ? [{ tool_use_id: id(), tool: "Bash", input: below(3) ? { a: word() } : undefined }] : [],
				);
			if (kind < 98)
				return user(below(5) ? "" : word(), {
					handle: `h${i}`,
					toolResults: [{ tool_use_id: id(), text: word(), isError: below(2) === 0 }],
				});
			return wrong[below(wrong.length)];
		});
		const event = { messages: /** @type {any} */ (seed % 40 === 0 ? wrong[below(5)] : rows) };
		const before = JSON.stringify(event);
		try {
			const { messages } = await compaction(event, machineOf({}));
			assertAnswer(messages, event.messages);
			outcomes.answered++;
		} catch (thrown) {
			assert.ok(thrown instanceof Error && !(thrown instanceof assert.AssertionError), String(thrown));
			assert.doesNotMatch(thrown.message, /undefined|is not a function|Cannot read/, `seed ${seed}`);
			outcomes.refused++;
		}
		assert.equal(JSON.stringify(event), before, "the event is unchanged");
	}
	assert.ok(outcomes.answered >= 20 && outcomes.refused >= 20, JSON.stringify(outcomes));
});

test("after the deadline there is no answer, at each step", async () => {
	const rows = session(30);
	let calls = 0;
	await compaction({ messages: rows }, machineOf({}, { now: () => calls++ * 0 }));
	for (let at = 2; at <= calls; at++) {
		let call = 0;
		const machine = machineOf({}, { now: () => (++call >= at ? DEADLINE_MS + 1 : 0) });
		await assert.rejects(compaction({ messages: rows }, machine), /it took more than 5 seconds/);
	}
	assert.ok(calls > 5);
});

test("originals that cannot be saved are no answer", async () => {
	const machine = machineOf({}, { write: () => Promise.reject(new Error("the disk is full")) });
	await assert.rejects(compaction({ messages: session(30) }, machine), /the disk is full/);
});

test("a session in which nothing can be removed says so", async () => {
	const rows = [user("Hello there.", { handle: "h0" }), assistant("Hello.")];
	await assert.rejects(compaction({ messages: rows }, machineOf({})), /^Error: there is nothing that can be removed$/);
	await assert.rejects(
		commanded("preview", "", machineOf({}, { rows: async () => rows })),
		/nothing that can be removed/,
	);
});

test("settings of the project are used, and wrong ones are named", async () => {
	const rows = session(30);
	const files = (/** @type {string} */ text) => machineOf({ "/p/tamp.json": text });
	const { messages } = await compaction({ messages: rows }, files('{"preset":"s06"}'));
	assertAnswer(messages, rows);
	for (const [text, error] of /** @type {const} */ ([
		["[]", /no JSON object/],
		['{"presets":1}', /has presets/],
		['{"preset":"x"}', /preset/],
	]))
		await assert.rejects(compaction({ messages: rows }, files(text)), error);
});

test("a pin is in each answer, and undo brings back the messages before it", async () => {
	/** @type {Record<string, string>} */
	const files = {};
	const inserted = /** @type {string[]} */ ([]);
	const rows = session(40);
	let now = rows;
	const machine = machineOf(files, { rows: async () => now, insert: async (text) => void inserted.push(text) });
	assert.match(
		await commanded("preview", "", machine),
		/^\d+ tokens of messages now, \d+ after a compaction: it saves \d+ %/,
	);
	assert.deepEqual(files, {}, "nothing was changed");
	assert.match(await commanded("undo", "", machine), /no compaction by Tamp/);
	assert.match(await commanded("pin", "answer in French", machine), /1 pinned/);
	assert.match(inserted[0] ?? "", /answer in French$/);
	const { messages } = await compaction({ messages: rows }, machine);
	assert.equal(messages.filter(({ text }) => text === "answer in French").length, 1);
	const later = [...messages, assistant("Done.")];
	now = [...messages.slice(0, 5), user("Go another way.", { handle: "h9" })];
	assert.match(await commanded("undo", "", machine), /was rewound/);
	now = later;
	assert.match(await commanded("undo", "", machine), /\/compact$/);
	const back = await compaction({ messages: later }, machine);
	const texts = JSON.stringify(back.messages);
	for (let i = 0; i < 40; i++) assert.ok(texts.includes(`line 7 of part ${i} of the project`));
	assert.equal(back.messages.at(-1)?.text, "Done.");
	assert.match(await commanded("undo", "", machine), /no compaction by Tamp/, "once");
});

test("a session that is rewound after undo keeps what was said since", async () => {
	/** @type {Record<string, string>} */
	const files = {};
	const { messages } = await compaction({ messages: session(40) }, machineOf(files));
	await commanded("undo", "", machineOf(files, { rows: async () => messages }));
	const other = user("Go another way.", { handle: "h9" });
	const rewound = [...messages.slice(0, 1), assistant("I begin."), other, ...session(40).slice(1)];
	const next = await compaction({ messages: rewound }, machineOf(files));
	assert.ok(next.messages.includes(other));
	assert.match(next.said, /was rewound into the last compaction.*; \d+ tokens/);
});

test("a result over the limit is cut as it enters, with its original saved", async () => {
	/** @type {Record<string, string>} */
	const files = {};
	const message = { type: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "abc".repeat(3000) }] };
	assert.equal(await trimmed(message, machineOf(files)), undefined, "off by default");
	files["/p/tamp.json"] = '{"trim":2000}';
	const cut = (await trimmed(message, machineOf(files)))?.content[0].content;
	assert.match(cut, /[abc]\n\[\d{4} characters are left out; all of it: \/p\/s\/tamp\/1\.originals\]\n[abc]/);
	const again = { type: "user", content: [{ type: "tool_result", tool_use_id: "t", content: cut }] };
	assert.equal(await trimmed(again, machineOf(files)), undefined, "a compaction appends it again");
	assert.ok(engine.recall(files[`${folderOf(LOG)}/1.originals`] ?? "", {}).text.includes("abcabc"));
	files["/p/tamp.json"] = '{"trim":2}';
	await assert.rejects(trimmed(message, machineOf(files)), /at least 1000/);
});

/** All files and folders below a folder, with what is in them. @param {string} root */
const tree = (root) =>
	readdirSync(root, { recursive: true, withFileTypes: true })
		.map((entry) => {
			const path = join(entry.parentPath, entry.name);
			return `${path}: ${entry.isDirectory() ? "a folder" : readFileSync(path, "hex")}`;
		})
		.sort();

/** @param {string} home @param {string[]} args */
function plugin(home, ...args) {
	const { CLAUDE_CONFIG_DIR: _, ...env } = process.env;
	return spawnSync(process.execPath, [cli, "plugin", ...args], {
		cwd: home,
		env: { ...env, HOME: home },
		encoding: "utf8",
	});
}

test("the plugin is installed, also again, and taken away byte for byte", () => {
	for (const more of [[], ["--project"]]) {
		for (const prepare of [
			() => {},
			(/** @type {string} */ home) => mkdirSync(join(home, ".claude/skills"), { recursive: true }),
		]) {
			const home = join(folder, `home-${crypto.randomUUID()}`);
			mkdirSync(join(home), { recursive: true });
			prepare(home);
			writeFileSync(join(home, "settings.json"), "{}");
			const before = tree(home);
			for (const _ of [1, 2]) {
				const { status, stdout, stderr } = plugin(home, "claude", ...more);
				assert.equal(status, 0, stderr);
				assert.match(stdout, /^wrote \d+ files to .*skills\/tamp; nothing else was changed\n/);
			}
			assert.ok(existsSync(join(home, ".claude/skills/tamp/hooks/tamp.wasm")));
			assert.equal(plugin(home, "claude", "--remove", ...more).status, 0);
			assert.deepEqual(tree(home), before);
			assert.match(plugin(home, "claude", "--remove", ...more).stderr, /there is no plugin/);
		}
	}
});

test("files of the user stay", () => {
	const home = join(folder, `home-${crypto.randomUUID()}`);
	const own = join(home, ".claude/skills/tamp");
	mkdirSync(own, { recursive: true });
	assert.match(plugin(home, "claude").stderr, /is there, and not from this command/);
	cpSync(own, `${own}-other`, { recursive: true });
	assert.equal(plugin(home, "cursor").status, 2);
	const other = join(folder, `home-${crypto.randomUUID()}`);
	mkdirSync(other);
	plugin(other, "claude");
	writeFileSync(join(other, ".claude/skills/tamp/mine.txt"), "x");
	assert.match(plugin(other, "claude", "--remove").stderr, /mine\.txt is not from this command/);
});
