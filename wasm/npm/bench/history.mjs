// This file appends a row with the main figures of the engine to history.csv, once for each release: make
// bench-history. It replaces the row of the same version on the same machine.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import { load } from "../index.js";
import { conversations, firstAnswer, MB, measure } from "./figures.mjs";
import { measured, ratioOf } from "./peers.mjs";

const FILE = new URL("history.csv", import.meta.url);
const ROOT = new URL("../../../", import.meta.url);

/**
 * Bytes of the files one after the other, compressed by the program that `make test-size` uses: Node's zlib differs.
 * @param {string[]} names
 */
function gzipped(...names) {
	const input = Buffer.concat(names.map((name) => readFileSync(new URL(name, ROOT))));
	const { status, stdout, stderr } = spawnSync("gzip", ["-9", "-c"], { input, maxBuffer: input.length });
	if (status !== 0) throw new Error(`cannot run gzip: ${stderr}`);
	return stdout.length;
}

/** @type {Record<string, string | number>} */
const row = {
	date: new Date().toISOString().slice(0, 10),
	version: (await load()).version,
	machine:
		`${os.cpus()[0]?.model ?? os.arch()} × ${os.cpus().length}, ${os.platform()}, Node ${process.versions.node}`.replaceAll(
			",",
			";",
		),
	"load ms": firstAnswer().toFixed(0),
	"tamp.wasm gzip": gzipped("wasm/npm/tamp.wasm"),
	"worker gzip": gzipped(
		"worker/worker.mjs",
		...["app.wasm", "runtime.mjs", "wasm_exec.js", "worker.mjs"].map((name) => `worker/build/${name}`),
	),
};
for (const [name, text] of Object.entries(conversations())) {
	const figures = text === undefined ? undefined : await measure(text);
	row[`${name}: plan+apply ms`] = figures?.planApply.toFixed(1) ?? "";
	row[`${name}: balanced ms`] = figures?.balanced.toFixed(0) ?? "";
	row[`${name}: estimate MB/s`] = figures?.estimate.toFixed(0) ?? "";
	row[`${name}: o200k_base MB/s`] = figures?.exact.toFixed(1) ?? "";
	row[`${name}: heap MB`] = figures ? (figures.heap / MB).toFixed(0) : "";
}

// The ratios of the table of peers.mjs, of medians; a row of a version before them has none.
for await (const one of measured()) row[`${one.name} / ${one.peer}`.replaceAll(",", ";")] = ratioOf(one).toFixed(2);

// No cell has a comma, so the file needs no quotes.
const line = (/** @type {(string | number)[]} */ cells) => `${cells.join(",")}\n`;
const header = line(Object.keys(row));
const [first = header, ...rows] = existsSync(FILE) ? (readFileSync(FILE, "utf8").match(/.*\n/g) ?? []) : [];
if (!header.startsWith(first.trimEnd()))
	throw new Error("history.csv has other columns, which are not before the new ones");
const cells = (/** @type {string} */ text) => text.split(",").length;
/** The rows, with empty cells for the columns that came later. */
const before = rows.map((one) => `${one.trimEnd()}${",".repeat(cells(header) - cells(one))}\n`);
const isSame = (/** @type {string} */ other) => other.includes(`,${row.version},${row.machine},`);
writeFileSync(FILE, [header, ...before.filter((other) => !isSame(other)), line(Object.values(row))].join(""));
for (const [name, value] of Object.entries(row)) console.log(`${name.padEnd(32)} ${value}`);
