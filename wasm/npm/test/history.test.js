// This file tests that the rows of bench/history.csv are complete: a row for each release, all columns, numbers as
// figures.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

test("each row of the benchmark history is complete", () => {
	const text = readFileSync(new URL("../bench/history.csv", import.meta.url), "utf8");
	assert.ok(text.endsWith("\n"));
	const [header, ...rows] = text
		.trimEnd()
		.split("\n")
		.map((line) => line.split(","));
	assert.ok(header && rows.length > 0);
	assert.deepEqual(header.slice(0, 3), ["date", "version", "machine"]);
	assert.equal(new Set(header).size, header.length, "no column twice");
	let before = "";
	for (const row of rows) {
		assert.equal(row.length, header.length, row.join(" | "));
		const [date = "", version = "", machine = "", ...figures] = row;
		assert.match(date, /^\d{4}-\d\d-\d\d$/);
		assert.ok(date >= before, "the newest row is the last");
		before = date;
		assert.match(version, /^\d+\.\d+\.\d+$/);
		assert.notEqual(machine, "");
		const known = figures.filter((figure) => figure !== ""); // columns that came later have no figure before
		assert.deepEqual(figures.slice(known.length).join(""), "");
		for (const [i, figure] of known.entries()) assert.ok(Number(figure) > 0, `${header[i + 3]}: ${figure}`);
	}
});
