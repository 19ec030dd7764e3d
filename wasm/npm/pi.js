// This file has the adapter for the coding agent pi: an extension, which compacts each request before it is sent.

import { LISTS } from "./methods.js";

/** @param {import("./index.js").Compactor} tamp */
export function extension(tamp) {
	return (/** @type {any} */ pi) => {
		pi.on("before_provider_request", async (/** @type {any} */ { payload }) =>
			LISTS.some((name) => Array.isArray(payload?.[name])) ? tamp(payload) : undefined,
		);
	};
}
