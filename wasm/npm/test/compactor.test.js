// This file compares the compactor with one session of the engine, and checks what happens around it: failures, calls
// at the same time, other histories, breakpoints, and its export.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { compact, compactor, load, loadInWorker } from "../index.js";
import { few, some } from "./few.js";
import { anthropic, openai } from "./support.js";

const engine = await load();
const remote = await loadInWorker();
after(() => remote.terminate());

/** A policy that compacts a small conversation several times. */
const eager = {
	preset: /** @type {const} */ ("s06"),
	policy: { trigger: { tokens: 3000 }, summary: { maxTokens: 300 } },
};
const ROUNDS = few ? 12 : 16;

/** Whole numbers below n, always the same for a seed. @param {number} seed */
function random(seed) {
	let state = seed * 2654435761 + 12345;
	return (/** @type {number} */ n) => {
		state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
		return (state >> 8) % n;
	};
}

/** A conversation of ROUNDS rounds in each format: its messages, and the history that has some of them. */
function stories() {
	const list = anthropic(ROUNDS);
	const body = { model: "claude-sonnet-4-5", max_tokens: 100, system: "You help.", messages: list };
	const plain = (/** @type {any[]} */ messages) => messages;
	/** @type {Record<string, { messages: any[], history: (messages: any[]) => any }>} */
	const all = {
		anthropic: { messages: list, history: plain },
		"anthropic body": { messages: list, history: (messages) => ({ ...body, messages }) },
		"openai-chat": { messages: openai(ROUNDS).messages, history: (messages) => ({ ...openai(0), messages }) },
	};
	for (const [to, name] of /** @type {const} */ ([
		["openai-responses", "input"],
		["gemini", "contents"],
		["ai-sdk", "messages"],
	])) {
		const made = /** @type {any} */ (engine.convert({ conversation: body, to }).conversation);
		const { [name]: messages = made, ...rest } = made;
		all[to] = { messages, history: Array.isArray(made) ? plain : (some) => ({ ...rest, [name]: some }) };
	}
	return all;
}

/** The messages of a history. @param {any} history @returns {any[]} */
const listOf = (history) =>
	Array.isArray(history) ? history : (history.messages ?? history.input ?? history.contents);

/** What one session of the engine makes of the next messages. @param {any} session @param {any[] | undefined} messages */
function step(session, messages) {
	/** @type {string[]} */
	const saved = [];
	if (session.turn(messages).due) {
		for (let plan = session.plan(); plan; ) {
			saved.push(session.archive(plan));
			plan = session.apply(plan, session.summarize(plan)).next;
		}
	}
	return { conversation: session.conversation(), saved: saved.join("") };
}

for (const [i, [name, { messages, history }]] of some(Object.entries(stories()), 2).entries()) {
	test(`${name}: the outcome is that of one session, whatever form of the history is given`, async () => {
		let compactions = 0;
		for (const seed of some(
			Array.from({ length: 30 }, (_, n) => n),
			30,
			i,
		)) {
			const pick = random(seed);
			let saved = "";
			const settings = {
				...eager,
				preset: /** @type {import("../index.js").PresetName} */ (["s06", "harness", "balanced"][seed % 3]),
			};
			const options = {
				...settings,
				save: async (/** @type {string} */ jsonl) => {
					saved += jsonl;
				},
				engine: seed % 3 === 1 ? remote : engine,
			};
			let tamp = await compactor(options);
			const start = 1 + pick(3);
			const session = engine.session({ ...settings, conversation: history(messages.slice(0, start)) });
			let at = start;
			/** @type {any[][]} the same history in the forms that a host may continue with */
			let forms = [messages.slice(0, at)];
			/** @type {any[] | undefined} */
			let more;
			while (at <= messages.length) {
				const want = step(session, more);
				const given = history(/** @type {any[]} */ (forms[pick(forms.length)]));
				const copy = structuredClone(given);
				saved = "";
				const have = await tamp(given);
				assert.deepEqual(have, want.conversation, `seed ${seed}, ${at} messages`);
				assert.equal(saved, want.saved);
				assert.deepEqual(given, copy, "the input is not changed");
				compactions += Number(saved !== "");
				assert.deepEqual(await tamp(copy), have, "a call that is sent again");
				if (pick(4) === 0) tamp = await compactor({ ...options, from: tamp.export() });
				if (pick(4) === 0) await tamp.close();
				more = messages.slice(at, at + 1 + pick(4));
				at += Math.max(1, more.length);
				forms = [messages.slice(0, at), [...listOf(have), ...more], [...listOf(given), ...more]];
			}
			session.close();
		}
		assert.ok(compactions > 1, `${compactions} compactions`);
	});
}

test("a UIMessage that grows in place goes on, in the original history and in the outcome", async () => {
	const size = ROUNDS;
	const parts = Array.from({ length: size }, (_, i) => [
		{ type: "step-start" },
		{ type: "text", text: `Now part ${i}.`, state: "done" },
		{
			type: "tool-bash",
			toolCallId: `c${i}`,
			state: "output-available",
			input: { command: `make ${i}` },
			output: `line ${i} of the output\n`.repeat(200),
		},
	]);
	const prompt = { id: "u1", role: "user", parts: [{ type: "text", text: "Run all. Never change port 8080." }] };
	const answer = (/** @type {number} */ from, /** @type {number} */ to) => ({
		id: "a1",
		role: "assistant",
		metadata: { to },
		parts: parts.slice(from, to).flat(),
	});
	for (const preset of /** @type {const} */ (["balanced", "harness", "s06"])) {
		const trigger = preset === "s06" ? { tokens: 5000 } : { window: 8000, reserveOutput: 500, bufferTokens: 0 };
		const settings = { preset, policy: { trigger, summary: { maxTokens: 400 } } };
		const [one, two] = [archive(), archive()];
		let ofOriginal = await compactor({ ...settings, save: one.save });
		const ofOutcome = await compactor({ ...settings, save: two.save });
		/** @type {any[]} */
		let form = [prompt];
		let stable = 0;
		for (let n = 1; n <= size; n++) {
			const last = form.at(-1);
			const added = answer(n - 1, n);
			form =
				last.id === "a1"
					? [...form.slice(0, -1), { ...added, parts: [...last.parts, ...added.parts] }]
					: [...form, added];
			const given = [prompt, answer(0, n)];
			const copy = structuredClone(given);
			const out = await ofOriginal(given);
			assert.deepEqual(given, copy, "the input is not changed");
			const same = await ofOutcome(form);
			assert.deepEqual(out, same, `${preset}, ${n} calls`);
			if (one.saved.length === 0)
				assert.ok(
					out.every((message, i) => message === given[i]),
					"nothing is due: the given objects",
				);
			// Before the next compaction the outcome is a prefix of the request.
			const [before, now] = [form.slice(0, -1), same.slice(0, form.length - 1)];
			stable += Number(isDeepStrictEqual(before, now) && JSON.stringify(same).includes(`make ${n - 1}`));
			form = same;
			if (n % 5 === 0) ofOriginal = await compactor({ ...settings, save: one.save, from: ofOriginal.export() });
		}
		assert.equal(one.saved.join(""), two.saved.join(""));
		assert.ok(one.saved.length > 1 && one.saved.length < size, `${preset}: ${one.saved.length} compactions`);
		const commands = one.saved.join("").match(/line \d+ of the output/g) ?? [];
		if (preset !== "harness") assert.ok(stable > size / 3, `${preset}: ${stable}`);
		assert.ok(new Set(commands).size > size / 2);
	}
	const twice = [prompt, answer(0, 2), answer(0, 3), { ...prompt, id: "u2" }];
	assert.deepEqual(await (await compactor({ save: "discard" }))(twice), twice, "messages with the same id stay apart");
});

/** Saves to a list. */
function archive() {
	/** @type {string[]} */
	const saved = [];
	return { saved, save: (/** @type {string} */ jsonl) => void saved.push(jsonl) };
}

test("save is required, and all settings are checked", async () => {
	for (const options of [{}, undefined, { save: true }, { save: "no" }]) {
		await assert.rejects(compactor(/** @type {any} */ (options)), { code: "bad_request", path: "/save" });
	}
	for (const bad of [{}, load(), compactor]) {
		await assert.rejects(compactor(/** @type {any} */ ({ save: "discard", engine: bad })), { path: "/engine" });
	}
	for (const from of ["", "{}", "null", '{"version":2,"checkpoints":[]}', '{"version":1,"checkpoints":[{}]}']) {
		await assert.rejects(compactor({ save: "discard", from }), { code: "bad_request", path: "/from" }, from);
	}
	const tamp = await compactor({ ...eager, save: "discard" });
	for (const history of [undefined, null, "[]", 7, {}, { input: "Go." }]) {
		await assert.rejects(tamp(/** @type {any} */ (history)), { code: "bad_request" }, String(history));
	}
	await assert.rejects(tamp([{ role: "user" }, { content: 7 }]), { name: "TampError" });
	/** @type {any} */
	const cycle = { role: "user", content: [] };
	cycle.content.push(cycle);
	/** @type {any} */
	let deep = "x";
	for (let i = 0; i < 1e5; i++) deep = { content: [deep] };
	/** @type {[any, string, string][]} */
	const refused = [
		[{ messages: [{ role: "user", content: "x" }, cycle] }, "bad_json", "/messages/1/content/0"],
		[[{ role: "user", content: [{ type: "text", text: 1n }] }], "bad_json", "/0/content/0/text"],
		[[{ role: "user", content: [deep] }], "too_large", ""],
		[[undefined], "unknown_format", ""],
	];
	for (const [history, code, path] of refused) await assert.rejects(tamp(history), { name: "TampError", code, path });
	assert.ok((await tamp(anthropic(8))).length < 17);
});

test("a history that was changed, or is another one, is compacted by itself; the first one goes on", async () => {
	const { saved, save } = archive();
	const tamp = await compactor({ ...eager, save });
	const [mine, other] = [anthropic(8), openai(8)];
	const out = await tamp(mine);
	assert.equal(saved.length, 1);
	await tamp(other);
	assert.equal(saved.length, 2);
	assert.deepEqual(await tamp([...mine, { role: "user", content: "And now?" }]), [
		...out,
		{ role: "user", content: "And now?" },
	]);
	assert.equal(saved.length, 2, "it is recognized after another history");
	const changed = structuredClone(mine);
	changed[0].content = "Find another bug.";
	assert.ok(JSON.stringify(await tamp(changed)).length < JSON.stringify(mine).length / 2);
	assert.equal(saved.length, 3);
	assert.ok(saved[2]?.includes("Find another bug."));
	const shorter = await tamp(mine.slice(0, 3));
	assert.deepEqual(shorter, mine.slice(0, 3), "a history that ends before the compaction");
});

test("after a failure nothing has changed, and the next call tries again", async () => {
	const whole = anthropic(8);
	/** @type {Error | undefined} */
	let failure = Object.assign(new Error("no such model"), { status: 404 });
	const { saved, save } = archive();
	const tamp = await compactor({
		...eager,
		save,
		summarize: async () => {
			if (failure) throw failure;
			return "All is well.";
		},
	});
	const policy = { trigger: { window: 3000, reserveOutput: 100, bufferTokens: 0 } };
	const balanced = await compactor({
		preset: /** @type {const} */ ("balanced"),
		policy,
		save,
		summarize: async () => Promise.reject(failure),
	});
	await assert.rejects(balanced(whole), failure);
	assert.match(balanced.export(), /"checkpoints":\[\]/);
	failure = Object.assign(new Error("overloaded"), { status: 529 });
	const count = saved.length;
	assert.notDeepEqual(await balanced(whole), whole, "a temporary failure is an answer");
	assert.ok(saved.length > count, "what is dropped was saved");

	let full = true;
	const disk = await compactor({
		...eager,
		save: async () => {
			if (full) throw new Error("disk full");
		},
	});
	await assert.rejects(disk(whole), /disk full/);
	full = false;
	failure = undefined;
	assert.deepEqual(await disk(whole), await (await compactor({ ...eager, save: "discard" }))(whole));
	assert.ok((await tamp(whole)).length < whole.length);

	const ended = new AbortController();
	ended.abort(new Error("stop"));
	await assert.rejects(tamp(whole, { signal: ended.signal }), /stop/);

	const small = await compactor({
		save: "discard",
		policy: { trigger: { window: 2000, reserveOutput: 0, bufferTokens: 0 } },
	});
	const long = [{ role: "user", content: "a word and another one\n".repeat(600) }];
	await assert.rejects(small(long), { code: "context_overflow" });
	assert.deepEqual(await small(anthropic(0).slice(0, 1)), anthropic(0).slice(0, 1));
});

test("calls at the same time get their own results, and a summarizer may call the compactor", async () => {
	const policy = { trigger: { window: 6000, reserveOutput: 500, bufferTokens: 0 }, pin: { recentTokens: 500 } };
	let asked = 0;
	const tamp = await compactor({
		preset: /** @type {const} */ ("turns"),
		policy,
		save: "discard",
		summarize: async ({ user }) => {
			asked++;
			await tamp([{ role: "user", content: user.slice(0, 2000) }]);
			return `All ${user.length} characters.`;
		},
	});
	const histories = [anthropic(8), openai(8).messages, anthropic(9), anthropic(8)];
	const together = await Promise.all(histories.map((history) => tamp(history)));
	assert.equal(asked, 4);
	for (const [i, history] of histories.entries()) {
		assert.ok(JSON.stringify(together[i]).length < JSON.stringify(history).length / 2);
		assert.deepEqual(await tamp(history), together[i]);
	}
	assert.equal(asked, 4, "all are recognized");
});

test("breakpoints may move from call to call, and only those of the call are sent", async () => {
	const mark = { cache_control: { type: "ephemeral" } };
	const tamp = await compactor({ ...eager, save: "discard" });
	const plain = await compactor({ ...eager, save: "discard" });
	/** @type {any[]} */
	const bare = anthropic(12).map(({ role, content }) => ({
		role,
		content: typeof content === "string" ? [{ type: "text", text: content }] : content,
	}));
	bare[1].content[0].input = { cache_control: "of the tool's own" };
	let compacted = 0;
	for (let at = 1; at <= bare.length; at += 2) {
		const marked = bare
			.slice(0, at)
			.map((message, i) =>
				i === 0 || i === at - 1 ? { ...message, content: [{ ...message.content[0], ...mark }] } : message,
			);
		const out = await tamp(marked);
		const want = await plain(bare.slice(0, at));
		const unmarked = out.map((message) => ({
			...message,
			content: Array.isArray(message.content)
				? message.content.map((/** @type {any} */ { cache_control: _, ...block }) => block)
				: message.content,
		}));
		assert.deepEqual(unmarked, want);
		assert.ok(JSON.stringify(out).split('"cache_control":{').length <= 3);
		assert.equal(out[0].content[0].cache_control === undefined, JSON.stringify(want[0]) !== JSON.stringify(bare[0]));
		if (out.length === at) assert.deepEqual(out.at(-1).content[0].cache_control, mark.cache_control);
		compacted += Number(out.length < at);
	}
	assert.ok(compacted > 0);
	const option = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } };
	const sdk = await compactor({ ...eager, save: "discard", format: "ai-sdk" });
	const { conversation } = engine.convert({ conversation: anthropic(8), to: "ai-sdk" });
	const list = /** @type {any[]} */ (conversation);
	const first = await sdk([...list.slice(0, -1), { ...list.at(-1), ...option }]);
	assert.deepEqual(await sdk([...list, { role: "user", content: "Go on." }]), [
		...first.map((message) => (message.providerOptions === option.providerOptions ? list.at(-1) : message)),
		{ role: "user", content: "Go on." },
	]);
});

test("bytes and URLs come back as they are, and are strings in an export", async () => {
	const bytes = new Uint8Array([71, 73, 70, 56, 57, 97, 1, 0, 1, 0, 0, 0, 0, 59]); // a whole GIF
	const page = new URL("https://example.org/a.pdf");
	const options = {
		preset: /** @type {const} */ ("s06"),
		save: () => undefined,
		format: /** @type {const} */ ("ai-sdk"),
	};
	const tamp = await compactor(options);
	const { conversation } = engine.convert({ conversation: anthropic(8), to: "ai-sdk" });
	const media = {
		role: "user",
		content: [
			{ type: "image", image: bytes },
			{ type: "file", data: page, mediaType: "application/pdf" },
		],
	};
	const list = [.../** @type {any[]} */ (conversation), media];
	const out = await tamp(list);
	assert.ok(JSON.stringify(out).length < JSON.stringify(list).length);
	assert.equal(out.at(-1).content[0].image, bytes);
	assert.equal(out.at(-1).content[1].data, page);
	const again = await compactor({ ...options, from: tamp.export() });
	const more = [...structuredClone(list.slice(0, -1)), media, { role: "assistant", content: "A picture." }];
	assert.deepEqual(await again(more), await tamp(more));
	const harness = await compactor({ ...options, ...eager, preset: /** @type {const} */ ("harness") });
	assert.ok(JSON.stringify(await harness([media, ...list])).length < 5000, "a summary may replace them");
});

test("compact warns of a conversation that it has compacted before, whose outcome was not used", async () => {
	/** @type {string[]} */
	let warnings = [];
	const host = {
		save: /** @type {const} */ ("discard"),
		onWarning: (/** @type {any} */ { code }) => void warnings.push(code),
	};
	const own = new URL("../tamp.wasm", import.meta.url);
	for (const { messages, history } of some(Object.values(stories()), 3)) {
		const far = await loadInWorker(own); // remembers nothing of other tests
		const half = messages.slice(0, messages.length / 2);
		const read = async (/** @type {any} */ conversation, /** @type {string | undefined} */ state = undefined) => {
			warnings = [];
			return compact(far, { ...eager, conversation, state }, host);
		};
		const { conversation, state } = await read(history(half));
		assert.deepEqual(warnings, []);
		for (const preset of [undefined, "turns", "prune"]) {
			await compact(far, { ...eager, ...(preset ? { preset } : {}), conversation: history(half) }, host);
			assert.deepEqual(warnings, [], "the same conversation again, with other presets too");
		}
		const more = history(messages);
		for (const [grown, known] of [[more], [more, state], [JSON.stringify(more)]]) {
			await read(grown, known);
			assert.deepEqual(warnings, ["compacted_again"]);
		}
		await read(history([...listOf(conversation), ...messages.slice(half.length)]), state);
		assert.deepEqual(warnings, [], "the outcome goes on");
		await read(history(half.slice(0, 3)));
		assert.deepEqual(warnings, [], "it has compacted nothing of it");
		far.terminate();
	}
});

test("compact warns of summaries without their state", async () => {
	/** @type {string[]} */
	const warnings = [];
	const host = {
		save: /** @type {const} */ ("discard"),
		onWarning: (/** @type {any} */ { code }) => void (code === "state_missing" && warnings.push(code)),
	};
	for (const [i, preset] of ["s06", "harness", "turns", "balanced"].entries()) {
		const policy = { trigger: { window: 6000, reserveOutput: 500, bufferTokens: 0 }, pin: { recentTokens: 500 } };
		const first = await compact(engine, { conversation: anthropic(12), preset, policy, force: true }, host);
		assert.equal(warnings.length, i, preset);
		const { conversation, state } = first;
		await compact(engine, { conversation, state, preset }, host);
		assert.equal(warnings.length, i, preset);
		const text = JSON.stringify(conversation);
		await compact(engine, { conversation: i % 2 ? text : new TextEncoder().encode(text), preset }, host);
		assert.equal(warnings.length, i + 1, preset);
	}
	assert.deepEqual([...new Set(warnings)], ["state_missing"]);
	for (const preset of ["s06", "clear_tool_uses"]) {
		const policy = { clear: { triggerTokens: 3000, keepRecent: 1 } };
		const { conversation } = await compact(engine, { conversation: anthropic(12), preset, policy }, host);
		assert.match(JSON.stringify(conversation), /\[(Previous: used|cleared)/);
		warnings.length = 0;
		await compact(engine, { conversation, preset, policy }, host);
		assert.equal(warnings.length, 1, preset);
	}
	const quoted = [{ role: "user", content: 'What is "[Previous: used read]", and [Compressed]?' }];
	warnings.length = 0;
	await compact(engine, { conversation: quoted }, host);
	assert.deepEqual(warnings, []);
});

test("options that do not exist are refused when the compactor is made", async () => {
	/** @type {[any, string, string, RegExp][]} */
	const refused = [
		[{ presett: "turns" }, "bad_request", "/presett", /did you mean preset\?/],
		[{ Summarise: () => "" }, "bad_request", "/Summarise", /did you mean summarize\?/],
		[{ onWarnings: () => {} }, "bad_request", "/onWarnings", /did you mean onWarning\?/],
		[{ window: 100_000 }, "bad_request", "/window", /policy: \{ trigger: \{ window \} \}/],
		[{ banana: 1 }, "bad_request", "/banana", /the options are save, /],
		[{ preset: "balancd" }, "bad_policy", "/preset", /did you mean balanced\?/],
		[{ policy: { trigger: { window: -1 } } }, "bad_policy", "/policy/trigger/window", /must be from 0/],
		[{ summarize: "x" }, "bad_request", "/summarize", /must be a function, got string/],
		[{ onWarning: 5 }, "bad_request", "/onWarning", /must be a function/],
		[{ concurrency: "4" }, "bad_request", "/concurrency", /a whole number of at least 1/],
		[{ signal: 5 }, "bad_request", "/signal", /must be an AbortSignal/],
		[{ policy: { trigger: { windw: 1 } } }, "bad_policy", "/policy/trigger/windw", /did you mean window\?/],
	];
	for (const [options, code, path, message] of refused) {
		await assert.rejects(compactor({ save: "discard", ...options }), { name: "TampError", code, path, message });
	}
});

test("a history that the provider refuses is repaired with a warning, or named", async () => {
	/** @type {string[]} */
	const codes = [];
	/** @param {import("../index.js").Warning} warning */
	const onWarning = ({ code }) => void codes.push(code);
	const broken = anthropic(4);
	broken.splice(5, 0, {
		role: "user",
		content: [{ type: "tool_result", tool_use_id: "gone", content: "lost" }],
	});
	const small = await compactor({ save: "discard", onWarning });
	await small(broken);
	assert.deepEqual(codes, ["conversation_broken"], "nothing is due, so it stays as it is");
	const large = await compactor({
		save: "discard",
		onWarning,
		preset: "turns",
		policy: { trigger: { window: 20_000 } },
	});
	const longer = [...broken, ...anthropic(40).slice(9)];
	const sent = await large(longer);
	assert.deepEqual(codes.slice(1), ["conversation_broken", "conversation_repaired"]);
	assert.ok(engine.check({ conversation: sent }).valid);
});
