// This file has the adapters for the AI SDK, versions 5 to 7: for the steps of one call, and for a model.

/** @typedef {import("./index.js").Compactor} Compactor */

/** @param {Compactor} tamp */
export function prepareStep(tamp) {
	return async (/** @type {any} */ { messages }) => ({ messages: await tamp(messages) });
}

/** @param {Compactor} tamp */
export function middleware(tamp) {
	return {
		specificationVersion: /** @type {any} */ ("v3"), // versions 6 and 7 do not read it
		transformParams: async (/** @type {any} */ { params }) => ({
			...params,
			prompt: await tamp(params.prompt, { signal: params.abortSignal }),
		}),
	};
}
