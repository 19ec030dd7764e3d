// This file runs test files of Node: node .ci/tests.mjs [--shared=MODULE] FILE…
//
// Files run at the same time, one more than there are cores: a test waits now and then, for a timer or another process.
// Those with most text start first, since they take longest as a rule; a file with a line "// Starts first: REASON" is
// before them. A file with a line "// Runs alone: REASON" is not disturbed: such files run one after the other when the
// rest has ended. A file with a line "// Measures alone: REASON" runs twice: with the others, without the tests that
// measure time (TAMP_MEASURES=no), and alone, with these only (TAMP_MEASURES=only); see web/test/measure.js. MODULE
// exports start({ measures }), which starts what files that run at the same time, or those that run alone, share. It
// returns the environment variables that name it, and stop().

import { readFileSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";

const SHARED = "--shared=";
const files = process.argv.slice(2).filter((argument) => !argument.startsWith(SHARED));
const shared = process.argv.find((argument) => argument.startsWith(SHARED))?.slice(SHARED.length);
if (files.length === 0) throw new Error("usage: node .ci/tests.mjs [--shared=MODULE] FILE…");

/** The tests that failed, since the second report follows the first. @type {Set<string>} */
const failed = new Set();

/** @param {string} file */
const isAlone = (file) => /^\/\/ Runs alone: \S/m.test(readFileSync(file, "utf8"));

/** @param {string} file */
const startsFirst = (file) => /^\/\/ Starts first: \S/m.test(readFileSync(file, "utf8"));

/** @param {string} file */
const measuresAlone = (file) => /^\/\/ Measures alone: \S/m.test(readFileSync(file, "utf8"));

/** So that no long file runs alone at the end. @param {string[]} some */
const longestFirst = (some) =>
	[...some].sort((a, b) => Number(startsFirst(b)) - Number(startsFirst(a)) || statSync(b).size - statSync(a).size);

/**
 * @param {string[]} some
 * @param {number} concurrency
 */
async function runFiles(some, concurrency) {
	const tests = run({ files: some.map((file) => path.resolve(file)), concurrency });
	tests.on("test:fail", ({ name, file }) => failed.add(`${path.relative("", file ?? "")}: ${name}`));
	await new Promise((resolve, reject) => {
		const report = tests.compose(new spec());
		report.on("end", resolve).on("error", reject);
		report.pipe(process.stdout, { end: false });
	});
}

/**
 * Runs files with what they share.
 * @param {"no" | "only"} measures see web/test/measure.js
 * @param {string[]} some
 * @param {number} concurrency
 */
async function runPass(measures, some, concurrency) {
	if (some.length === 0) return;
	process.env.TAMP_MEASURES = measures;
	const environment = await sharing?.start({ measures: measures === "only" });
	Object.assign(process.env, environment?.variables);
	try {
		await runFiles(some, concurrency);
	} finally {
		await environment?.stop();
		for (const name of Object.keys(environment?.variables ?? {})) delete process.env[name];
	}
}

const sharing = shared ? await import(pathToFileURL(path.resolve(shared)).href) : undefined;
await runPass("no", longestFirst(files.filter((file) => !isAlone(file))), os.availableParallelism() + 1);
await runPass(
	"only",
	files.filter((file) => isAlone(file) || measuresAlone(file)),
	1,
);
if (failed.size > 0) {
	console.error(["failed:", ...failed].join("\n  "));
	process.exitCode = 1;
}
