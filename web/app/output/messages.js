// This file turns a conversation into readable entries: one per message, with its text without JSON, and a key that is
// equal for equal messages on both sides of a comparison. No message is checked or left out.

/** @typedef {{role: string, label: string, key: string, ids: string[], text: string}} Entry */

/**
 * @param {string} text
 * @param {string} format
 * @returns {Entry[]}
 */
export function entriesOf(text, format) {
	if (format === "claude-code") {
		return text
			.split("\n")
			.filter((line) => line.trim())
			.map((line) => {
				const entry = JSON.parse(line);
				if (entry.message?.role) return entryOf(entry.message);
				return { role: "log", label: String(entry.type ?? "entry"), key: line, ids: [], text: line };
			});
	}
	const whole = JSON.parse(text);
	return (Array.isArray(whole) ? whole : whole.messages).map(entryOf);
}

/** @param {any} message @returns {Entry} */
function entryOf(message) {
	const { role, content } = message;
	const blocks = Array.isArray(content)
		? content
		: content === null || content === undefined
			? []
			: [{ type: "text", text: String(content) }];
	/** @type {string[]} */
	const ids = [];
	/** @type {string[]} */
	const labels = [];
	const texts = blocks.map((block) => textOf(block, ids, labels));
	for (const call of message.tool_calls ?? []) {
		ids.push(String(call.id));
		labels.push(`${call.function?.name ?? "tool"} call`);
		texts.push(`${call.function?.name ?? "tool"} ${call.function?.arguments ?? ""}`);
	}
	if (message.tool_call_id) {
		ids.push(String(message.tool_call_id));
		labels.push("result");
	}
	return {
		role: String(role),
		label: [...new Set(labels)].slice(0, 4).join(", "),
		key: JSON.stringify([role, content, message.tool_calls, message.tool_call_id]),
		ids,
		text: texts.join("\n\n"),
	};
}

/**
 * @param {any} block
 * @param {string[]} ids
 * @param {string[]} labels
 * @returns {string}
 */
function textOf(block, ids, labels) {
	switch (block?.type) {
		case "text":
			return String(block.text ?? "");
		case "thinking":
			labels.push("thinking");
			return `(thinking) ${block.thinking ?? ""}`;
		case "tool_use":
			ids.push(String(block.id));
			labels.push(`${block.name} call`);
			return `${block.name} ${JSON.stringify(block.input ?? {}, null, 2)}`;
		case "tool_result": {
			ids.push(String(block.tool_use_id));
			labels.push(block.is_error ? "failed result" : "result");
			const content = Array.isArray(block.content)
				? block.content
				: [{ type: "text", text: String(block.content ?? "") }];
			return content.map((/** @type {any} */ part) => textOf(part, [], [])).join("\n");
		}
		case "image":
		case "image_url":
		case "document":
			labels.push(block.type === "document" ? "document" : "image");
			return `(${block.type === "document" ? "document" : "image"}, ${JSON.stringify(block).length} characters of data)`;
		default:
			labels.push(String(block?.type ?? "other"));
			return JSON.stringify(block, null, 2) ?? "";
	}
}
