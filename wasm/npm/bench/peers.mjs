// This file compares Tamp with other programs, each row in three runs in which they take turns, and prints one table with the
// targets: node wasm/npm/bench/peers.mjs [PART OF A ROW'S NAME]. `make bench-peers` installs the others in .build/peers.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../index.js";
import { generated, recorded } from "./conversation.mjs";
import { watched } from "./watched.mjs";

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} unit
 * @property {string} peer what it is compared with; "" if the target is a figure of ours
 * @property {number[]} ours a figure of each run
 * @property {number[]} theirs
 * @property {"ours" | "theirs"} over whose figure is divided by the other one; the target is one of this ratio
 * @property {string} target
 * @property {string} [note]
 */

const RUNS = 3;
const MB = 1e6;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const peers = path.join(root, ".build/peers/node_modules");
const corpus = process.env.TAMP_CORPUS ?? path.join(root, "../shared/data");
const requireWeb = createRequire(path.join(root, "web/package.json"));

/** @param {number[]} all */
const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1] ?? NaN;

/** @param {() => unknown} work @returns {Promise<number>} milliseconds */
async function time(work) {
	const began = performance.now();
	await work();
	return performance.now() - began;
}

/** Nanoseconds for which this thread had a processor: what other programs do changes it less than the time. On Linux. */
function ranFor() {
	const file = `/proc/self/task/${process.pid}/schedstat`;
	return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0]) : performance.now() * 1e6;
}

/** @param {() => unknown} work @returns {number} milliseconds of the processor */
function cpu(work) {
	const before = ranFor();
	work();
	return (ranFor() - before) / 1e6;
}

/** The same for short work: that of ten runs, divided by ten. @param {() => unknown} work */
const average = (work) =>
	cpu(() => {
		for (let i = 0; i < 10; i++) work();
	}) / 10;

/** The same for each of several, in turns, RUNS times. @param {(() => Promise<number>)[]} works */
async function inTurns(works) {
	const figures = works.map(() => /** @type {number[]} */ ([]));
	for (let run = 0; run < RUNS; run++) for (const [i, work] of works.entries()) figures[i]?.push(await work());
	return figures;
}

/** A session of 4.6 MB: recorded, or generated without a corpus. */
const session = () => recorded(corpus, 4.6 * MB) ?? generated(4.6 * MB);

/** What the gateway adds to a call, and 200 sessions at once. @returns {Promise<Row[]>} */
async function gateway() {
	const runs = Array.from({ length: RUNS }, () =>
		JSON.parse(
			execFileSync(process.execPath, [path.join(root, "worker/test/relay.mjs"), path.dirname(peers), "--json"], {
				encoding: "utf8",
				env: { ...process.env, TAMP_CORPUS: corpus },
			}),
		),
	);
	const added = ["416 KB, passed", "1.36 MB, compacted by its checkpoint"].map((name) => ({
		name: `gateway, ${name}: added`,
		unit: "ms",
		peer: "Portkey 1.15.2",
		ours: runs.map((run) => run[name].Tamp - run[name].direct),
		theirs: runs.map((run) => run[name].Portkey - run[name].direct),
		over: /** @type {const} */ ("ours"),
		target: "≤ .20",
	}));
	const together = ["p50", "p99"].map((share) => ({
		name: `gateway, 200 sessions: ${share}`,
		unit: "ms",
		peer: "direct",
		ours: runs.map((run) => run.Tamp[share]),
		theirs: runs.map((run) => run.direct[share]),
		over: /** @type {const} */ ("ours"),
		target: "≤ 2",
	}));
	return [...added, ...together];
}

/** @param {import("../index.js").Engine} engine @param {Uint8Array} conversation @param {string} preset */
function compact(engine, conversation, preset) {
	const input = { conversation, preset, force: true };
	const plan = engine.plan(input);
	const results = engine.summarize({ ...input, plan });
	engine.apply({ ...input, plan, results });
}

/** Plan and apply, as wasm, and their memory. @returns {Promise<Row[]>} */
async function compactions() {
	const text = session();
	const conversation = new TextEncoder().encode(text);
	const parse = async () => average(() => JSON.stringify(JSON.parse(text)));
	const engine = await load();
	const messages = /** @type {any[]} */ (
		engine.convert({ conversation: JSON.parse(text), format: "anthropic", to: "ai-sdk" }).conversation
	);
	const written = JSON.stringify(messages);
	const { pruneMessages } = await import(path.join(peers, "ai/dist/index.js"));
	const prune = async () =>
		average(() =>
			JSON.stringify(
				pruneMessages({ messages: JSON.parse(written), reasoning: "all", toolCalls: "before-last-message" }),
			),
		);
	/** The session with other texts, which the engine has not read. @param {number} n */
	const other = (n) => new TextEncoder().encode(text.replaceAll(/"(text|content)":"/g, `$&${n} `));
	/** @type {Row[]} */
	const rows = [];
	for (const preset of ["balanced", "harness", "turns", "prune"]) {
		const { engine } = await watched();
		for (const n of [1, 2, 3]) compact(engine, other(n), preset);
		let run = 3;
		const ofOurs = async () => {
			const conversation = other(++run);
			return cpu(() => compact(engine, conversation, preset));
		};
		const again = async () => cpu(() => compact(engine, other(run), preset));
		const [ours = [], seconds = [], parsed = [], pruned = []] = await inTurns([ofOurs, again, parse, prune]);
		const name = `${preset}: plan + apply as wasm, CPU, ${(conversation.length / MB).toFixed(1)} MB`;
		const limit = preset === "balanced" ? "≤ 8" : "≤ 5";
		rows.push(
			{ name, unit: "ms", peer: "JSON.parse + stringify", ours, theirs: parsed, over: "ours", target: limit },
			{
				name: `${name}, again`, // the engine has counted the texts
				unit: "ms",
				peer: "JSON.parse + stringify",
				ours: seconds,
				theirs: parsed,
				over: "ours",
				target: "",
			},
			{ name, unit: "ms", peer: "pruneMessages (ai 7.0.173)", ours, theirs: pruned, over: "ours", target: "" },
		);
		if (preset !== "balanced") continue;
		const memory = [];
		for (let run = 0; run < RUNS; run++) {
			const fresh = await watched();
			compact(fresh.engine, conversation, preset);
			memory.push(fresh.memory());
		}
		rows.push({
			name: `${preset}: memory of the wasm`,
			unit: "MB",
			peer: "the text",
			ours: memory.map((bytes) => bytes / MB),
			theirs: [conversation.length / MB],
			over: "ours",
			target: "≤ 8",
		});
	}
	return rows;
}

/** Exact counts of texts that were not counted before. @returns {Promise<Row[]>} */
async function tokens() {
	const engine = await load();
	engine.loadVocabulary("o200k_base", readFileSync(new URL("../vocab/o200k_base.bin", import.meta.url)));
	const { countTokens } = await import(path.join(root, "web/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js"));
	const { Tokenizer } = requireWeb("ai-tokenizer");
	const ai = new Tokenizer(requireWeb("ai-tokenizer/encoding/o200k_base"));
	/** @type {Record<string, (text: string) => number>} */
	const counters = {
		ours: (text) => engine.countText(text, "o200k_base"),
		"gpt-tokenizer 4.0.0": (text) => countTokens(text, { disallowedSpecial: new Set() }),
		"ai-tokenizer 1.0.6": (text) => ai.count(text.replaceAll("<|", "< |")), // it refuses special tokens
	};
	const files = readdirSync(path.join(corpus, "texts")).filter((name) => name.endsWith(".md"));
	const texts = {
		"session JSON": session().slice(MB, 2 * MB), // as in tokens.mjs
		prose: files.map((name) => readFileSync(path.join(corpus, "texts", name), "utf8")).join("\n"),
	};
	// Other texts, in many scripts, as in tokens.mjs.
	const folders = ["core/tokens", "core/tokens/bpe", "core/internal/convtest/texts/testdata"].map((name) =>
		path.join(root, name),
	);
	const warming = folders
		.flatMap((at) =>
			readdirSync(at)
				.filter((name) => /\.(go|txt)$/.test(name))
				.map((name) => path.join(at, name)),
		)
		.map((file) => [...readFileSync(file, "utf8")].reverse().join(""))
		.join("\n");
	for (const count of Object.values(counters)) for (let i = 0; i < 20; i++) count(warming);
	/** @type {Row[]} */
	const rows = [];
	for (const [kind, text] of Object.entries(texts)) {
		const parts = 3 * RUNS;
		const size = Math.floor(text.length / parts);
		/** @type {Record<string, number[]>} */
		const speeds = Object.fromEntries(Object.keys(counters).map((name) => [name, []]));
		for (let run = 0; run < parts; run++) {
			const part = text.slice(run * size, (run + 1) * size).toWellFormed();
			for (const [name, count] of Object.entries(counters))
				speeds[name]?.push(Buffer.byteLength(part) / MB / ((await time(() => count(part))) / 1000));
		}
		for (const name of Object.keys(counters).slice(1))
			rows.push({
				name: `exact o200k of ${kind}, as wasm, once`,
				unit: "MB/s",
				peer: name,
				ours: speeds.ours ?? [],
				theirs: speeds[name] ?? [],
				over: "ours",
				target: "≥ 8 × the fastest",
			});
	}
	const folder = mkdtempSync(path.join(tmpdir(), "tamp-tokens-"));
	for (const [kind, text] of Object.entries(texts)) {
		const file = path.join(folder, "text");
		writeFileSync(file, text.toWellFormed());
		const { stdout } = spawnSync(
			"go",
			["test", "-run", "^$", "-bench", "^BenchmarkOnce$", "-count", `${RUNS}`, "./core/tokens/bpe"],
			{
				cwd: root,
				encoding: "utf8",
				env: { ...process.env, TAMP_TEXT: file },
			},
		);
		const ours = [...stdout.matchAll(/([\d.]+) MB\/s/g)].map(([, speed]) => Number(speed));
		const fastest = rows
			.filter(({ name }) => name.includes(kind))
			.sort((a, b) => median(b.theirs) - median(a.theirs))[0];
		if (fastest) rows.push({ ...fastest, name: `exact o200k of ${kind}, Go, once`, peer: "the fastest above", ours });
	}
	rmSync(folder, { recursive: true });
	return rows;
}

/** The costs of session logs. @returns {Promise<Row[]>} */
async function usage() {
	const source = path.join(corpus, "claude-code");
	const own = /"(requestId|uuid|parentUuid|sessionId|leafUuid|id)":"((?:req_|msg_|[0-9a-f]{8}-)[^"]+)"/g;
	const logs = readdirSync(source)
		.filter((name) => name.endsWith(".jsonl"))
		.map((name) => ({ name, text: readFileSync(path.join(source, name), "utf8") }));
	/** @type {Row[]} */
	const rows = [];
	for (const size of [78e6, 1e9]) {
		const folder = mkdtempSync(path.join(tmpdir(), "tamp-usage-"));
		try {
			const project = path.join(folder, "projects", "project");
			mkdirSync(project, { recursive: true });
			let bytes = 0;
			for (let copy = 0; bytes < size; copy++) {
				for (const { name, text } of logs) {
					const other = text.replace(own, `"$1":"$2-${copy}"`);
					writeFileSync(path.join(project, `${copy}-${name}`), other);
					bytes += Buffer.byteLength(other);
				}
			}
			const env = { ...process.env, CLAUDE_CONFIG_DIR: folder, TAMP_PROGRAM: path.join(root, ".build/server") };
			const run = (/** @type {string} */ file, /** @type {string[]} */ args) => {
				const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
					env,
					encoding: "utf8",
					maxBuffer: 2 ** 28,
				});
				if (status !== 0) throw new Error(`${file}: ${stderr}`);
				return stdout;
			};
			const tamp = (/** @type {string[]} */ ...args) =>
				run(fileURLToPath(new URL("../cli.js", import.meta.url)), ["usage", folder, ...args]);
			const ccusage = (/** @type {string[]} */ ...args) =>
				run(path.join(peers, "ccusage/src/cli.js"), ["claude", "daily", "--offline", ...args]);
			tamp();
			ccusage(); // both have read the files
			const [ours = [], theirs = []] = await inTurns([async () => time(tamp), async () => time(ccusage)]);
			const used = JSON.parse(tamp("--json"));
			const cost = (used.cost + used.subagents.cost + used.branches.cost) / 1e6;
			const other = JSON.parse(ccusage("--json")).totals.totalCost;
			rows.push({
				name: `tamp usage of ${Math.round(bytes / MB)} MB`,
				unit: "ms",
				peer: "ccusage 20.0.24",
				ours,
				theirs,
				over: "ours",
				target: size > 500e6 ? "≤ 1.0" : "≤ 1.2",
				// It counts an answer in several lines without a requestId once a line: 85 of the 746 lines of the corpus.
				note: `totals: $${cost.toFixed(2)} and $${other.toFixed(2)}`,
			});
		} finally {
			rmSync(folder, { recursive: true });
		}
	}
	return rows;
}

/** Processor time of a compaction whose first prompt has a megabyte of rules, or of prose. @returns {Promise<Row[]>} */
async function prompts() {
	const rule = (/** @type {number} */ i) =>
		`- Never call service_${i} from package p${i % 97} before the lock of table_${i % 31} is held; always return error E${i}.`;
	const sentence = (/** @type {number} */ i) =>
		`The ${["river", "garden", "harbour", "market"][i % 4]} was quiet on day ${i}, and people walked along it as they did before.`;
	/** @param {(i: number) => string} line */
	const of = async (line) => {
		const lines = [];
		for (let i = 0, size = 0; size < MB; i++) size += lines[lines.push(line(i)) - 1]?.length ?? 0;
		const messages = [{ role: "user", content: lines.join("\n") }];
		for (let i = 0; i < 20; i++)
			messages.push(
				{ role: "assistant", content: `Done with part ${i}.` },
				{ role: "user", content: `Go on with ${i}.` },
			);
		messages.push({ role: "assistant", content: "All is done." });
		const conversation = new TextEncoder().encode(JSON.stringify(messages));
		const { engine } = await watched();
		return cpu(() => compact(engine, conversation, "balanced")) / 1000 / (conversation.length / MB);
	};
	const [ours = [], theirs = []] = await inTurns([() => of(rule), () => of(sentence)]);
	const unit = "s/MB";
	return [{ name: "a prompt of rules, CPU", unit, peer: "one of prose", ours, theirs, over: "ours", target: "≤ .3 s" }];
}

/** The groups of rows, by what their names begin with. */
const groups = { gateway, balanced: compactions, exact: tokens, usage, prompt: prompts };

/** All rows, or those of one group. @param {string} [only] @returns {AsyncGenerator<Row>} */
export async function* measured(only = "") {
	if (!existsSync(path.join(corpus, "texts"))) throw new Error("there are no recorded sessions: set TAMP_CORPUS");
	for (const [name, measure] of Object.entries(groups)) if (name.includes(only)) yield* await measure();
}

/** The ratio of a row, of medians or of minima. @param {Row} row @param {(all: number[]) => number} of */
export const ratioOf = (row, of = median) =>
	row.over === "ours" ? of(row.ours) / of(row.theirs) : of(row.theirs) / of(row.ours);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const few = (/** @type {number} */ n) => (n < 10 ? n.toFixed(2) : n < 100 ? n.toFixed(1) : n.toFixed(0));
	const least = (/** @type {number[]} */ all) => Math.min(...all);
	/** @param {string[]} cells */
	const print = (cells) =>
		console.log(
			cells
				.map((cell, i) =>
					[0, 4, 9, 10].includes(i) ? cell.padEnd([54, 0, 0, 0, 28, 0, 0, 0, 0, 20, 0][i] ?? 0) : cell.padStart(9),
				)
				.join(" "),
		);
	console.log(`${availableParallelism()} processors, load ${(loadavg()[0] ?? 0).toFixed(1)}, ${RUNS} runs`);
	print(["", "unit", "min", "median", "  peer", "min", "median", "ratio", "of min", "  target", ""]);
	for await (const row of measured(process.argv[2])) {
		const { name, unit, peer, ours, theirs, target, note = "" } = row;
		const figures = [few(least(theirs)), few(median(theirs)), few(ratioOf(row)), few(ratioOf(row, least))];
		print([name, unit, few(least(ours)), few(median(ours)), `  ${peer}`, ...figures, `  ${target}`, note]);
	}
	console.log("llmtrim: npm has no package of this name");
}
