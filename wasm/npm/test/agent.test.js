// This file runs the agent of examples/ for 40 prompts against a fake provider that refuses the same requests as the
// real one. Then it checks every sent request, with the engine and independently of it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	existsSync,
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import Anthropic from "../../../web/node_modules/@anthropic-ai/sdk/index.mjs";
import { run } from "../examples/agent.mjs";
import { load } from "../index.js";
import { startFake } from "./fake.js";
import { some } from "./few.js";
import { root } from "./support.js";

/** @typedef {import("../index.js").Engine} Engine */
/** @typedef {import("../index.js").Plan} Plan */
/** @typedef {import("../index.js").Outcome} Outcome */

const engine = await load();
const provider = await startFake();
const away = mkdtempSync(path.join(tmpdir(), "tamp-"));
after(async () => {
	await provider.stop();
	rmSync(away, { recursive: true, force: true });
});

const PROMPTS = 40;
/**
 * A window so small that 40 prompts fill it several times.
 * @param {number} size of the window, relative: the same text has fewer tokens in an older model
 */
function limits(size) {
	const window = 40_000 * size;
	const settings = {
		preset: "balanced",
		policy: {
			intake: { maxBytes: 16_000 },
			clear: { minSavings: 10_000 * size },
			pin: { recentTokens: 6_000 * size },
			trigger: { window },
		},
	};
	// hardPermille and softPermille of the preset: above the latter a plan acts where it may.
	return { settings, hard: window * 0.9, limit: window * 0.725 };
}

/** A folder of files with unique lines; every sixth file is so long that its output is cut. */
function files() {
	const folder = mkdtempSync(path.join(away, "folder-"));
	for (let i = 0; i < PROMPTS; i++) {
		const line = (/** @type {number} */ n) =>
			`func part${i}_${n}(port int) error { return listen(port + ${i * 1000 + n}) } // of core/part${i}.go`;
		writeFileSync(
			path.join(folder, `part${i}.go`),
			Array.from({ length: i % 6 === 5 ? 600 : 60 + i * 2 }, (_, n) => line(n)).join("\n"),
		);
	}
	return folder;
}

/** One answer of the model. @param {object[]} calls @param {string} [text] @param {string} [thinking] */
const move = (calls, text = "", thinking = "") => ({ do: "agent", calls, text, thinking });
const read = (/** @type {number} */ i) => ({ tool: "read_file", input: { path: `part${i}.go` } });
const FOCUS = "the port numbers";

/** The model's answers to prompt p. @param {number} p */
function moves(p) {
	const done = move([], `Done with part ${p}.`);
	const thought = `Prompt ${p} is about part${p}.go.`;
	if (p === 14)
		return [move([{ tool: "compact", input: { focus: FOCUS } }, read(p)], "That was enough of that.", thought), done];
	if (p === 20 || p === 37)
		return [
			move([{ tool: "recall", input: { ref: "{ref}" } }], "", thought),
			move([{ tool: "recall", input: { ref: "{ref}", offset: 5000 } }]),
			done,
		];
	if (p === 5) return [{ do: "status", status: 529, retryAfterMs: "1" }, move([read(5)], "", thought), done];
	if (p === 7)
		return [
			move([
				{ tool: "read_file", input: { path: "../outside" } },
				{ tool: "read_file", input: { path: "away/secret" } },
				{ tool: "dig" },
			]),
			done,
		];
	if (p === 26) return [{ do: "status", status: 400, text: "prompt is too long: 60100 tokens > 60000 maximum" }, done];
	if (p % 4 === 0)
		return [
			move([{ tool: "list_files", input: {} }], "I look around.", thought),
			move([read(p)]),
			move([read(p + 1)], "", "On."),
			done,
		];
	if (p % 4 === 1) return [move([read(p), read((p * 7) % PROMPTS)], "", thought), done];
	if (p % 4 === 2)
		return [
			move([read(p)], "I read it.", thought),
			move([{ tool: "write_file", input: { path: `notes${p}.md`, content: `part${p}.go listens.` } }]),
			move([read(p - 1)]),
			done,
		];
	return [move([], `Part ${p} needs no tool.`, thought)];
}

const prompts = Array.from(
	{ length: PROMPTS },
	(_, p) => `Prompt ${p}: look at part${p}.go. Never change port ${8000 + p}.`,
);
prompts.splice(11, 0, "/compact which files were read");
prompts.splice(32, 0, "/compact", "");

/** @param {string} text */
const refOf = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);
// A hash inside the signature of thinking is no reference.
/** @param {unknown} value @returns {string[]} */
const refsIn = (value) => JSON.stringify(value).match(/(?<![\w.-])[0-9a-f]{16}(?!\.?[\w-])/g) ?? [];
/** @param {any} message */
const blocksOf = ({ content }) => (typeof content === "string" ? [{ type: "text", text: content }] : content);

/** Checks the provider's rules on pairs and order, independently of the engine. @param {any[]} messages */
function assertPaired(messages) {
	assert.equal(messages[0].role, "user");
	/** @type {string[]} */
	let open = [];
	const ids = new Set();
	/** @type {any[]} */
	const joined = [];
	for (const message of messages) {
		if (joined.at(-1)?.role === message.role) joined.at(-1).blocks.push(...blocksOf(message));
		else joined.push({ role: message.role, blocks: [...blocksOf(message)] });
	}
	for (const { role, blocks } of joined) {
		assert.ok(
			blocks.length > 0 && blocks.every((/** @type {any} */ block) => block.type !== "text" || block.text),
			"nothing is empty",
		);
		if (role === "user") {
			const results = blocks
				.filter((/** @type {any} */ block) => block.type === "tool_result")
				.map((/** @type {any} */ block) => block.tool_use_id);
			assert.deepEqual(results.toSorted(), open.toSorted(), "each call has its result");
			assert.ok(
				blocks.slice(0, results.length).every((/** @type {any} */ block) => block.type === "tool_result"),
				"results come first",
			);
			open = [];
		} else {
			open = blocks
				.filter((/** @type {any} */ block) => block.type === "tool_use")
				.map((/** @type {any} */ block) => block.id);
			for (const id of open) assert.ok(!ids.has(id) && ids.add(id), "ids are unique");
		}
	}
	assert.deepEqual(open, []);
}

/**
 * The engine, with a record of the first version of each message, of plans and of outcomes. It checks that the
 * originals which an outcome removes are already on disk.
 * @param {string} transcripts
 */
function watched(transcripts) {
	/** @type {Set<string>} */
	const originals = new Set();
	/** @type {Array<{ plan: Plan, focus: string | undefined, outcome: Outcome }>} */
	const done = [];
	/** @type {Array<{ body: any, changed: boolean, waits: boolean, refused: boolean }>} */
	const requests = [];
	/** @type {number[]} what the provider counted */
	const prompts = [];
	let known = 0;
	/** @type {any[]} */
	let asked = [],
		answered = asked;
	let changed = false,
		waits = false;
	/** @type {Engine} */
	const engineToo = {
		...engine,
		plan(input) {
			const { messages } = /** @type {any} */ (input.conversation);
			for (const message of messages.slice(known)) originals.add(JSON.stringify(message));
			known = messages.length;
			if (input.usage)
				assert.deepEqual(
					[messages.slice(0, answered.length), messages[answered.length]?.role],
					[answered, "assistant"],
					"it is of this conversation",
				);
			const plan = engine.plan(input);
			waits = plan.warnings.some(({ code }) => code === "compaction_waits");
			return plan;
		},
		apply(input) {
			if (input.plan.archive.length > 0) {
				const jsonl = engine.archive(input);
				assert.equal(
					readFileSync(path.join(transcripts, `${refOf(jsonl)}.jsonl`), "utf8"),
					jsonl,
					"saved before it is applied",
				);
			}
			const outcome = engine.apply(input);
			done.push({ plan: input.plan, focus: input.focus, outcome });
			changed ||= outcome.quality !== undefined;
			known = /** @type {any} */ (outcome.conversation).messages.length;
			return outcome;
		},
		anchors(input) {
			asked = /** @type {any} */ (input.conversation).messages;
			const anchored = engine.anchors(input);
			requests.push({ body: anchored.conversation, changed, waits, refused: true });
			changed = false;
			return anchored;
		},
		observe(state, usage) {
			const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = /** @type {any} */ (usage);
			Object.assign(requests.at(-1) ?? {}, { refused: false });
			answered = asked;
			prompts.push(input_tokens + cache_read_input_tokens + cache_creation_input_tokens);
			return engine.observe(state, usage);
		},
	};
	return { engine: engineToo, originals, done, requests, prompts };
}

/** The assistant's part of a round of tools that is under way. @param {any[]} messages */
function openRound(messages) {
	const last = messages.findLastIndex(({ role }) => role === "assistant");
	return last > 0 && blocksOf(messages[last]).some((/** @type {any} */ block) => block.type === "tool_use")
		? messages[last]
		: null;
}

/** Every original in the transcripts, by its ref. @param {string} transcripts */
function kept(transcripts) {
	/** @type {Map<string, string>} */
	const all = new Map();
	for (const name of existsSync(transcripts) ? readdirSync(transcripts) : []) {
		const jsonl = readFileSync(path.join(transcripts, name), "utf8");
		assert.equal(name, `${refOf(jsonl)}.jsonl`);
		all.set(refOf(jsonl), jsonl);
		for (const line of jsonl.trimEnd().split("\n")) {
			for (const block of blocksOf(JSON.parse(line))) {
				const text = block.text ?? block.content;
				if (typeof text === "string") all.set(refOf(text), text);
			}
		}
	}
	return all;
}

const MODELS = /** @type {const} */ ([
	["claude-sonnet-5", "", 1],
	["claude-opus-4-5", "enabled", 1],
	["claude-opus-5-5", "adaptive", 1.2],
	["claude-fable-5-2", "adaptive", 1.2],
]);
for (const [model, thinking, size] of some(MODELS, 4, 2)) {
	test(`40 prompts with ${model}, thinking ${thinking || "disabled"}`, async (t) => {
		const folder = files();
		const transcripts = mkdtempSync(path.join(away, "transcripts-"));
		mkdirSync(path.join(away, "secrets"), { recursive: true });
		writeFileSync(path.join(away, "secrets/secret"), "not yours");
		symlinkSync(path.join(away, "secrets"), path.join(folder, "away"));
		const baseURL = await provider.script(model, Array.from({ length: PROMPTS }, (_, p) => moves(p)).flat());
		const watch = watched(transcripts);
		const { settings, hard, limit } = limits(size);
		let said = "";
		const host = {
			client: new Anthropic({ baseURL, apiKey: "key" }),
			engine: watch.engine,
			folder,
			transcripts,
			settings,
			params: {
				model,
				max_tokens: 4096,
				thinking:
					thinking === "enabled"
						? { type: thinking, budget_tokens: 2048 }
						: /** @type {const} */ ({ type: thinking || "disabled" }),
			},
			print: (/** @type {string} */ words) => {
				said += words;
			},
		};
		const today = await run({ ...host, prompts: prompts.slice(0, 25) });
		const session = await run({ ...host, prompts: prompts.slice(25), session: JSON.parse(JSON.stringify(today)) }); // continued from the stored session

		const calls = await provider.calls(model);
		assert.deepEqual(
			calls.flatMap(({ problems }) => problems),
			[],
			"the provider refused nothing",
		);
		const sent = calls.filter(({ body }) => body.tools);
		assert.equal(sent.at(-1)?.step, "agent");
		assert.match(said, /Done with part 38\.Part 39 needs no tool\.$/, "it came to the end of the script");

		// Every request by itself.
		for (const { body } of sent) {
			assertPaired(body.messages);
			assert.deepEqual(engine.check({ conversation: body }).problems, []);
			assert.ok(JSON.stringify(body).split('"cache_control":').length - 1 <= 4);
		}
		const largest = Math.max(...watch.prompts);
		for (const [i, { body, waits }] of watch.requests.filter(({ refused }) => !refused).entries()) {
			// Bound thinking forbids edits before it until its round is over, and a plan waits for summaries that pay; the
			// buffer is for that.
			const bound = thinking === "adaptive" && JSON.stringify(openRound(body.messages)).includes('"thinking"');
			const tokens = watch.prompts[i] ?? Infinity;
			assert.ok(tokens <= (bound || waits ? hard : limit), `request ${i}: ${tokens} tokens`);
		}

		// Compared with the previous request: an append, unless a plan acted in between; bound thinking is never invalid.
		assert.equal(sent.length, watch.requests.length + 1, "the client tried one again");
		assert.equal(watch.requests.filter(({ refused }) => refused).length, 1, "and one was too long");
		for (const [i, { body, changed }] of watch.requests.entries()) {
			if (i === 0) continue;
			const report = engine.checkAppend({ conversation: watch.requests[i - 1]?.body }, { conversation: body });
			assert.deepEqual(
				report.problems.filter(({ severity }) => severity === "error"),
				[],
			);
			if (!changed) assert.deepEqual(report.problems, [], `request ${i}`);
		}

		// All layers have acted.
		const applied = watch.done.filter(({ outcome }) => outcome.quality);
		const edits = (/** @type {string} */ kind) =>
			applied.flatMap(({ plan }) => plan.edits).filter((edit) => edit.kind === kind).length;
		const summaries = applied.filter(({ plan }) => plan.requests.length > 0);
		const bySize = summaries.filter(({ plan }) => plan.trigger.kind !== "manual");
		const byWish = applied.filter(({ plan }) => plan.trigger.kind === "manual");
		const everything = { ...session.body, messages: [...watch.originals].map((original) => JSON.parse(original)) };
		const tokens = (/** @type {any} */ conversation) => engine.count({ conversation }).total;
		const { metrics } = engine.observe(session.state, { input: 1 });
		t.diagnostic(
			`${sent.length} requests and ${calls.length - sent.length} for summaries; ${tokens(everything)} tokens were said, at most ${largest} sent at once, ` +
				`${tokens(session.body)} are left; ${edits("limit_output")} outputs cut, ${edits("clear_result")} cleared, ${summaries.length} times summarized; ` +
				`${metrics.cacheHitRate / 10} % of the prompt tokens read from the cache`,
		);
		assert.ok(edits("limit_output") > 0, "layer 0");
		// Layer 1 has nothing to do where the summaries come before: docs/algorithms.md, section 3.
		assert.ok(bySize.length > 0, "layer 2");
		const wishes = ["which files were read", FOCUS, undefined, undefined];
		assert.ok(byWish.length >= 3, "layer 3: /compact, the model, a request too long");
		assert.deepEqual(
			byWish.map(({ focus }) => focus),
			wishes.slice(0, byWish.length),
			"and /compact, which does nothing just after a compaction by size",
		);
		for (const { plan, focus } of byWish)
			assert.ok(plan.requests.every(({ system }) => !focus || system.includes(focus)));
		// The tools returned results or errors.
		const found = kept(transcripts);
		const blocks = [...watch.originals].flatMap((original) => blocksOf(JSON.parse(original)));
		const used = (/** @type {string} */ name) =>
			blocks
				.filter((block) => block.type === "tool_use" && block.name === name)
				.map(({ id, input }) => ({ input, result: blocks.find((block) => block.tool_use_id === id) }));
		assert.equal(used("recall").length, 4);
		for (const {
			input: { ref, offset = 0 },
			result,
		} of used("recall")) {
			assert.equal(result.is_error, undefined, result.content);
			const { text } = engine.recall(/** @type {string} */ (found.get(ref)), { offset, limit: 5000 });
			assert.ok(text.length > 0);
			assert.ok(result.content.startsWith(`${text}\n[characters ${offset}-`), "page by page");
		}
		assert.deepEqual(
			blocks.filter(({ is_error: failed }) => failed).map(({ content }) => content),
			["../outside is not in the folder", "away/secret is not in the folder", "there is no tool dig"],
		);
		assert.equal(readFileSync(path.join(folder, "notes2.md"), "utf8"), "part2.go listens.");

		// Nothing is lost: every message is in the conversation or in a transcript, and every ref has its original.
		const lines = new Set([...found.values()].flatMap((jsonl) => jsonl.split("\n")));
		const left = new Set(session.body.messages.map((message) => JSON.stringify(message)));
		for (const original of watch.originals)
			assert.ok(left.has(original) || lines.has(original), original.slice(0, 200));
		const refs = new Set(
			watch.requests.flatMap(({ body }) =>
				body.messages.filter((/** @type {any} */ m) => m.role === "user").flatMap(refsIn),
			),
		);
		for (const ref of refs) assert.ok(found.has(ref), ref);

		// The model can reach all originals from the current conversation, with a chain of recalls.
		const reached = new Set(refsIn([session.body.messages, session.reminders]));
		for (const ref of reached) for (const further of refsIn(found.get(ref) ?? "")) reached.add(further); // iteration includes added elements
		const told = [...reached]
			.flatMap((ref) => (found.get(ref) ?? "").split("\n"))
			.filter((line) => line.startsWith('{"role"'));
		const readable = new Set(
			[...left, ...told].flatMap((line) =>
				blocksOf(JSON.parse(line)).map((/** @type {any} */ block) => JSON.stringify(block)),
			),
		);
		for (const block of blocks)
			assert.ok(
				readable.has(JSON.stringify(block)) || reached.has(refOf(block.text ?? block.content)),
				JSON.stringify(block).slice(0, 200),
			);
	});
}

test("the program runs in a project with the two packages", async () => {
	const project = mkdtempSync(path.join(away, "project-"));
	mkdirSync(path.join(project, "node_modules/@anthropic-ai"), { recursive: true });
	const installed = path.join(project, "node_modules/tamp");
	mkdirSync(path.dirname(installed), { recursive: true });
	symlinkSync(path.join(root, "wasm/npm"), installed);
	symlinkSync(
		path.join(root, "web/node_modules/@anthropic-ai/sdk"),
		path.join(project, "node_modules/@anthropic-ai/sdk"),
	);
	for (const name of ["agent.mjs", "tools.mjs"]) {
		copyFileSync(path.join(root, "wasm/npm/examples", name), path.join(project, name));
	}
	const baseURL = await provider.script("program", [
		move([read(0)], "I look."),
		move([], "It listens."),
		{ do: "status", status: 400, text: "no such model" },
		move([], "Better."),
	]);
	const child = spawnSync(process.execPath, ["agent.mjs", files(), "originals"], {
		cwd: project,
		encoding: "utf8",
		input: "What is part0.go?\n/compact the port\nAgain?\nAnd now?\n",
		env: { PATH: process.env.PATH, ANTHROPIC_BASE_URL: baseURL, ANTHROPIC_API_KEY: "key", MODEL: "claude-opus-5" },
	});
	assert.equal(child.status, 0, child.stderr);
	assert.match(child.stdout, /I look\.It listens\..*Better\./s);
	assert.match(child.stderr, /no such model/);
	const calls = await provider.calls("program");
	assert.deepEqual(
		calls.map(({ body, problems }) => [body.model, problems]),
		["opus-5", "opus-5", "haiku-4-5", "opus-5", "opus-5"].map((model) => [`claude-${model}`, []]),
	);
});
