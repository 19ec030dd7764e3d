// This file has what the tests of the command tamp share.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

export const cli = fileURLToPath(new URL("../cli.js", import.meta.url));
const corpus = process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
export const log = join(corpus, "claude-code/claude-code-log--a7da6a22-facc-4fcd-8bab-f83c87862004.jsonl");

/** A folder of the test file, which is removed after its tests. */
export const folder = mkdtempSync(join(tmpdir(), "tamp-cli-"));
after(() => rmSync(folder, { recursive: true }));

/** @param {string[]} args @param {string} [input] */
export function tamp(args, input) {
	const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
		input: input ?? "",
		encoding: "utf8",
		maxBuffer: 2 ** 26,
	});
	return { status, stdout, stderr };
}

export const valid = '[{"role":"user","content":"Hello."},{"role":"assistant","content":"Hello to you."}]';
