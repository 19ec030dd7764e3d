// This file compares the totals of tamp usage with those of a simple reference, which reads each line of the same logs with
// JSON.parse: several agents, models, forks, copies, subagents, branches that the user left, compactions and torn lines.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { cli, folder } from "./command.js";

/** Dollars for a million tokens: input, output, read, written for five minutes, for an hour. */
const PRICES = {
	"claude-opus-4-5-20251101": [5, 25, 0.5, 6.25, 10],
	"claude-haiku-4-5-20251001": [1, 5, 0.1, 1.25, 2],
	"gpt-5.1-codex": [1.25, 10, 0.125, 0, 0],
};
const CLAUDE = ["claude-opus-4-5-20251101", "claude-haiku-4-5-20251001"];

/** @typedef {(n: number) => number} Random a whole number below n */

/** @param {number} seed @returns {Random} */
function randomOf(seed) {
	let state = seed * 2_654_435_761 + 1;
	return (n) => {
		state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
		const x = Math.imul(state ^ (state >>> 12), 0x297a2d39);
		return ((x ^ (x >>> 15)) >>> 0) % n;
	};
}

/** Texts that are long, with escapes, quotes and names of members inside. @param {Random} random */
const textOf = (random) =>
	['{"usage":{"input_tokens":9}}\n', 'a "quoted" part \\ ', "é😀\u0000", '"type":"assistant"', "plain words "]
		.filter(() => random(2))
		.join("")
		.repeat(1 + random(40)) + random(2 ** 31);

/** A clock that goes on some minutes or hours a step. @param {Random} random */
function clockOf(random) {
	let now = Date.parse("2026-09-28T00:00:00Z") + random(20) * 86_400_000;
	return () => {
		now += 1000 + random(9_000_000);
		return new Date(now).toISOString();
	};
}

/** @param {Random} random */
const idOf = (random) =>
	[8, 4, 4, 4, 12].map((n) => Array.from({ length: n }, () => random(16).toString(16)).join("")).join("-");

/**
 * Lines of a session of Claude Code: its messages in several lines, with growing usage.
 * @param {Random} random
 * @param {{ left?: boolean, subagent?: boolean, compacted?: boolean, all?: boolean }} parts left: a branch that the user
 *   left; all: the file of a subagent
 */
function claude(random, { left, subagent, compacted, all }) {
	const clock = clockOf(random);
	const session = idOf(random);
	/** @type {any[]} */
	const lines = [{ type: "summary", summary: textOf(random), leafUuid: idOf(random) }];
	const add = (/** @type {string | null} */ parentUuid, /** @type {object} */ rest, side = false) => {
		const uuid = idOf(random);
		const place = { parentUuid, isSidechain: side || Boolean(all), sessionId: session, cwd: `/p/${session[0]}` };
		lines.push({ ...place, ...rest, uuid, timestamp: clock() });
		return uuid;
	};
	const prompt = (/** @type {string | null} */ up, side = false) =>
		add(up, { type: "user", message: { role: "user", content: textOf(random) } }, side);
	const answer = (/** @type {string} */ up, side = false) => {
		const [id, requestId, model] = [`msg_${idOf(random)}`, `req_${idOf(random)}`, CLAUDE[random(2)]];
		const written = random(3000);
		const hour = random(2) * random(written + 1);
		const usage = {
			input_tokens: 1 + random(500),
			cache_read_input_tokens: random(90_000),
			cache_creation_input_tokens: written,
			...(random(2) && {
				cache_creation: { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour },
			}),
		};
		const part = (/** @type {object} */ block, /** @type {number} */ output) => {
			const message = { id, type: "message", role: "assistant", model, content: [block] };
			up = add(
				up,
				{ type: "assistant", requestId, message: { ...message, usage: { ...usage, output_tokens: output } } },
				side,
			);
		};
		const call = `toolu_${idOf(random)}`;
		if (random(2)) part({ type: "thinking", thinking: textOf(random), signature: "c2ln" }, 1);
		if (random(2)) part({ type: "text", text: textOf(random) }, 2);
		part({ type: "tool_use", id: call, name: "Bash", input: { command: textOf(random) } }, 1 + random(2000));
		const result = { type: "tool_result", tool_use_id: call, content: [{ type: "text", text: textOf(random) }] };
		return add(
			up,
			{ type: "user", message: { role: "user", content: [result] }, toolUseResult: { stdout: textOf(random) } },
			side,
		);
	};
	let at = prompt(null);
	for (let n = 1 + random(4); n > 0; n--) at = answer(at);
	if (left) answer(answer(at)); // the file goes on from before it
	if (subagent) answer(answer(prompt(null, true), true), true);
	if (compacted) {
		at = add(null, { type: "system", subtype: "compact_boundary", content: "x", compactMetadata: { preTokens: 9 } });
		at = add(at, { type: "user", isCompactSummary: true, message: { role: "user", content: textOf(random) } });
	}
	for (let n = 1 + random(4); n > 0; n--) at = answer(at);
	return lines;
}

/** A fork of a session of Claude Code: its lines with another session, and an answer. @param {any[]} lines @param {Random} random */
function forkOf(lines, random) {
	const sessionId = idOf(random);
	const own = lines.slice(1).map((line) => ({
		...line,
		sessionId,
		forkedFrom: { sessionId: line.sessionId, messageUuid: line.uuid },
	}));
	const last = own.at(-1);
	const more = claude(random, {})
		.slice(1)
		.map((line) => ({ ...line, sessionId, cwd: last.cwd }));
	return [...own, ...more.map((line) => ({ ...line, parentUuid: line.parentUuid ?? last.uuid }))];
}

/** Lines of a session of Codex. @param {Random} random @param {any[]} [parent] that it is a fork of */
function codex(random, parent) {
	const clock = clockOf(random);
	const id = idOf(random);
	const cwd = parent ? parent[0].payload.cwd : `/c/${id[0]}`;
	const line = (/** @type {string} */ type, /** @type {object} */ payload) => ({ timestamp: clock(), type, payload });
	const forked = parent && { forked_from_id: parent[0].payload.id };
	const lines = [line("session_meta", { id, ...forked, cwd, cli_version: "0.98.0" }), ...(parent ?? [])];
	lines.push(line("turn_context", { cwd, model: "gpt-5.1-codex" }));
	const total = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };
	lines.push(
		line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: textOf(random) }] }),
	);
	for (let n = 1 + random(5); n > 0; n--) {
		const call = idOf(random);
		lines.push(
			line("response_item", { type: "function_call", name: "shell", arguments: textOf(random), call_id: call }),
		);
		const input_tokens = 1 + random(90_000);
		const last = { input_tokens, cached_input_tokens: random(input_tokens), output_tokens: 1 + random(900) };
		for (const name of /** @type {(keyof typeof last)[]} */ (Object.keys(total))) total[name] += last[name];
		const counted = line("event_msg", {
			type: "token_count",
			info: { total_token_usage: { ...total }, last_token_usage: last },
		});
		lines.push(counted);
		if (random(2)) lines.push({ ...counted, timestamp: clock() }); // the limits are refreshed
		lines.push(line("response_item", { type: "function_call_output", call_id: call, output: textOf(random) }));
	}
	return lines;
}

/** Lines of a session of pi, which says what its calls cost. @param {Random} random @param {any[]} [parent] that it is a fork of */
function pi(random, parent) {
	const clock = clockOf(random);
	const head = { type: "session", version: 3, id: idOf(random), timestamp: clock(), cwd: "/pi" };
	const lines = [head, ...(parent?.slice(1) ?? [])];
	let parentId = lines.length > 1 ? lines.at(-1).id : null;
	const add = (/** @type {object} */ message) => {
		const id = idOf(random).slice(0, 8);
		lines.push({ type: "message", id, parentId, timestamp: clock(), message });
		parentId = id;
	};
	for (let n = 1 + random(4); n > 0; n--) {
		add({ role: "user", content: [{ type: "text", text: textOf(random) }] });
		const [input, output] = [1 + random(900), 1 + random(900)];
		const usage = { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output };
		const content = [{ type: "text", text: textOf(random) }];
		const model = { api: "anthropic-messages", provider: "anthropic", model: CLAUDE[random(2)] };
		const cost = { total: (1 + random(90_000)) / 1e6 };
		add({ role: "assistant", ...model, content, stopReason: "stop", usage: { ...usage, cost } });
	}
	return lines;
}

/**
 * Writes lines, with others among them that a crash leaves: half of a line, zeros, words; at the end one that is cut.
 * @param {string} file
 * @param {any[]} lines
 * @param {Random} random
 * @param {boolean} [torn]
 */
function write(file, lines, random, torn = false) {
	mkdirSync(dirname(file), { recursive: true });
	const text = lines.map((line) => JSON.stringify(line));
	if (torn) {
		for (let n = 1 + random(3); n > 0; n--) {
			const whole = /** @type {string} */ (text[random(text.length)]);
			const bad = [whole.slice(0, 1 + random(whole.length - 1)), "\0".repeat(1 + random(600)), "not JSON", "[1]"];
			text.splice(1 + random(text.length), 0, /** @type {string} */ (bad[random(bad.length)]));
		}
		const last = /** @type {string} */ (text.at(-1));
		text.push(last.slice(0, 1 + random(last.length - 1)));
	}
	writeFileSync(file, text.join("\n") + (random(2) && !torn ? "\n" : ""));
}

/** @typedef {{ calls: number, cost: number }} Sum */

/** The cost of a call, in millionths of a dollar. @param {string} model @param {number[]} tokens as the prices */
const costOf = (model, tokens) => {
	const prices = PRICES[/** @type {keyof typeof PRICES} */ (model)];
	return Math.round(tokens.reduce((sum, n, i) => sum + Math.round(n * 1000 * (prices[i] ?? 0)), 0) / 1000);
};

/** The objects in the lines of a file, and nothing of the others. @param {string} file */
function objectsIn(file) {
	return readFileSync(file, "utf8")
		.split("\n")
		.flatMap((line) => {
			try {
				const value = JSON.parse(line);
				return value && !Array.isArray(value) && typeof value === "object" ? [value] : [];
			} catch {
				return [];
			}
		});
}

/** @typedef {{ id: string, kind: string, time: number, cost: number }} Bill */

/** @param {any[]} lines @returns {Bill[]} */
function claudeBills(lines) {
	const byUuid = new Map(lines.map((line) => [line.uuid, line]));
	const only = lines.every((line) => line.isSidechain || !line.uuid);
	const isSide = (/** @type {any} */ line) => line.isSidechain && !only;
	const messages = lines.filter(({ type, message }) => message && (type === "user" || type === "assistant"));
	/** The lines of the newest conversation, and of those before its compactions. */
	const onPath = new Set();
	const follow = (/** @type {any} */ line) => {
		for (; line; line = byUuid.get(line.parentUuid)) {
			onPath.add(line.uuid);
			const at = lines.indexOf(line);
			if (line.subtype === "compact_boundary") follow(lines.slice(0, at).findLast((l) => l.message && !isSide(l)));
		}
	};
	follow(messages.findLast((line) => !isSide(line)));
	/** @type {Map<string, Bill>} */
	const bills = new Map();
	for (const line of messages.filter(({ message }) => message.usage)) {
		const { message, requestId, parentUuid } = line;
		const u = message.usage;
		const hour = u.cache_creation?.ephemeral_1h_input_tokens ?? 0;
		const tokens = [
			u.input_tokens,
			u.output_tokens,
			u.cache_read_input_tokens,
			u.cache_creation_input_tokens - hour,
			hour,
		];
		const id = `${message.id} ${requestId}`;
		const time = bills.get(id)?.time ?? Date.parse(byUuid.get(parentUuid).timestamp);
		const kind = isSide(line) ? "subagent" : onPath.has(line.uuid) ? "" : "branch";
		bills.set(id, { id, kind, time, cost: costOf(message.model, tokens) });
	}
	return [...bills.values()];
}

/** @param {any[]} lines @returns {Bill[]} */
function codexBills(lines) {
	/** @type {Bill[]} */
	const bills = [];
	let asked = "";
	let answer = "";
	for (const { type, payload, timestamp } of lines) {
		if (type === "response_item" && payload.type === "function_call") answer = JSON.stringify(payload);
		else if (type === "response_item") asked = timestamp;
		if (payload.type !== "token_count" || !answer) continue;
		const { input_tokens: all, cached_input_tokens: read, output_tokens: output } = payload.info.last_token_usage;
		const cost = costOf("gpt-5.1-codex", [all - read, output, read]);
		bills.push({ id: answer, kind: "", time: Date.parse(asked), cost });
		answer = "";
	}
	return bills;
}

/** @param {any[]} lines @returns {Bill[]} */
const piBills = (lines) =>
	lines.flatMap(({ message, id, timestamp }, i) => {
		if (!message?.usage) return [];
		const cost = Math.round(message.usage.cost.total * 1e6);
		return [{ id: `${id} ${timestamp}`, kind: "", time: Date.parse(lines[i - 1].timestamp), cost }];
	});

/** The sums by name. @param {Bill[]} bills @param {(bill: Bill) => string} nameOf */
function sumsBy(bills, nameOf) {
	/** @type {Record<string, Sum>} */
	const sums = {};
	for (const bill of bills) {
		const { calls, cost } = sums[nameOf(bill)] ?? { calls: 0, cost: 0 };
		sums[nameOf(bill)] = { calls: calls + 1, cost: cost + bill.cost };
	}
	return sums;
}

const HOUR = 3_600_000;
const day = (/** @type {number} */ time) => new Date(time).toISOString().slice(0, 10);

/** The totals of all logs below the folders of the agents. @param {string} home */
function reference(home) {
	const below = (/** @type {string} */ name) =>
		readdirSync(join(home, name), { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".jsonl"))
			.map((file) => objectsIn(join(home, name, file)));
	const logs = [
		...below(".claude/projects").map(claudeBills),
		...below(".codex/sessions").map(codexBills),
		...below(".pi/agent/sessions").map(piBills),
	];
	/** @type {Map<string, Bill>} */
	const once = new Map();
	for (const bill of logs.flat()) once.set(bill.id, bill);
	const ofKind = (/** @type {string} */ kind) => [...once.values()].filter((bill) => bill.kind === kind);
	const sum = (/** @type {Bill[]} */ bills) => sumsBy(bills, () => "all").all ?? { calls: 0, cost: 0 };
	const main = ofKind("").sort((a, b) => a.time - b.time);
	/** @type {Map<Bill, number>} */
	const blocks = new Map();
	let start = Number.NEGATIVE_INFINITY;
	for (const bill of main) {
		if (bill.time - start >= 5 * HOUR) start = Math.floor(bill.time / HOUR) * HOUR;
		blocks.set(bill, start);
	}
	const monday = (/** @type {number} */ time) => {
		const date = new Date(time);
		while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
		return date.getTime();
	};
	const blockOf = (/** @type {Bill} */ bill) =>
		new Date(blocks.get(bill) ?? 0).toISOString().slice(0, 16).replace("T", " ");
	return {
		sessions: logs.length,
		...sum(main),
		copies: logs.flat().length - once.size,
		subagents: sum(ofKind("subagent")),
		branches: sum(ofKind("branch")),
		priced: true,
		daily: sumsBy(main, ({ time }) => day(time)),
		weekly: sumsBy(main, ({ time }) => day(monday(time))),
		blocks: sumsBy(main, blockOf),
	};
}

/** Writes the logs of a seed, of all kinds. @param {string} home @param {Random} random */
function writeLogs(home, random) {
	const projects = join(home, ".claude", "projects", "p");
	const parent = claude(random, { subagent: true, compacted: Boolean(random(2)) });
	const logs = {
		parent,
		copy: parent,
		fork: forkOf(parent, random),
		left: claude(random, { left: true }),
		plain: claude(random, {}),
		torn: claude(random, { left: true, subagent: true, compacted: true }),
		"torn-too": claude(random, {}),
		"s/subagents/agent-a": claude(random, { all: true }),
	};
	for (const [name, lines] of Object.entries(logs))
		write(join(projects, `${name}.jsonl`), lines, random, name.startsWith("torn"));
	const [first, second] = [codex(random), pi(random)];
	for (const [name, lines] of Object.entries({ first, fork: codex(random, first), other: codex(random) }))
		write(join(home, ".codex", "sessions", `rollout-${name}.jsonl`), lines, random, name === "other");
	for (const [name, lines] of Object.entries({ second, fork: pi(random, second), other: pi(random) }))
		write(join(home, ".pi", "agent", "sessions", `${name}.jsonl`), lines, random, name === "other");
}

test("the totals of usage are those of a reference that reads each line with JSON.parse", () => {
	for (let seed = 1; seed <= 4; seed++) {
		const home = mkdtempSync(join(folder, "home-"));
		writeLogs(home, randomOf(seed));
		const env = { PATH: process.env.PATH, HOME: home };
		for (const threads of seed === 1 ? ["1", "3"] : ["2"]) {
			const { stdout, stderr } = spawnSync(process.execPath, [cli, "usage", "--json", "--threads", threads], {
				env,
				encoding: "utf8",
			});
			assert.equal(stderr, "");
			const { periods, projects, unread, skipped, ...used } = JSON.parse(stdout);
			const named = (/** @type {any[]} */ sums) =>
				Object.fromEntries(sums.map(({ name, calls, cost }) => [name, { calls, cost }]));
			const lists = Object.fromEntries(Object.entries(periods).map(([by, sums]) => [by, named(sums)]));
			assert.deepEqual({ ...used, ...lists }, reference(home), `seed ${seed}`);
			assert.ok(used.copies > 0 && used.subagents.calls > 0 && used.branches.calls > 0);
			assert.deepEqual([unread, skipped], [[], []]);
			assert.equal(
				projects.reduce((/** @type {number} */ sum, /** @type {Sum} */ one) => sum + one.cost, 0),
				used.cost,
			);
		}
	}
});
