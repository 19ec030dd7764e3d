// This file tests in Node how the worker packs: the round that it reports, and where it stops.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Memory, pack } from "../app/engine/rounds.js";
import { load } from "../../wasm/npm/index.js";
import { anthropic } from "./sessions.js";

test("packing reports its round, and stops between the archive and the result if it is superseded", async () => {
	const engine = await load();
	const input = { conversation: JSON.stringify(anthropic(40, 3000)), preset: "turns", policy: {}, force: true };
	const plan = engine.plan(input);
	assert.ok(plan.requests.length > 0);
	/** @type {[number, number][]} */
	const asked = [];
	const packed = await pack(engine, input, plan, {}, new Memory(), async (...at) => asked.push(at) > 0);
	assert.deepEqual(asked.slice(0, 2), [
		[1, plan.before],
		[1, plan.before],
	]);
	assert.ok(packed && packed.after < plan.before);

	/** @type {string[]} */
	const called = [];
	const watched = /** @type {any} */ (
		Object.fromEntries(
			/** @type {const} */ (["summarize", "countText", "archive", "apply"]).map((name) => [
				name,
				(/** @type {any[]} */ ...given) => {
					called.push(name);
					return /** @type {any} */ (engine)[name](...given);
				},
			]),
		)
	);
	let left = 1;
	assert.equal(await pack(watched, input, plan, {}, new Memory(), async () => left-- > 0), null);
	assert.ok(called.includes("archive") && !called.includes("apply"), called.join());
});
