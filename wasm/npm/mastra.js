// This file has the adapter for agents of Mastra: a processor, which compacts the prompt of each model call.

/** @param {import("./index.js").Compactor} tamp */
export function processor(tamp) {
	return {
		/** @type {"tamp"} */
		id: "tamp",
		processLLMRequest: async (/** @type {any} */ { prompt, abortSignal }) => ({
			prompt: await tamp(prompt, { signal: abortSignal }),
		}),
	};
}
