// This file measures `tamp usage` and `tamp audit` on 75 MB of session logs of Claude Code, and another program on the same
// folder if CCUSAGE is its command: CCUSAGE="node_modules/.bin/ccusage claude daily --offline". The logs are those of the
// corpus several times, with other IDs. The programs take turns; the table has the shortest of five runs.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

const SIZE = 75e6;
const RUNS = 5;
const source = join(process.env.TAMP_CORPUS ?? "../shared/data", "claude-code");
const folder = mkdtempSync(join(tmpdir(), "tamp-usage-"));

try {
	const projects = join(folder, "projects", "project");
	mkdirSync(projects, { recursive: true });
	const names = readdirSync(source).filter((name) => name.endsWith(".jsonl"));
	let bytes = 0;
	for (let copy = 0; bytes < SIZE; copy++) {
		for (const name of names) {
			const own = /"(requestId|uuid|parentUuid|sessionId|leafUuid|id)":"((?:req_|msg_|[0-9a-f]{8}-)[^"]+)"/g;
			const text = readFileSync(join(source, name), "utf8").replace(own, `"$1":"$2-${copy}"`);
			writeFileSync(join(projects, `${copy}-${name}`), text);
			bytes += Buffer.byteLength(text);
		}
	}
	const cli = fileURLToPath(new URL("../cli.js", import.meta.url));
	const other = process.env.CCUSAGE?.split(" ") ?? [];
	const programs = [[process.execPath, cli, "usage", folder], [process.execPath, cli, "audit", folder], other];
	const best = programs.map(() => Number.POSITIVE_INFINITY);
	for (let run = 0; run < RUNS; run++) {
		for (const [i, [program, ...args]] of programs.entries()) {
			if (!program) continue;
			const before = performance.now();
			const { status, stderr } = spawnSync(program, args, { env: { ...process.env, CLAUDE_CONFIG_DIR: folder } });
			if (status !== 0) throw new Error(`${program}: ${stderr}`);
			best[i] = Math.min(best[i] ?? 0, performance.now() - before);
		}
	}
	const load = (loadavg()[0] ?? 0).toFixed(1);
	console.log(`${Math.round(bytes / 1e6)} MB of logs, ${availableParallelism()} processors, load ${load}`);
	for (const [i, name] of ["tamp usage", "tamp audit", "CCUSAGE"].entries()) {
		if (best[i] === Number.POSITIVE_INFINITY) continue;
		const ratio = other.length > 0 ? `  ${((best[i] ?? 0) / (best[2] ?? 1)).toFixed(1)} ×` : "";
		console.log(`${name.padEnd(12)} ${((best[i] ?? 0) / 1000).toFixed(2).padStart(6)} s${ratio}`);
	}
} finally {
	rmSync(folder, { recursive: true });
}
