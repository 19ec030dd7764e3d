// This file has a log of each agent that writes what its calls used: made up here, in the form of its agent, with what a bill gets
// wrong easily: caches in the input or next to it, lines that repeat a call, calls that failed, services, long prompts.

const time = "2026-10-01T10:00:00.000Z";
const lines = (/** @type {any[]} */ ...all) => `${all.map((one) => JSON.stringify(one)).join("\n")}\n`;

const claude = (
	/** @type {string} */ uuid,
	/** @type {string | null} */ parentUuid,
	/** @type {any} */ message,
	more = {},
) => ({
	type: message.role,
	uuid,
	parentUuid,
	sessionId: "s",
	timestamp: time,
	message,
	...more,
});
const usage = (/** @type {number[]} */ [input, read, written, output] = [], /** @type {any} */ more = {}) => ({
	input_tokens: input,
	cache_read_input_tokens: read,
	cache_creation_input_tokens: written,
	output_tokens: output,
	...more,
});
const answer = (/** @type {string} */ id, /** @type {any} */ used, model = "claude-opus-4-6") => ({
	role: "assistant",
	id,
	model,
	content: [{ type: "text", text: `answer ${id}` }],
	usage: used,
});
const asked = { role: "user", content: "go on" };

const item = (/** @type {string} */ role, /** @type {string} */ text) => ({
	type: "response_item",
	payload: { type: "message", role, content: [{ type: role === "user" ? "input_text" : "output_text", text }] },
});
const counted = (
	/** @type {number[]} */ [all, read, written, output] = [],
	/** @type {number} */ total,
	more = {},
) => ({
	type: "event_msg",
	payload: {
		type: "token_count",
		info: {
			total_token_usage: { total_tokens: total },
			last_token_usage: {
				input_tokens: all,
				cached_input_tokens: read,
				cache_write_input_tokens: written,
				output_tokens: output,
			},
		},
		...more,
	},
});
const codex = (/** @type {string} */ model, /** @type {any[]} */ ...all) =>
	lines(
		...[
			{ type: "session_meta", payload: { id: "s", cwd: "/p", cli_version: "0.154.0" } },
			{ type: "turn_context", payload: { model } },
			item("user", "go"),
			...all,
		].map((line) => ({ timestamp: time, ...line })),
	);

const pi = (/** @type {string} */ id, /** @type {string | null} */ parentId, /** @type {any} */ message) => ({
	type: "message",
	id,
	parentId,
	timestamp: time,
	message,
});
const said = [{ type: "text", text: "said" }];
const paid = (/** @type {number[]} */ [input, cacheRead, cacheWrite, output, dollars] = [], stopReason = "stop") => ({
	role: "assistant",
	api: "anthropic-messages",
	provider: "anthropic",
	model: "claude-opus-4-5",
	content: said,
	stopReason,
	usage: { input, cacheRead, cacheWrite, output, totalTokens: 1e7, cost: { total: dollars } },
});

const openCode = (/** @type {string} */ id, /** @type {any} */ tokens, more = {}) => ({
	info: { id, role: "assistant", modelID: "claude-opus-4-5", cost: 0, finish: "stop", tokens, ...more },
	parts: [{ type: "text", text: `said ${id}` }],
});
const openCodeUser = (/** @type {string} */ id, /** @type {any[]} */ ...parts) => ({
	info: { id, role: "user" },
	parts: [{ type: "text", text: "go on" }, ...parts],
});

const copilot = (/** @type {string} */ type, /** @type {any} */ data) => ({
	type,
	data,
	id: type,
	timestamp: time,
	parentId: null,
});
const spent = (
	/** @type {number[]} */ [inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens] = [],
	more = {},
) =>
	copilot("session.usage_record", {
		usage: { model: "claude-opus-4-5", inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, ...more },
	});

const kimi = (/** @type {any} */ event) => ({ type: "context.append_loop_event", agentId: "main", event, time: 1 });
const kimiUsed = (/** @type {number[]} */ [inputOther, inputCacheRead, inputCacheCreation, output] = []) => ({
	type: "usage.record",
	agentId: "main",
	model: "kimi-k2.6",
	usage: { inputOther, inputCacheRead, inputCacheCreation, output },
	usageScope: "turn",
	time: 1,
});
const status = (/** @type {number[]} */ [input_other, input_cache_read, input_cache_creation, output] = []) => ({
	type: "StatusUpdate",
	payload: { token_usage: { input_other, input_cache_read, input_cache_creation, output } },
});

/** The logs by the name of their format, and what is special about them. */
export const LOGS = {
	"claude-code": lines(
		claude("1", null, asked),
		claude("2", "1", answer("m1", usage([10, 0, 9000, 1], { cache_creation: { ephemeral_1h_input_tokens: 4000 } }))),
		claude("3", "2", answer("m1", usage([10, 0, 9000, 70], { cache_creation: { ephemeral_1h_input_tokens: 4000 } }))),
		claude("4", "3", asked),
		claude("5", "4", answer("m2", usage([5, 9000, 300, 80], { speed: "fast", service_tier: "standard" }))),
		claude("6", "5", asked),
		claude("7", "6", answer("m3", usage([5, 9300, 300, 80], { service_tier: "batch" }))),
		claude("8", "7", { ...answer("m4", usage([0, 0, 0, 0])), model: "<synthetic>" }, { isApiErrorMessage: true }),
		claude("9", null, asked, { isSidechain: true }),
		claude("10", "9", answer("m5", usage([700, 0, 0, 90]), "claude-haiku-4-5"), { isSidechain: true }),
		claude("11", "4", answer("m6", usage([5, 9000, 100, 60]))), // the user went back
		claude("12", "11", asked),
		claude("13", "12", answer("m7", usage([5, 9100, 100, 60]))),
	),
	codex: codex(
		"gpt-6-astra",
		item("assistant", "one"),
		counted([100_000, 0, 90_000, 400], 100_400),
		counted([100_000, 0, 90_000, 400], 100_400), // the limits are refreshed
		{ type: "event_msg", payload: { type: "thread_settings_applied", service_tier: "priority" } },
		item("user", "more"),
		item("assistant", "two"),
		counted([100_500, 100_000, 0, 50], 200_950),
		{ type: "event_msg", payload: { type: "thread_settings_applied", service_tier: "default" } },
		item("user", "more"),
		item("assistant", "three"),
		counted([300_000, 100_000, 0, 900], 501_850), // a long prompt
	),
	"codex, older": codex(
		"gpt-5.5",
		item("assistant", "one"),
		counted([60_000, 20_000, 0, 400], 60_400, { service_tier: "flex" }),
		{ type: "compacted", payload: { message: "so far", replacement_history: [item("user", "so far").payload] } },
		item("user", "more"),
		item("assistant", "two"),
		counted([20_000, 0, 0, 50], 80_450),
	),
	pi: lines(
		{ type: "session", version: 3, id: "s", timestamp: time, cwd: "/p" },
		pi("1", null, { role: "user", content: said }),
		pi("2", "1", paid([10, 0, 5000, 60, 0.03])),
		pi("3", "2", { role: "user", content: said }),
		pi("4", "3", paid([10, 5000, 90, 7, 0.0041], "aborted")),
		pi("5", "4", { role: "user", content: said }),
		pi("6", "5", paid([10, 5000, 300, 60, 0.006])),
		pi("7", "3", paid([10, 5000, 200, 60, 0.005])), // another branch is the newest
		pi("8", "7", { role: "user", content: said }),
		pi("9", "8", paid([10, 5200, 200, 60, 0])), // no price: that of the model
	),
	"gemini-cli": lines(
		{ sessionId: "s", projectHash: "p", startTime: time, lastUpdated: time },
		{ id: "1", timestamp: time, type: "user", content: "go" },
		{
			id: "2",
			timestamp: time,
			type: "gemini",
			model: "gemini-2.5-pro",
			content: "said",
			tokens: { input: 9000, cached: 0, output: 50, thoughts: 5, tool: 0, total: 9055 },
		},
		{
			id: "2",
			timestamp: time,
			type: "gemini",
			model: "gemini-2.5-pro",
			content: "said all",
			tokens: { input: 9000, cached: 2000, output: 90, thoughts: 800, tool: 300, total: 10_190 },
		},
		{ id: "3", timestamp: time, type: "user", content: "go on" },
		{
			id: "4",
			timestamp: time,
			type: "gemini",
			model: "gemini-2.5-pro",
			content: "said more",
			tokens: { input: 210_000, cached: 9000, output: 100, thoughts: 0, tool: 0, total: 210_100 },
		},
	),
	opencode: JSON.stringify({
		info: { id: "ses_1", directory: "/p" },
		messages: [
			openCodeUser("1"),
			openCode("2", { input: 10, output: 60, reasoning: 900, cache: { read: 0, write: 7000 } }),
			openCodeUser("3"),
			openCode("4", { input: 10, output: 60, reasoning: 0, cache: { read: 7000, write: 90 } }, { cost: 0.0123 }),
			openCodeUser("5", { type: "compaction", auto: true }),
			openCode(
				"6",
				{ input: 7100, output: 300, reasoning: 0, cache: { read: 0, write: 0 } },
				{ summary: true, parentID: "5" },
			),
			openCodeUser("7"),
			openCode(
				"8",
				{ input: 500, output: 9, reasoning: 0, cache: { read: 0, write: 0 } },
				{ error: { name: "APIError", data: {} } },
			),
			openCodeUser("9"),
			openCode("10", { input: 500, output: 60, reasoning: 0, cache: { read: 0, write: 0 } }),
		],
	}),
	cline: JSON.stringify([
		{ role: "user", content: [{ type: "text", text: "go" }], ts: 1 },
		{
			role: "assistant",
			content: said,
			ts: 2,
			modelInfo: { modelId: "claude-opus-4-5" },
			metrics: { tokens: { prompt: 9000, completion: 60, cached: 2000 }, cost: 0.0375 },
		},
		{ role: "user", content: [{ type: "text", text: "go on" }], ts: 3 },
		{
			role: "assistant",
			content: said,
			ts: 4,
			modelInfo: { modelId: "claude-opus-4-5" },
			metrics: { tokens: { prompt: 9100, completion: 60, cached: 9000 }, cost: 0.0065 },
		},
	]),
	"cline, terminal": JSON.stringify({
		version: 1,
		messages: [
			{ id: "a", role: "user", content: [{ type: "text", text: "go" }], ts: 1 },
			...[0, 8000].map((cacheReadTokens, i) => ({
				id: `b${i}`,
				role: "assistant",
				content: said,
				ts: 2 + i,
				modelInfo: { id: "claude-opus-4-5", provider: "anthropic" },
				metrics: { inputTokens: 9000, outputTokens: 60, cacheReadTokens, cacheWriteTokens: 900 },
			})),
		],
	}),
	"qwen-code": lines(
		{
			uuid: "1",
			parentUuid: null,
			sessionId: "s",
			timestamp: time,
			type: "user",
			message: { role: "user", parts: [{ text: "go" }] },
		},
		{
			uuid: "2",
			parentUuid: "1",
			sessionId: "s",
			timestamp: time,
			type: "assistant",
			model: "claude-opus-4-5",
			message: { role: "model", parts: [{ text: "said" }] },
			usageMetadata: {
				promptTokenCount: 9000,
				candidatesTokenCount: 60,
				cachedContentTokenCount: 2000,
				thoughtsTokenCount: 700,
				totalTokenCount: 9760,
			},
		},
		{
			uuid: "3",
			parentUuid: "2",
			sessionId: "s",
			timestamp: time,
			type: "user",
			message: { role: "user", parts: [{ text: "go on" }] },
		},
		{
			uuid: "4",
			parentUuid: "3",
			sessionId: "s",
			timestamp: time,
			type: "assistant",
			model: "claude-opus-4-5",
			message: { role: "model", parts: [{ text: "said" }] },
			usageMetadata: {
				promptTokenCount: 9800,
				candidatesTokenCount: 60,
				cachedContentTokenCount: 9000,
				totalTokenCount: 9860,
			},
		},
	),
	"kimi-cli": lines(
		{ role: "user", content: "go" },
		{ role: "assistant", content: said },
		{ role: "user", content: "go on" },
		{ role: "assistant", content: said },
		{ timestamp: 1_790_000_000.5, message: status([8000, 0, 0, 60]) },
		{ timestamp: 1_790_000_001.5, message: { type: "SubagentEvent", payload: { event: status([700, 0, 0, 20]) } } },
		{ timestamp: 1_790_000_002.5, message: status([100, 8000, 50, 60]) },
	),
	"kimi-code": lines(
		{ type: "metadata", protocol_version: "1.5", created_at: 1 },
		{ type: "llm.request", agentId: "main", model: "kimi-k2.6", time: 1 },
		{
			type: "context.append_message",
			agentId: "main",
			message: { role: "user", content: said, toolCalls: [], origin: { kind: "user" } },
			time: 1,
		},
		kimi({ type: "step.begin", uuid: "s1", turnId: "0", step: 1 }),
		kimiUsed([8000, 0, 0, 60]),
		kimi({ type: "content.part", part: { type: "text", text: "said" } }),
		kimi({ type: "step.end", usage: { inputOther: 8000, output: 60, inputCacheRead: 0, inputCacheCreation: 0 } }),
		kimiUsed([300, 8000, 0, 900]), // a compaction
	),
	"copilot-cli": lines(
		copilot("session.start", {
			sessionId: "s",
			version: 1,
			producer: "copilot-agent",
			selectedModel: "claude-opus-4-5",
		}),
		copilot("user.message", { content: "go", transformedContent: "go", attachments: [] }),
		spent([9155, 100, 9000, 60]),
		copilot("assistant.message", { messageId: "1", content: "said", toolRequests: [] }),
		copilot("user.message", { content: "go on", transformedContent: "go on", attachments: [] }),
		spent([9300, 9100, 100, 60], { interactionType: "conversation-agent" }),
		copilot("assistant.message", { messageId: "2", content: "said", toolRequests: [] }),
		spent([9400, 0, 0, 600], { interactionType: "conversation-compaction" }),
		copilot("session.shutdown", {
			modelMetrics: { "claude-opus-4-5": { usage: { inputTokens: 27_855, outputTokens: 720 } } },
		}),
	),
	aider: `
# aider chat started at 2026-10-01 10:00:00

> Main model: claude-opus-4-5 with diff edit format

#### go

Said.

> Tokens: 2.4k sent, 1.2k cache write, 900 cache hit, 120 received. Cost: $0.0091 message, $0.01 session.

#### go on

Said more.

> Tokens: 980 sent, 120 received. Cost: $0.0079 message, $0.02 session.
`,
	anthropic: JSON.stringify({
		model: "claude-opus-4-5",
		max_tokens: 9,
		messages: [
			asked,
			{ role: "assistant", content: "said", usage: usage([9, 0, 5000, 60]) },
			asked,
			{ role: "assistant", content: "said", usage: usage([9, 5000, 70, 60]) },
		],
	}),
};
