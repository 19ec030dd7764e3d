// This file checks values that JSON cannot hold, in messages of the AI SDK: bytes, URLs and dates.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load, TampError } from "../index.js";

const engine = await load();
const bytes = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
const url = new URL("https://example.org/a.png");
const date = new Date(0);

/** A session with values in its last prompt, and `rounds` calls before it. @param {number} rounds */
function session(rounds) {
	/** @type {any[]} */
	const messages = [{ role: "user", content: "Read the files. You must not change them." }];
	for (let i = 0; i < rounds; i++) {
		messages.push(
			{
				role: "assistant",
				content: [{ type: "tool-call", toolCallId: `c${i}`, toolName: "read", input: { path: `a${i}` } }],
			},
			{
				role: "tool",
				content: [
					{
						type: "tool-result",
						toolCallId: `c${i}`,
						toolName: "read",
						output: { type: "text", value: `line ${i}\n`.repeat(400) },
					},
				],
			},
		);
	}
	messages.push({ role: "assistant", content: "Done." });
	messages.push({
		role: "user",
		content: [
			{ type: "text", text: "What is this?" },
			{ type: "image", image: bytes, mediaType: "image/png" },
			{ type: "image", image: url },
		],
		providerOptions: { app: { at: date } },
	});
	return messages;
}

for (const preset of engine.presets().map(({ name }) => name)) {
	test(`${preset}: values come back as they were`, () => {
		const conversation = session(12);
		const input = {
			conversation,
			format: /** @type {const} */ ("ai-sdk"),
			preset,
			policy: { trigger: { window: 40_000, reserveOutput: 500, bufferTokens: 0 } },
			force: true,
		};
		const before = structuredClone(conversation.slice(0, -1));
		const plan = engine.plan(input);
		const results = engine.summarize({ ...input, plan });
		/** @type {any[]} */
		let after;
		try {
			after = engine.apply({ ...input, plan, results }).conversation;
		} catch (thrown) {
			assert.ok(thrown instanceof TampError);
			assert.equal(thrown.code, "bad_json");
			assert.match(thrown.path, /^\/26\/(content\/[12]\/image|providerOptions\/app\/at)$/);
			assert.match(thrown.message, /JSON cannot hold it/);
			assert.ok(["harness", "s06"].includes(preset), `${preset} keeps the last prompt`);
			return;
		}
		const last = after.at(-1);
		assert.equal(last.content[1].image, bytes);
		assert.equal(last.content[2].image, url);
		assert.equal(last.providerOptions.app.at, date);
		assert.deepEqual(conversation.slice(0, -1), before, "the input is not changed");
		assert.ok(
			JSON.stringify(after).length < JSON.stringify(conversation).length ||
				plan.edits.length + plan.regions.length === 0,
		);
	});
}

test("an archive has them as strings", () => {
	const conversation = [
		...session(2),
		{ role: "assistant", content: "A picture." },
		{ role: "user", content: "Thanks." },
	];
	const input = { conversation, format: /** @type {const} */ ("ai-sdk"), preset: "s06", force: true };
	const plan = engine.plan(input);
	const archive = engine.archive({ ...input, plan });
	assert.match(archive, /"image":"iVBORw0KGgo="/);
	assert.match(archive, /"image":"https:\/\/example.org\/a.png"/);
	assert.match(archive, /"at":"1970-01-01T00:00:00.000Z"/);
	assert.throws(() => engine.apply({ ...input, plan, results: engine.summarize({ ...input, plan }) }), {
		code: "bad_json",
		path: "/6/content/1/image",
	});
});

test("a text that looks like a mark stays a text", () => {
	const conversation = [
		{
			role: "user",
			content: [
				{ type: "text", text: "tamp-held-0" },
				{ type: "image", image: bytes },
			],
		},
	];
	const { conversation: back } = engine.repair({ conversation, format: "ai-sdk" });
	assert.deepEqual(back, conversation);
	assert.equal(/** @type {any} */ (back)[0].content[1].image, bytes);
});

test("a session holds the values of all its messages", () => {
	const session = engine.session({
		conversation: [{ role: "user", content: [{ type: "image", image: bytes }] }],
		format: "ai-sdk",
	});
	session.append([
		{ role: "assistant", content: "Nice." },
		{ role: "user", content: [{ type: "image", image: url }] },
	]);
	const all = /** @type {any[]} */ (session.conversation());
	assert.equal(all[0].content[0].image, bytes);
	assert.equal(all[2].content[0].image, url);
	session.close();
});

// What JSON writes as null or as {}, or leaves out, comes back as it was. A message of a class is read by its members.
test("numbers, functions and objects of built-in classes come back as they were", () => {
	class Prompt {
		role = "user";
		content = "Read it.";
	}
	const execute = () => 1;
	/** @type {unknown[]} */
	const values = [Number.NaN, -Infinity, Symbol("s"), execute, /a/g, new Map([[1, 2]]), new Set([1])];
	values.push(new Error("x"), new AbortController().signal, new Headers(), new ArrayBuffer(2), new Date(Number.NaN));
	const conversation = {
		tools: { read: { description: "reads", execute } },
		messages: [new Prompt(), { role: "user", content: "hi", providerOptions: { app: { values } } }],
	};
	/** @type {any} */
	const { conversation: back } = engine.repair({ conversation, format: "ai-sdk" });
	assert.equal(back.tools.read.execute, execute);
	assert.deepEqual(back.messages[0], { role: "user", content: "Read it." });
	for (const [i, value] of values.entries())
		assert.ok(Object.is(back.messages[1].providerOptions.app.values[i], value));
});

test("an object inside itself is an error with its place", () => {
	for (const image of ["AA", bytes]) {
		/** @type {any} */
		const part = { type: "image", image };
		part["a/b"] = { self: part, again: part }; // two ways into the cycle: a walk without memory would not end
		assert.throws(() => engine.repair({ conversation: [{ role: "user", content: [part] }], format: "ai-sdk" }), {
			code: "bad_json",
			path: "/0/content/0/a~1b/self",
			message: /an object is inside itself/,
		});
	}
});

test("a BigInt is an error with its place, and a number in place of a text is no text", () => {
	const ask = (/** @type {unknown} */ content, /** @type {unknown} */ extra) =>
		engine.repair({ conversation: [{ role: "user", content, extra: [extra] }], format: "ai-sdk" });
	assert.throws(() => ask("hi", 10n), { code: "bad_json", path: "/0/extra/0", message: /BigInt/ });
	for (const content of [[{ type: "text", text: Number.NaN }], [{ type: "text", text: () => 1 }]]) {
		/** @type {any[]} */
		const back = JSON.parse(JSON.stringify(ask(content, Number.NaN).conversation));
		assert.ok(!JSON.stringify(back).includes("tamp-held"));
	}
});

test("convert writes the bytes and the URL of an image as strings", () => {
	const base64 = "iVBORw0KGgo=";
	/** @type {any[]} */
	const conversation = [
		{
			role: "user",
			content: [
				{ type: "image", image: bytes, mediaType: "image/png" },
				{ type: "file", data: Buffer.from(bytes), mediaType: "image/png" },
				{ type: "image", image: bytes.buffer, mediaType: "image/png" },
				{ type: "image", image: url },
			],
		},
	];
	for (const to of /** @type {const} */ (["anthropic", "openai-chat", "openai-responses", "gemini"])) {
		const { conversation: out, losses } = engine.convert({ conversation, format: "ai-sdk", to });
		const text = JSON.stringify(out);
		assert.equal(text.split(base64).length - 1, 3, `${to}: ${text}`);
		assert.ok(text.includes(url.href) && losses.length === 0, text);
	}
	const { conversation: same } = engine.convert({ conversation, format: "ai-sdk", to: "ai-sdk" });
	assert.equal(/** @type {any} */ (same)[0].content[0].image, bytes);
	conversation[0].content.push({ type: "text", text: "x", providerOptions: { app: { at: date } } });
	assert.throws(() => engine.convert({ conversation, format: "ai-sdk", to: "anthropic" }), {
		code: "bad_json",
		path: "/0/content/4/providerOptions/app/at",
		message: /a Date/,
	});
});
