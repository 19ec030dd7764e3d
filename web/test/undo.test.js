// This file tests in Node the steps of undo and redo, and the choices for single blocks: what goes, and what stays.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../wasm/npm/index.js";
import { given, keyOf, withChoice } from "../app/blocks/choices.js";
import { layOut } from "../app/blocks/rows.js";
import { History } from "../app/session/history.js";
import { anthropic } from "./sessions.js";

/** A page whose state is a session and a number. */
function page() {
	const source = /** @type {any} */ ({ key: 1 });
	const self = {
		source: /** @type {any} */ (source),
		n: 0,
		labels: ["", ""],
		steps: /** @type {History} */ (/** @type {unknown} */ (undefined)),
		/** @param {number} n @param {string} [merge] */
		set(n, merge) {
			self.n = n;
			self.steps.record(`to ${n}`, merge);
		},
	};
	self.steps = new History({
		now: () => /** @type {any} */ ({ source: self.source, chosen: { n: self.n }, answers: [] }),
		put: (state) => {
			self.source = state.source;
			self.n = /** @type {any} */ (state.chosen).n;
		},
		changed: (...labels) => (self.labels = labels),
	});
	self.steps.begin();
	return self;
}

test("every change is undone in turn and done again, and a new change ends what could be done again", () => {
	const it = page();
	for (const n of [1, 2, 3]) it.set(n);
	assert.deepEqual(it.labels, ["to 3", ""]);
	for (const n of [2, 1, 0, 0]) {
		it.steps.undo();
		assert.equal(it.n, n);
	}
	assert.deepEqual(it.labels, ["", "to 1"]);
	for (const n of [1, 2]) {
		it.steps.redo();
		assert.equal(it.n, n);
	}
	it.set(9);
	assert.deepEqual(it.labels, ["to 9", ""]);
	it.steps.redo();
	assert.equal(it.n, 9);
	it.steps.undo();
	assert.equal(it.n, 2);
});

test("changes of one value in a row are one step, the same state is none, and ten sessions are held", () => {
	const it = page();
	for (const n of [1, 2, 3]) it.set(n, "slider");
	it.set(3);
	it.steps.undo();
	assert.equal(it.n, 0);
	for (let key = 2; key <= 30; key++) {
		it.source = { key };
		it.set(key);
	}
	let steps = 0;
	for (let before = -1; before !== it.source.key; steps++) {
		before = it.source.key;
		it.steps.undo();
	}
	assert.equal(it.source.key, 20, "the newest, and ten before it");
	assert.equal(steps, 11);
});

test("a choice is for a block, its message, its turn or all above; instructions and open rounds are not summarized", async () => {
	const engine = await load();
	const conversation = anthropic(6);
	conversation.messages.splice(-1); // the last round is open
	const { rows } = layOut(engine.inspect({ conversation, preset: "harness" }));
	/** @type {import("../app/blocks/choices.js").Choices} */
	let choices = {};
	/** @param {(typeof rows)[number]} row @param {import("../app/blocks/choices.js").Scope} scope @param {import("../app/blocks/choices.js").Choice | null} choice */
	const put = (row, scope, choice) => {
		const next = withChoice(choices, row, scope, rows, choice);
		const changed = [...new Set([...Object.keys(choices), ...Object.keys(next)])].filter(
			(key) => choices[key] !== next[key],
		);
		choices = next;
		return changed.length;
	};
	const result = rows.findIndex(({ message }) => message === 4);
	const count = (/** @type {(row: (typeof rows)[number]) => boolean} */ of) => rows.filter(of).length;
	const { turn, index } = rows[result];
	assert.equal(put(rows[result], "block", "keep"), 1);
	assert.deepEqual(given(choices), { keep: [{ message: 4, block: 0 }] });
	assert.equal(put(rows[result], "block", "keep"), 0, "it has it");
	assert.equal(
		put(rows[result], "turn", "drop"),
		count((row) => row.message >= 0 && row.turn === turn),
	);
	assert.equal(choices[keyOf(rows[result])], "drop");
	assert.equal(
		put(rows[result], "message", null),
		count(({ message }) => message === 4),
	);
	choices = {};
	const above = put(rows[result], "above", "summarize");
	assert.equal(
		above,
		count((row) => row.message >= 0 && row.index < index),
	);
	const open = /** @type {(typeof rows)[number]} */ (rows.find((row) => row.open));
	assert.equal(put(open, "block", "summarize"), 0);
	const system = /** @type {(typeof rows)[number]} */ (rows.find(({ message }) => message < 0));
	assert.equal(put(system, "block", "drop"), 0);
});
