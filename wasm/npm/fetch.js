// This file has the fetch of the adapters for clients that send the provider's own request bodies.

/** @typedef {import("./index.js").Compactor} Compactor */
/** @typedef {typeof globalThis.fetch} Fetch */

/**
 * A fetch that compacts the history in the requests of some addresses; all others are sent as they are.
 * @param {Compactor} tamp
 * @param {RegExp} paths of the requests with a history; a group `model` names the model if the body does not
 * @param {Fetch | undefined} send
 * @param {(request: any) => "compact" | "send" | Response} choose what to do with a request; a Response answers it
 * @returns {Fetch}
 */
export function fetchOf(tamp, paths, send, choose) {
	return async (url, init) => {
		const forward = send ?? globalThis.fetch;
		const body = init?.body;
		const match = typeof body === "string" ? paths.exec(new URL(String(url)).pathname) : null;
		if (typeof body !== "string" || !match) return forward(url, init);
		const request = JSON.parse(body);
		const choice = choose(request);
		if (choice === "send") return forward(url, init);
		if (choice !== "compact") return choice;
		const headers = new Headers(init?.headers);
		headers.delete("content-length"); // of the body before
		const model = match.groups?.model;
		const history = model === undefined ? request : { ...request, model };
		const compacted = await tamp(history, { signal: init?.signal ?? undefined });
		const sent = model === undefined ? compacted : { ...compacted, model: request.model };
		return forward(url, { ...init, headers, body: JSON.stringify(sent) });
	};
}
