// This file is the Web Worker of the page: it holds the engine and the bytes of the session, and does one job at a
// time.
// Rules: it calls the engine and decides nothing about conversations; a superseded job stops at its next stage.

import { load } from "./npm/index.js";
import { isIdle } from "./npm/resume.js";
import { answerTo } from "./app/engine/queries.js";
import { excerptOf } from "./app/engine/excerpt.js";
import { loadVocabularies, missingVocabularies } from "./app/engine/loadVocabularies.js";
import { Memory, pack } from "./app/engine/rounds.js";
import { replacementIn, textOf, views } from "./app/engine/views.js";
import { bytes as bytesOf } from "./app/ui/words.js";

/** @import { FromWorker, ToWorker, Job, Source, Stage } from "./app/engine/types.js" */

/** The limit of the engine. It is checked here, too, so that a larger file is never read into memory. */
const MAX_BYTES = 256 * 1024 * 1024;
const TEXT = { type: "text/plain;charset=utf-8" };

const port =
	/** @type {{postMessage(m: FromWorker): void, onmessage: ((e: MessageEvent<ToWorker>) => void) | null}} */ (
		/** @type {unknown} */ (self)
	);

const LOADING_INTERVAL = 100; // ms between two messages
const engineLoaded = followed(new URL("npm/tamp.wasm", import.meta.url)).then(load);

/** A response that says how much of it has come. @param {URL} url */
async function followed(url) {
	const { body, headers, status } = await fetch(url);
	let bytes = 0;
	let said = 0;
	/** @type {TransformStream<Uint8Array, Uint8Array>} */
	const count = new TransformStream({
		transform(part, next) {
			bytes += part.length;
			next.enqueue(part);
			if (performance.now() - said < LOADING_INTERVAL) return;
			said = performance.now();
			port.postMessage({ type: "loading", bytes });
		},
	});
	return new Response(body?.pipeThrough(count), { headers, status });
}

/** @type {{key: number, bytes: Uint8Array} | null} the last source read; a changed parameter does not read it again */
let held = null;
/**
 * @type {{asked: string, inspection: import("./app/engine/types.js").Inspection, waiting:
 *   import("./app/engine/types.js").Trigger | null, plan: import("./app/engine/types.js").Plan | null, memory: Memory}
 *   | null} the results for the last input
 */
let decided = null;
/** @type {import("./app/engine/views.js").Last | null} */
let last = null;
let superseded = 0;
/** Called with the id of a job whose inspection is drawn, or that is superseded. @type {(id: number) => void} */
let release = () => {};

engineLoaded.then(
	(engine) => port.postMessage({ type: "ready", version: engine.version, presets: engine.presets() }),
	(cause) => port.postMessage({ type: "broken", message: String(cause?.message ?? cause) }),
);

port.onmessage = ({ data }) => {
	if (data.type === "supersede") superseded = data.id;
	if (data.type === "supersede" || data.type === "drawn") release(data.id);
	else if (data.type === "ask")
		void engineLoaded.then(async (engine) =>
			port.postMessage({
				type: "answer",
				id: data.id,
				answer:
					data.question.kind === "replacement"
						? replacementIn(engine, last, data.question)
						: await answerTo(engine, data.question),
			}),
		);
	else void perform(data.id, data.job);
};

/**
 * @param {number} id
 * @param {Job} job
 */
async function perform(id, job) {
	/** @type {Stage} */
	let stage = "reading";
	const enter = async (/** @type {Stage} */ next, round = 1, tokens = 0) => {
		stage = next;
		port.postMessage({ type: "stage", id, stage, round, tokens });
		await breathe();
		return superseded !== id;
	};
	try {
		const engine = await engineLoaded;
		if (!(await enter("reading"))) return;
		const bytes = await read(job.source, id);
		const input = {
			conversation: bytes,
			preset: job.preset,
			policy: job.policy,
			force: job.force === true,
			...(job.focus ? { focus: job.focus } : {}),
			...(job.thinking ? { thinking: job.thinking } : {}),
			...job.chosen,
			counter: job.counter ?? "estimate",
		};
		if (missingVocabularies(engine, job.vocabularies).length > 0) {
			if (!(await enter("learning"))) return;
			await loadVocabularies(engine, job.vocabularies);
		}

		if (job.kind === "repair") {
			if (!(await enter("repairing"))) return;
			const repaired = engine.repair(input);
			const { format } = engine.detect(input);
			const view = views.diff(engine, { input, format, conversation: repaired.conversation });
			port.postMessage({
				type: "repaired",
				id,
				blob: blobOf(repaired.conversation),
				problems: repaired.problems,
				view,
			});
			return;
		}
		if (job.kind === "view") {
			if (!job.view || !last || !(await enter("viewing"))) return;
			port.postMessage({ type: "view", id, view: views[job.view](engine, last) });
			return;
		}

		last = null;
		let start = performance.now();
		const asked = JSON.stringify([
			job.source.key,
			job.preset,
			job.policy,
			job.force,
			job.focus,
			job.thinking,
			job.chosen,
			job.counter,
			job.vocabularies?.map(({ name }) => name),
		]);
		if (decided?.asked !== asked) {
			if (!(await enter("counting"))) return;
			// An answer changes neither the decisions nor the requests, so both are kept for the next job.
			let inspection = engine.inspect(input);
			/** @type {import("./app/engine/types.js").Trigger | null} */
			let waiting = null;
			if (job.force === "auto" && isIdle(inspection)) {
				const forced = engine.inspect({ ...input, force: true });
				waiting = inspection.trigger;
				inspection = forced;
			}
			decided = {
				asked,
				inspection,
				waiting,
				plan: null,
				memory: new Memory(),
			};
		}
		const { inspection, waiting, memory } = decided;
		input.force ||= waiting !== null;
		input.counter = inspection.counter;
		port.postMessage({ type: "inspection", id, inspection, waiting, ms: performance.now() - start });
		// On a machine with two cores the page draws in half of the time if the engine does not run next to it.
		await drawn(id);
		if (!(await enter("packing"))) return;
		start = performance.now();
		decided.plan ??= engine.plan(input);
		const plan = decided.plan;
		const packed = await pack(engine, input, plan, job.answers ?? {}, memory, (round, tokens) =>
			enter("packing", round, tokens),
		);
		if (!packed) return;
		last = { input, format: inspection.format, conversation: packed.conversation };
		port.postMessage({
			type: "output",
			id,
			result: blobOf(packed.conversation),
			archive: new Blob(packed.archive, TEXT),
			originals: packed.archive.reduce((sum, jsonl) => sum + lines(jsonl), 0),
			actions: packed.actions,
			after: packed.after,
			fates: packed.fates,
			rounds: packed.rounds,
			ms: performance.now() - start,
		});
	} catch (cause) {
		const error = /** @type {{code?: string, path?: string, message?: string}} */ (cause);
		const code = typeof error.code === "string" ? error.code : stage === "reading" ? "unreadable" : "internal";
		const failure = { code, path: error.path ?? "", message: error.message ?? String(cause) };
		const excerpt = held?.key === job.source.key ? excerptOf(held.bytes, failure) : undefined;
		port.postMessage({ type: "failed", id, during: stage, failure: { ...failure, excerpt } });
	} finally {
		port.postMessage({ type: "done", id });
	}
}

/** Lets the event loop deliver a waiting "supersede" message. */
function breathe() {
	return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Waits until the page has drawn the inspection of a job, or the job is superseded. @param {number} id */
function drawn(id) {
	return new Promise((resolve) => {
		if (superseded === id) return resolve(null);
		release = (of) => of === id && resolve(null);
	});
}

/**
 * @param {Source} source
 * @param {number} id
 */
async function read(source, id) {
	if (held?.key === source.key) return held.bytes;
	const total = source.blob.size;
	if (total === 0) throw inputError("bad_json", "cannot read the session: it is empty");
	if (total > MAX_BYTES)
		throw inputError(
			"too_large",
			`cannot read the session: it has ${bytesOf(total)}, the limit is ${bytesOf(MAX_BYTES)}`,
		);
	const bytes = new Uint8Array(total);
	let done = 0;
	const reader = source.blob.stream().getReader();
	for (let step = await reader.read(); !step.done; step = await reader.read()) {
		bytes.set(step.value, done);
		done += step.value.length;
		port.postMessage({ type: "stage", id, stage: "reading", done, total });
	}
	if (isUTF16(bytes)) throw inputError("bad_json", "cannot read the session: the text is UTF-16, not UTF-8");
	// JSON text has no NUL byte, but for the lines of zeros that a power failure leaves in a log; nearly every binary file
	// has one in its first 4 KB.
	if (bytes.subarray(0, 4096).includes(0) && !new TextDecoder().decode(bytes.subarray(0, 65_536)).includes('{"'))
		throw inputError("bad_json", "cannot read the session: this is a binary file, not text");
	held = { key: source.key, bytes };
	return bytes;
}

/**
 * Whether it is UTF-16: it begins with that byte order mark, or with an ASCII character in two bytes.
 * @param {Uint8Array} bytes
 */
function isUTF16([first, second, third, fourth]) {
	if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
	return (first > 0 && second === 0 && third > 0 && fourth === 0) || (first === 0 && second > 0 && third === 0);
}

/**
 * @param {string} code
 * @param {string} message
 */
function inputError(code, message) {
	return Object.assign(new Error(message), { code, path: "" });
}

/** @param {unknown} conversation text or bytes, as the engine accepts and returns it */
function blobOf(conversation) {
	const part = conversation instanceof Uint8Array ? /** @type {BlobPart} */ (conversation) : textOf(conversation);
	return new Blob([part], TEXT);
}

/** @param {string} jsonl */
function lines(jsonl) {
	let count = 0;
	for (let at = jsonl.indexOf("\n"); at >= 0; at = jsonl.indexOf("\n", at + 1)) count++;
	return count + (jsonl === "" || jsonl.endsWith("\n") ? 0 : 1);
}
