// This file compares the wasm, whole and in two modules, with the native engine: the answers have the same bytes, for
// every test conversation.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { compile } from "../compile.js";
import { start } from "../instance.js";
import { some } from "./few.js";
import { anthropic, log, openai, root } from "./support.js";

const presets = [
	"balanced",
	"harness",
	"s06",
	"turns",
	"critical",
	"hierarchical",
	"regions",
	"prune",
	"clear_tool_uses",
	"clear_thinking",
];

const own = mkdtempSync(path.join(tmpdir(), "tamp-"));
after(() => rmSync(own, { recursive: true, force: true }));
const broken = anthropic();
broken.splice(3, 1);
const invented = {
	"anthropic.json": JSON.stringify(anthropic(), null, 2),
	"openai.json": JSON.stringify(openai()),
	"log.jsonl": log(),
	"broken.json": JSON.stringify(broken),
	"cut.json": '[{"role":"user"',
	"cut.jsonl": log().slice(0, -30),
	"prose.json": "hello",
	"empty.json": "",
	"binary.json": "\0\x01\x02",
	"other.json": '{"a":1}',
};
for (const [name, text] of Object.entries(invented)) writeFileSync(path.join(own, name), text);

/**
 * @param {string} folder
 * @returns {string[]} empty if the folder does not exist
 */
function conversations(folder) {
	try {
		return readdirSync(folder, { recursive: true, encoding: "utf8" })
			.filter((name) => /\.jsonl?$/.test(name))
			.map((name) => path.join(folder, name))
			.sort();
	} catch {
		return [];
	}
}

test("native and wasm answers are equal", { timeout: 240_000 }, async (t) => {
	const corpus = process.env.TAMP_CORPUS || path.join(root, "../shared/data");
	const examples = conversations(path.join(root, "web/examples"));
	const real = some(
		["anthropic", "claude-code", "openai-chat"].flatMap((format) => conversations(path.join(corpus, format))),
		8,
	);
	// The real conversations are large, so each runs with one preset. The invented ones run with all.
	const files = [
		...conversations(own).map((file) => ({ file, presets })),
		...examples.map((file, i) => ({ file, presets: some(presets, 4, i) })),
		...real.map((file, i) => ({ file, presets: presets.slice(i % presets.length).slice(0, 1) })),
	];
	t.diagnostic(
		`${examples.length} examples, ${real.length} recorded conversations${real.length === 0 ? ": the corpus is absent" : ""}`,
	);

	const asks = files.flatMap(({ file, presets }) => [
		...["detect", "count", "check", "repair"].map((op) => ({ op, header: "{}", file })),
		...["checkAppend", "quality"].map((op) => ({ op, header: JSON.stringify({ previous: broken }), file })),
		...presets.flatMap((preset) => [
			{ op: "inspect", header: JSON.stringify({ preset, force: true }), file },
			{ op: "plan", header: JSON.stringify({ preset, force: true }), file },
			{ op: "archive", header: JSON.stringify({ plan: "$plan" }), file },
			{ op: "summarize", header: JSON.stringify({ preset, force: true, plan: "$plan" }), file },
			{ op: "apply", header: JSON.stringify({ preset, force: true, plan: "$plan", results: "$results" }), file },
			{ op: "anchors", header: JSON.stringify({ preset }), file },
		]),
	]);
	const native = spawnSync("go", ["run", "./wasm/npm/test/native"], {
		cwd: root,
		input: asks.map((ask) => `${JSON.stringify(ask)}\n`).join(""),
		encoding: "utf8",
		maxBuffer: 1e9,
	});
	assert.equal(native.status, 0, native.stderr);
	const want = native.stdout.trimEnd().split("\n");
	assert.equal(want.length, asks.length);

	const handle = await start(await compile(new URL("../tamp.wasm", import.meta.url)));
	const sha = (/** @type {Uint8Array | null} */ bytes) =>
		createHash("sha256")
			.update(bytes ?? "")
			.digest("hex");
	/** @type {Record<string, string>} */
	const last = {};
	asks.forEach(({ op, header, file }, i) => {
		const filled = header.replace('"$plan"', () => last.plan ?? "").replace('"$results"', () => last.summarize ?? "");
		const answer = handle(op, new TextEncoder().encode(filled), readFileSync(file));
		last[op] = new TextDecoder().decode(answer.header);
		assert.equal(`${sha(answer.header)} ${sha(answer.body)}`, want[i], `${op} ${header} ${file}`);
	});
});
