// This file finds the texts of a block that the engine counts: those that the model reads, byte for byte, without the
// overhead around them. It follows the engine's parsers of the formats; counter.test.js compares both.

/**
 * @param {any} value the value at the block's path
 * @param {{kind: string, role: string}} of
 * @param {(path: string) => string} source the source text of a member; "" is the value itself
 * @returns {string[]}
 */
export function countedTexts(value, { kind, role }, source) {
	if (value === undefined) return [];
	if (role === "tools") return [source("")];
	if (kind === "tool_use") return call(value, source);
	if (kind === "tool_result") return result(value, source);
	return block(value, source);
}

/** @param {any} value @param {(path: string) => string} source */
function call(value, source) {
	const inner = ["function", "custom"].find((name) => typeof value[name] === "object" && value[name] !== null);
	const named = inner ? value[inner] : value;
	const member = ["input", "arguments"].find((name) => Object.hasOwn(named, name) && named[name] !== null) ?? "input";
	// In Anthropic's format the input is JSON, in OpenAI's a string that holds JSON.
	const anthropic = !inner && member === "input";
	const input =
		named[member] === undefined
			? ""
			: typeof named[member] === "string" && !anthropic
				? named[member]
				: source(`${inner ? `/${inner}` : ""}/${member}`);
	return [named.name ?? "", input].filter((text) => text !== "");
}

/** @param {any} value @param {(path: string) => string} source @returns {string[]} */
function result({ content }, source) {
	if (content === undefined || content === null) return [];
	if (typeof content === "string") return content === "" ? [] : [content];
	if (!Array.isArray(content)) return [source("/content")];
	return content.flatMap((part, i) => block(part, (path) => source(`/content/${i}${path}`)));
}

/** @param {any} value @param {(path: string) => string} source @returns {string[]} */
function block(value, source) {
	return text(value, source).filter((found) => found !== "");
}

/** @param {any} value @param {(path: string) => string} source @returns {string[]} */
function text(value, source) {
	if (typeof value === "string") return [value];
	switch (value?.type) {
		case "text":
			return [value.text ?? ""];
		case "refusal":
			return [value.refusal ?? ""];
		case "thinking":
			return [value.thinking ?? ""];
		case "redacted_thinking":
			return [value.data ?? ""];
		case "compaction":
			return [within(value.content)];
		case "document":
		case "search_result":
			return [reading(value)];
		case "image":
		case "image_url":
		case "input_audio":
		case "file":
		case "container_upload":
			return [];
		case "tool_result":
			return result(value, source);
	}
	return [source("")];
}

/** @param {any} value */
function reading({ title, context, source, content }) {
	const inner = source?.type === "text" ? source.data : source?.type === "content" ? within(source.content) : "";
	return [title, context, source, inner, within(content)]
		.filter((part) => typeof part === "string" && part !== "")
		.join("\n");
}

/** @param {any} content */
function within(content) {
	if (!Array.isArray(content)) return typeof content === "string" ? content : "";
	return content
		.map((part) => part?.text)
		.filter((found) => typeof found === "string")
		.join("\n");
}
