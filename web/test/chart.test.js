// This file tests the geometry of the charts: a line that is brought down to the pixels still shows every height,
// whatever its length.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
	callTicks,
	hasTimes,
	nearest,
	places,
	sawtooth,
	short,
	span,
	stretches,
	thin,
	ticks,
	timeTicks,
	topOf,
} from "../app/replay/chart.js";
import { sayCall } from "../app/replay/callText.js";
import { bestOf, change, FIGURES } from "../app/replay/metrics.js";

/** @typedef {import("../npm/wire.js").ReplayCall} Call */

/** Numbers that look random and are the same each time. @param {number} seed */
function dice(seed) {
	return () => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed / 2_147_483_647;
	};
}

/** @param {Partial<Call>[]} calls @returns {Call[]} */
const callsOf = (calls) =>
	calls.map((call, i) => ({
		number: i + 1,
		message: 2 * i + 1,
		idleSec: 5,
		uncompacted: 0,
		sent: 0,
		cacheRead: 0,
		cacheWrite: 0,
		input: 0,
		output: 0,
		cost: 0,
		...call,
	}));

/** The points by pixel column, in order. @param {[number, number][]} points */
function columns(points) {
	/** @type {Map<number, [number, number][]>} */
	const found = new Map();
	for (const point of points) {
		const column = Math.floor(point[0]);
		const list = found.get(column);
		if (list) list.push(point);
		else found.set(column, [point]);
	}
	return found;
}

test("in every pixel column the thinned line keeps the first, lowest, highest and last point, and no more", () => {
	for (const [seed, length, width] of [
		[1, 1, 10],
		[2, 7, 300],
		[3, 500, 40],
		[4, 20_000, 700],
		[5, 20_000, 1],
	]) {
		const roll = dice(seed);
		const points = /** @type {[number, number][]} */ (
			Array.from({ length }, (_, i) => [(i * width) / length, Math.round(roll() * 200)])
		);
		const out = thin(points);
		assert.ok(out.length <= 4 * width && out.length <= length, `${out.length} points`);
		const keptIn = columns(out);
		for (const [column, all] of columns(points)) {
			const kept = keptIn.get(column) ?? [];
			const heights = (/** @type {[number, number][]} */ some) => some.map(([, y]) => y);
			assert.deepEqual([kept[0], kept.at(-1)], [all[0], all.at(-1)]);
			assert.deepEqual(
				[Math.min(...heights(kept)), Math.max(...heights(kept))],
				[Math.min(...heights(all)), Math.max(...heights(all))],
			);
		}
		assert.deepEqual(
			out,
			[...out].sort((a, b) => a[0] - b[0]),
		);
	}
});

test("the sawtooth rises to the size before a compaction and drops at once", () => {
	const calls = callsOf([{ sent: 10 }, { sent: 20 }, { sent: 5, freed: 25 }, { sent: 7 }]);
	assert.deepEqual(
		sawtooth(calls, [0, 1, 2, 3], (n) => n),
		[
			[0, 10],
			[1, 20],
			[2, 30],
			[2, 5],
			[3, 7],
		],
	);
});

test("the nearest call is the one that a slow search finds", () => {
	const roll = dice(9);
	for (let n = 1; n < 60; n++) {
		const xs = Array.from({ length: n }, () => Math.round(roll() * 100)).sort((a, b) => a - b);
		for (let x = -3; x < 104; x += 7) {
			const slow = Math.min(...xs.map((at) => Math.abs(at - x)));
			assert.equal(Math.abs(xs[nearest(xs, x)] - x), slow);
		}
	}
});

test("calls are placed by the clock in time mode, and at equal distances in call mode", () => {
	const calls = callsOf([
		{ idleSec: 99, time: 1 },
		{ idleSec: 10, time: 2 },
		{ idleSec: 30, time: 3 },
	]);
	assert.deepEqual(places(calls, "time"), [0, 0.25, 1]);
	assert.deepEqual(places(calls, "calls"), [0.5 / 3, 1.5 / 3, 2.5 / 3]);
	assert.ok(hasTimes(calls));
	assert.ok(!hasTimes(callsOf([{}, {}])), "the log says nothing");
	assert.ok(!hasTimes(callsOf([{ time: 1 }])), "one call lasts no time");
});

test("scales have round numbers, and lines far above are left out", () => {
	for (const top of [1, 7, 90, 999, 54_321, 523_000, 9_999_999]) {
		const all = ticks(top);
		assert.ok(all[0] === 0 && (all.at(-1) ?? 0) <= top && all.length <= 7, `${top}: ${all}`);
		if (top > 10) assert.ok(all.length >= 3, `${top}: ${all}`);
	}
	assert.ok(topOf(100_000, [140_000, 200_000]) >= 140_000); // at most 1.7 times as high: inside
	assert.ok(topOf(100_000, [140_000, 200_000]) < 200_000);
	assert.ok(topOf(0, []) > 0);
	for (const [count, room] of [
		[1, 5],
		[2, 5],
		[36, 12],
		[471, 4],
		[5000, 14],
	]) {
		const all = callTicks(count, room);
		assert.deepEqual([all[0], all.at(-1)], [1, count]);
		assert.ok(all.length <= room + 2 && new Set(all).size === all.length, `${count}: ${all}`);
	}
	assert.deepEqual(callTicks(0, 5), []);
	assert.deepEqual(callTicks(35, 6, 26), [26, 40, 50, 60]);
	assert.deepEqual(timeTicks(1000, 5, 2000), [2100, 2400, 2700, 3000]);
	assert.deepEqual(timeTicks(3000, 5), [0, 900, 1800, 2700]);
	assert.deepEqual(
		[short(999), short(1500), short(48_321), short(999_700), short(1_500_000)],
		["999", "1.5k", "48k", "1M", "1.5M"],
	);
	assert.deepEqual([span(40), span(3000), span(9000), span(500_000)], ["40 s", "50 min", "2.5 h", "5.8 days"]);
	assert.deepEqual(stretches(["a", "b", "c"], [0.5, 1.9, 4], 2), [
		{ from: 0, items: ["a", "b"] },
		{ from: 4, items: ["c"] },
	]);
});

test("the best values are marked, ties included, unless all are equal", () => {
	const report = (/** @type {number} */ sent, /** @type {number} */ missed, overWindow = 0, compactions = 1) =>
		/** @type {any} */ ({ totals: { sent, overWindow, compactions }, misses: { missed } });
	const [sent, names] = ["sent", "missed"].map((name) => FIGURES.find((figure) => figure.name === name));
	assert.ok(sent && names);
	assert.deepEqual(
		bestOf(sent, [report(5, 1), report(1, 1, 2), report(3, 1)]),
		new Set([2]),
		"one that does not fit is not ranked",
	);
	assert.deepEqual(
		bestOf(names, [report(5, 9), report(1, 0, 0, 0), report(3, 1)]),
		new Set([2]),
		"nor one that does nothing",
	);
	assert.deepEqual(bestOf(sent, [report(5, 1), report(3, 1), report(3, 1)]), new Set([1, 2]));
	assert.deepEqual(bestOf(names, [report(5, 4), null, report(3, 9)]), new Set([0]));
	assert.deepEqual(bestOf(sent, [report(3, 1), report(3, 1)]), new Set());
	assert.deepEqual(bestOf(sent, [report(3, 1), null]), new Set(), "alone there is nothing to be better than");
	assert.deepEqual(
		[change(50, 100), change(151, 100), change(100, 100), change(99_999, 100_000), change(1, 0)],
		["−50 %", "+51 %", "the same", "−0.1 %", ""],
	);
});

test("a call says what the log has of its request", () => {
	const said = (/** @type {Call["request"]} */ request) =>
		sayCall(callsOf([{ request }])[0], null, null, "Without").find(({ name }) => name === "The log's request")?.value;
	assert.equal(said(undefined), undefined);
	assert.equal(said({ messages: 5, kept: 3, before: 3 }), "5 messages, 2 new");
	assert.equal(
		said({ messages: 5, kept: 1, before: 3, tools: true }),
		"5 messages, 4 new; other tools, 2 of 3 earlier messages changed",
	);
});
