// This file writes core/models/catalog.go, the table of models, and core/models/testdata/catalog.json, which the test
// compares with it. Usage: node core/models/gen/gen.mjs <folder with the unpacked packages pi-ai and genai-prices>.
//
// The models that a vendor sells today come from the npm package @earendil-works/pi-ai: one file for each provider, of
// which the files of the vendors are read. own.json has the rest: by which rules models count, the minimum of a cached
// prefix, models that the vendors do not sell any more, and windows of models without a price.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , packages] = process.argv;
const here = import.meta.dirname;
const data = join(packages, "pi-ai/dist/providers/data");
const { files: sums, generatedAt } = JSON.parse(readFileSync(join(data, ".manifest.json"), "utf8"));

/** The vendors, in the order in which they win a name that two of them have, and their names in genai-prices. */
const vendors = {
	anthropic: "anthropic",
	openai: "openai",
	google: "google",
	deepseek: "deepseek",
	moonshotai: "moonshotai",
	zai: "zai",
	minimax: "minimax",
	mistral: "mistral",
	xai: "x-ai",
	xiaomi: "xiaomi",
	meta: "meta",
};

/** read returns the models of a provider that have a price. A price of zero is missing or that of a subscription. */
function read(provider) {
	const text = readFileSync(join(data, provider + ".json"));
	if (createHash("sha256").update(text).digest("hex") !== sums[provider + ".json"]) {
		throw new Error(`${provider}.json is not the file of the manifest`);
	}
	return Object.values(JSON.parse(text))
		.flatMap((api) => Object.values(api))
		.filter((m) => m.cost?.input > 0 && m.cost.output > 0);
}

const round = (n) => Math.round(n * 1e6) / 1e6;
const permille = (part, whole) => Math.round((1000 * part) / whole);
const spelled = (id) => id.toLowerCase().replaceAll(/[._]/g, "-");

/** price converts a price in dollars for a million tokens. Without a price of cache reads or writes, that of input holds. */
function price(id, vendor, cost) {
	const p = {
		input: round(cost.input * 1000),
		output: round(cost.output * 1000),
		read: cost.cacheRead > 0 ? permille(cost.cacheRead, cost.input) : 1000,
		write5m: cost.cacheWrite > 0 ? permille(cost.cacheWrite, cost.input) : 1000,
	};
	p.write1h = vendor === "anthropic" ? 2000 : p.write5m; // the package has no price of an hour; Anthropic's is 2 × input
	const [tier, more] = cost.tiers ?? [];
	if (tier) {
		p.long = [tier.inputTokensAbove, permille(tier.input, cost.input), permille(tier.output, cost.output)];
		const same = (long, short) => !short || Math.abs(long * cost.input - short * tier.input) < 1e-9;
		if (more || !same(tier.cacheRead, cost.cacheRead) || !same(tier.cacheWrite, cost.cacheWrite)) {
			throw new Error(`${id}: the table has one tier, and cache prices that are shares of input`);
		}
	}
	if (!Number.isInteger(p.input) || !Number.isInteger(p.output)) throw new Error(`${id}: a fraction of a unit`);
	return p;
}

// openai.json ends the window of some models at the step of the price; azure.json has the model's.
const azure = Object.fromEntries(read("azure").map((m) => [m.id, m.contextWindow]));
const entries = Object.keys(vendors).flatMap((vendor) =>
	read(vendor).map((m) => ({
		vendor,
		id: m.id,
		cost: m.cost,
		window: vendor === "openai" ? Math.max(m.contextWindow, azure[m.id] ?? 0) : m.contextWindow,
	})),
);

// The rows, and the search of find in catalog.go's package.
const rows = new Map();
const begins = (id, name) => id.startsWith(name) && !/^[0-9]/.test(id.slice(name.length));
const longest = (id, all) => all.filter((r) => begins(id, r.name)).sort((a, b) => b.name.length - a.name.length)[0];
const own = JSON.parse(readFileSync(join(here, "own.json"), "utf8"));
const key = (r) => JSON.stringify([r.family, r.window, r.minCacheTokens, r.price]);

for (const { name, family, window, minCacheTokens = 0, generic = false, ...o } of own) {
	const write5m = family.startsWith("Claude") ? 1250 : 1000;
	rows.set(name, {
		name,
		family,
		window,
		minCacheTokens,
		generic,
		like: o.like,
		price: o.input && {
			input: o.input,
			output: o.output,
			read: o.read,
			write5m,
			write1h: family.startsWith("Claude") ? 2000 : 1000,
			...(o.long && { long: o.long }),
		},
	});
}
const made = entries.map((e) => {
	const name = spelled(e.id),
		base = longest(name, own);
	return {
		name,
		family: base?.family ?? "Other",
		window: e.window,
		minCacheTokens: base?.minCacheTokens ?? 0,
		generic: false,
		price: price(e.id, e.vendor, e.cost),
	};
});
// Names with a date or "latest" share the row of the name before it.
const stem = (name) => name.replace(/-(latest|\d{4}-\d\d-\d\d|\d{8}|\d{4})$/, "");
const seen = new Set();
for (const row of made.toSorted((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1))) {
	if (seen.has(row.name)) continue; // the first vendor's
	seen.add(row.name);
	const short = stem(row.name);
	if (short !== row.name && !rows.has(short) && !made.some((r) => r.name === short) && short.includes("-")) {
		const newest = made.find((r) => r.name === short + "-latest") ?? row;
		rows.set(short, { ...newest, name: short });
	}
	const found = longest(row.name, [...rows.values()]);
	if (!found || found.generic || key(found) !== key(row)) rows.set(row.name, row);
}
for (const row of rows.values()) {
	if (row.like) Object.assign(row, { price: rows.get(row.like).price, window: rows.get(row.like).window });
}

// Rows that say what a shorter one says are not needed.
for (const row of [...rows.values()].sort((a, b) => b.name.length - a.name.length)) {
	const shorter = longest(
		row.name,
		[...rows.values()].filter((r) => r !== row),
	);
	if (!row.generic && shorter && !shorter.generic && key(shorter) === key(row)) rows.delete(row.name);
}

const prices = new Map();
for (const row of rows.values()) {
	if (row.price && !prices.has(JSON.stringify(row.price))) prices.set(JSON.stringify(row.price), prices.size + 1);
}
const { version } = JSON.parse(readFileSync(join(packages, "pi-ai/package.json"), "utf8"));
let out = `// Code generated by core/models/gen from @earendil-works/pi-ai@${version} and own.json. DO NOT EDIT.

package models

// prices is the list of prices, each once; 0 is unknown.
var prices = [...]Price{
\t{},
`;
for (const text of prices.keys()) {
	const p = JSON.parse(text);
	out += `\t{${[p.input, p.output, p.read, p.write5m, p.write1h].join(", ")}, Long{${(p.long ?? []).join(", ")}}},\n`;
}
out += `}

// models is searched for the longest name that a model's name begins with.
var models = [...]modelRow{
`;
for (const r of [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
	const least = r.minCacheTokens || "DefaultMinCacheTokens";
	out += `\t{"${r.name}", family${r.family}, ${prices.get(JSON.stringify(r.price)) ?? 0}, ${least}, ${r.window}, ${r.generic}},\n`;
}
writeFileSync(join(here, "../catalog.go"), out + "}\n");

// The second source. Its own data is behind, so that differences are listed, not taken.
const second = await import(pathToFileURL(join(packages, "genai-prices/dist/index.js")).href);
// Its prices depend on the date and the hour: those of the time of the first source.
const base = (p) => (typeof p === "object" ? p.base : p) ?? 0;
let differ = 0,
	both = 0;
const test = entries.map(({ vendor, id, cost, window }) => {
	const e = {
		vendor,
		id,
		window,
		input: cost.input,
		output: cost.output,
		cacheRead: cost.cacheRead ?? 0,
		cacheWrite: cost.cacheWrite ?? 0,
		tiers: (cost.tiers ?? []).map((t) => ({ above: t.inputTokensAbove, input: t.input, output: t.output })),
	};
	const p = second.calcPrice({ input_tokens: 1 }, id, {
		providerId: vendors[vendor],
		timestamp: new Date(generatedAt),
	})?.model_price;
	if (p) {
		e.second = {
			input: base(p.input_mtok),
			output: base(p.output_mtok),
			cacheRead: base(p.cache_read_mtok),
			cacheWrite: base(p.cache_write_mtok),
			cacheWrite1h: base(p.cache_write_1h_mtok),
		};
		both++;
		const fields = ["input", "output", "cacheRead", "cacheWrite"].filter((f) => e.second[f] && e.second[f] !== e[f]);
		if (fields.length) {
			differ++;
			console.log(
				`${vendor} ${id}: ` + fields.map((f) => `${f} ${e[f]}, in the second source ${e.second[f]}`).join("; "),
			);
		}
	}
	return e;
});
mkdirSync(join(here, "../testdata"), { recursive: true });
writeFileSync(join(here, "../testdata/catalog.json"), "[\n" + test.map((e) => JSON.stringify(e)).join(",\n") + "\n]\n");
console.log(
	`${rows.size} rows, ${prices.size} prices, ${entries.length} models; ${both} in both sources, ${differ} differ`,
);
