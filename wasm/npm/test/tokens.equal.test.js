// This file compares Tamp's exact counts, as wasm, with the published tokenizers of npm: tiktoken (Rust as wasm) and
// js-tiktoken.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { before, test } from "node:test";
import { load } from "../index.js";
import { some } from "./few.js";
import { root } from "./support.js";

const require = createRequire(path.join(root, "web/package.json"));
const rust = /** @type {typeof import("../../../web/node_modules/tiktoken/tiktoken.js")} */ (require("tiktoken"));
const { Tiktoken } = /** @type {typeof import("../../../web/node_modules/js-tiktoken/dist/lite.js")} */ (
	require("js-tiktoken/lite")
);

const names = /** @type {const} */ (["o200k_base", "cl100k_base"]);

/** @type {import("../index.js").Engine} */
let engine;

before(async () => {
	engine = await load();
	for (const name of names) {
		engine.loadVocabulary(name, readFileSync(new URL(`../vocab/${name}.bin`, import.meta.url)));
	}
});

/** @type {Record<typeof names[number], Record<string, (text: string) => number>>} */
const references = { o200k_base: {}, cl100k_base: {} };
for (const name of names) {
	const fast = rust.get_encoding(name);
	const plain = new Tiktoken(require(`js-tiktoken/ranks/${name}`));
	references[name] = {
		tiktoken: (text) => fast.encode_ordinary(text).length,
		"js-tiktoken": (text) => plain.encode(text, [], []).length,
	};
}

/**
 * Counts text with all tokenizers and compares the counts.
 * @param {string} text
 * @param {string} where
 * @param {(reference: string) => boolean} [fair]
 */
function compare(text, where, fair = () => true) {
	for (const name of names) {
		const counters = references[name];
		const ours = engine.countText(text, name);
		for (const [reference, count] of Object.entries(counters)) {
			if (!fair(reference)) continue;
			const theirs = count(text);
			if (ours !== theirs)
				assert.fail(`${where}: ${name} ${ours}, ${reference} ${theirs}: ${JSON.stringify(text.slice(0, 200))}`);
		}
	}
}

/**
 * Compares the whole text and each line, so that two errors cannot compensate each other.
 * @param {string} text
 * @param {string} where
 */
function compareLines(text, where) {
	compare(text, where);
	for (const [i, line] of text.split("\n").entries()) compare(line, `${where}, line ${i + 1}`);
}

const written = path.join(root, "core/internal/convtest/texts/testdata");
for (const file of readdirSync(written)) {
	test(`${path.parse(file).name}, as written here`, () =>
		compareLines(readFileSync(path.join(written, file), "utf8"), file));
}

test("more languages", () => {
	for (const text of [
		"Où est passé l'été ? Il n'y a qu'à demander à la concierge, qui l'a sûrement vu s'en aller.",
		"आज मौसम बहुत अच्छा है, चलो बाहर घूमने चलते हैं। क्या तुम साथ आओगे?",
		"วันนี้อากาศดีมาก เราไปเดินเล่นที่สวนสาธารณะกันเถอะ",
		"Hôm nay trời đẹp quá, chúng ta ra công viên dạo một vòng nhé.",
		"Bugün hava çok güzel; İstanbul'da ışıl ışıl bir gün.",
		"היום מזג האוויר נהדר, בוא נצא לטייל בגן.",
		"Σήμερα ο καιρός είναι υπέροχος· πάμε μια βόλτα στο πάρκο;",
		"დღეს კარგი ამინდია, წავიდეთ პარკში.",
		"Tá an aimsir go hálainn inniu, nach bhfuil? ﬁne ① ½ ™ … ｆｕｌｌ　ｗｉｄｔｈ ﾊﾝｶｸ ㍿",
		"👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪 x⃗ e\u0301 \u1100\u1161\u11a8",
	])
		compareLines(text, "a sentence");
});

test("conversations and texts of the corpus", () => {
	const corpus = process.env.TAMP_CORPUS ?? path.join(root, "../shared/data");
	let bytes = 0;
	for (const folder of ["texts", "anthropic", "openai-chat", "claude-code", "gemini"]) {
		let names;
		try {
			names = readdirSync(path.join(corpus, folder));
		} catch {
			console.log(`no ${folder} in the corpus: set TAMP_CORPUS`);
			continue;
		}
		for (const name of some(names, 6)) {
			// A window of each that moves from file to file: js-tiktoken takes the square of a long piece's length.
			const raw = readFileSync(path.join(corpus, folder, name), "utf8");
			const at = Math.floor(((raw.length - 12_000) * (bytes % 7)) / 6);
			const text = raw.slice(Math.max(0, at), Math.max(0, at) + 12_000).toWellFormed();
			compare(text, `${folder}/${name}`);
			compare(text.replaceAll("\\n", "\n").replaceAll('\\"', '"'), `${folder}/${name}, unescaped`);
			bytes += text.length;
		}
	}
	console.log(`${bytes} characters of the corpus, each counted four times`);
});

/** A deterministic generator of numbers below n. */
let state = 11;
/** @param {number} n */
const below = (n) => {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 2 ** 32) * n);
};

// Blocks without unassigned characters, so that every version of Unicode defines all of them.
const blocks = [
	[0x20, 0x7e],
	[0x41, 0x5a],
	[0x61, 0x7a],
	[0xa0, 0xff],
	[0x100, 0x17e],
	[0x1c4, 0x1cc],
	[0x2b0, 0x2c1],
	[0x300, 0x36f],
	[0x3b1, 0x3c9],
	[0x410, 0x44f],
	[0x5d0, 0x5ea],
	[0x621, 0x64a],
	[0x660, 0x669],
	[0x905, 0x939],
	[0xe01, 0xe2e],
	[0x1100, 0x11ff],
	[0x1e00, 0x1eff],
	[0x2000, 0x200a],
	[0x2010, 0x2029],
	[0x20d0, 0x20dc],
	[0x2150, 0x2188],
	[0x2190, 0x21ff],
	[0x2460, 0x24ff],
	[0x3000, 0x3020],
	[0x3041, 0x3096],
	[0x3131, 0x3163],
	[0x3300, 0x33ff],
	[0x4e00, 0x9fa5],
	[0xac00, 0xd7a3],
	[0xf900, 0xfa0d],
	[0xff01, 0xffbe],
	[0x1d400, 0x1d454],
	[0x1f300, 0x1f64f],
	[0x20000, 0x20100],
];
const named = [
	"'s",
	"'S",
	"'RE",
	"'ll",
	"'",
	" ",
	"    ",
	"\n",
	"\r\n",
	"\n\n\t",
	"/",
	"123",
	"the",
	" The",
	"HTTP",
	"e\u0301",
	"<|endoftext|>",
	"==",
	"\0",
];

test("texts made of every kind of character", () => {
	for (let i = 0; i < 3000; i++) {
		let text = "";
		for (let n = below(12); n >= 0; n--) {
			const block = blocks[below(blocks.length * 2)];
			if (!block) text += named[below(named.length)];
			else
				for (let k = below(4); k >= 0; k--)
					text += String.fromCodePoint((block[0] ?? 0) + below((block[1] ?? 0) - (block[0] ?? 0) + 1));
		}
		compare(text, `text ${i}`);
	}
});

test("lone surrogates, and the differences of JavaScript's white space", () => {
	for (const text of ["a\ud800b", "\udc00\udc00 x", "x\ud83d"]) compare(text, "half a pair");
	// In JavaScript U+FEFF is white space and U+0085 is not; js-tiktoken uses that, tiktoken and Tamp use Unicode.
	for (const text of ["\ufeffimport x", "a \ufeff b", "a\u0085b \u0085 c"])
		compare(text, "white space", (reference) => reference !== "js-tiktoken");
});

test("the time for a run of one character is linear", () => {
	// With the square of it, these would take hours: core/tokens/bpe counts the steps.
	for (const unit of ["a", " ", "😀"]) {
		for (const name of names) {
			const [short, long] = [2 ** 14, 2 ** 18].map((n) => engine.countText(unit.repeat(n / unit.length), name));
			assert.ok(
				short && long && Math.abs(long / short - 16) < 1,
				`${JSON.stringify(unit)}: ${short} tokens, then ${long}`,
			);
		}
	}
});

test("an unknown vocabulary is refused by name", () => {
	const good = readFileSync(new URL("../vocab/cl100k_base.bin", import.meta.url));
	const altered = Uint8Array.from(good);
	altered.fill(0, 5000, 5008);
	for (const [bytes, why] of /** @type {[Uint8Array, RegExp][]} */ ([
		[new Uint8Array(0), /this is not a packed vocabulary/],
		[new TextEncoder().encode("<!doctype html><title>Not found</title>"), /this is not a packed vocabulary/],
		[good.subarray(0, 9000), /should have \d+ bytes, it has 9000/],
		[altered, /checksum/],
	]))
		assert.throws(() => engine.loadVocabulary("cl100k_base", bytes), why);
	assert.equal(engine.countText("Hello, world!", "cl100k_base"), 4, "the one that was loaded before still counts");
});
