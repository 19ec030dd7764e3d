// This file divides a block into parts: prose, code, data, pictures. It accepts the shapes of all formats, and shows
// unknown values as JSON. It validates nothing and leaves nothing out.

import { clean } from "./sanitize.js";
import { number } from "../ui/words.js";

/**
 * prose: markdown, as models write it; code: what a tool printed; json: the source of a value; field: one input of a
 * call; note: our own words, which no search finds.
 * @typedef {{kind: "prose"|"code"|"json", text: string, title?: string}
 *   | {kind: "field", name: string, text: string}
 *   | {kind: "image", type: string, data: string}
 *   | {kind: "note", text: string}} Part
 */

/** Pictures that browsers draw and that hold no markup. */
const PICTURES = /^image\/(png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;
const DEEP = 8; // results within results
/** The types of the outputs of the AI SDK. */
const TYPED = /^(text|json|content|error-text|error-json)$/;

/** The members of a command that the user ran in pi. */
const SHELL = ["command", "output", "exitCode"];
/** @type {Part} */
const EMPTY = { kind: "note", text: "The result is empty." };

/** The part shown for a text that cannot be read. @type {Part} */
export const UNREAD = {
	kind: "note",
	text: "The texts of this session could not be read: it is too long, or the browser ran out of memory. Take a part of it, or open it again.",
};

/**
 * @param {any} value what the block's path names
 * @param {{kind: string, role: string}} of
 * @returns {Part[]}
 */
export function partsOf(value, { kind, role }) {
	if (value === undefined) return [{ kind: "note", text: "This block cannot be found in the input." }];
	if (role === "tools") return definition(value);
	switch (kind) {
		case "tool_use":
			return call(value);
		case "tool_result":
			return result(value);
		case "text":
		case "thinking":
		case "summary":
			return prose(value);
	}
	return content(value, "prose", 0);
}

/** @param {any} value @returns {Part[]} */
function prose(value) {
	const found =
		typeof value === "string" ? value : text(value, ["text", "thinking", "reasoning_content", "refusal", "summary"]);
	if (found !== undefined)
		return found === "" && value.signature
			? [{ kind: "note", text: "The provider keeps this thinking to itself; only its signature is here." }]
			: [{ kind: "prose", text: clean(found) }];
	const thoughts = [value?.summary, value?.content].find((list) => Array.isArray(list) && list.length > 0);
	if (thoughts) return content(thoughts, "prose", 0);
	if (typeof value?.encrypted_content === "string" || Array.isArray(value?.summary))
		return [{ kind: "note", text: "The provider keeps this text to itself; only an encrypted form is here." }];
	if (value?.role === "bashExecution") return fields(Object.entries(value).filter(([name]) => SHELL.includes(name)));
	return content(value?.content ?? value, "prose", 0);
}

/** The input of a call, in any format. @param {any} value */
export function inputOf(value) {
	const input =
		value?.input ??
		value?.state?.input ??
		value?.function?.arguments ??
		value?.arguments ??
		(value?.functionCall ?? value?.function_call)?.args ??
		value?.args;
	if (typeof input !== "string") return input;
	return parsed(input) ?? input;
}

/** The output of a call, in any format. @param {any} value */
export function outputOf(value) {
	return (
		value?.content ??
		value?.output ??
		value?.state?.output ??
		(value?.functionResponse ?? value?.function_response)?.response ??
		value?.result
	);
}

/** @param {any} value @returns {Part[]} */
function call(value) {
	const input = inputOf(value);
	if (typeof input === "string") return [{ kind: "code", text: clean(input) }];
	if (typeof input !== "object" || input === null || Array.isArray(input)) return [json(input ?? value)];
	const entries = Object.entries(input);
	if (entries.length === 0) return [{ kind: "note", text: "Called without input." }];
	return fields(entries);
}

/** @param {[string, any][]} entries @returns {Part[]} */
function fields(entries) {
	return entries.map(([name, field]) =>
		typeof field === "string"
			? { kind: "field", name: clean(name), text: clean(field) }
			: { ...json(field), title: clean(name) },
	);
}

/** The members of a response of Gemini that hold the whole output. */
const OUTPUTS = ["output", "result", "content", "return_value"];

/**
 * A result that is an object by its format: Gemini's, by convention with one member for the output, and the AI SDK's.
 * @param {any} output
 * @param {boolean} isResponse of Gemini
 * @returns {Part[] | null} null for other results
 */
function structured(output, isResponse) {
	if (typeof output !== "object" || output === null || Array.isArray(output)) return null;
	if (TYPED.test(output.type) && Object.hasOwn(output, "value")) return content(output.value, "code", 1);
	if (!isResponse) return null;
	const entries = Object.entries(output);
	if (entries.length === 0) return [EMPTY];
	if (entries.length > 1 || !OUTPUTS.includes(entries[0][0])) return fields(entries);
	return content(entries[0][1], "code", 1);
}

/** @param {any} value @returns {Part[]} */
function result(value) {
	const output = outputOf(value);
	if (output === "" || (Array.isArray(output) && output.length === 0)) return [EMPTY];
	const isResponse = Boolean(value?.functionResponse ?? value?.function_response);
	return structured(output, isResponse) ?? content(output ?? value, "code", 0);
}

/** The definition of a tool. @param {any} value @returns {Part[]} */
function definition(value) {
	const tool = value?.function ?? value;
	const says = text(tool, ["description"]);
	return says === undefined
		? [json(value)]
		: [
				{ kind: "prose", text: clean(says) },
				{ ...json(tool.input_schema ?? tool.parameters ?? value), title: "schema" },
			];
}

/** @param {any} value @param {"prose"|"code"} as @param {number} depth @returns {Part[]} */
function content(value, as, depth) {
	if (typeof value === "string") return [textual(value, as)];
	if (
		Array.isArray(value) &&
		depth < DEEP &&
		value.some((item) => typeof item?.type === "string" || typeof item?.text === "string")
	)
		return value.flatMap((item) => content(item, as, depth + 1));
	const picture = image(value);
	if (picture) return [picture];
	const found = text(value, ["text"]);
	if (found !== undefined) return [textual(found, as)];
	if (value?.type === "document" && depth < DEEP) return document(value, depth + 1);
	const { type, data } = inlineOf(value);
	if (typeof data === "string") return [binary(type, data)];
	const { fileUri, file_uri: uri = fileUri } = value?.fileData ?? value?.file_data ?? {};
	if (typeof uri === "string")
		return [{ kind: "note", text: `A file at ${clean(uri)}, which this page does not fetch.` }];
	return [json(value)];
}

/** @param {string} found @param {"prose"|"code"} as @returns {Part} */
function textual(found, as) {
	if (as === "code" && /^\s*[[{]/.test(found) && parsed(found) !== undefined) return { kind: "json", text: found };
	return { kind: as, text: clean(found) };
}

/** @param {any} value @param {number} depth @returns {Part[]} */
function document({ title, source, ...rest }, depth) {
	/** @type {Part[]} */
	const head = typeof title === "string" ? [{ kind: "note", text: `Document: ${clean(title)}` }] : [];
	if (source?.type === "text" && typeof source.data === "string")
		return [...head, { kind: "prose", text: clean(source.data) }];
	if (source?.type === "content") return [...head, ...content(source.content, "prose", depth)];
	if (typeof source?.data === "string") return [...head, binary(source.media_type, source.data)];
	return [...head, json(source ?? rest)];
}

/** @param {unknown} type @param {string} data in base64 @returns {Part} */
function binary(type, data) {
	const name = typeof type === "string" ? clean(type) : "Binary";
	return {
		kind: "note",
		text: `${name} data, ${number(Math.floor((data.length * 3) / 4))} bytes. The source shows it.`,
	};
}

/** The embedded data of a part of Gemini. @param {any} value @returns {{type?: any, data?: any}} */
function inlineOf(value) {
	const { mimeType, mime_type: type = mimeType, data } = value?.inlineData ?? value?.inline_data ?? {};
	return { type, data };
}

/** An embedded picture; one with a URL is only named, never fetched. @param {any} value @returns {Part | null} */
function image(value) {
	const url = value?.image_url?.url ?? value?.image_url ?? value?.source?.url;
	const inline = typeof url === "string" ? /^data:([\w/+.-]+);base64,/.exec(url) : null;
	const own = inlineOf(value);
	const type = inline?.[1] ?? value?.source?.media_type ?? own.type ?? value?.mimeType ?? "";
	const data = inline
		? url.slice(inline[0].length)
		: (value?.source?.data ?? own.data ?? (value?.type === "image" ? value.data : undefined));
	const claims =
		value?.type === "image" ||
		value?.type === "image_url" ||
		value?.type === "input_image" ||
		String(type).startsWith("image/");
	if (!claims) return null;
	if (typeof data !== "string")
		return typeof url === "string"
			? { kind: "note", text: `An image at ${clean(url)}, which this page does not fetch.` }
			: null;
	if (!PICTURES.test(type) || !BASE64.test(data))
		return {
			kind: "note",
			text: `An image of type ${clean(String(type)) || "unknown"}, which this page does not draw. The source shows its data.`,
		};
	return { kind: "image", type, data };
}

/** @param {any} value @param {string[]} names */
function text(value, names) {
	if (typeof value !== "object" || value === null) return undefined;
	for (const name of names)
		if (Object.hasOwn(value, name) && typeof value[name] === "string") return /** @type {string} */ (value[name]);
	return undefined;
}

/** @param {string} source */
function parsed(source) {
	try {
		return JSON.parse(source);
	} catch {
		return undefined;
	}
}

/** @param {any} value @returns {{kind: "json", text: string}} */
function json(value) {
	try {
		return { kind: "json", text: JSON.stringify(value, null, 2) ?? "null" };
	} catch {
		return { kind: "json", text: '"nested too deeply to be shown here: the source shows it"' };
	}
}

/**
 * The texts of a part that are shown and searched, in order.
 * @param {Part} part
 * @returns {string[]}
 */
export function textsOf(part) {
	if (part.kind === "image" || part.kind === "note") return [];
	if (part.kind === "field") return [part.name, part.text];
	return part.title === undefined ? [clean(part.text)] : [part.title, clean(part.text)];
}
