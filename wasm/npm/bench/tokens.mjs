// This file compares Tamp's token counters with those of other npm packages, on the same texts in one run, and prints
// three tables: node wasm/npm/bench/tokens.mjs
//
// Speed: megabytes of UTF-8 a second. In the first table each text is counted once, after a warm-up with other texts:
// all of these counters cache pieces. The second table measures the caches: each text of the real sessions is counted
// again and again, as a host does on each turn. Error: the deviation from o200k_base.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { load } from "../index.js";
import { generated, recorded } from "./conversation.mjs";

const root = new URL("../../..", import.meta.url).pathname;
const require = createRequire(path.join(root, "web/package.json"));
const MB = 1e6;
const SIZE = 1_000_000;
const PARTS = 7;

const engine = await load();
for (const name of /** @type {const} */ (["o200k_base", "cl100k_base"])) {
	const bytes = readFileSync(new URL(`../vocab/${name}.bin`, import.meta.url));
	const times = [1, 2, 3].map(() => {
		const began = performance.now();
		engine.loadVocabulary(name, bytes);
		return performance.now() - began;
	});
	console.log(
		`load ${name}: ${times[0]?.toFixed(0)} ms the first time, then ${Math.min(...times).toFixed(0)} ms (limit 30)`,
	);
}

const { Tiktoken } = /** @type {typeof import("../../../web/node_modules/js-tiktoken/dist/lite.js")} */ (
	require("js-tiktoken/lite")
);
const { Tokenizer } = /** @type {typeof import("../../../web/node_modules/ai-tokenizer/dist/index.js")} */ (
	require("ai-tokenizer")
);
const plain = new Tiktoken(require("js-tiktoken/ranks/o200k_base"));
const ai = new Tokenizer(require("ai-tokenizer/encoding/o200k_base"));
const tiktoken = /** @type {typeof import("../../../web/node_modules/tiktoken/tiktoken.js")} */ (require("tiktoken"));
const rust = tiktoken.get_encoding("o200k_base");
const gpt = await import(
	new URL("../../../web/node_modules/gpt-tokenizer/esm/encoding/o200k_base.js", import.meta.url).href
);
const tokenx = await import(new URL("../../../web/node_modules/tokenx/dist/index.mjs", import.meta.url).href);

const ours = "tamp o200k_base";
const estimate = "tamp estimate";
/** @type {Record<string, (text: string) => number>} */
const exact = {
	[ours]: (text) => engine.countText(text, "o200k_base"),
	"gpt-tokenizer": (text) => gpt.countTokens(text, { disallowedSpecial: new Set() }),
	"ai-tokenizer": (text) => ai.count(text),
	"js-tiktoken": (text) => plain.encode(text, [], []).length,
	tiktoken: (text) => rust.encode_ordinary(text).length,
};
/** @type {Record<string, (text: string) => number>} */
const estimates = {
	[estimate]: (text) => engine.countText(text, "estimate"),
	tokenx: (text) => tokenx.estimateTokenCount(text),
};

/** @type {Record<string, string>} */
const texts = {};
/** @type {Record<string, string>} */
const classes = {};
/** @param {string} folder @param {string} [ending] */
const files = (folder, ending = "") =>
	readdirSync(folder)
		.filter((file) => file.endsWith(ending))
		.map((file) => /** @type {const} */ ([path.parse(file).name, readFileSync(path.join(folder, file), "utf8")]));
for (const [name, text] of files(path.join(root, "core/internal/convtest/texts/testdata"))) classes[name] = text;
// The texts in a session's messages, and a session as it is sent.
/** @param {string | undefined} json */
const stringsOf = (json) => {
	/** @type {string[]} */
	const list = [];
	JSON.parse(json ?? "[]", (key, value) => {
		if (typeof value === "string" && value.length > 40 && key !== "data") list.push(value); // data: images
		return value;
	});
	return list;
};
texts["nine languages"] = Object.values(classes).join("\n");
texts["generated session"] = stringsOf(generated(SIZE)).join("\n"); // of 150 words, which are soon in every cache of pieces
texts["generated JSON"] = generated(SIZE).slice(0, SIZE);
const corpus = process.env.TAMP_CORPUS ?? path.join(root, "../shared/data");
const session = recorded(corpus, 2 * SIZE);
if (session === undefined) console.log("no corpus, so no recorded session: set TAMP_CORPUS");
else {
	texts["real sessions"] = stringsOf(recorded(corpus, Infinity)).join("\n"); // the main row for the ratios
	texts["one as JSON"] = session.slice(SIZE, 2 * SIZE);
	const readmes = files(path.join(corpus, "texts"), ".md");
	texts["eight READMEs"] = readmes.map(([, text]) => text).join("\n");
	for (const [name, text] of readmes) classes[name.replace(/^.*\./, "README.")] = text;
}

/**
 * The median over parts of a text that were not counted before.
 * @param {(text: string) => number} count
 * @param {string} text
 */
function speed(count, text) {
	const size = Math.ceil(text.length / PARTS);
	const speeds = Array.from({ length: PARTS }, (_, i) => {
		const part = text.slice(i * size, (i + 1) * size).toWellFormed();
		const began = performance.now();
		count(part);
		return Buffer.byteLength(part) / MB / ((performance.now() - began) / 1000);
	});
	return speeds.sort((a, b) => a - b)[PARTS >> 1] ?? NaN;
}

/**
 * The median times of counting texts again, in seconds. The counters take turns, so that other work on the machine slows
 * all of them.
 * @param {((text: string) => number)[]} counts
 * @param {string[]} list
 */
function repeated(counts, list) {
	const times = counts.map(() => /** @type {number[]} */ ([]));
	for (let i = 0; i < 2 + 2 * PARTS; i++) {
		for (const [c, count] of counts.entries()) {
			const began = performance.now();
			for (const text of list) count(text);
			times[c]?.push((performance.now() - began) / 1000);
		}
	}
	return times.map((all) => all.slice(2).sort((a, b) => a - b)[PARTS] ?? NaN); // without the first two, the warm-up
}

const counters = { ...exact, ...estimates };
const columns = Object.keys(counters);
/** @param {string} first @param {string[]} cells */
const row = (first, cells) => console.log(first.padEnd(18) + cells.map((cell) => cell.padStart(16)).join(""));

// Warm-up texts in the same scripts but with other pieces: Go files of this project, and the texts of all languages
// reversed.
const backwards = Object.values(classes).map((text) => [...text].reverse().join("").toWellFormed());
const warming = files(path.join(root, "core/tokens"), ".go")
	.map(([, text]) => text)
	.concat(backwards)
	.join("\n");
for (const count of Object.values(counters)) for (let i = 0; i < 20; i++) count(warming);

console.log("\nspeed, MB/s");
row("", [...columns, "× fastest exact", "estimate × ours", "× tokenx"]);
for (const [name, text] of Object.entries(texts)) {
	const speeds = Object.fromEntries(Object.entries(counters).map(([counter, count]) => [counter, speed(count, text)]));
	const others = Object.keys(exact)
		.filter((counter) => counter !== ours)
		.map((counter) => speeds[counter] ?? 0);
	row(name, [
		...columns.map((counter) => (speeds[counter] ?? 0).toFixed(1)),
		...[
			(speeds[ours] ?? 0) / Math.max(...others),
			(speeds[estimate] ?? 0) / (speeds[ours] ?? 1),
			(speeds[estimate] ?? 0) / (speeds.tokenx ?? 1),
		].map((times) => times.toFixed(1)),
	]);
}

if (session !== undefined) {
	console.log("\nspeed on texts that were counted before, MB/s");
	row("", [...Object.keys(exact), "× fastest exact"]);
	const list = stringsOf(session).map((text) => text.toWellFormed());
	/** @type {Record<string, string[]>} */
	const again = { "each block": list, "one text": [list.join("\n")] };
	for (const [name, repeats] of Object.entries(again)) {
		const bytes = repeats.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
		const [own = NaN, ...others] = repeated(Object.values(exact), repeats).map((seconds) => bytes / MB / seconds);
		row(name, [...[own, ...others, own / Math.max(...others)].map((figure) => figure.toFixed(1))]);
	}
}

console.log("\nerror against tiktoken's o200k_base, permille");
row("", [...columns.filter((counter) => counter !== "tiktoken"), "tokens"]);
// Mixtures of languages are left out, since errors of one language compensate those of another.
const mixtures = ["nine languages", "eight READMEs"];
for (const [name, text] of Object.entries({ ...classes, ...texts })) {
	if (mixtures.includes(name)) continue;
	const right = rust.encode_ordinary(text.toWellFormed()).length;
	const wrong = Object.entries(counters)
		.filter(([counter]) => counter !== "tiktoken")
		.map(([, count]) => ((count(text.toWellFormed()) - right) / right) * 1000);
	row(name, [...wrong.map((permille) => permille.toFixed(permille === 0 ? 0 : 1)), String(right)]);
}
