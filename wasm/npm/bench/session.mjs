// This file measures the cost of a turn of a long session, in Node: node wasm/npm/bench/session.mjs
// An agent appends one round a turn, and applies a plan when one is due, with the extractive summarizer.

import { readFileSync } from "node:fs";
import { load } from "../index.js";
import { generated } from "./conversation.mjs";

const TURNS = 10_000;
const AT = [100, 1_000, 5_000, 10_000];
const MEASURED = 50; // number of measured turns before each of AT

const engine = await load();
engine.loadVocabulary("o200k_base", readFileSync(new URL("../vocab/o200k_base.bin", import.meta.url)));

// Rounds of about 550 bytes: 10,000 of them are 1.4 million tokens.
const words = generated(200_000).replace(/[^a-z ]/g, "");
const start = [{ role: "user", content: "Go through the repository and report." }];
/** @param {number} i */
const round = (i) => {
	const text = words.slice((i * 397) % 100_000).slice(0, 350);
	return [
		{
			role: "assistant",
			content: [{ type: "tool_use", id: `toolu_${i}`, name: "read", input: { path: `part${i}.go` } }],
		},
		{ role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${i}`, content: `${i}: ${text}` }] },
	];
};

const never = { trigger: { window: 100_000_000, tokens: 0 }, clear: { enabled: false } };

const watched = { ...never, clear: { minSavings: 100_000_000 } }; // every result is checked, none is cleared

/**
 * The methods in asks are called at every measured turn, in addition to turn.
 * @typedef {{ name: string, input: object, asks?: ("count" | "plan")[] }} Case
 * @type {Case[]}
 */
const cases = [
	{ name: "balanced: turn", input: { preset: "balanced" } },
	{ name: "balanced, o200k_base: turn", input: { preset: "balanced", counter: "o200k_base" } },
	{ name: "balanced: turn, count, plan", input: { preset: "balanced" }, asks: ["count", "plan"] },
	{ name: "never compacted: turn", input: { policy: never } },
	{ name: "never compacted, o200k_base: turn", input: { policy: never, counter: "o200k_base" } },
	{ name: "never compacted, clearing watched: turn", input: { policy: watched } },
	{ name: "never compacted: turn, count", input: { policy: never }, asks: ["count"] },
	{ name: "never compacted: turn, plan", input: { policy: never }, asks: ["plan"] },
	{ name: "never compacted, clearing watched: turn, plan", input: { policy: watched }, asks: ["plan"] },
];

/** @param {number[]} times */
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1] ?? NaN;

/** @param {Case} of */
function run({ name, input, asks = [] }) {
	const session = engine.session({ conversation: JSON.stringify(start), ...input });
	/** @type {Map<number, number[]>} */
	const seen = new Map(AT.map((at) => [at, []]));
	let compactions = 0,
		spent = 0;
	for (let i = 1; i <= TURNS; i++) {
		const text = JSON.stringify(round(i));
		const began = performance.now();
		const { due } = session.turn(text);
		const measured = AT.some((at) => i <= at && i > at - MEASURED);
		if (measured && asks.includes("count")) session.count();
		const plan = due || (measured && asks.includes("plan")) ? session.plan() : undefined;
		if (due && plan) {
			compactions++;
			session.archive(plan);
			session.apply(plan, session.summarize(plan));
		}
		const took = performance.now() - began;
		spent += took;
		for (const [at, times] of seen) if (i <= at && i > at - MEASURED) times.push(took);
	}
	session.close();
	const cells = [...seen.values()].map((times) => median(times).toFixed(3).padStart(8));
	console.log(
		`${name.padEnd(52)} ${cells.join(" ")} ${(spent / TURNS).toFixed(3).padStart(8)} ${String(compactions).padStart(6)}`,
	);
}

// The cost for a host that sends the whole conversation at every turn.
function stateless() {
	/** @type {object[]} */
	const messages = [...start];
	const cells = AT.map((at) => {
		for (let i = (messages.length - 1) / 2 + 1; i <= at; i++) messages.push(...round(i));
		const conversation = JSON.stringify(messages);
		const times = [];
		for (let n = 0; n < 5; n++) {
			const text = `${conversation.slice(0, -1)}${" ".repeat(n + 1)}]`; // differs from the text of the last call
			const began = performance.now();
			engine.count({ conversation: text });
			engine.plan({ conversation: text, policy: never });
			times.push(performance.now() - began);
		}
		return `${median(times).toFixed(1).padStart(8)}`;
	});
	console.log(`${"without a session, count and plan of the whole".padEnd(52)} ${cells.join(" ")}        -      -`);
}

console.log(
	`${"ms a turn, median of 50 turns before".padEnd(52)} ${AT.map((at) => String(at).padStart(8)).join(" ")} ${"mean".padStart(8)} compacted`,
);
for (const one of cases) run(one);
stateless();
