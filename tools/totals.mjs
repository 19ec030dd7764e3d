// This file computes what the calls in session logs cost, without the engine: a check of `tamp usage`. It knows where each agent
// writes its usage, and nothing else of the formats. `node tools/totals.mjs [IN,OUT,READ,WRITE] FILE …` prints the calls and the
// costs in millionths of a dollar; with prices, all calls have them.

import { readFileSync } from "node:fs";

/** Dollars for a million tokens (vendors' pages, November 2026): input, output, read, written for 5 minutes, for an hour, long from. */
const PRICES = [
	[/claude-opus-4[-.][56]/, 5, 25, 0.5, 6.25, 10],
	[/claude-(sonnet-4|3[-.][57]-sonnet)/, 3, 15, 0.3, 3.75, 6],
	[/claude-haiku-4-5/, 1, 5, 0.1, 1.25, 2],
	[/gpt-5\.5$/, 5, 30, 0.5, 5, 5, 272_000],
	[/gpt-6-astra/, 10, 50, 1, 12.5, 12.5, 272_000],
	[/gpt-5\.1-codex/, 1.25, 10, 0.125, 1.25, 1.25],
	[/gemini-2\.5-pro/, 1.25, 10, 0.125, 1.25, 1.25, 200_000],
	[/kimi-k2\.6/, 0.95, 4, 0.16, 0.95, 0.95],
];
const FACTORS = {
	priority: 2,
	flex: 0.5,
	batch: 0.5,
	fast: /** @param {string} model */ (model) => (/claude/.test(model) ? 6 : 2),
};
const sum = (/** @type {any[]} */ ...list) => list.reduce((all, n) => all + (Number(n) || 0), 0);

/** A call; of `all`, which has the cache, or of `input`. @param {any} call */
const call = ({ all, input = 0, read = 0, write = 0, hour = 0, output = 0, ...rest }) => {
	const fresh = all === undefined ? sum(input) : Math.max(sum(all) - sum(read) - sum(write), 0);
	return {
		input: fresh,
		read: sum(read),
		write: sum(write) - sum(hour),
		hour: sum(hour),
		output: sum(output),
		...rest,
	};
};
const thousands = (/** @type {string | undefined} */ text = "0") =>
	Number.parseFloat(text) * (text.endsWith("k") ? 1000 : 1);
const ofClaude = (/** @type {any} */ u, /** @type {any} */ rest) =>
	call({
		input: u.input_tokens,
		read: u.cache_read_input_tokens,
		write: u.cache_creation_input_tokens,
		hour: u.cache_creation?.ephemeral_1h_input_tokens,
		output: u.output_tokens,
		tier: u.speed === "fast" ? "fast" : u.service_tier,
		...rest,
	});

/** The calls of one line or record, by its agent. @param {any} l @param {any} s what came before @param {number} n its place */
function callsOf(l, s, n) {
	const p = l.payload ?? {};
	const set = (/** @type {any} */ id, /** @type {any} */ one) => void s.calls.set(id, one);
	if (l.type === "turn_context") s.model = p.model ?? s.model;
	if (p.type === "thread_settings_applied") s.tier = p.service_tier ?? p.settings?.service_tier;
	if (l.type === "token_usage_record" || (p.type === "token_count" && p.info)) {
		const u = p.usage ?? p.info.last_token_usage;
		const total = JSON.stringify(p.info?.total_token_usage ?? n);
		if (s.record !== undefined && p.usage === undefined) s.calls.delete(s.record); // token_count is of the same call
		s.record = p.usage ? n : undefined;
		if (u && total !== s.total)
			set(
				n,
				call({
					all: u.input_tokens,
					read: u.cached_input_tokens,
					write: u.cache_write_input_tokens,
					output: u.output_tokens,
					model: p.model ?? s.model,
					tier: p.service_tier ?? s.tier,
				}),
			);
		s.total = total;
	} else if (l.type === "usage.record" || l.type === "llm.request") {
		// Kimi Code
		s.model = l.model ?? s.model;
		if (l.usage)
			set(
				n,
				call({
					input: l.usage.inputOther,
					read: l.usage.inputCacheRead,
					write: l.usage.inputCacheCreation,
					output: l.usage.output,
					model: s.model,
				}),
			);
	} else if (l.type === "session.usage_record") {
		// Copilot CLI
		const u = l.data.usage;
		set(
			n,
			call({
				all: u.inputTokens,
				read: u.cacheReadTokens,
				write: u.cacheWriteTokens,
				output: u.outputTokens,
				model: u.model,
			}),
		);
	} else if (l.usageMetadata) {
		// Qwen Code
		const {
			promptTokenCount: all,
			cachedContentTokenCount: read,
			totalTokenCount: total,
			candidatesTokenCount,
		} = l.usageMetadata;
		set(n, call({ all, read, output: Math.max(candidatesTokenCount, sum(total) - all), model: l.model }));
	} else if (l.tokens && l.type === "gemini") {
		const { input, cached, output, thoughts, tool } = l.tokens;
		set(l.id, call({ all: sum(input, tool), read: cached, output: sum(output, thoughts), model: l.model }));
	} else if (l.$set?.messages) for (const m of l.$set.messages) callsOf(m, s, n);
	else if (l.info?.tokens && l.info.role === "assistant") {
		// opencode
		const { input, output, reasoning, cache } = l.info.tokens;
		set(
			n,
			call({
				input,
				read: cache?.read,
				write: cache?.write,
				output: sum(output, reasoning),
				own: l.info.cost,
				model: l.info.modelID,
			}),
		);
	} else if (l.metrics?.inputTokens) {
		// Cline 3 for the terminal
		const {
			inputTokens: all,
			cacheReadTokens: read,
			cacheWriteTokens: write,
			outputTokens: output,
			cost: own,
		} = l.metrics;
		set(n, call({ all, read, write, output, own, model: l.modelInfo.id }));
	} else if (l.metrics?.tokens) {
		// Cline
		const { prompt, cached, completion } = l.metrics.tokens;
		set(
			n,
			call({
				all: prompt,
				read: cached,
				output: completion,
				own: l.metrics.cost,
				model: l.modelInfo?.modelId ?? s.model,
			}),
		);
	} else if (l.message?.payload?.token_usage ?? l.message?.payload?.event?.payload?.token_usage) {
		// Kimi CLI
		const u = l.message.payload.token_usage ?? l.message.payload.event.payload.token_usage;
		set(
			n,
			call({
				input: u.input_other,
				read: u.input_cache_read,
				write: u.input_cache_creation,
				output: u.output,
				model: s.model,
			}),
		);
	} else if (l.message?.usage?.cost || l.message?.usage?.totalTokens) {
		// pi
		const { input, cacheRead: read, cacheWrite: write, output, cost } = l.message.usage;
		set(n, call({ input, read, write, output, own: cost?.total, model: l.message.model }));
	} else if (l.type === "assistant" && l.message?.usage && l.message.model !== "<synthetic>" && !l.isApiErrorMessage)
		// Claude Code
		set(`${l.message.id} ${l.requestId}`, ofClaude(l.message.usage, { model: l.message.model }));
	else if (l.role === "assistant" && l.usage) set(n, ofClaude(l.usage, { model: s.model })); // a request
}

/** @param {string} text @param {number[]} [given] prices */
export function totalsOf(text, given) {
	/** @type {any} */
	const s = { calls: new Map() };
	const parsed = (/** @type {string} */ line) => {
		try {
			return JSON.parse(line);
		} catch {
			return null;
		}
	};
	const whole = parsed(text);
	const records = whole ? (Array.isArray(whole) ? whole : (whole.messages ?? [])) : text.split("\n").map(parsed);
	if (whole) s.model = whole.model;
	records.forEach(
		(/** @type {any} */ l, /** @type {number} */ n) => void (l && typeof l === "object" && callsOf(l, s, n)),
	);
	for (const [n, line] of text.startsWith("\n# aider chat") ? text.split("\n").entries() : []) {
		s.model = /^> (?:Main )?[Mm]odel: (\S+)/.exec(line)?.[1] ?? s.model;
		const [, sent, write, read, received, own] =
			/^> Tokens: (\S+) sent, (?:(\S+) cache write, )?(?:(\S+) cache hit, )?(\S+) received\.(?: Cost: \$([\d.]+\d))?/.exec(
				line,
			) ?? [];
		if (sent)
			s.calls.set(
				n,
				call({
					all: thousands(sent),
					write: thousands(write),
					read: thousands(read),
					output: thousands(received),
					own: Number(own),
					model: s.model,
				}),
			);
	}
	let [calls, cost, unpriced] = [0, 0, 0];
	for (const { input, read, write, hour, output, own, model = "", tier } of s.calls.values()) {
		if (input + read + write + hour === 0) continue;
		calls++;
		if (own > 0 && !given) {
			cost += own * 1e6;
			continue;
		}
		const row =
			given ?? /** @type {any[]} */ (PRICES.find(([name]) => /** @type {RegExp} */ (name).test(model)))?.slice(1);
		if (!row) {
			unpriced++;
			continue;
		}
		const [i, o, r, w, h = w, long = Number.POSITIVE_INFINITY] = row;
		const [more, answer] = input + read + write + hour > long ? [2, 1.5] : [1, 1];
		const factor = given ? 1 : (FACTORS[/** @type {keyof typeof FACTORS} */ (tier)] ?? 1);
		cost +=
			(typeof factor === "function" ? factor(model) : factor) *
			(more * (input * i + read * r + write * w + hour * h) + answer * output * o);
	}
	return { calls, cost: Math.round(cost), unpriced };
}

if (import.meta.filename === process.argv[1] || process.argv[1]?.endsWith("totals.mjs")) {
	const [first = "", ...rest] = process.argv.slice(2);
	const given = /^[\d.,]+$/.test(first) ? first.split(",").map(Number) : undefined;
	for (const file of given ? rest : [first, ...rest])
		console.log(file, JSON.stringify(totalsOf(readFileSync(file, "utf8"), given)));
}
