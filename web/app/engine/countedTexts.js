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

/** The members that hold a call: OpenAI's and Gemini's, and the state of a tool in a log of opencode. */
const CALLS = ["function", "custom", "functionCall", "function_call"];
const RESPONSES = ["functionResponse", "function_response"];
const INPUTS = ["input", "arguments", "args"];

/** @param {any} value @param {(path: string) => string} source */
function call(value, source) {
	const inner = CALLS.find((name) => isObject(value[name]));
	const named = inner ? value[inner] : value;
	const state = isObject(value.state) ? "/state" : inner ? `/${inner}` : "";
	const holder = state === "/state" ? value.state : named;
	const member = INPUTS.find((name) => Object.hasOwn(holder, name) && holder[name] !== null) ?? "input";
	// In Anthropic's format the input is JSON, in OpenAI's a string that holds JSON or the text of a custom tool.
	const json = !inner && member === "input" && value.type !== "custom_tool_call";
	const input =
		holder[member] === undefined
			? ""
			: typeof holder[member] === "string" && !json
				? holder[member]
				: source(`${state}/${member}`);
	return [named.name ?? named.toolName ?? named.tool, input].filter(isText);
}

/** @param {any} value @param {(path: string) => string} source @returns {string[]} */
function result(value, source) {
	if (typeof value === "string") return block(value, source); // in a log of opencode, the path is that of the output
	const inner = RESPONSES.find((name) => isObject(value[name]));
	if (inner) return [source(`/${inner}/response`)].filter(Boolean);
	if (isObject(value.state)) return output(value.state.output, "/state/output", source);
	const member = ["content", "output", "result"].find((name) => value[name] !== undefined) ?? "content";
	return output(value[member], `/${member}`, source);
}

/** @param {any} content @param {string} path @param {(path: string) => string} source @returns {string[]} */
function output(content, path, source) {
	if (content === undefined || content === null) return [];
	if (typeof content === "string") return content === "" ? [] : [content];
	// The AI SDK: {"type": "text", "value": "…"}.
	if (isObject(content) && content.value !== undefined && typeof content.type === "string")
		return output(content.value, `${path}/value`, source);
	if (!Array.isArray(content)) return [source(path)];
	return content.flatMap((part, i) => block(part, (at) => source(`${path}/${i}${at}`)));
}

/** @param {any} value @returns {value is string} */
function isText(value) {
	return typeof value === "string" && value !== "";
}

/** @param {any} value */
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {any} value @param {(path: string) => string} source @returns {string[]} */
function block(value, source) {
	return text(value, source).filter(isText);
}

/** @param {any} value @param {(path: string) => string} source @returns {string[]} */
function text(value, source) {
	if (typeof value === "string") return [value];
	switch (value?.type) {
		case "text":
		case "input_text":
		case "output_text":
		case "summary_text":
		case "reasoning_text":
			return [value.text ?? ""];
		case "reasoning":
			return typeof value.text === "string" ? [value.text] : [within(value.summary), within(value.content)];
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
		case "input_image":
		case "input_file":
		case "file":
		case "container_upload":
			return [];
		case "tool_result":
			return result(value, source);
	}
	// Gemini's parts have no type.
	if (value?.type === undefined && typeof value?.text === "string") return [value.text];
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
