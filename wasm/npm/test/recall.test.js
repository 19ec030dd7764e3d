// This file reads originals back: every ref in a compacted conversation leads to what save got, over many rounds.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { compact, load } from "../index.js";

const engine = await load();
const REF = /[0-9a-f]{16}/g;
/** @param {string} jsonl */
const refOf = (jsonl) => createHash("sha256").update(jsonl).digest("hex").slice(0, 16);

test("refs lead from the end of a long session to a fact of an early turn", async () => {
	/** What save got, by its ref. @type {Map<string, string>} */
	const saved = new Map();
	/** @type {any[]} */
	let messages = [{ role: "user", content: "Plan the move of the archive." }];
	/** @type {string | undefined} */
	let state;
	let condensed = 0;
	for (let i = 0; i < 240; i++) {
		const found = i === 20 ? "I wrote the launch code KX-4417-omega on the whiteboard. " : "";
		messages.push(
			{
				role: "assistant",
				content:
					found +
					`Part ${i} reads timeout${i}=${i * 37} from config${i}.yaml. It retries after ${i} seconds. `.repeat(6),
			},
			{ role: "user", content: i === 2 ? "Remember that my name is Ada." : `Look at part ${i}.` },
		);
		const input = {
			conversation: messages,
			preset: "balanced",
			policy: { trigger: { window: 8000 } },
			...(state && { state }),
		};
		const outcome = await compact(engine, input, { save: async (jsonl) => void saved.set(refOf(jsonl), jsonl) });
		condensed += outcome.actions.filter(
			({ kind, level, droppedLines = 0 }) => kind === "condense" && level === 3 && droppedLines > 0,
		).length;
		messages = /** @type {any[]} */ (outcome.conversation);
		state = outcome.state;
	}
	assert.ok(saved.size > 5 && condensed > 0, `${saved.size} archives, ${condensed} condensed`);
	assert.ok(!JSON.stringify(messages).includes("whiteboard"), "the fact is in the archives only");
	assert.ok(JSON.stringify(messages).includes("Remember that my name is Ada."), "the user's words stay");
	const originals = [...saved.values()];
	const texts = [JSON.stringify(messages)];
	const seen = new Set();
	let found = false;
	for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
		for (const [ref] of text.matchAll(REF)) {
			if (seen.has(ref)) continue;
			seen.add(ref);
			const part = engine.recall(originals, { ref, limit: 100_000 });
			assert.equal(part.ref, ref);
			assert.deepEqual(engine.recall(/** @type {string} */ (saved.get(ref)), { limit: 100_000 }), part);
			texts.push(part.text);
			const { lines = [] } = engine.recall(originals, { ref, text: "LAUNCH CODE" });
			found ||= lines.some((line) => line.text.includes("KX-4417-omega on the whiteboard"));
			for (const line of lines) assert.ok([...part.text].slice(line.offset).join("").startsWith(line.text));
		}
	}
	assert.ok(found, "the fact of turn 21");
	assert.equal(seen.size, saved.size, "each archive is named");
});

test("a wrong ref and a wrong query are errors that name their place", () => {
	const jsonl = `{"role":"user","content":"Hello"}\n`;
	assert.equal(engine.recall(new TextEncoder().encode(jsonl)).text, "[the user says]\nHello");
	for (const [query, path] of /** @type {const} */ ([
		[{ ref: "0123456789abcdef" }, "/ref"],
		[{ offset: 100 }, "/offset"],
		[{ limit: 100_001 }, "/limit"],
		[{ text: "two\nlines" }, "/text"],
	])) {
		assert.throws(() => engine.recall([jsonl], query), { code: "bad_request", path });
	}
	assert.throws(() => engine.recall([]), { code: "bad_request", path: "/originals" });
	assert.throws(() => engine.recall(/** @type {any} */ (7)), { code: "bad_request" });
});

test("the quality report lists the sentences that the user typed, on request", () => {
	const original = {
		conversation: [
			{ role: "user", content: "Never push to main." },
			{ role: "assistant", content: "Yes." },
			{ role: "user", content: "Go on." },
		],
	};
	const compacted = { conversation: original.conversation.slice(2) };
	assert.equal(engine.quality(original, compacted).statements, undefined);
	assert.deepEqual(engine.quality(original, compacted, { statements: true }).statements, [
		{ text: "Never push to main.", turn: 1, path: "/0/content", kept: false },
		{ text: "Go on.", turn: 2, path: "/2/content", kept: true },
	]);
});
