// This file measures the engine as wasm in Node, for the table of bench.mjs and the rows of history.csv.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { generated, recorded } from "./conversation.mjs";
import { watched } from "./watched.mjs";

export const MB = 1e6;
const SIZE = 4 * MB;
const RUNS = 9;
const PARTS = 7;

/** @param {number[]} times */
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1] ?? NaN;

/**
 * @param {number} runs
 * @param {() => void} work
 */
function time(runs, work) {
	return median(
		Array.from({ length: runs }, () => {
			const began = performance.now();
			work();
			return performance.now() - began;
		}),
	);
}

/** Milliseconds from the import to the first answer, each in a new process. */
export function firstAnswer() {
	const script = `
    const began = performance.now();
    const { load } = await import(${JSON.stringify(new URL("../index.js", import.meta.url).href)});
    (await load()).detect({ conversation: [{ role: "user", content: "Hello" }] });
    console.log(performance.now() - began);`;
	return median(
		Array.from({ length: 5 }, () =>
			Number(spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).stdout),
		),
	);
}

/** The conversations that are measured; undefined without a corpus. @returns {Record<string, string | undefined>} */
export function conversations() {
	return { generated: generated(SIZE), recorded: recorded(process.env.TAMP_CORPUS, SIZE) };
}

/**
 * Speeds are MB of UTF-8 a second, times ms, heaps bytes.
 * @param {string} text a conversation
 */
export async function measure(text) {
	const conversation = new TextEncoder().encode(text);
	const { engine, memory } = await watched();
	const input = { conversation, preset: "s06" };
	const both = () => {
		engine.apply({ ...input, plan: engine.plan(input), results: [] });
	};
	both();
	const heapOnce = memory();
	const planApply = time(RUNS, both);
	const heap = memory();
	const whole = { conversation, preset: "balanced", force: true };
	const steps = { plan: 0, summarize: 0, apply: 0 };
	const balanced = time(3, () => {
		/** @type {import("../index.js").Plan} */
		let plan;
		/** @type {import("../index.js").SummaryResult[]} */
		let results;
		steps.plan = time(1, () => {
			plan = engine.plan(whole);
		});
		steps.summarize = time(1, () => {
			results = engine.summarize({ ...whole, plan });
		});
		steps.apply = time(1, () => {
			engine.apply({ ...whole, plan, results });
		});
	});
	const tokens = engine.count(input).total;
	const estimate = conversation.length / MB / (time(RUNS, () => engine.countText(conversation)) / 1000);
	engine.loadVocabulary("o200k_base", readFileSync(new URL("../vocab/o200k_base.bin", import.meta.url)));
	const exact = exactSpeed((part) => engine.countText(part, "o200k_base"), conversation);
	return { bytes: conversation.length, tokens, planApply, balanced, steps, estimate, exact, heapOnce, heap };
}

/**
 * The median over parts, each counted once: the counter keeps pieces, so a second time would measure its cache. The
 * first part is a warm-up.
 * @param {(part: Uint8Array) => number} count
 * @param {Uint8Array} all
 */
function exactSpeed(count, all) {
	const size = Math.ceil(all.length / (PARTS + 1));
	const [, ...times] = Array.from({ length: PARTS + 1 }, (_, i) =>
		time(1, () => {
			count(all.subarray(i * size, (i + 1) * size));
		}),
	);
	return size / MB / (median(times) / 1000);
}
