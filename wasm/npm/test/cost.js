// This file has what the tests of the adapters share: a loop of one tool, and what its requests cost.

import assert from "node:assert/strict";
import { compactor } from "../index.js";

/** The tool of a loop, its parameter, and what it does: outputs of commands are cleared early, files that were read late. */
export const TOOLS = /** @type {const} */ ({
	commands: { name: "bash", parameter: "command", description: "run a command" },
	files: { name: "read", parameter: "path", description: "read a file" },
});

/**
 * One call of the tool in each round, then a text.
 * @param {number} rounds
 * @param {keyof typeof TOOLS} kind
 * @param {(file: string) => object} [inputOf]
 */
export const scriptOf = (rounds, kind, inputOf = (file) => ({ [TOOLS[kind].parameter]: file })) => [
	...Array.from({ length: rounds }, (_, i) => ({
		do: "agent",
		text: `Now part ${i}.`,
		calls: [{ tool: TOOLS[kind].name, input: inputOf(`part${i}.go`) }],
	})),
	{ do: "agent", text: "Done." },
];

/** What the tool returns: about 2,000 tokens. @param {string} path */
export const outputOf = (path) =>
	Array.from(
		{ length: 90 },
		(_, n) => `func ${path.replace(".go", "")}_${n}(port int) error { return listen(port + ${n * 7}) }`,
	).join("\n");

export const PROMPT = "Read all parts, one after the other. Never change port 8080.";

/**
 * What requests cost: an input token that is read from the prompt cache .1, any other 1.25. Read is what a request has
 * in common with the one before, in whole messages, whatever their breakpoints. A token has 4 bytes.
 * @param {any[]} histories lists of messages, or bodies
 */
export function costOf(histories) {
	let cost = 0;
	/** @type {string[]} */
	let before = [];
	for (const history of histories) {
		const list = Array.isArray(history)
			? history
			: [history.tools ?? [], ...(history.messages ?? history.input ?? history.contents)];
		const parts = list.map((part) =>
			JSON.stringify(part, (key, value) => (key === "cache_control" ? undefined : value)),
		);
		const first = parts.findIndex((part, i) => part !== before[i]);
		for (const [i, part] of parts.entries()) cost += (part.length / 4) * (first < 0 || i < first ? 0.1 : 1.25);
		before = parts;
	}
	return cost;
}

/**
 * Runs a loop with a compactor and compares the cost of its requests with that of the histories it is given, which are
 * those that the loop would send without it.
 * @param {any} t the test
 * @param {Awaited<ReturnType<typeof import("./fake.js").startFake>>} provider
 * @param {{ name: string, rounds: number, max: number, options: object, kind?: keyof typeof TOOLS,
 *   loop: (baseURL: string, tamp: import("../index.js").Compactor) => Promise<{ text: string, history?: any[] }> }} row
 * history: at the end, of a loop that goes on with what the compactor returned
 */
export async function compare(t, provider, { name, rounds, max, options, loop, kind = "commands" }) {
	/** @type {string[]} */
	const saved = [];
	const tamp = await compactor({ ...options, save: (jsonl) => void saved.push(jsonl) });
	/** @type {[any[], any[]]} */
	const [given, sent] = [[], []];
	const watched = async (/** @type {any} */ history, /** @type {any} */ turn) => {
		given.push(history);
		sent.push(await tamp(history, turn));
		return sent.at(-1);
	};
	const script = `${name}-${kind}-${rounds}`.replaceAll(/\W+/g, "-");
	const { text, history } = await loop(
		await provider.script(script, scriptOf(rounds, kind)),
		Object.assign(watched, tamp),
	);
	assert.equal(text, "Done.");
	const calls = await provider.calls(script);
	assert.equal(calls.length, rounds + 1);
	const problems = calls.flatMap(({ problems }) => problems);
	assert.deepEqual(problems, []);
	const plain = costOf(history?.flatMap(({ role }, i) => (role === "assistant" ? [history.slice(0, i)] : [])) ?? given);
	const compacted = costOf(sent);
	t.diagnostic(
		`${name}, ${rounds} rounds of ${kind}: ${(compacted / plain).toFixed(2)} of the cost; ${saved.length} archives`,
	);
	assert.ok(compacted <= max * plain, `${compacted / plain}`);
	const outputs = new Set(saved.flatMap((jsonl) => jsonl.match(/func part\d+_0\(/g) ?? []));
	if (kind === "commands" || rounds > 60) assert.ok(outputs.size > rounds / 3, `${outputs.size} outputs were saved`);
}
