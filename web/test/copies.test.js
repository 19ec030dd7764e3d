// This file tests that the audit of a folder counts a call once: over forks, copies, and subagents in two logs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rank } from "../app/folder/rank.js";

/**
 * An audit of calls that cost a dollar each.
 * @param {string} file
 * @param {string} ids each letter is a call; those in upper case are of subagents
 * @param {Partial<import("../app/folder/rank.js").Audited>} [more]
 */
function audited(file, ids, more = {}) {
	const bills = [...ids].map((id) => ({
		id: id.toLowerCase(),
		cost: 1_000_000,
		compacted: 400_000,
		...(id === id.toLowerCase() ? { breaks: [{ cause: "edit", tokens: 5, cost: 7 }] } : { kind: "subagent" }),
	}));
	const calls = bills.filter((bill) => !("kind" in bill)).length;
	const subagents = { calls: bills.length - calls, cost: (bills.length - calls) * 1_000_000 };
	const sums = { calls, cost: calls * 1_000_000, compacted: calls * 400_000, saved: calls * 600_000 };
	const breaks = [{ cause: "edit", calls, tokens: 5 * calls, cost: 7 * calls }];
	const rest = { bills, subagents, branches: { calls: 0, cost: 0 }, fixedCost: calls * 10, servers: [], overWindow: 0 };
	return /** @type {import("../app/folder/rank.js").Audited} */ ({
		file,
		...sums,
		...rest,
		breaks,
		start: 1,
		end: 1,
		...more,
	});
}

/** @param {import("../app/folder/rank.js").Audited[]} all */
function sums(all) {
	const { sessions, causes } = rank(all, []);
	const sum = (/** @type {(s: import("../app/folder/rank.js").Session) => number} */ of) =>
		sessions.reduce((total, one) => total + of(one), 0);
	return {
		calls: sum((s) => s.calls),
		cost: sum((s) => s.cost),
		saved: sum((s) => s.saved),
		subagents: sum((s) => s.subagents.calls),
		copies: sum((s) => s.copies),
		again: causes.reduce((total, { calls }) => total + calls, 0),
	};
}

test("the calls of forks count in the session that was first, whatever the order of the files", () => {
	const parent = audited("p", "abcd", { start: 1, end: 4 });
	const forks = [audited("f", "abcx", { start: 1, end: 9 }), audited("g", "abyz", { start: 1, end: 8 })];
	for (const all of [
		[parent, ...forks],
		[...forks, parent],
	]) {
		const { calls, cost, saved, again, copies } = sums(all);
		assert.deepEqual({ calls, cost, saved, again, copies }, { calls: 7, cost: 7e6, saved: 42e5, again: 7, copies: 5 });
		assert.equal(rank(all, []).sessions.find(({ file }) => file === "p")?.calls, 4);
	}
	assert.equal(parent.bills.length, 4, "the audits stay as they are");
});

test("ten copies of a log cost what one does", () => {
	const all = Array.from({ length: 10 }, (_, i) => audited(`copy${i}`, "abc"));
	assert.deepEqual([sums(all).calls, sums(all).copies], [3, 27]);
	assert.equal(rank(all, []).sessions.length, 10);
});

test("calls of a subagent count once, in the log that has them as its own or apart", () => {
	const { calls, subagents } = sums([audited("session", "abXY"), audited("agent", "xy", { start: 2 })]);
	assert.deepEqual({ calls, subagents }, { calls: 2, subagents: 2 });
});

test("equal calls of Codex are copies only in a fork, a copy, or in forks whose session is not here", () => {
	const parent = audited("p", "ab", { session: "P", start: 5 });
	const fork = (/** @type {string} */ id, start = 1) => audited(id, "abo", { session: id, forkedFrom: ["P"], start });
	assert.equal(sums([fork("F"), fork("G"), parent]).calls, 4);
	assert.equal(sums([fork("F"), fork("G")]).calls, 3);
	assert.equal(sums([parent, audited("q", "ab", { session: "Q" })]).calls, 4);
	assert.equal(sums([parent, audited("p2", "ab", { session: "P" })]).calls, 2);
	const grandchild = audited("h", "abon", { session: "H", forkedFrom: ["F", "P"] });
	assert.equal(sums([grandchild, fork("F"), parent]).calls, 4);
});
