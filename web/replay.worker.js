// This file is the Web Worker that replays sessions. A replay of a large session takes seconds and cannot be
// interrupted, so this worker has its own engine: engine.worker.js stays free, and an unwanted replay is stopped by
// terminating this worker.

import { load } from "./npm/index.js";
import { loadVocabularies } from "./app/engine/loadVocabularies.js";
import { textOf, views } from "./app/engine/views.js";

/** @import { ToReplays, FromReplays } from "./app/replay/replays.js" */

const PROGRESS_INTERVAL = 60; // ms between two progress messages

const port =
	/** @type {{postMessage(m: FromReplays): void, onmessage: ((e: MessageEvent<ToReplays>) => void) | null}} */ (
		/** @type {unknown} */ (self)
	);
const engineLoaded = load();
/** @type {{key: number, bytes: Uint8Array} | null} */
let held = null;

port.onmessage = async ({ data }) => {
	const { id } = data;
	try {
		port.postMessage({ type: "answer", id, answer: await answer(data) });
	} catch (cause) {
		const error = /** @type {{code?: string, path?: string, message?: string}} */ (cause);
		port.postMessage({
			type: "failed",
			id,
			failure: { code: error.code ?? "internal", path: error.path ?? "", message: error.message ?? String(cause) },
		});
	}
};

/** @param {ToReplays} asked */
async function answer(asked) {
	const engine = await engineLoaded;
	if (asked.type === "verdict") return engine.verdict(asked.reports);
	const { vocabularies, resent, ...settings } = asked.ask;
	await loadVocabularies(engine, vocabularies);
	const input = { ...settings, conversation: await read(asked.key, asked.blob) };
	if (asked.type === "replay") {
		let reported = -PROGRESS_INTERVAL;
		const report = (/** @type {number} */ done, /** @type {number} */ of) => {
			const now = performance.now();
			if (now - reported < PROGRESS_INTERVAL) return;
			reported = now;
			port.postMessage({ type: "progress", id: asked.id, done, of });
		};
		return resent ? engine.resent(input, report) : engine.replay(input, report);
	}
	const { format } = engine.detect(input);
	const before = engine.replayAt({ ...input, compact: false, call: asked.call });
	const sent = input.compact === false ? before : engine.replayAt({ ...input, call: asked.call });
	return views.diff(engine, {
		input: { conversation: textOf(before.conversation) },
		format,
		conversation: sent.conversation,
	});
}

/** @param {number} key @param {Blob} blob */
async function read(key, blob) {
	if (held?.key !== key) held = { key, bytes: new Uint8Array(await blob.arrayBuffer()) };
	return held.bytes;
}
