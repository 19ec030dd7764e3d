// This file turns values of the engine into words and numbers for people.

const THOUSANDS = /\B(?=(\d{3})+$)/g;

/**
 * A number with decimals. Written by hand: the first number format of Intl takes 20 ms, as long as drawing a pane.
 * @param {number} n
 * @param {number} least of the decimals
 * @param {number} most
 */
export function decimal(n, least, most) {
	const [whole, rest = ""] = n.toFixed(most).split(".");
	let kept = rest.length;
	while (kept > least && rest[kept - 1] === "0") kept--;
	return `${whole.replace(THOUSANDS, ",")}${kept > 0 ? `.${rest.slice(0, kept)}` : ""}`;
}

/** @param {number} n */
export function number(n) {
	return Number.isInteger(n) ? String(n).replace(THOUSANDS, ",") : decimal(n, 0, 3);
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 */
export function plural(n, one, many = `${one}s`) {
	return `${number(n)} ${n === 1 ? one : many}`;
}

/** A size before and after. @param {number} before @param {number} after */
export function fromTo(before, after) {
	return `${number(before)} → ${number(after)}`;
}

/**
 * A share in percent, with at most one decimal.
 * @param {number} permille
 * @param {number} [digits] decimals that are shown even if they are 0
 */
export function percent(permille, digits = 0) {
	return `${decimal(permille / 10, digits, 1)} %`;
}

/** Millionths of a dollar in dollars and cents, for tables. @param {number} millionths */
export function cents(millionths) {
	const size = Math.abs(millionths) / 1_000_000;
	const text = decimal(size, 2, 2);
	return `${millionths < 0 && text !== "0.00" ? "−" : ""}$${text}`;
}

/**
 * Whole percent, as a verdict says it: 100 % means all, and 0 % means none.
 * @param {number} permille
 */
export function wholePercent(permille) {
	const n = Math.floor((permille + 5) / 10);
	return `${permille < 1000 ? Math.min(n, 99) || Number(permille > 0) : n} %`;
}

/**
 * A share of the tokens of a session, in whole percent, for a narrow place.
 * @param {number} part
 * @param {number} whole
 */
export function share(part, whole) {
	if (part <= 0 || whole <= 0) return "0 %";
	const hundredths = (part * 100) / whole;
	return hundredths < 1 ? "<1 %" : `${Math.round(hundredths)} %`;
}

/** Decimal units, as file managers show them. @param {number} n */
export function bytes(n) {
	if (n < 1000) return plural(n, "byte");
	if (n < 1_000_000) return `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)} kB`;
	return `${(n / 1_000_000).toFixed(1)} MB`;
}

/**
 * How much smaller, in whole percent; below one percent with a decimal, so that a small saving does not read as 0 %.
 * @param {number} before
 * @param {number} after
 */
export function saved(before, after) {
	if (before <= 0 || after >= before) return "0 %";
	const percent = ((before - after) * 100) / before;
	return `${percent < 1 ? percent.toFixed(1) : Math.floor(percent)} %`;
}

/** @type {Record<string, string>} */
const FORMATS = {
	anthropic: "Anthropic messages",
	"openai-chat": "OpenAI chat",
	"openai-responses": "OpenAI Responses",
	gemini: "Gemini contents",
	"ai-sdk": "AI SDK messages",
	"ai-sdk-ui": "AI SDK UI messages",
	"claude-code": "Claude Code session log",
	codex: "Codex session log",
	pi: "pi session log",
	"gemini-cli": "Gemini CLI session log",
	opencode: "opencode session export",
	cline: "Cline or Roo Code history",
	"qwen-code": "Qwen Code session log",
	"kimi-cli": "Kimi CLI context",
	"kimi-code": "Kimi Code session log",
	"grok-cli": "Grok CLI history",
	crush: "Crush session",
	"copilot-cli": "Copilot CLI session log",
	aider: "aider chat history",
	"vscode-chat": "VS Code chat",
	"gemini-interactions": "Gemini Interactions steps",
};

/** @param {string} format */
export function formatName(format) {
	return FORMATS[format] ?? format;
}

/** @type {Record<string, string>} */
const KINDS = {
	text: "text",
	tool_use: "call",
	tool_result: "result",
	thinking: "thinking",
	image: "image",
	document: "document",
	summary: "summary",
	other: "other",
};

/** @param {string} kind */
export function kindName(kind) {
	return KINDS[kind] ?? kind;
}

/** @type {Record<string, {name: string, means: string}>} */
export const FATES = {
	kept: { name: "kept", means: "stays unchanged" },
	pinned: { name: "pinned", means: "stays, whatever the policy says" },
	cleared: { name: "cleared", means: "its content is replaced by a placeholder" },
	dropped: { name: "dropped", means: "is removed" },
	broken: { name: "broken", means: "violates a rule of the provider" },
	summarized: { name: "summarized", means: "is replaced by a summary" },
	truncated: { name: "truncated", means: "keeps its head and its tail" },
};

/** @type {Record<string, string>} */
const ACTIONS = {
	clear_result: "Cleared a result",
	clear_input: "Cleared a call's input",
	drop_thinking: "Dropped thinking",
	thinking_dropped: "Dropped thinking",
	limit_output: "Cut an output",
	oversize_input: "Set an input aside",
	shorten_prompt: "Shortened a user text",
	shorten_answer: "Shortened an answer",
	summarize: "Summarized",
	condense: "Condensed summaries",
	truncate: "Truncated",
	failed: "No summary",
	none: "Unchanged",
	keep: "Kept",
};

/** @param {string} kind */
export function actionName(kind) {
	return ACTIONS[kind] ?? sentence(kind.replaceAll("_", " "));
}

/** A path, a file or an identifier: capitalised, it would name another one. */
const NAMED = /^[^\s:]*[./\\_][^\s:]/;

/** Engine messages are lower case without a full stop; on the page they stand alone. @param {string} text */
export function sentence(text) {
	return NAMED.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Counts in a text of the engine, which writes them without separators. @param {string} text */
export function grouped(text) {
	return text.replace(/(?<![\w./:-])\d{4,}(?![\w/:-]|\.\d)/g, (digits) => number(Number(digits)));
}

const ENDING = /\.(json|jsonl|ndjson|txt)$/i;
/** The logs of agents that have one JSON value a line. */
const LINES = [
	"claude-code",
	"codex",
	"pi",
	"gemini-cli",
	"qwen-code",
	"kimi-cli",
	"kimi-code",
	"copilot-cli",
	"grok-cli",
];

/**
 * The extension of a file with the session: that of the input if it says JSON or lines of it, else by the format.
 * @param {string} name of the input
 * @param {string} format
 */
export function extension(name, format) {
	const given = ENDING.exec(name)?.[1].toLowerCase();
	if (given === "json") return "json";
	return given === "jsonl" || given === "ndjson" || LINES.includes(format) ? "jsonl" : "json";
}

/** @param {string} name */
export function baseOf(name) {
	return name.replace(ENDING, "").replace(/\.(compacted|repaired)$/, "") || "session";
}

/**
 * Names of downloads come from the name of the input: notes.json gives notes.compacted.json.
 * @param {string} name
 * @param {string} format
 * @param {"compacted"|"archive"|"repaired"} part
 */
export function fileName(name, format, part) {
	return `${baseOf(name)}.${part}.${part === "archive" ? "jsonl" : extension(name, format)}`;
}

/**
 * The name of a session that was written in another format: notes.jsonl gives notes.compacted.gemini.json.
 * @param {string} name
 * @param {"packed"|"original"} which
 * @param {string} to
 */
export function nameAs(name, which, to) {
	return `${baseOf(name)}.${which === "packed" ? "compacted." : ""}${to}.json`;
}
