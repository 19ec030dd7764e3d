// This file tells the fate of each block with the summaries in: what the engine's inspection foresaw, corrected by what came of it.

/** @typedef {import("../engine/types.js").Block} Block */
/** @typedef {import("../engine/types.js").Inspection} Inspection */
/** @typedef {import("../engine/types.js").Round} Round */
/** @typedef {import("../engine/types.js").Settled} Settled */

/** @type {Record<string, string>} */
const FATE_OF = { clear_result: "cleared", clear_input: "cleared", drop_thinking: "dropped", thinking_dropped: "dropped", limit_output: "truncated", oversize_input: "truncated" };

/**
 * @param {Inspection} inspection
 * @param {{after: number, rounds: Round[]}} outcome
 * @returns {Inspection} a new one; blocks that nothing changes are shared
 */
export function withOutcome(inspection, { after, rounds }) {
	const messages = inspection.messages.map((message) => ({ ...message, blocks: [...message.blocks] }));
	const decisions = new Map(inspection.actions.map((action) => [action.path, action]));
	/** The place in the input of each message of the round; -1 for what a round before wrote. @type {number[] | null} */
	let origin = messages.map((_, i) => i);
	let freedLater = 0;

	const put = (/** @type {number} */ m, /** @type {number} */ b, /** @type {Partial<Block>} */ change) => {
		if (messages[m]?.blocks[b]) messages[m].blocks[b] = { ...messages[m].blocks[b], ...change };
	};
	/** What the block would be without any summary. @param {number} m @param {number} b @param {string} why */
	const leave = (m, b, why) => {
		const block = messages[m].blocks[b];
		const decision = decisions.get(block.path);
		if (block.fate === "broken") put(m, b, { after: decision?.after ?? block.tokens });
		else put(m, b, { fate: FATE_OF[decision?.kind ?? ""] ?? "kept", after: decision?.after ?? block.tokens, why: FATE_OF[decision?.kind ?? ""] ? decision?.reason ?? why : why });
	};
	const settle = (/** @type {Settled} */ { region, kind, after: size, reason }) => {
		const refs = refsOf(region, origin, messages);
		const whole = refs.reduce((sum, [m, b]) => sum + messages[m].blocks[b].tokens, 0);
		let freed = region.tokens - size;
		for (const [m, b] of refs) {
			const block = messages[m].blocks[b];
			const share = whole > 0 ? Math.floor((block.tokens * size) / whole) : 0;
			if (kind === "summarize") put(m, b, { fate: "summarized", after: share, why: reason });
			else if (kind === "truncate" && region.blocks) put(m, b, { fate: "truncated", after: share, why: reason });
			else if (kind === "truncate" && freed > 0) {
				put(m, b, { fate: "dropped", after: 0, why: reason });
				freed -= decisions.get(block.path)?.after ?? block.tokens; // a region is counted as clearing leaves it
			} else leave(m, b, reason);
		}
	};

	rounds.forEach((round, i) => {
		if (i > 0 && origin && origin.length !== round.length) origin = null; // the shape is not known: only the sum is
		for (const settled of round.regions) if (origin && settled.region.level === 1) settle(settled);
		if (i > 0 && (!origin || round.regions.some(({ region }) => region.level === 2))) freedLater += round.before - round.after;
		origin = origin && afterRound(origin, round);
	});

	// A second level makes the summaries shorter, wherever they came from.
	const summaries = messages.flatMap((message) => message.blocks.filter((block) => block.fate === "summarized").map((block) => block.after));
	const sum = summaries.reduce((total, n) => total + n, 0);
	if (freedLater > 0 && sum > 0) {
		const left = Math.max(0, sum - freedLater);
		for (const message of messages) message.blocks = message.blocks.map((block) => (block.fate === "summarized" ? { ...block, after: Math.floor((block.after * left) / sum) } : block));
	}
	return { ...inspection, messages, after };
}

/**
 * The blocks of a region, oldest first, where they stand in the input.
 * @param {Settled["region"]} region
 * @param {number[] | null} origin
 * @param {{blocks: Block[]}[]} messages
 * @returns {[number, number][]}
 */
function refsOf(region, origin, messages) {
	const at = (/** @type {number} */ m) => origin?.[m] ?? -1;
	if (region.blocks) return region.blocks.filter((ref) => messages[at(ref.message)]?.blocks[ref.block]).map((ref) => [at(ref.message), ref.block]);
	/** @type {[number, number][]} */
	const refs = [];
	for (const { start, end } of region.spans) {
		for (let m = start; m < end; m++) messages[at(m)]?.blocks.forEach((_, b) => refs.push([at(m), b]));
	}
	return refs;
}

/**
 * Where the messages after a round came from; right where each summary stands in its region's place, and a length that does not
 * fit the next plan tells where it is not.
 * @param {number[]} origin
 * @param {Round} round
 */
function afterRound(origin, round) {
	const gone = new Set();
	const comes = new Set();
	for (const { region, kind } of round.regions) {
		if (kind !== "summarize" || region.blocks || region.level !== 1) continue;
		comes.add(region.spans[0].start);
		for (const { start, end } of region.spans) for (let m = start; m < end; m++) gone.add(m);
	}
	return origin.flatMap((from, m) => [...(comes.has(m) ? [-1] : []), ...(gone.has(m) ? [] : [from])]);
}
