// This file computes the fate of each block after the summaries: the prediction of the inspection, corrected by the
// outcome.

/** @typedef {import("../engine/types.js").Block} Block */
/** @typedef {import("../engine/types.js").Inspection} Inspection */
/** @typedef {import("../engine/types.js").Round} Round */
/** @typedef {import("../engine/types.js").Settled} Settled */

/** @type {Record<string, string>} */
const FATE_OF = { clear_result: "cleared", clear_input: "cleared", drop_thinking: "dropped", thinking_dropped: "dropped", limit_output: "truncated", oversize_input: "truncated" };

/**
 * @param {Inspection} inspection
 * @param {{after: number, rounds: Round[]}} outcome
 * @returns {Inspection} a copy; unchanged blocks are shared
 */
export function withOutcome(inspection, { after, rounds }) {
	const messages = inspection.messages.map((message) => ({ ...message, blocks: [...message.blocks] }));
	const decisions = new Map(inspection.actions.map((action) => [action.path, action]));
	/**
	 * The index in the input of each message of the round; -1 for a summary of an earlier round.
	 * @type {number[] | null}
	 */
	let origin = messages.map((_, i) => i);
	let freedLater = 0;

	const put = (/** @type {number} */ m, /** @type {number} */ b, /** @type {Partial<Block>} */ change) => {
		if (messages[m]?.blocks[b]) messages[m].blocks[b] = { ...messages[m].blocks[b], ...change };
	};
	/** Sets a block to its fate without a summary. @param {number} m @param {number} b @param {string} why */
	const setWithoutSummary = (m, b, why) => {
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
				// The tokens of a region are counted after clearing
				freed -= decisions.get(block.path)?.after ?? block.tokens;
			} else setWithoutSummary(m, b, reason);
		}
	};

	rounds.forEach((round, i) => {
		// The origins are unknown from here on; only the sums are known
		if (i > 0 && origin && origin.length !== round.length) origin = null;
		for (const settled of round.regions) if (origin && settled.region.level === 1) settle(settled);
		if (i > 0 && (!origin || round.regions.some(({ region }) => region.level === 2))) freedLater += round.before - round.after;
		origin = origin && afterRound(origin, round);
	});

	// Summaries of level 2 shorten all summaries of level 1, in proportion.
	const summaries = messages.flatMap((message) => message.blocks.filter((block) => block.fate === "summarized").map((block) => block.after));
	const sum = summaries.reduce((total, n) => total + n, 0);
	if (freedLater > 0 && sum > 0) {
		const left = Math.max(0, sum - freedLater);
		for (const message of messages) message.blocks = message.blocks.map((block) => (block.fate === "summarized" ? { ...block, after: Math.floor((block.after * left) / sum) } : block));
	}
	return { ...inspection, messages, after };
}

/**
 * The blocks of a region, oldest first, as indexes of message and block in the input.
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
 * The origins of the messages after a round, if each summary takes the place of its region. If one does not, the length
 * differs from that of the next plan.
 * @param {number[]} origin
 * @param {Round} round
 */
function afterRound(origin, round) {
	const removed = new Set();
	const inserted = new Set();
	for (const { region, kind } of round.regions) {
		if (kind !== "summarize" || region.blocks || region.level !== 1) continue;
		inserted.add(region.spans[0].start);
		for (const { start, end } of region.spans) for (let m = start; m < end; m++) removed.add(m);
	}
	return origin.flatMap((from, m) => [...(inserted.has(m) ? [-1] : []), ...(removed.has(m) ? [] : [from])]);
}
