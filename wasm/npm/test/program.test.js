// This file compares the native program with the same as WebAssembly: what its commands write about recorded logs, byte for
// byte.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cli, folder, log } from "./command.js";
import { some } from "./few.js";

const native = fileURLToPath(new URL("../../../.build/server", import.meta.url));
const corpus = process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));

/** @param {string[]} args @param {string} [program] "": none, WebAssembly */
function run(args, program = "") {
	const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
		env: { ...process.env, TAMP_PROGRAM: program },
		encoding: "utf8",
		maxBuffer: 2 ** 26,
	});
	return { status, stdout, stderr };
}

/** @param {string[]} args */
function same(...args) {
	const [wasm, own] = [run(args), run(args, native)];
	assert.deepEqual(wasm, own, args.join(" "));
	return own;
}

test("the native program and the same as WebAssembly write the same about recorded logs", {
	skip: !existsSync(corpus),
}, () => {
	const usages = [
		[],
		["--json"],
		["--totals", "weekly", "--prices", "3,15"],
		["--totals", "blocks", "--multipliers", "batch,own=1.25", "--threads", "1"],
	];
	for (const below of [corpus, join(corpus, "..", "more")].filter(existsSync)) {
		for (const args of some(usages, 2, 0)) {
			const { status, stdout } = same("usage", below, ...args);
			assert.equal(status, 0);
			assert.match(stdout, /\d+ calls|"calls": [1-9]/);
		}
	}
	for (const args of some([["--json"], [], ["--preset", "harness", "--window", "100000", "--ttl", "1h"]], 1, 0)) {
		const { status, stdout } = same("audit", join(corpus, "codex"), ...args);
		assert.equal(status, 0);
		assert.match(stdout, /saved/);
	}
});

test("each command writes the same about a log, natively and as WebAssembly", { skip: !existsSync(corpus) }, () => {
	const archive = join(folder, "same.originals");
	for (const args of [
		["check", "--json", log],
		["count", "--json", "--counter", "cl100k_base", log],
		["convert", "--to", "gemini", log],
		["compact", "--json", "--force", "--window", "50000", "--archive", archive, log],
		["lost", log, "the"],
		["recall", "--archive", archive],
		["repair", "--json", "--discard", log],
		["--version"],
		["--help"],
	])
		assert.equal(same(...args).status, 0);
});

test("the native program and the same as WebAssembly refuse the same, with the same words", () => {
	for (const args of [
		["usage", "--help"],
		["help", "audit"],
		["usage", join(folder, "missing")],
		["usage", "--totals", "yearly"],
		["audit", "--prices", "1,2,3"],
		["audit", "--multipliers", "batch=0"],
		["audit", "--threads", "65", folder],
		["audit", "--window", "many", folder],
		["audit", "--policy", join(folder, "missing"), folder],
		["usage", "--preset", "balanced"],
		["usage", "a", "b"],
		["usage", "--json=yes"],
	]) {
		const { status, stdout, stderr } = same(...args);
		const isHelp = args.includes("--help") || args[0] === "help";
		assert.equal(stderr === "", isHelp, args.join(" "));
		assert.match(isHelp ? stdout : stderr, /^(Usage: tamp (usage|audit) \[FOLDER\]|tamp: )/);
		assert.ok(isHelp ? status === 0 : (status ?? 0) > 0);
	}
});

test("without the native program, what needs it names the package", () => {
	for (const args of [["doctor"], ["mcp", "--root", folder], ["try", "--shadow", "--", "claude", "--json"]]) {
		const { status, stdout, stderr } = run(args);
		assert.deepEqual([status, stdout], [1, ""]);
		const install = `npm install tamp-${process.platform}-${process.arch}`;
		assert.equal(
			stderr,
			`tamp: ${args[0]} is in the native program only: ${install}, or set TAMP_PROGRAM to the path of one\n`,
		);
		assert.match(run(["help", args[0] ?? ""]).stdout, /^Usage: tamp /);
	}
});

test("a program that cannot be run is named", () => {
	const { status, stderr } = run(["usage", folder], join(folder, "no-program"));
	assert.equal(status, 1);
	assert.match(stderr, /^tamp: cannot run .*no-program: /);
});
