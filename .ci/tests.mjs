// This file runs test files of Node: node .ci/tests.mjs [--shared=MODULE] FILE…
//
// Files run at the same time, as many as there are cores. A file with a line "// Runs alone: REASON" is not disturbed:
// such files run one after the other when the rest has ended. A file with a line "// Measures alone: REASON" runs
// twice: with the others, without the tests that measure time (TAMP_MEASURES=no), and alone, with these only
// (TAMP_MEASURES=only); see web/test/measure.js. MODULE exports start(), which starts what the other files share and
// returns the environment variables that name it, and stop().

import { readFileSync } from "node:fs";
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
const measuresAlone = (file) => /^\/\/ Measures alone: \S/m.test(readFileSync(file, "utf8"));

/**
 * @param {string[]} some
 * @param {number} concurrency
 */
async function runFiles(some, concurrency) {
	if (some.length === 0) return;
	const tests = run({ files: some.map((file) => path.resolve(file)), concurrency });
	tests.on("test:fail", ({ name, file }) => failed.add(`${path.relative("", file ?? "")}: ${name}`));
	await new Promise((resolve, reject) => {
		const report = tests.compose(new spec());
		report.on("end", resolve).on("error", reject);
		report.pipe(process.stdout, { end: false });
	});
}

process.env.TAMP_MEASURES = "no";
const environment = shared ? await (await import(pathToFileURL(path.resolve(shared)).href)).start() : undefined;
Object.assign(process.env, environment?.variables);
try {
	await runFiles(
		files.filter((file) => !isAlone(file)),
		os.availableParallelism(),
	);
} finally {
	await environment?.stop();
	for (const name of Object.keys(environment?.variables ?? {})) delete process.env[name];
}
process.env.TAMP_MEASURES = "only";
await runFiles(
	files.filter((file) => isAlone(file) || measuresAlone(file)),
	1,
);
if (failed.size > 0) {
	console.error(["failed:", ...failed].join("\n  "));
	process.exitCode = 1;
}
