// This file gives the answers in a history of Grok CLI (chat_history.jsonl) their usage, which is in updates.jsonl next to it:
// the sums of the calls for a prompt, and the tokens of each call that ended in calls of tools.

/** @typedef {{ all: number, read: number, write: number, output: number }} Sums of a prompt's calls; all: of the prompts */

/**
 * The history with the member usage in each answer. The sums are those of the log. The sizes of the prompts are those that it
 * names; the cache is that of a prompt that only grows.
 * @param {string} history
 * @param {string} updates
 */
export function withUsage(history, updates) {
	const lines = history.split("\n").map((text) => ({ text, value: parsed(text) }));
	/** @type {any[][]} the answers to each prompt */
	const turns = [];
	for (const line of lines) {
		if (line.value?.type === "user" && line.value.prompt_index !== undefined) turns.push([]);
		else if (line.value?.type === "assistant") turns.at(-1)?.push(line);
	}
	const sums = turnsOf(updates);
	for (let k = 1; k <= Math.min(sums.length, turns.length); k++) {
		// the newest first: a compaction removes older prompts
		const answers = /** @type {any[]} */ (turns.at(-k));
		const { sizes, ...all } = /** @type {Sums & { sizes: number[] }} */ (sums.at(-k));
		for (const [i, usage] of split(all, sizes, answers.length).entries())
			answers[i].text = JSON.stringify({ ...answers[i].value, usage });
	}
	return lines.map(({ text }) => text).join("\n");
}

/** @param {string} line @returns {any} */
function parsed(line) {
	try {
		return JSON.parse(line);
	} catch {
		return undefined; // the engine says what is wrong with it
	}
}

/** The sums of each prompt's calls, and the sizes of the calls that are named, with their answers. @param {string} updates */
function turnsOf(updates) {
	const turns = [];
	/** @type {Map<number, number>} */
	let sizes = new Map();
	for (const line of updates.split("\n")) {
		const { update, _meta: about } = parsed(line)?.params ?? {};
		if (update?.sessionUpdate === "tool_call") sizes.set(about?.streamStartMs, about?.totalTokens);
		if (update?.sessionUpdate === "user_message_chunk") sizes = new Map();
		const usage = update?.sessionUpdate === "turn_completed" ? update.usage : undefined;
		if (!usage) continue;
		const {
			inputTokens: all,
			cachedReadTokens: read = 0,
			cacheCreationTokens: write = 0,
			outputTokens: output,
		} = usage;
		turns.push({ all, read, write, output, sizes: [...sizes.values()] });
		sizes = new Map();
	}
	return turns;
}

/**
 * The usage of each of n calls.
 * @param {Sums} sums
 * @param {number[]} sizes of the calls but the last one: prompt and answer
 * @param {number} n
 */
function split({ all, read, write, output }, sizes, n) {
	if (n === 0) return [];
	const even = (/** @type {number} */ sum) =>
		Array.from({ length: n }, (_, i) => Math.floor((sum * (i + 1)) / n) - Math.floor((sum * i) / n));
	const outputs = even(output);
	let prompts = even(all);
	if (sizes.length === n - 1) {
		const named = sizes.map((size, i) => size - /** @type {number} */ (outputs[i]));
		const last = all - named.reduce((sum, size) => sum + size, 0);
		if (Math.min(...named, last) > 0) prompts = [...named, last];
	}
	/** Takes from a sum what each call has room for, and what is left of it, in this order. */
	const take = (/** @type {number} */ sum, /** @type {number[][]} */ rooms) => {
		const taken = prompts.map(() => 0);
		for (const room of rooms) {
			for (let i = n - 1; i >= 0; i--) {
				const part = Math.max(Math.min((room[i] ?? 0) - (taken[i] ?? 0), sum), 0);
				taken[i] = (taken[i] ?? 0) + part;
				sum -= part;
			}
		}
		return taken;
	};
	const reads = take(read, [prompts.map((size, i) => Math.min(prompts[i - 1] ?? 0, size)), prompts]);
	const rest = prompts.map((size, i) => size - (reads[i] ?? 0));
	const writes = take(write, [rest]);
	return prompts.map((_, i) => ({
		input: (rest[i] ?? 0) - (writes[i] ?? 0),
		read: reads[i],
		write: writes[i],
		output: outputs[i],
	}));
}
