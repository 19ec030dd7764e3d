// This file adds up the tokens of a session: each tool with its calls and results, the largest blocks, and everything
// else.

/** @import { Row } from "./rows.js" */
/**
 * @typedef {{tool: string, calls: number, callTokens: number, resultTokens: number, tokens: number, failed: number,
 *   largest: Row}} Tool
 */

const MAX_LARGEST = 10;

/**
 * @param {Row[]} rows
 * @param {Set<number>} failed rows of results that say they are errors
 * @returns {{tools: Tool[], rest: number, total: number, largest: Row[]}} tokens of the session before any policy
 */
export function totalsOf(rows, failed) {
	/** @type {Map<string, Tool>} */
	const tools = new Map();
	let total = 0;
	let rest = 0;
	for (const row of rows) {
		const { kind, tokens } = row.block;
		total += tokens;
		if (row.tool === "") {
			rest += tokens;
			continue;
		}
		const at = tools.get(row.tool) ?? {
			tool: row.tool,
			calls: 0,
			callTokens: 0,
			resultTokens: 0,
			tokens: 0,
			failed: 0,
			largest: row,
		};
		tools.set(row.tool, at);
		at.tokens += tokens;
		if (kind === "tool_use") {
			at.calls++;
			at.callTokens += tokens;
		} else at.resultTokens += tokens;
		if (failed.has(row.index)) at.failed++;
		if (tokens > at.largest.block.tokens) at.largest = row;
	}
	return {
		tools: [...tools.values()].sort((a, b) => b.tokens - a.tokens || (a.tool < b.tool ? -1 : 1)),
		rest,
		total,
		largest: largestOf(rows),
	};
}

/** @param {Row[]} rows */
function largestOf(rows) {
	/** @type {Row[]} */
	let best = [];
	for (const row of rows) {
		if (best.length === MAX_LARGEST && row.block.tokens <= best[MAX_LARGEST - 1].block.tokens) continue;
		best = [...best, row].sort((a, b) => b.block.tokens - a.block.tokens || a.index - b.index).slice(0, MAX_LARGEST);
	}
	return best;
}
