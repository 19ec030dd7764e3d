// This file has the adapter for agents of LangChain: a middleware, which compacts the messages of each model call.

/** @typedef {import("./index.js").Compactor} Compactor */

/** The roles of Chat Completions by the types of LangChain's messages. @type {Record<string, string>} */
const ROLES = { human: "user", ai: "assistant", tool: "tool", system: "system", developer: "developer" };

/** The parts of a content that Chat Completions has, too: the calls are members of the message, and thinking is not sent. */
const PARTS = new Set(["text", "image_url", "input_audio", "file"]);

/** @param {any} content */
const contentOf = (content) =>
	Array.isArray(content)
		? content
				.map((part) => (typeof part === "string" ? { type: "text", text: part } : part))
				.filter(({ type }) => PARTS.has(type))
		: content;

/** A message of LangChain as one of Chat Completions. @param {any} message */
function chatOf({ type, content, tool_calls: calls, tool_call_id: id, role }) {
	return {
		role: ROLES[type] ?? role ?? "user",
		content: contentOf(content),
		...(calls?.length > 0
			? {
					tool_calls: calls.map((/** @type {any} */ { id, name, args }) => ({
						id,
						type: "function",
						function: { name, arguments: JSON.stringify(args) },
					})),
				}
			: {}),
		...(id === undefined ? {} : { tool_call_id: id }),
	};
}

/** @param {Compactor} tamp */
export function middleware(tamp) {
	return {
		[Symbol.for("AgentMiddleware")]: true,
		name: "tamp",
		/**
		 * @param {any} request
		 * @param {(request: any) => any} handler
		 */
		wrapModelCall: async (request, handler) => {
			const { model, messages, systemMessage, runtime } = request;
			const system = systemMessage?.text ? [chatOf(systemMessage)] : [];
			const chat = messages.map(chatOf);
			/** @type {Map<object, any>} */
			const given = new Map(
				chat.map((/** @type {object} */ message, /** @type {number} */ i) => [message, messages[i]]),
			);
			const name = model?.model ?? model?.modelName;
			const body = { ...(typeof name === "string" ? { model: name } : {}), messages: [...system, ...chat] };
			const sent = await tamp(body, { signal: runtime?.signal });
			const rest = sent.messages.filter((/** @type {any} */ message) => message !== system[0]);
			return handler({ ...request, messages: rest.map((/** @type {any} */ message) => given.get(message) ?? message) });
		},
	};
}
