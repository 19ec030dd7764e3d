// This file writes wasm/secondary.txt, the list of the functions that are in the secondary module of tamp.wasm: those
// that no call below runs. The calls are what most sessions need: requests of each provider are compacted, at once and
// message by message, and the examples of the page are shown. `make secondary` runs it: node wasm/secondary.mjs TRACED
// LIST, where TRACED is what optimize -trace wrote, and LIST what it printed.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { compact } from "./npm/compact.js";
import { anthropic, log, openai, root } from "./npm/test/support.js";

const FORMATS = ["anthropic", "openai-chat", "openai-responses", "gemini"];
/** Larger ones take minutes, and run no other functions. */
const MAX_BYTES = 150_000;

const [traced = "", list = ""] = process.argv.slice(2);
const corpus = process.env.TAMP_CORPUS || path.join(root, "../shared/data");

/** @typedef {import("./npm/index.js").Engine} Engine */
/** @typedef {import("./npm/index.js").Input} Input */

/**
 * An engine of its own.
 * @param {string | URL} wasm
 * @returns {Promise<Engine>}
 */
async function engineOf(wasm) {
	const { entryPoint } = await import("./npm/api.js");
	const source = async () => WebAssembly.compile(readFileSync(wasm));
	return entryPoint({ source, whole: source, compile: source, spawn: [] }).load();
}

/** The text of a file. @param {string} file */
function textOf(file) {
	const bytes = readFileSync(file);
	return String(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
}

/** @param {string} folder @param {RegExp} names */
function textsIn(folder, names) {
	return readdirSync(folder)
		.filter((name) => names.test(name))
		.map((name) => textOf(path.join(folder, name)));
}

/** Runs a call that may fail: some conversations are broken, which users see, too. @param {() => unknown} call */
async function run(call) {
	try {
		return await call();
	} catch {
		return undefined;
	}
}

/** @param {Engine} engine @param {Input} input */
async function show(engine, input) {
	for (const op of /** @type {const} */ (["detect", "check", "count", "inspect", "anchors"])) {
		await run(() => engine[op](input));
	}
	for (const preset of engine.presets()) {
		await run(() => engine.inspect({ ...input, preset: preset.name, force: true }));
	}
}

/** @param {Engine} engine @param {Input} input */
async function compactAll(engine, input) {
	for (const { name: preset } of engine.presets()) {
		for (const window of [8_000, 32_000, 200_000]) {
			const asked = { ...input, preset, policy: { trigger: { window } }, force: true };
			const answer = async () => "The user wants a fix. The cause is in parse.go, line 40.";
			await run(() => compact(engine, asked, { save() {} }));
			const done = /** @type {Input | undefined} */ (
				await run(() => compact(engine, asked, { save() {}, summarize: answer }))
			);
			if (done && window === 32_000) {
				await run(() => engine.quality(input, { conversation: done.conversation }, { statements: true }));
			}
		}
	}
}

/**
 * A session that grows by a message each turn.
 * @param {Engine} engine
 * @param {any[]} messages
 * @param {Input["format"]} [format]
 */
function grow(engine, messages, format) {
	const usages = [
		undefined,
		{ input_tokens: 5_000, output_tokens: 10 },
		{ prompt_tokens: 5_000, completion_tokens: 10 },
	];
	for (const [i, usage] of usages.entries()) {
		const policy = i === 0 ? {} : { trigger: { window: 8_000 * i } };
		const session = engine.session({ conversation: [], policy, ...(format ? { format } : {}) });
		for (const message of messages.slice(0, 60)) {
			const turn = session.turn([message], usage ? { usage } : {});
			if (!turn.due) continue;
			const plan = session.plan();
			session.archive(plan);
			session.apply(plan, session.summarize(plan));
		}
		if (usage) session.observe(usage);
		session.count();
		session.conversation();
		session.close();
	}
}

/** The messages of a request. @param {any} request @returns {any[]} */
const messagesOf = (request) =>
	Array.isArray(request) ? request : (request.messages ?? request.input ?? request.contents);

/** @type {Set<number>} */
const ran = new Set();
const instantiate = WebAssembly.instantiate;
Object.assign(WebAssembly, {
	instantiate(/** @type {WebAssembly.Module} */ module, /** @type {any} */ imports) {
		imports.split.load = (/** @type {number} */ place) => void ran.add(place);
		return instantiate(module, imports);
	},
});
const engine = await engineOf(traced);
engine.presets();
engine.models();
engine.countText("hello");
const requests = [JSON.stringify(anthropic()), JSON.stringify(openai())];
for (const format of FORMATS) requests.push(...textsIn(path.join(corpus, format), /\.json$/));
const small = requests.filter((text) => text.length < MAX_BYTES);
let grown = 0;
for (const conversation of small) {
	await show(engine, { conversation });
	await compactAll(engine, { conversation });
	if (await run(() => grow(engine, messagesOf(JSON.parse(conversation))) ?? true)) grown++;
}
for (const conversation of [log(), ...textsIn(path.join(root, "web/examples"), /^(?!index).*\.(json|jsonl|gz)$/)]) {
	await show(engine, { conversation });
	await compactAll(engine, { conversation });
}

/** @typedef {{ place: number, name: string }} Movable */
/** @type {Movable[]} */
const movable = readFileSync(list, "utf8")
	.trim()
	.split("\n")
	.map((line) => {
		const [place, , name = ""] = line.split(" ");
		return { place: Number(place), name };
	});

/** What runs if Go 1.27 built the program, but not if Go 1.26 did: with both, the primary module has what runs. */
const WITH_GO_1_27 = [
	"internal_runtime_atomic.Casp1",
	"runtime.__timers_.siftDown",
	"runtime.bitCursor.write",
	"runtime.buildGCMask",
	"runtime.getGCMaskOnDemand",
	"runtime.getGCMaskOnDemand.func1",
	"runtime.mapaccess2_fast32",
];
for (const { place, name } of movable) if (WITH_GO_1_27.includes(name)) ran.add(place);

/**
 * The lines for a set of functions: one for each package and each type without a function that ran.
 * @param {Movable[]} functions
 * @param {RegExp[]} groups
 * @returns {string[]}
 */
function lines(functions, [group, ...inner]) {
	const idle = functions.filter(({ place }) => !ran.has(place));
	if (!group) return idle.map(({ name }) => name);
	/** @type {Map<string, Movable[]>} */
	const grouped = new Map();
	for (const f of functions) {
		const prefix = group.exec(f.name)?.[0] ?? "";
		grouped.set(prefix, [...(grouped.get(prefix) ?? []), f]);
	}
	return [...grouped].flatMap(([prefix, members]) =>
		prefix !== "" && members.length > 1 && members.every(({ place }) => !ran.has(place))
			? [`${prefix}*`]
			: lines(members, inner),
	);
}

const found = lines(movable, [/^[^.]+\./, /^[^.]+\.__\w+_\./, /^[^.]+\.\w+\./]).sort();
const text = `# The functions in the secondary module of tamp.wasm (docs/size.md). Written by \`make secondary\`.\n${found.join("\n")}\n`;
writeFileSync(fileURLToPath(new URL("./secondary.txt", import.meta.url)), text);
console.log(
	`${grown} of ${small.length} requests as sessions; ${ran.size} of ${movable.length} functions ran; wasm/secondary.txt has ${found.length} lines`,
);
