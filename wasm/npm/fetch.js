// This file has the fetch of the adapters for clients that send the provider's own request bodies.

/** @typedef {import("./index.js").Compactor} Compactor */
/** @typedef {typeof globalThis.fetch} Fetch */

/**
 * A fetch that compacts the history in the requests of some addresses; all others are sent as they are.
 * @param {Compactor} tamp
 * @param {RegExp} paths of the requests with a history
 * @param {Fetch | undefined} send
 * @param {(request: any) => "compact" | "send" | Response} choose what to do with a request; a Response answers it
 * @returns {Fetch}
 */
export function fetchOf(tamp, paths, send, choose) {
	return async (url, init) => {
		const forward = send ?? globalThis.fetch;
		const body = init?.body;
		if (typeof body !== "string" || !paths.test(new URL(String(url)).pathname)) return forward(url, init);
		const request = JSON.parse(body);
		const choice = choose(request);
		if (choice === "send") return forward(url, init);
		if (choice !== "compact") return choice;
		const headers = new Headers(init?.headers);
		headers.delete("content-length"); // of the body before
		const compacted = await tamp(request, { signal: init?.signal ?? undefined });
		return forward(url, { ...init, headers, body: JSON.stringify(compacted) });
	};
}
