// This file compares sessions with the engine's methods: every answer must be the one for the whole conversation.
//
// Measures: the time of a turn.

import assert from "node:assert/strict";
import { after } from "node:test";
import { load, loadInWorker, TampError } from "../index.js";
import { measure, test } from "../../../web/test/measure.js";
import { anthropic, log, openai } from "./support.js";

const engine = await load();
const remote = await loadInWorker();
after(() => remote.terminate());

/** A policy that compacts a small conversation several times. */
const eager = { preset: "s06", policy: { trigger: { tokens: 3000 }, summary: { maxTokens: 300 } } };

/** @typedef {{ name: string, format: import("../index.js").Format, head: unknown, rounds: any[][] }} Story */

/** The same conversation in three formats, split into the messages of each turn. @returns {Story[]} */
function stories() {
	/** @param {any[]} list @param {number} from */
	const pairs = (list, from) =>
		Array.from({ length: Math.ceil((list.length - from) / 2) }, (_, i) => list.slice(from + 2 * i, from + 2 * i + 2));
	const chat = openai(8);
	const lines = log(8)
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	return [
		{ name: "messages", format: "anthropic", head: anthropic(8).slice(0, 1), rounds: pairs(anthropic(8), 1) },
		{
			name: "a body",
			format: "openai-chat",
			head: { ...chat, messages: chat.messages.slice(0, 2) },
			rounds: pairs(chat.messages, 2),
		},
		{ name: "a log", format: "claude-code", head: `${JSON.stringify(lines[0])}\n`, rounds: pairs(lines, 1) },
	];
}

test("a session returns the same as the engine for the whole conversation, after every compaction", () => {
	for (const { name, format, head, rounds } of stories()) {
		const asText = typeof head === "string";
		const session = engine.session({ conversation: head, format, ...eager });
		let state = /** @type {string | undefined} */ (undefined),
			compactions = 0;
		const whole = () => ({
			conversation: session.conversation(),
			format,
			...eager,
			...(state === undefined ? {} : { state }),
		});
		for (const [i, round] of rounds.entries()) {
			const more = asText
				? round.map((line) => `${JSON.stringify(line)}\n`).join("")
				: i % 2
					? JSON.stringify(round)
					: round;
			const turn = session.turn(
				i % 3 ? more : new TextEncoder().encode(typeof more === "string" ? more : JSON.stringify(more)),
			);
			const plan = session.plan();
			assert.deepEqual(plan, engine.plan(whole()), name);
			assert.deepEqual(session.count(), engine.count(whole()), name);
			assert.equal(turn.total, session.count().total);
			assert.equal(turn.messages, session.count().messages.length);
			assert.equal(turn.due, plan.edits.length + plan.regions.length > 0, name);
			assert.deepEqual(turn.trigger, plan.trigger);
			if (!turn.due) continue;
			compactions++;
			assert.equal(session.archive(plan), engine.archive({ ...whole(), plan }));
			const results = session.summarize(plan);
			assert.deepEqual(results, engine.summarize({ ...whole(), plan }));
			const want = engine.apply({ ...whole(), plan, results });
			const outcome = session.apply(plan, results);
			assert.deepEqual(outcome, want, name);
			assert.deepEqual(session.conversation(), outcome.conversation);
			state = outcome.state;
		}
		assert.ok(compactions > 1, `${name}: ${compactions} compactions`);
		assert.equal(typeof session.conversation(), asText ? "string" : "object");
		const observed = session.observe({ input: 10 }, 5);
		assert.deepEqual(observed, engine.observe(state, { input: 10 }, 5));
		session.close();
	}
});

test("the options of a turn apply to its plan, and not to the next turn", () => {
	const usage = { input_tokens: 190_000, output_tokens: 5 };
	const session = engine.session({ conversation: anthropic(8), preset: "balanced" });
	assert.equal(session.turn().due, false);
	assert.equal(session.turn(undefined, { usage }).trigger.kind, "hard");
	assert.deepEqual(session.plan(), engine.plan({ conversation: anthropic(8), usage }));
	assert.equal(session.turn([{ role: "user", content: "Go on." }]).due, false);
	assert.equal(session.plan().trigger.kind, "none");
	assert.equal(session.plan({ force: true }).trigger.kind, "manual");
});

test("a failed append does not change the session", () => {
	const session = engine.session({ conversation: anthropic(2), preset: "s06" });
	const before = [session.conversation(), session.count(), session.plan()];
	/** @type {[unknown, string, string][]} */
	const rows = [
		[[{ role: "user", content: "x" }, { content: "y" }], "bad_message", "/1"],
		["[{", "bad_json", ""],
		[7, "bad_message", ""],
		[[{ role: "user", content: 7 }], "bad_message", "/0/content"],
		[null, "bad_message", ""],
		[new Uint8Array([0xff]), "bad_json", ""],
	];
	for (const [messages, code, path] of rows) {
		assert.throws(
			() => session.append(/** @type {any} */ (messages)),
			{ name: "TampError", code, path },
			JSON.stringify(messages),
		);
		assert.throws(() => session.turn(/** @type {any} */ (messages)), { code });
	}
	assert.throws(() => session.append(/** @type {any} */ (undefined)), { code: "bad_request", path: "/messages" });
	assert.throws(() => session.apply(/** @type {any} */ ({ ...session.plan(), length: 1, base: "x" }), []), {
		code: "stale_plan",
	});
	assert.throws(() => session.plan(/** @type {any} */ ({ preset: 7 })), { code: "bad_request" });
	assert.deepEqual([session.conversation(), session.count(), session.plan()], before);
});

test("a plan of an earlier turn still applies; one that was applied is stale", () => {
	const session = engine.session({ conversation: anthropic(6), preset: "s06" });
	const plan = session.plan();
	session.append([{ role: "user", content: "And another thing." }]);
	const outcome = session.apply(plan, []);
	assert.equal(/** @type {any[]} */ (outcome.conversation).at(-1).content, "And another thing.");
	assert.throws(() => session.apply(plan, []), { code: "stale_plan" });
});

test("an answer of UIMessage[] that grows after compactions does not bring its old parts back", () => {
	/** @type {any} */
	const answer = { id: "a", role: "assistant", parts: [] };
	const prompt = { id: "u", role: "user", parts: [{ type: "text", text: "Read all files." }] };
	const trigger = { window: 12_000, reserveOutput: 500, bufferTokens: 0 };
	const session = engine.session({
		conversation: [prompt],
		format: "ai-sdk-ui",
		preset: "harness",
		policy: { trigger },
	});
	let [compactions, largest] = [0, 0];
	for (let step = 0; step < 40; step++) {
		const output = `line ${step} of the file\n`.repeat(200);
		answer.parts.push({ type: "step-start" });
		answer.parts.push({
			type: "tool-read",
			toolCallId: `c${step}`,
			state: "output-available",
			input: { step },
			output,
		});
		const turn = session.turn([structuredClone(answer)]);
		largest = Math.max(largest, turn.total);
		if (turn.due) {
			const plan = session.plan();
			session.apply(plan, session.summarize(plan));
			compactions++;
		}
	}
	assert.ok(compactions > 0);
	assert.ok(largest < trigger.window, `${largest} tokens`); // 76,680 if all parts come back
	const conversation = /** @type {any[]} */ (session.conversation());
	assert.deepEqual(engine.check({ conversation, format: "ai-sdk-ui" }).problems, []);
	assert.ok(JSON.stringify(conversation).includes('"c39"'));
	session.close();
});

test("a closed session throws, and others stay", () => {
	const [one, two] = [engine.session({ conversation: [] }), engine.session({ conversation: [] })];
	one.append([{ role: "user", content: "one" }]);
	one.close();
	for (const ask of [() => one.count(), () => one.close(), () => one.append([])])
		assert.throws(ask, { code: "bad_request", path: "/session" });
	assert.equal(two.append([{ role: "user", content: "two" }]).messages, 1);
	assert.ok(Object.isFrozen(two));
	two.close();
	assert.throws(() => engine.session(/** @type {any} */ (undefined)), { code: "bad_request" });
	assert.throws(() => engine.session({ conversation: "not JSON" }), { code: "bad_json" });
	assert.throws(() => engine.session({ conversation: [], preset: "nonsense" }), TampError);
});

test("many sessions in a worker", async () => {
	const sessions = await Promise.all(
		Array.from({ length: 20 }, () => remote.session({ conversation: anthropic(1).slice(0, 1), ...eager })),
	);
	await Promise.all(
		sessions.map(async (session, i) => {
			const near = engine.session({ conversation: anthropic(1).slice(0, 1), ...eager });
			const messages = anthropic(3 + (i % 5)).slice(1);
			const [turn] = await Promise.all([session.turn(messages), session.observe({ input: i })]);
			assert.deepEqual(turn, near.turn(messages));
			near.observe({ input: i });
			const plan = await session.plan();
			assert.deepEqual(plan, near.plan());
			const results = await session.summarize(plan);
			assert.equal(await session.archive(plan), near.archive(plan));
			assert.deepEqual(await session.apply(plan, results), near.apply(plan, results));
			assert.deepEqual(await session.conversation(), near.conversation());
			assert.deepEqual(await session.count(), near.count());
			near.close();
			await session.close();
			await assert.rejects(session.count(), { code: "bad_request", path: "/session" });
		}),
	);
	const bytes = new TextEncoder().encode(JSON.stringify(anthropic(2)));
	const given = new Uint8Array(bytes);
	const session = await remote.session({ conversation: given }, { transfer: true });
	assert.equal(given.length, 0, "given away");
	await session.turn(new Uint8Array(new TextEncoder().encode("[]")), {}, { transfer: true });
	assert.equal(await session.conversation(), JSON.stringify(anthropic(2)));
	await session.close();
});

// Measured is the processor time of this process, which other programs do not lengthen.
measure("a turn of a long session works no longer than a turn of a short one", () => {
	const session = engine.session({
		conversation: [{ role: "user", content: "Go." }],
		policy: { trigger: { window: 100_000_000, tokens: 0 }, clear: { enabled: false } },
	});
	/** @type {number[]} */
	const times = [];
	for (let i = 0; i < 4000; i++) {
		const round = JSON.stringify([
			{ role: "assistant", content: [{ type: "tool_use", id: `t${i}`, name: "read", input: { path: `part${i}.go` } }] },
			{
				role: "user",
				content: [
					{ type: "tool_result", tool_use_id: `t${i}`, content: `part ${i} ${"words and more words ".repeat(15)}` },
				],
			},
		]);
		const began = process.cpuUsage();
		const turn = session.turn(round);
		const { user, system } = process.cpuUsage(began);
		times.push((user + system) / 1000);
		assert.ok(!turn.due && turn.messages === 2 * i + 3 && JSON.stringify(turn).length < 200);
	}
	/** @param {number[]} some */
	const median = (some) => some.sort((a, b) => a - b)[some.length >> 1] ?? NaN;
	const [early, late] = [median(times.slice(200, 700)), median(times.slice(3500))];
	// If it grew with the conversation, the last turns would cost seven times as much as the first ones.
	assert.ok(late < 3 * early + 0.05, `${late} ms after 3,500 turns, ${early} ms after 200`);
	session.close();
});
