// This file tests replays, in Node and in a worker, complete and stopped.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { load, loadInWorker } from "../index.js";
import { anthropic, log, openai } from "./support.js";

const engine = await load();
const remote = await loadInWorker();
after(() => remote.terminate());

const body = { model: "claude-sonnet-4-5", messages: anthropic(12) };
const policy = { preset: "s06", policy: { clear: { keepRecent: 2 } } };

test("a replay reports every call, and its totals are consistent", () => {
	const chat = {
		...openai(12),
		messages: [...openai(12).messages, { role: "assistant", content: "It is in line 3." }],
	};
	for (const conversation of [
		body,
		JSON.stringify(body),
		new TextEncoder().encode(JSON.stringify(body)),
		chat,
		log(12),
	]) {
		const report = engine.replay({ conversation, ...policy });
		assert.equal(report.calls.length, 13);
		let sent = 0;
		for (const call of report.calls) {
			assert.equal(call.cacheRead + call.cacheWrite + call.input, call.sent);
			sent += call.sent;
		}
		assert.equal(report.totals.sent, sent);
		assert.ok(report.totals.compactions > 0);
		assert.ok(sent < engine.replay({ conversation, compact: false }).totals.sent);
	}
	assert.deepEqual(engine.replay({ conversation: body, ...policy }).price, {
		input: 3000,
		output: 15_000,
		read: 100,
		write5m: 1250,
		write1h: 2000,
		source: "https://platform.claude.com/docs/en/about-claude/pricing",
		date: "2026-11",
	});
	assert.equal(engine.replay({ conversation: openai(2) }).price.assumed, true);
});

test("the given model and cache lifetime are used", () => {
	const own = engine.replay({ conversation: body, compact: false });
	const other = engine.replay({ conversation: body, compact: false, model: "claude-opus-4-5" });
	assert.deepEqual([own.model, other.model, other.price?.input], ["claude-sonnet-4-5", "claude-opus-4-5", 5000]);
	const hour = engine.replay({ conversation: body, compact: false, ttl: "1h" });
	assert.ok(hour.totals.cost > own.totals.cost, "writing for an hour costs more");
	assert.throws(() => engine.replay({ conversation: body, ttl: /** @type {any} */ ("2h") }), {
		code: "bad_request",
		path: "/ttl",
	});
});

test("the callback is called for each call, and may end the replay", () => {
	/** @type {number[]} */
	const heard = [];
	const whole = engine.replay({ conversation: body }, (done, of) => {
		assert.equal(of, 13);
		heard.push(done);
	});
	assert.deepEqual(
		heard,
		Array.from({ length: 14 }, (_, i) => i),
	);
	assert.equal(whole.stopped, undefined);
	const stopped = engine.replay({ conversation: body }, (done) => done < 4);
	assert.deepEqual([stopped.stopped, stopped.calls.length], [true, 4]);
	assert.deepEqual(engine.replay({ conversation: body }), whole, "the callback is not called again");

	const theirs = new Error("of the caller's own");
	const thrown = (/** @type {() => void} */ act) => {
		try {
			act();
		} catch (cause) {
			return cause;
		}
	};
	assert.equal(
		thrown(() =>
			engine.replay({ conversation: body }, () => {
				throw theirs;
			}),
		),
		theirs,
	);
	let within = 0;
	assert.deepEqual(
		engine.replay({ conversation: body }, () => {
			within += Math.sign(engine.countText("a call within a call", "estimate"));
		}),
		whole,
	);
	assert.equal(within, 14, "the replay goes on telling");
});

test("the conversation of a call has the format of the session", () => {
	const { conversation, messages } = engine.replayAt({ conversation: JSON.stringify(body), ...policy, call: 10 });
	assert.equal(typeof conversation, "string");
	const sent = JSON.parse(/** @type {string} */ (conversation));
	assert.equal(sent.messages.length, messages);
	assert.equal(sent.messages[2].content[0].content, "[Previous: used search]");
	assert.match(sent.messages.at(-1).content[0].content, /^line 8 of the output/);
	const plain = /** @type {any} */ (engine.replayAt({ conversation: body, compact: false, call: 10 }).conversation);
	assert.deepEqual(plain.messages, body.messages.slice(0, 19));
	assert.throws(() => engine.replayAt({ conversation: body, call: 14 }), { code: "bad_request", path: "/call" });
});

test("the verdict compares the given reports", () => {
	const reports = [
		engine.replay({ conversation: body, compact: false }),
		engine.replay({ conversation: body, ...policy }),
	];
	const says = engine.verdict(reports);
	assert.equal(says.advised, "none");
	assert.match(
		says.text,
		/^No compaction is cheapest: Newest results costs \d+ % more because it breaks the prompt cache/,
	);
	assert.deepEqual(engine.verdict([]), { advised: "", text: "There is no model call to compare." });
	assert.throws(() => engine.verdict(/** @type {any} */ ("all")), { code: "bad_request", path: "/reports" });
});

test("a worker returns the same, and reports progress", async () => {
	/** @type {number[]} */
	const heard = [];
	const report = await remote.replay({ conversation: body, ...policy }, (done) => heard.push(done));
	assert.deepEqual(report, engine.replay({ conversation: body, ...policy }));
	assert.deepEqual(
		heard,
		Array.from({ length: 14 }, (_, i) => i),
	);
	assert.deepEqual(await remote.replay({ conversation: body, ...policy }), report);
	assert.deepEqual(await remote.verdict([report]), engine.verdict([report]));
	assert.deepEqual(
		await remote.replayAt({ conversation: body, ...policy, call: 3 }),
		engine.replayAt({ conversation: body, ...policy, call: 3 }),
	);
});
