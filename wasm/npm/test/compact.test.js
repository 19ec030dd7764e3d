// This file runs the whole loop with every kind of host: good ones, failing ones, slow ones, and none at all.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { compact, load, loadInWorker, TampError } from "../index.js";
import { anthropic, log, openai } from "./support.js";

/** @typedef {import("../index.js").Host} Host */
/** @typedef {import("../index.js").Progress} Progress */

const engine = await load();
const remote = await loadInWorker();
after(() => remote.terminate());

/** A host that keeps no originals and reports no warnings: these tests compact the same conversations again and again. */
const lost = { save: /** @type {const} */ ("discard"), onWarning: () => {} };

/** Questions and long answers: messages that only a summary can make smaller. */
function talk(rounds = 40) {
	/** @type {any[]} */
	const messages = [];
	for (let i = 0; i < rounds; i++) {
		messages.push(
			{ role: "user", content: `Look at core/part${i}.go, line ${i + 10}. Do not change its tests.` },
			{
				role: "assistant",
				content: `I read core/part${i}.go: parseNumber${i} returns early on port ${8000 + i}. `.repeat(12),
			},
		);
	}
	return messages;
}

/** Five chunks of eight messages; the last one stays: four requests, and one more to merge their answers. */
const hierarchical = {
	preset: "hierarchical",
	force: true,
	policy: { summary: { chunkMessages: 8, maxTokens: 200, mergeTokens: 150 } },
};
const chunks = () => ({ conversation: talk(20), ...hierarchical });

const valid = (/** @type {unknown} */ conversation) =>
	assert.deepEqual(
		engine.check({ conversation }).problems.filter(({ severity }) => severity === "error"),
		[],
	);

test("without a model the extractive summarizer answers, in every format and every shape of input", async () => {
	for (const preset of engine.presets().map(({ name }) => name)) {
		for (const conversation of [
			talk(),
			anthropic(12),
			openai(12),
			log(12),
			JSON.stringify(talk()),
			new TextEncoder().encode(log(12)),
		]) {
			const outcome = await compact(engine, { conversation, preset, force: true }, lost);
			const asText = typeof conversation === "string" || conversation instanceof Uint8Array;
			assert.equal(typeof outcome.conversation, asText ? "string" : "object");
			assert.ok(outcome.after <= outcome.before, preset);
			assert.equal(outcome.next, undefined);
			valid(outcome.conversation);
		}
	}
	const outcome = await compact(engine, { conversation: talk(), preset: "s06", force: true }, lost);
	assert.ok(outcome.after < outcome.before / 3, `${outcome.before} -> ${outcome.after}`);
	assert.match(JSON.stringify(outcome.conversation), /core\/part\d+\.go/);
	assert.ok((outcome.quality?.kept ?? 0) > 0);
});

test("nothing to do is done at once: no save, no call", async () => {
	const never = () => assert.fail("not called");
	const conversation = [{ role: "user", content: "Hello" }];
	const outcome = await compact(engine, { conversation, preset: "balanced" }, { save: never, summarize: never });
	assert.deepEqual(outcome.conversation, conversation);
});

test("rounds continue until there is no next plan: progress in order, every archive saved before its apply", async () => {
	/** @type {string[]} */
	const story = [];
	/** @type {Progress[]} */
	const steps = [];
	/** @type {Host} */
	const host = {
		concurrency: 1,
		save: async (jsonl) => void story.push(`save ${jsonl.trimEnd().split("\n").length}`),
		summarize: async ({ level, user }, signal) => {
			assert.equal(signal.aborted, false);
			story.push(`level ${level}`);
			return `What was said of ${/part\d+\.go/.exec(user)}, level ${level}.`;
		},
		onProgress: (step) => void steps.push(step),
	};
	const outcome = await compact(engine, chunks(), host);
	assert.deepEqual(story, ["save 32", "level 1", "level 1", "level 1", "level 1", "save 1", "level 2"]);
	assert.deepEqual(
		steps.map((step) => (step.type === "done" ? "done" : `${step.round} ${step.type}`)),
		["1 plan", "1 saved", "1 summary", "1 summary", "1 summary", "1 summary", "2 plan", "2 saved", "2 summary", "done"],
	);
	assert.deepEqual(
		steps.flatMap((step) => (step.type === "summary" ? [`${step.done}/${step.of}`] : [])),
		["1/4", "2/4", "3/4", "4/4", "1/1"],
	);
	assert.match(JSON.stringify(outcome.conversation), /level 2/);
	assert.doesNotMatch(JSON.stringify(outcome.conversation), /level 1/);
	assert.equal(outcome.before, engine.count({ conversation: talk(20) }).total);
	assert.equal(outcome.after, engine.count({ conversation: outcome.conversation }).total);
	assert.equal(outcome.actions.filter(({ kind }) => kind === "summarize").length, 5, "the actions of both rounds");
	assert.deepEqual(outcome.quality, engine.quality({ conversation: talk(20) }, outcome));
	assert.equal(outcome.fates?.length, talk(20).length);
	assert.equal(engine.observe(outcome.state, { input: 1 }).metrics.compactCount, 2);
	valid(outcome.conversation);
});

test("the quality is that of all rounds, also if the last one changes nothing", async () => {
	const outcome = await compact(engine, chunks(), {
		...lost,
		summarize: async ({ level, user }) => {
			if (level === 2) throw Object.assign(new Error("overloaded"), { status: 529 });
			return `What was said of ${/part\d+\.go/.exec(user)}.`;
		},
	});
	assert.match(JSON.stringify(outcome.conversation), /What was said/);
	assert.deepEqual(outcome.quality, engine.quality({ conversation: talk(20) }, outcome));
	assert.equal(outcome.fates?.length, talk(20).length);
});

test("extractive answers are merged, too, also in the worker", async () => {
	const here = await compact(engine, chunks(), lost);
	assert.match(JSON.stringify(here.conversation), /core\/part/);
	assert.deepEqual(await compact(remote, chunks(), lost), here);
	const bytes = new TextEncoder().encode(JSON.stringify(talk(20)));
	assert.deepEqual(
		JSON.parse(
			/** @type {string} */ ((await compact(remote, { ...chunks(), conversation: bytes }, lost)).conversation),
		),
		here.conversation,
	);
	assert.ok(bytes.length > 0, "copied, not moved");
});

test("after any failures the outcome is valid, and everything that was removed is saved", async () => {
	const { requests } = engine.plan(chunks());
	assert.equal(requests.length, 4);
	for (let fails = 0; fails < 1 << requests.length; fails++) {
		let saved = "";
		/** @type {Array<string | undefined>} */
		const errors = [];
		const outcome = await compact(engine, chunks(), {
			save: async (jsonl) => {
				saved += jsonl;
			},
			summarize: async ({ id, level }) => {
				const at = requests.findIndex((request) => request.id === id);
				if (level === 1 && fails & (1 << at)) throw new Error(`no answer to ${at}`);
				return `Summary ${at}.`;
			},
			onProgress: (step) => step.type === "summary" && errors.push(step.result.err),
		});
		const failed = [...requests.keys()].filter((at) => fails & (1 << at));
		assert.deepEqual(
			errors.filter(Boolean).sort(),
			failed.map((at) => `no answer to ${at}`),
		);
		valid(outcome.conversation);
		assert.ok(outcome.after <= outcome.before);
		const left = JSON.stringify(outcome.conversation) + saved;
		for (let i = 0; i < 20; i++)
			assert.ok(left.includes(`core/part${i}.go, line`), `${fails}: question ${i} is here or saved`);
	}
});

test("answers that are no summaries are failed answers, values that are no strings a mistake", async () => {
	const input = { conversation: talk(), preset: /** @type {const} */ ("turns"), force: true };
	for (const bad of [
		"",
		" \n",
		"API Error: 529",
		'{"error":{"message":"no"}}',
		"I'm sorry, but I can't help with that.",
		/** @param {{ user: string }} request */ ({ user }) => user.slice(0, 900),
		/** @param {{ user: string }} request */ ({ user }) => JSON.stringify(user),
	]) {
		/** @type {string[]} */
		const codes = [];
		const outcome = await compact(engine, input, {
			...lost,
			onWarning: ({ code }) => void (code === "compacted_again" || codes.push(code)),
			summarize: async (request) => (typeof bad === "string" ? bad : bad(request)),
		});
		assert.ok(
			outcome.actions.some(({ kind }) => kind === "failed"),
			String(bad),
		);
		assert.deepEqual(codes, ["summary_failed"]);
		assert.deepEqual(
			outcome.warnings?.map(({ code }) => code),
			codes,
		);
		assert.match(JSON.stringify(outcome.conversation), /core\/part/, "the built-in summary is used instead");
		valid(outcome.conversation);
	}
	for (const bad of [7, null, undefined, {}, ["text"]]) {
		await assert.rejects(compact(engine, input, { ...lost, summarize: async () => /** @type {any} */ (bad) }), {
			code: "bad_request",
			message: /want a string from summarize, got/,
		});
	}
	const thrown = await compact(
		engine,
		{ conversation: talk(), preset: "turns", force: true },
		{
			...lost,
			summarize: () => {
				throw 5;
			},
		},
	);
	assert.ok(
		thrown.actions.some(({ kind }) => kind === "failed"),
		"also an error before the first promise",
	);
});

test("a save that throws stops everything", async () => {
	const thrown = new Error("disk full");
	const summarize = () => assert.fail("not called");
	const input = chunks();
	await assert.rejects(
		compact(engine, input, { save: () => Promise.reject(thrown), summarize }),
		(caught) => caught === thrown,
	);
	await assert.rejects(
		compact(engine, input, {
			save: () => {
				throw thrown;
			},
			summarize,
		}),
		(caught) => caught === thrown,
	);
	assert.deepEqual(input, chunks());
});

test("save is awaited before any model is called", async () => {
	let saved = false;
	await compact(engine, chunks(), {
		save: async () => {
			saved = false;
			await wait(5);
			saved = true;
		},
		summarize: async () => {
			assert.ok(saved);
			return "Said.";
		},
	});
});

test("concurrency limits the requests in flight", async () => {
	for (const [concurrency, want] of /** @type {const} */ ([
		[undefined, 4],
		[1, 1],
		[3, 3],
		[100, 9],
	])) {
		let running = 0,
			most = 0;
		const host = {
			...lost,
			concurrency,
			summarize: async () => {
				most = Math.max(most, ++running);
				await wait(2);
				running--;
				return "Said.";
			},
		};
		await compact(engine, { ...chunks(), policy: { summary: { chunkMessages: 4, maxTokens: 200 } } }, host);
		assert.equal(most, want, `concurrency ${concurrency}`);
	}
	for (const concurrency of [0, -1, 1.5, NaN])
		await assert.rejects(compact(engine, chunks(), { ...lost, concurrency }), { code: "bad_request" });
});

test("an abort ends it at once, even if summarize ignores the signal", async () => {
	for (const listens of [true, false]) {
		const abort = new AbortController();
		let calls = 0;
		const running = compact(engine, chunks(), {
			...lost,
			signal: abort.signal,
			concurrency: 2,
			summarize: (_, signal) =>
				new Promise((_, reject) => {
					assert.equal(signal, abort.signal);
					if (++calls === 2) setTimeout(() => abort.abort(new Error("enough")), 1);
					if (listens) signal.addEventListener("abort", () => reject(signal.reason));
				}),
		});
		await assert.rejects(running, { message: "enough" });
		await wait(5);
		assert.equal(calls, 2, "no further request");
	}
	await assert.rejects(compact(engine, chunks(), { ...lost, signal: AbortSignal.abort() }), { name: "AbortError" });
	const late = new AbortController();
	await assert.rejects(
		compact(engine, chunks(), {
			signal: late.signal,
			save: async () => late.abort(),
			summarize: () => assert.fail("not called"),
		}),
		{ name: "AbortError" },
	);
	await assert.rejects(
		compact(engine, chunks(), {
			...lost,
			signal: AbortSignal.timeout(1),
			summarize: () => wait(100).then(() => "too late"),
		}),
		{ name: "TimeoutError" },
	);
});

test("what onProgress throws stops the loop", async () => {
	await assert.rejects(
		compact(engine, chunks(), {
			...lost,
			onProgress: ({ type }) => {
				if (type === "summary") throw new RangeError("stop");
			},
			summarize: async () => "x",
		}),
		RangeError,
	);
});

test("errors of the engine are passed on", async () => {
	await assert.rejects(
		compact(engine, { conversation: "{" }, lost),
		(thrown) => thrown instanceof TampError && thrown.code === "bad_json",
	);
	await assert.rejects(compact(remote, { conversation: talk(), preset: "balance" }, lost), {
		code: "bad_policy",
		message: /did you mean balanced/,
	});
});

test("the state is returned, and a second run has nothing to do", async () => {
	for (const preset of ["balanced", "harness", "turns", "hierarchical", "regions", "prune"]) {
		const first = await compact(engine, { conversation: talk(), preset, force: true }, lost);
		assert.notEqual(first.state, "");
		const again = await compact(engine, { conversation: first.conversation, state: first.state, preset }, lost);
		assert.deepEqual(again.conversation, first.conversation, preset);
	}
});
