// This file compares the totals of usage with those of tools/totals.mjs, which shares no code with the engine: on a log of each
// agent, and on the recorded ones of TAMP_CORPUS.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { totalsOf } from "../../../tools/totals.mjs";
import { load } from "../index.js";
import { folder, tamp } from "./command.js";
import { LOGS } from "./logs.js";

const PRICES = [3, 15, 0.3, 3.75];
const RATIO = { input: 3000, output: 15_000, read: 100, write5m: 1250, write1h: 1250 };
/** Millionths of a dollar: each call is rounded, and the price of the cache is a share in thousandths of that of the input. */
const roundingOf = (/** @type {{ calls: number, cost: number }} */ { calls, cost }) => calls + cost / 2000;

/** @param {{ calls: number, cost: number, subagents: any, branches: any }} used */
const all = ({ calls, cost, subagents, branches }) => ({
	calls: calls + subagents.calls + branches.calls,
	cost: cost + subagents.cost + branches.cost,
});

/** @param {{ calls: number, cost: number }} have @param {{ calls: number, cost: number }} want @param {string} what */
function equal(have, want, what) {
	assert.equal(have.calls, want.calls, `calls of ${what}`);
	const off = Math.abs(have.cost - want.cost);
	assert.ok(off <= roundingOf(want), `${what} costs ${have.cost} millionths of a dollar, not ${want.cost}`);
}

for (const [name, text] of Object.entries(LOGS)) {
	test(`usage of ${name} is what an independent script computes`, async () => {
		const below = join(folder, `totals-${name.replace(/\W/g, "")}`);
		mkdirSync(below);
		const ending =
			name === "aider"
				? ".aider.chat.history.md"
				: text.startsWith("{") && text.includes("\n{")
					? "log.jsonl"
					: "log.json";
		writeFileSync(join(below, ending), text);
		const engine = await load();
		assert.equal(engine.detect({ conversation: text }).format, name.split(",")[0]);
		for (const given of [undefined, PRICES]) {
			const want = totalsOf(text, given);
			assert.ok(want.calls >= 2);
			assert.equal(want.unpriced, name === "kimi-cli" && !given ? want.calls : 0, "each call has a price");
			if (want.unpriced > 0) continue;
			const { status, stdout, stderr } = tamp([
				"usage",
				below,
				"--json",
				...(given ? ["--prices", given.join(",")] : []),
			]);
			assert.equal(status, 0, stderr);
			equal(all(JSON.parse(stdout)), want, name);
		}
	});
}

/** The folders with recorded logs. */
const corpora = [process.env.TAMP_CORPUS ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url))];
corpora.push(join(corpora[0] ?? "", "..", "more"));

test("usage of recorded logs is what an independent script computes", {
	skip: !existsSync(corpora[0] ?? ""),
}, async () => {
	const engine = await load();
	let compared = 0;
	for (const name of ["claude-code", "codex", "pi", "opencode"]) {
		for (const below of corpora.map((corpus) => join(corpus, name)).filter(existsSync)) {
			for (const file of readdirSync(below).filter((one) => /\.jsonl?$/.test(one))) {
				const text = readFileSync(join(below, file), "utf8");
				for (const given of [undefined, PRICES]) {
					const want = totalsOf(text, given);
					const have = all(engine.usage({ conversation: text, ...(given ? { prices: RATIO } : {}) }));
					// Of a log in which calls have no usage, the engine estimates them.
					if (want.calls === 0 || want.unpriced > 0 || (have.calls > want.calls && name === "codex")) continue;
					equal(have, want, file);
					compared++;
				}
			}
		}
	}
	assert.ok(compared >= 10, `${compared} logs were compared`);
});
