// This file checks a compaction by questions, with a model that reads the conversation in its prompt.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load, loadInWorker } from "../index.js";

const engine = await load();
const questions = ["What is the port?", "What is the user's name?", "What is the color?"];
const original = {
	conversation: [
		{ role: "user", content: "I am Ada. The port is 8080." },
		{ role: "assistant", content: "Noted." },
	],
};
const compacted = {
	conversation: [
		{ role: "user", content: "The port is 8080, as before." },
		{ role: "assistant", content: "Noted." },
	],
};

/**
 * Finds facts in the conversation of the prompt, and compares two answers word by word.
 * @param {{ id: string, user: string }} prompt
 */
function model({ id, user }) {
	const compared = /First answer: (.*)\nSecond answer: (.*)/.exec(user);
	if (compared) return { id, text: compared[2]?.includes(/** @type {string} */ (compared[1])) ? "Same." : "lost" };
	const end = user.indexOf("</conversation>");
	const [data, asked] = [user.slice(0, end), user.slice(end)];
	const facts = [/8080.*/, /Ada/, /blue/];
	for (const [i, question] of questions.entries()) assert.ok(asked.includes(`${i + 1}: ${question}`));
	return {
		id,
		text: facts.map((fact, i) => `${i + 1}: ${fact.exec(data)?.[0].replace(/\.$/, "") ?? "unknown"}`).join("\n"),
	};
}

test("questions, answers, grades, score", () => {
	const prompts = engine.questions(original, compacted, questions);
	assert.deepEqual(
		prompts.map(({ id }) => id),
		["original", "compacted"],
	);
	const answers = prompts.map(model);
	const graded = engine.gradeAnswers(questions, answers);
	assert.equal(graded.length, 1, "only the port has two answers that differ");
	const grades = graded.map(model);
	assert.deepEqual(engine.scoreAnswers(answers, grades), {
		permille: 500,
		counted: 2,
		outcomes: [
			{ question: 1, verdict: "same" },
			{ question: 2, verdict: "lost" },
			{ question: 3, verdict: "unasked" },
		],
	});
	const failed = engine.scoreAnswers(answers, [
		{ id: /** @type {string} */ (graded[0]?.id), text: "", error: "overloaded" },
	]);
	assert.equal(failed.outcomes[0]?.verdict, "failed");
});

test("texts and objects ask the same", () => {
	const text = (/** @type {{ conversation: unknown }} */ { conversation }) => ({
		conversation: JSON.stringify(conversation),
	});
	assert.deepEqual(
		engine.questions(text(original), text(compacted), questions),
		engine.questions(original, compacted, questions),
	);
});

test("no questions, too many and wrong ones are refused", () => {
	assert.throws(() => engine.questions(original, compacted, []), { code: "bad_request", path: "/questions" });
	assert.throws(() => engine.questions(original, compacted, Array(1001).fill("?")), {
		code: "bad_request",
		path: "/questions",
	});
	assert.throws(() => engine.questions(original, compacted, /** @type {any} */ ([7])), {
		code: "bad_request",
		path: "/questions/0",
	});
	assert.throws(() => engine.gradeAnswers(questions, /** @type {any} */ (7)), {
		code: "bad_request",
		path: "/answers",
	});
});

test("the engine in a worker asks the same", async () => {
	const remote = await loadInWorker();
	try {
		assert.deepEqual(
			await remote.questions(original, compacted, questions),
			engine.questions(original, compacted, questions),
		);
		assert.deepEqual(await remote.scoreAnswers([], []), engine.scoreAnswers([], []));
	} finally {
		remote.terminate();
	}
});

test("outcomes have the fates of blocks and triggers the limit that they wait for", () => {
	const read = (/** @type {string} */ id) => ({
		role: "assistant",
		content: [{ type: "tool_use", id, name: "read", input: {} }],
	});
	const result = (/** @type {string} */ id) => ({
		role: "user",
		content: [{ type: "tool_result", tool_use_id: id, content: "line\n".repeat(200) }],
	});
	const conversation = [
		{ role: "user", content: "Go." },
		...["a", "b", "c", "d", "e"].flatMap((id) => [read(id), result(id)]),
		{ role: "assistant", content: "Done." },
	];
	const input = { conversation, preset: "s06" };
	const plan = engine.plan(input);
	assert.equal(plan.trigger.kind, "every_turn");
	assert.equal(plan.trigger.waitsFor, "tokens");
	assert.equal(plan.trigger.waitsLimit, 50000);
	const { fates = [] } = engine.apply({ ...input, plan, results: [] });
	assert.equal(fates.length, conversation.length);
	assert.deepEqual(
		fates.map(({ index }) => index),
		conversation.map((_, i) => i),
	);
	assert.deepEqual(
		fates.flatMap(({ blocks }) => blocks.map(({ fate }) => fate)).filter((fate) => fate === "cleared").length,
		2,
	);
});
