// This file has the adapter for clients of the Gemini API and of Vertex AI.

import { fetchOf } from "./fetch.js";

/**
 * @param {import("./index.js").Compactor} tamp
 * @param {typeof globalThis.fetch} [send]
 */
export const compactingFetch = (tamp, send) =>
	fetchOf(tamp, /\/(?<model>[^/:]+):(streamGenerateContent|generateContent)$/, send, ({ contents }) =>
		Array.isArray(contents) ? "compact" : "send",
	);
