// This file has the adapter for the agent opencode: a plugin, which compacts the messages before each request.

/** @param {import("./index.js").Compactor} tamp */
export function plugin(tamp) {
	return async () => ({
		"experimental.chat.messages.transform": async (
			/** @type {unknown} */ _,
			/** @type {{ messages: any[] }} */ output,
		) => {
			const { messages } = output;
			messages.splice(0, messages.length, ...(await tamp([...messages])));
		},
	});
}
