// This file writes golden.json: texts and their tokens by the npm package tiktoken, for a test that does not need the package.
// Run it after npm ci in web: node core/tokens/bpe/testdata/golden.mjs

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../../../web/package.json", import.meta.url));
const { get_encoding: encoding } = require("tiktoken");

let state = 7;
const below = (n) => {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 2 ** 32) * n);
};
const pick = (list) => list[below(list.length)];

// Blocks without gaps, so that every version of Unicode knows all of them.
const blocks = [
	[0x20, 0x7e],
	[0x20, 0x7e],
	[0x41, 0x5a],
	[0x61, 0x7a],
	[0x61, 0x7a],
	[0xa0, 0xff],
	[0x100, 0x17f],
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
	[0x2010, 0x2027],
	[0x2070, 0x2071],
	[0x20d0, 0x20dc],
	[0x2150, 0x2188],
	[0x2190, 0x21ff],
	[0x2460, 0x24ff],
	[0x3041, 0x3096],
	[0x3131, 0x3163],
	[0x3300, 0x33ff],
	[0x4e00, 0x9fa5],
	[0x4e00, 0x4e40],
	[0xac00, 0xd7a3],
	[0xac00, 0xac40],
	[0xf900, 0xfa0d],
	[0xfb00, 0xfb06],
	[0xfe20, 0xfe2f],
	[0xff01, 0xffbe],
	[0x1d400, 0x1d454],
	[0x1d7ce, 0x1d7ff],
	[0x1f300, 0x1f64f],
	[0x20000, 0x20100],
	[0x2f800, 0x2fa1d],
];
const named = [
	"'s",
	"'S",
	"'Re",
	"'ll",
	"'",
	" ",
	"   ",
	"\n",
	"\r\n",
	"\n\n  ",
	"\t",
	"/",
	"//\n",
	"123",
	"4567",
	"the",
	" the",
	"The",
	"THE",
	"HTTPServer",
	"e\u0301",
	"\u0301\u0327",
	"o\u0323\u0302",
	"\u1100\u1161\u11a8",
	"\uac00\u11a8",
	"\u200d",
	"<|endoftext|>",
	"<EOT>",
	"==",
	" {\n",
	"ａｂｃ",
	"ﬁ",
	"①",
	"ﷺ",
];

const texts = [""];
for (let i = 0; i < 200; i++) {
	let text = "";
	for (let n = below(14); n >= 0; n--) {
		if (below(3) === 0) text += pick(named);
		else {
			const [low, high] = pick(blocks);
			for (let k = below(4); k >= 0; k--) text += String.fromCodePoint(low + below(high - low + 1));
		}
	}
	texts.push(text);
}

const tokenizers = { o200k_base: encoding("o200k_base"), cl100k_base: encoding("cl100k_base") };
const lines = texts.map((text) => {
	const row = { text };
	for (const [name, tokenizer] of Object.entries(tokenizers)) row[name] = [...tokenizer.encode_ordinary(text)];
	return JSON.stringify(row);
});
writeFileSync(new URL("golden.json", import.meta.url), `[\n${lines.join(",\n")}\n]\n`);
console.log(`${texts.length} texts, ${lines.join("").length} bytes`);
