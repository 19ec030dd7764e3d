// This file runs test files of Node: node .ci/tests.mjs [--measures] [--shared=MODULE] FILE…
//
// Files run at the same time, one more than there are cores: a test waits now and then, for a timer or another process.
// Those with most text start first, since they take longest as a rule; a file with a line "// Starts first: REASON" is
// before them. Tests that measure time do not run (TAMP_MEASURES=no). With --measures only these run, of the files with a
// line "// Measures: REASON", one file after the other (TAMP_MEASURES=only); see web/test/measure.js. MODULE exports
// start({ measures }), which starts what the files share. It returns the environment variables that name it, and stop().

import { readFileSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";

const SHARED = "--shared=";
const MEASURES = "--measures";
const files = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const shared = process.argv.find((argument) => argument.startsWith(SHARED))?.slice(SHARED.length);
const measures = process.argv.includes(MEASURES);
if (files.length === 0) throw new Error("usage: node .ci/tests.mjs [--measures] [--shared=MODULE] FILE…");

/** The tests that failed, for a list at the end. @type {Set<string>} */
const failed = new Set();

/** @param {string} file */
const startsFirst = (file) => /^\/\/ Starts first: \S/m.test(readFileSync(file, "utf8"));

/** @param {string} file */
const hasMeasures = (file) => /^\/\/ Measures: \S/m.test(readFileSync(file, "utf8"));

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

process.env.TAMP_MEASURES = measures ? "only" : "no";
const sharing = shared ? await import(pathToFileURL(path.resolve(shared)).href) : undefined;
const environment = await sharing?.start({ measures });
Object.assign(process.env, environment?.variables);
try {
	if (measures) await runFiles(files.filter(hasMeasures), 1);
	else await runFiles(longestFirst(files), os.availableParallelism() + 1);
} finally {
	await environment?.stop();
}
if (failed.size > 0) {
	console.error(["failed:", ...failed].join("\n  "));
	process.exitCode = 1;
}
