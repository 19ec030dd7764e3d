// This file tests the compaction function of tamp/cloudflare as a Session of the Agents SDK uses it; make test-frameworks
// runs it in a real one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { compaction } from "../cloudflare.js";
import { load } from "../index.js";
import { outputOf } from "./cost.js";
import { some } from "./few.js";

const engine = await load();

/** A prompt with a rule, and its answer with one call. @param {number} i @returns {any[]} */
const exchange = (i) => [
	{
		id: `u${i}`,
		role: "user",
		createdAt: new Date(),
		parts: [{ type: "text", text: `Prompt ${i}. Never change port ${8000 + i}.` }],
	},
	{
		id: `a${i}`,
		role: "assistant",
		createdAt: new Date(),
		parts: [
			{
				type: "tool-bash",
				toolCallId: `c${i}`,
				state: "output-available",
				input: { command: `make ${i}` },
				output: outputOf(`part${i}.go`),
			},
			{ type: "text", text: `Done with ${i}.` },
		],
	},
];

test("a session of Cloudflare gets a range of whole messages and its summary, and goes on from it", async () => {
	let saved = "";
	const settings = {
		engine,
		save: (/** @type {string} */ jsonl) => {
			saved += jsonl;
		},
	};
	const compacted = compaction(settings);
	const messages = Array.from({ length: 40 }, (_, i) => exchange(i)).flat();
	const first = await compacted(messages.slice(0, 40));
	assert.ok(first);
	const [begin, end] = [first.fromMessageId, first.toMessageId].map((id) => messages.findIndex((m) => m.id === id));
	assert.ok(begin === 1 && end !== undefined && begin <= end && end < 39, `${begin} to ${end}`);
	for (const { id } of messages.slice(begin, end + 1)) {
		assert.ok(saved.includes(`"${id.replace("a", "c")}"`), `${id} was saved`); // of an answer its parts
	}
	assert.match(first.summary, /Never change port 8003/);

	const text = first.summary;
	const overlay = { id: "compaction_1", role: "assistant", createdAt: new Date(), parts: [{ type: "text", text }] };
	const next = await compacted([...messages.slice(0, begin), overlay, ...messages.slice(end + 1)]);
	assert.ok(next);
	assert.equal(next.fromMessageId, messages[end + 1]?.id, "nothing between the two is left out");
	assert.match(next.summary, /Never change port 8003/);
	assert.equal(await compacted(messages.slice(0, 1)), null);
	assert.throws(() => compaction(/** @type {any} */ ({ engine })), { path: "/save" });
	assert.throws(() => compaction(/** @type {any} */ ({ save: "discard" })), { path: "/engine" });
});

/** The largest history that a session has before it compacts, in characters of its JSON. */
const LIMIT = 60_000;

/**
 * What a session shows after 40 prompts with one call each, which it compacts past LIMIT. Each compaction has a function of
 * its own, as after an eviction.
 * @param {Omit<import("../cloudflare.js").CompactionOptions, "engine" | "save" | "storage">} settings
 */
async function session(settings) {
	const stored = new Map();
	const storage = {
		get: async (/** @type {string} */ key) => structuredClone(stored.get(key)),
		put: async (/** @type {string} */ key, /** @type {any} */ value) => stored.set(key, structuredClone(value)),
	};
	/** @type {any[]} */
	let history = [];
	let compactions = 0;
	for (let i = 0; i < 40; i++) {
		history.push(...exchange(i));
		if (JSON.stringify(history).length < LIMIT) continue;
		const range = await compaction({ engine, save: "discard", storage, ...settings })(history);
		assert.ok(range, `compaction ${compactions}`);
		const at = (/** @type {string} */ wanted) => history.findIndex(({ id }) => id === wanted);
		const begin = compactions === 0 ? at(range.fromMessageId) : 1; // the session extends it
		const overlay = {
			id: `compaction_${compactions++}`,
			role: "assistant",
			parts: [{ type: "text", text: range.summary }],
		};
		history = [
			...history.slice(0, begin),
			{ ...overlay, createdAt: new Date() },
			...history.slice(at(range.toMessageId) + 1),
		];
		assert.ok(JSON.stringify(history).length < LIMIT, `after compaction ${compactions}`);
	}
	return { left: JSON.stringify(history), compactions };
}

test("the statements of the user outlive each compaction of a session of Cloudflare, also in another process", async () => {
	const { left, compactions } = await session({});
	assert.ok(compactions >= 3, `${compactions} compactions`);
	for (let i = 0; i < 40; i++) assert.ok(left.includes(`port ${8000 + i}.`), `the statement of prompt ${i}`);
});

for (const preset of some(engine.presets(), 3).map(({ name }) => name)) {
	test(`a session of Cloudflare stays below its limit with ${preset}`, async () => {
		const { compactions } = await session({ preset: /** @type {import("../index.js").PresetName} */ (preset) });
		assert.ok(compactions >= 3, `${compactions} compactions`);
	});
}
