// This file is the counterpart of remote.js: it runs in a Worker or a Node thread, with its own engine.
//
// Messages in: { id, load: href | module | null }, then { id, op, header, body, progress }; progress: the call reports
// it
//   Messages out: { } when it listens; { id, done, of } for progress; { id, answer: { header, body } } or
//                 { id, error: { code, path, message } }

import { builtin } from "./builtin.js";
import { compile } from "./compile.js";
import { reason, TampError } from "./error.js";
import { start } from "./instance.js";

/** @param {() => Promise<WebAssembly.Module>} [source] the wasm if the message has none */
export async function listen(source) {
	const port =
		typeof globalThis.postMessage === "function" ? globalThis : (await builtin("node:worker_threads")).parentPort;
	/** @type {import("./instance.js").Handle | undefined} */
	let handle;
	port.onmessage = async (/** @type {{ data: any }} */ { data: { id, load, op, header, body, progress } }) => {
		try {
			if (!handle) {
				const module = load === null && source ? source() : compile(typeof load === "string" ? new URL(load) : load);
				handle = await start(await module);
				port.postMessage({ id });
				return;
			}
			const answer = handle(op, header, body, progress ? (done, of) => port.postMessage({ id, done, of }) : undefined);
			port.postMessage({ id, answer }, [answer.header.buffer, ...(answer.body ? [answer.body.buffer] : [])]);
		} catch (thrown) {
			const { code, path } = thrown instanceof TampError ? thrown : { code: "internal", path: "" };
			port.postMessage({ id, error: { code, path, message: reason(thrown) } });
		}
	};
	port.postMessage({});
}
