// This file translates between the messages of Claude Code's event session.compact, here rows, and a conversation of the
// Messages API. A row has no thinking and no system prompt, and comes for each block of an answer.

/** @typedef {{ tool_use_id: string, tool: string, input: unknown }} Use */
/** @typedef {{ tool_use_id: string, text: string, isError?: boolean, result?: unknown }} Result */
/** @typedef {{ role: string, text: string, toolUses: Use[], toolResults?: Result[], handle?: string }} Row */
/** @typedef {{ role: "user" | "assistant", content: any }} Message content: a text, or a list of blocks */

/** What replaces a picture in a result: a row has its place only. */
const PICTURE = "[a picture, which is not shown after a compaction; read its file again if you need it]";

/** A prompt of pictures alone. */
const PICTURES = "[pictures]";

/** @param {unknown} value @param {string} what @returns {string} */
function text(value, what) {
	if (typeof value !== "string") throw new Error(`${what} is no text`);
	return value;
}

/** @param {unknown} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value : []);

/** @param {any} result of a row */
function resultOf(result) {
	const id = text(result?.tool_use_id, "the id of a result");
	const content = typeof result.text === "string" && result.text !== "" ? result.text : pictureOr(result.result);
	/** @type {{ type: string, tool_use_id: string, content: string, is_error?: boolean }} */
	const block = { type: "tool_result", tool_use_id: id, content };
	return result.isError === true ? { ...block, is_error: true } : block;
}

/** @param {any} result as the tool returned it */
const pictureOr = (result) => (result?.type === "image" || result?.isImage === true ? PICTURE : "");

/** @param {any} row of the assistant; without blocks it has thinking, which no row shows */
function blocksOf(row) {
	const blocks = text(row.text, "an answer") === "" ? [] : [{ type: "text", text: row.text }];
	const calls = list(row.toolUses).map((use) => ({
		type: "tool_use",
		id: text(use?.tool_use_id, "the id of a call"),
		name: text(use.tool, "the tool of a call"),
		input: use.input ?? {},
	}));
	return [...blocks, ...calls];
}

/** What the user typed, or "" if a row has results alone. @param {any} row */
function promptOf(row) {
	const prompt = text(row.text, "a prompt");
	return prompt === "" && list(row.toolResults).length === 0 ? PICTURES : prompt;
}

/**
 * The conversation of some rows. The rows of one answer become one message, and the results of its calls the next one:
 * Claude Code hands over each block alone, and results in the order in which they came. A prompt is a message of its own.
 * @param {unknown} rows
 * @returns {Message[]}
 */
export function messagesOf(rows) {
	if (!Array.isArray(rows)) throw new Error("the event has no messages");
	/** @type {Message[]} */
	const messages = [];
	let answer = -1; // the newest message of the assistant
	for (const row of rows) {
		if (row?.role === "assistant") {
			const blocks = blocksOf(row);
			if (blocks.length === 0) continue;
			if (answer >= 0 && answer === messages.length - 1) messages[answer]?.content.push(...blocks);
			else answer = messages.push({ role: "assistant", content: blocks }) - 1;
			continue;
		}
		if (row?.role !== "user") throw new Error("a message has an unknown role");
		const results = list(row.toolResults).map(resultOf);
		if (results.length > 0) {
			const next = messages[answer + 1];
			if (Array.isArray(next?.content)) next.content.push(...results);
			else messages.splice(answer + 1, 0, { role: "user", content: results });
		}
		const prompt = promptOf(row);
		if (prompt !== "") messages.push({ role: "user", content: prompt });
	}
	return messages;
}

/** A row without what its messages do not have. @param {Row} row @returns {Row} */
export const lean = ({ role, text, toolUses, toolResults }) => ({
	role,
	text,
	toolUses: list(toolUses).map(({ tool_use_id, tool, input }) => ({ tool_use_id, tool, input })),
	toolResults: list(toolResults)
		.map(resultOf)
		.map(({ tool_use_id, content, is_error }) => ({ tool_use_id, text: content, isError: is_error === true })),
});

/** The text of a content: its texts, joined. @param {any} content */
const textOf = (content) =>
	typeof content === "string"
		? content
		: list(content)
				.filter(({ type }) => type === "text")
				.map(({ text }) => text)
				.join("\n\n");

/** @param {any} content @param {string} type @returns {any[]} */
const ofType = (content, type) => list(content).filter((block) => block.type === type);

/**
 * The rows of a conversation. A prompt of the event is its row, handle and all: the client copies it, with its pictures.
 * Every other row is new. With the handle of an answer or a result, a resumed session would have all originals again.
 * @param {Message[]} messages
 * @param {Row[]} before the rows of the event
 * @returns {Row[]}
 */
export function rowsOf(messages, before) {
	/** @type {Map<string, Row[]>} */
	const prompts = new Map();
	for (const row of before) {
		if (row.role !== "user" || !row.handle || list(row.toolResults).length > 0) continue;
		prompts.set(promptOf(row), [...(prompts.get(promptOf(row)) ?? []), row]);
	}
	const rows = messages.toReversed().map(({ role, content }) => {
		const same = role === "user" && typeof content === "string" ? prompts.get(content)?.pop() : undefined;
		if (same) return same;
		return {
			role,
			text: textOf(content),
			toolUses: ofType(content, "tool_use").map(({ id, name, input }) => ({ tool_use_id: id, tool: name, input })),
			toolResults: ofType(content, "tool_result").map(({ tool_use_id, content, is_error }) => ({
				tool_use_id,
				text: textOf(content),
				isError: is_error === true,
			})),
		};
	});
	return rows.reverse();
}

/**
 * The rows with the calls of the newest answer as text, if they have results and the answer began with thinking. The
 * provider requires that thinking in front of the newest calls, no new row can have it, and with a handle on one row of
 * the answer a resumed session would have all originals again. The text has the form in which Claude Code itself inserts
 * the results of tools.
 * @param {Row[]} rows
 * @param {Row[]} before the rows of the event
 * @returns {Row[]}
 */
export function withoutOpenRound(rows, before) {
	const end = before.findLastIndex(({ role }) => role === "assistant");
	const begin = before.slice(0, end + 1).findLastIndex(({ role }) => role !== "assistant") + 1;
	const isThinking = (/** @type {Row} */ row) => row.text === "" && list(row.toolUses).length === 0;
	if (!before.slice(begin, end + 1).some(isThinking)) return rows;
	const at = rows.findLastIndex(({ role }) => role === "assistant");
	const uses = rows[at]?.toolUses ?? [];
	if (uses.length === 0) return rows;
	const open = /** @type {Row} */ (rows[at]);
	const names = uses.map(({ tool }) => tool).join(", ");
	const made = [{ role: "assistant", text: open.text || `I called ${names}.`, toolUses: [], toolResults: [] }];
	const say = (/** @type {string} */ text) => made.push({ role: "user", text, toolUses: [], toolResults: [] });
	const after = rows.slice(at + 1);
	const results = new Map(after.flatMap(({ toolResults }) => list(toolResults)).map((one) => [one.tool_use_id, one]));
	for (const { tool_use_id, tool, input } of uses) {
		const result = results.get(tool_use_id);
		say(`Called the ${tool} tool with the following input: ${JSON.stringify(input)}`);
		if (result) say(`Result of calling the ${tool} tool${result.isError ? ", an error" : ""}:\n${result.text}`);
	}
	return [...rows.slice(0, at), ...made, ...after.filter(({ toolResults }) => list(toolResults).length === 0)];
}
