// This file is the Worker's entry point: it reads a request's body in one piece and passes it to an instance of the Go
// program. It only chooses the instance; all other rules are in Go. README.md explains the two kinds of instances.
// @ts-check

import zlib from "node:zlib";
import { start } from "./instance.mjs";

/** In bytes; equal to maxBody in body.go. */
const MAX_BODY = 32 << 20;

/** Headers of the only response that does not come from Go. Equal to headers in guard.go. */
const HEADERS = {
	"cache-control": "no-store",
	"content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
	"cross-origin-resource-policy": "same-origin",
	"referrer-policy": "no-referrer",
	"strict-transport-security": "max-age=31536000",
	"x-content-type-options": "nosniff",
	"x-frame-options": "DENY",
};

/**
 * The kept instance is dropped when its memory is larger, in bytes: wasm memory never shrinks, and an isolate has 128
 * MB.
 */
const MAX_KEPT_MEMORY = 64 << 20;

/** The kept instance. @type {Promise<Started> | undefined} */
let kept;

/** Vocabularies that the static assets do not have. @type {Set<string>} */
const absent = new Set();

/** @typedef {import("./instance.mjs").Started} Started */
/**
 * @typedef {Uint8Array | null | "too large" | "broken off"} Body the bytes, null without a body, or why it cannot be
 *   read
 */

export default {
	/**
	 * @param {Request} request
	 * @param {Record<string, any>} env
	 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
	 */
	async fetch(request, env, ctx) {
		try {
			const limited = await overLimit(request, env);
			if (limited) await discard(request);
			const forwarded = limited ? null : await forward(request, env, ctx);
			if (forwarded) return forwarded;
			const body = limited ? null : await readBody(request);
			const own = !limited && typeof body !== "string" && (needsIO(request) || isLong(request));
			return await (own
				? answerInOwnInstance(request, env, ctx, body)
				: answerInKeptInstance(request, env, ctx, body, limited));
		} catch {
			return internalError(); // a binding threw, the memory is full, or a bug
		}
	},
};

/** Reports whether the request needs I/O: a store or a model. @param {Request} request */
function needsIO({ method, url }) {
	const path = new URL(url).pathname;
	if (method === "POST") return path === "/v1/compact";
	return (method === "GET" || method === "HEAD") && path.startsWith("/v1/transcripts/");
}

/**
 * Reports whether the request may take seconds of computing. Such a request pauses, which the kept instance must not
 * do.
 * @param {Request} request
 */
function isLong({ method, url }) {
	const path = new URL(url).pathname;
	return method === "POST" && /^\/v1\/(replay|replayAt|audit|usage|resent)$/.test(path);
}

/**
 * Responds from the kept instance, synchronously. Invariant: nothing is awaited between the call and its result, so two
 * requests never run in it at the same time. If the result names a vocabulary that the instance does not have, the file
 * is read and the request is answered again.
 * @param {Request} request
 * @param {Record<string, any>} env
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 * @param {Body} body
 * @param {boolean} limited
 */
async function answerInKeptInstance(request, env, ctx, body, limited) {
	const fault = limited ? "limited" : typeof body === "string" ? body : "";
	const head = [request.method, request.url, fault, linesOf(request.headers)].join("\n");
	/** @type {Map<string, Uint8Array>} */
	const files = new Map();
	for (;;) {
		kept ??= start(env, ctx);
		const current = kept;
		try {
			const go = await current;
			for (const [name, file] of files) if (!go.binding.load(name, file)) absent.add(name);
			/** @type {[string, Uint8Array<ArrayBuffer> | null]} */
			const [answer, bytes] = go.binding.answer(head, typeof body === "string" ? null : body);
			if (go.exited || (go.memory?.buffer.byteLength ?? 0) > MAX_KEPT_MEMORY) drop(current);
			const [status, wanted = "", logged, ...lines] = answer.split("\n");
			const file = wanted && !files.has(wanted) && (await vocabulary(env, wanted));
			if (file) {
				files.set(wanted, file);
				continue;
			}
			ctx.waitUntil(afterResponse(() => console.log(logged)));
			return new Response(request.method === "HEAD" ? null : bytes, {
				status: Number(status),
				headers: pairsIn(lines),
			});
		} catch (error) {
			drop(current); // the next request starts a new instance
			throw error;
		}
	}
}

/**
 * Reads the file of a vocabulary from the static assets, which are those of the playground. Returns null if they do not
 * have it.
 * @param {Record<string, any>} env
 * @param {string} name
 */
async function vocabulary(env, name) {
	if (!env.ASSETS || absent.has(name)) return null;
	const response = await env.ASSETS.fetch(`https://assets.invalid/npm/vocab/${name}.bin`);
	if (response.ok) return new Uint8Array(await response.arrayBuffer());
	if (response.status === 404) absent.add(name);
	return null;
}

/**
 * Responds from a new instance, which ends with the request.
 * @param {Request} request
 * @param {object} env
 * @param {object} ctx
 * @param {Uint8Array | null} body
 */
async function answerInOwnInstance(request, env, ctx, body) {
	const { binding } = await start(env, ctx);
	const { method, url, headers } = request;
	Object.assign(binding, { body, headers: linesOf(headers) }); // the library would split header values at their commas
	request.signal.addEventListener("abort", () => binding.disconnect());
	return binding.handleRequest(new Request(url, { method }));
}

/**
 * The gateway: forwards a request whose path names an upstream, and pipes the response. Returns null for other paths.
 * Go decides where it goes and what its body is; without an answer of Go the body is that of the client.
 * @param {Request} request
 * @param {Record<string, any>} env
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 */
async function forward(request, env, ctx) {
	const path = new URL(request.url).pathname;
	if (/^\/(v1|healthz)(\/|$)/.test(path)) return null;
	const began = Date.now();
	const head = [request.method, request.url, linesOf(request.headers)].join("\n");
	const answer = await ask(env, ctx, (go) => go.binding.route(head));
	if (!answer) return null;
	const route = JSON.parse(answer[0]);
	/** @type {Done} */
	const unread = { note: route.reason, entry: route.entry };
	const [response, { note, entry }] = route.status
		? [await refusalUnread(request, route), unread]
		: await exchange(request, env, ctx, { path, head, route, headers: pairsIn(answer[1].split("\n")), done: unread });
	const id = crypto.randomUUID().replaceAll("-", "").slice(0, 16);
	response.headers.set("x-tamp", note);
	response.headers.set("x-tamp-request-id", id);
	return logged(ctx, response, { time: new Date(began).toISOString(), id, ...entry }, began);
}

/**
 * Prints the log entry when the response has ended, or has begun if it is compressed: to see its end, it would have to be
 * decompressed.
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 * @param {Response} response
 * @param {Record<string, unknown>} entry
 * @param {number} began
 */
function logged(ctx, response, { bytes, added_ms, ...entry }, began) {
	const { status, body, headers } = response;
	const print = () => console.log(JSON.stringify({ ...entry, status, ms: Date.now() - began }));
	if (!body || headers.has("content-encoding") || /** @type {any} */ (response).webSocket) {
		ctx.waitUntil(afterResponse(print));
		return response;
	}
	const { FixedLengthStream, IdentityTransformStream = TransformStream } = /** @type {any} */ (globalThis);
	const length = headers.get("content-length"); // a stream without one would be sent in chunks
	const { readable, writable } =
		length && FixedLengthStream ? new FixedLengthStream(Number(length)) : new IdentityTransformStream();
	ctx.waitUntil(body.pipeTo(writable).then(print, print)); // it fails if one of the two sides breaks off
	return new Response(readable, response);
}

/**
 * Sends the request to the provider. Returns the response, with what became of the request.
 * @param {Request} request
 * @param {Record<string, any>} env
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 * @param {{ path: string, head: string, route: any, headers: [string, string][], done: Done }} to
 * @returns {Promise<[Response, Done]>}
 */
async function exchange(request, env, ctx, { path, head, route, headers, done }) {
	/** @param {number} status @param {string} reason @param {string} sentence @returns {[Response, Done]} */
	const refused = (status, reason, sentence) => [
		refusal(status, sentence),
		{ note: `error reason=${reason}`, entry: { ...done.entry, reason } },
	];
	/** @type {Uint8Array<ArrayBuffer> | ReadableStream | null} */
	let body = request.body;
	try {
		if (route.reads) body = await readOrStream(request);
	} catch {
		return refused(400, "bad_body", "the body of the request cannot be read to its end");
	}
	const sent = body instanceof Uint8Array ? body : null;
	const decoded = sent && route.coding ? decode(sent, route.coding) : sent;
	const original = decoded instanceof Uint8Array ? decoded : null; // null: it is not compacted
	if (typeof decoded === "string")
		done = { note: `passed reason=${decoded}`, entry: { ...done.entry, reason: decoded } };
	/** @type {Stored} */
	let stored = { name: "", data: null };
	/** The instance of this request, if it needs a model. @type {Started | undefined} */
	let own;
	if (original) {
		try {
			stored = await findCheckpoint(env, ctx, head, original);
			const { name, data } = stored;
			let [text, compacted, checkpoint] = await ask(env, ctx, (go) => go.binding.compact(head, original, name, data));
			done = JSON.parse(text);
			if (done.slow) {
				own = await start(env, ctx);
				[text, compacted, checkpoint] = await own.binding.slowly("compact", head, original, name, data);
				done = JSON.parse(text);
				summarize(ctx, own, done.job);
			}
			body = compacted ?? sent;
			if (done.status) return [ownResponse(done, compacted), done];
			if (done.member) headers = headers.filter(([name]) => name.toLowerCase() !== "accept-encoding");
			keepCheckpoint(ctx, stored, text, checkpoint);
		} catch {
			done = { note: "passed reason=internal", entry: { ...done.entry, reason: "internal" } };
		}
	}
	/** @param {BodyInit | null} body */
	const send = (body) => {
		const changed = body !== sent && original !== sent; // it is not encoded as that of the client was
		return fetch(route.url, {
			method: request.method,
			headers: withBetas(
				changed ? headers.filter(([name]) => name.toLowerCase() !== "content-encoding") : headers,
				done.betas,
			),
			body,
			redirect: "manual",
			signal: request.signal,
		});
	};
	/**
	 * Sends a body that was read, or none. While Go computes, workerd does not see that the provider closes an idle
	 * connection, and the request that goes there fails: it is sent again, after a time in which workerd sees which other
	 * connections are closed.
	 * @param {BodyInit | null} body
	 */
	const sendAgain = async (body) => {
		for (let closed = 0; ; closed++) {
			try {
				return await send(body);
			} catch (error) {
				if (request.signal.aborted || closed === STALE_WAITS.length) throw error;
				await new Promise((resolve) => setTimeout(resolve, STALE_WAITS[closed]));
			}
		}
	};
	let response;
	try {
		const isRepeatable = body instanceof Uint8Array || (body === null && request.method !== "POST");
		response = await (isRepeatable ? sendAgain(body) : send(body));
		if (original) {
			const { status } = response;
			const canShrink = done.entry.tokens_before && done.entry.reason !== "observe";
			const [error, first] = await errorOf(response, path, Boolean(canShrink));
			response = first;
			if (error !== null) {
				const { name, data } = stored;
				const [text, again, checkpoint] = await (own
					? own.binding.slowly("retry", head, original, name, data, status, error)
					: ask(env, ctx, (go) => go.binding.retry(head, original, name, data, status, error)));
				const retried = JSON.parse(text);
				if (retried.status) return [ownResponse(retried, again), retried];
				keepCheckpoint(ctx, stored, text, checkpoint);
				if (retried.again) {
					done = retried;
					response = await sendAgain(isSame(again, original) ? sent : again);
				}
			}
		}
	} catch {
		return refused(502, "unreachable", "the provider cannot be reached");
	}
	const passed = new Response(withAdditions(response, done), response);
	if (passed.body !== response.body) passed.headers.delete("content-length");
	for (const name of HOP_BY_HOP) passed.headers.delete(name);
	confine(passed.headers, request.headers);
	return [passed, done];
}

/**
 * Adds values to the header anthropic-beta, as addBetas in worker/gateway/thinking.go.
 * @param {[string, string][]} headers
 * @param {string[]} [betas]
 * @returns {[string, string][]}
 */
function withBetas(headers, betas = []) {
	const isBeta = (/** @type {[string, string]} */ [name]) => name.toLowerCase() === "anthropic-beta";
	const have = headers.filter(isBeta).flatMap(([, value]) => value.split(/\s*,\s*/));
	if (betas.every((beta) => have.includes(beta))) return headers;
	return [...headers.filter((pair) => !isBeta(pair)), ["anthropic-beta", [...new Set([...have, ...betas])].join(",")]];
}

/** The times before a request that failed is sent again, in ms. */
const STALE_WAITS = [5, 50, 500];

/**
 * What becomes of a request, see Compacted in worker/gateway/edge.go.
 * @typedef {{ note: string, entry: Record<string, unknown>, status?: number, type?: string, slow?: boolean, job?: string,
 *   betas?: string[] }
 *   & Partial<Additions>} Done
 */

/** The sessions of this isolate for which a model writes summaries now. @type {Set<string>} */
const jobs = new Set();

/**
 * Lets a model write the summaries that a request did not wait for, after its response. A session has one such job at a
 * time.
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 * @param {Started} own
 * @param {string} [job]
 */
function summarize(ctx, own, job) {
	if (!job || jobs.has(job)) return;
	jobs.add(job);
	const ended = own.binding.background().catch(() => {}); // the next call tries again
	ctx.waitUntil(ended.then(() => jobs.delete(job)));
}

/**
 * The response of the gateway itself, in place of a plain upstream.
 * @param {{ status?: number, type?: string }} done
 * @param {Uint8Array<ArrayBuffer>} body
 */
function ownResponse({ status, type = "application/json" }, body) {
	return new Response(body, { status, headers: { "content-type": type } });
}

/**
 * What the response of a plain upstream gets in addition, see Compacted in worker/gateway/edge.go.
 * @typedef {{ member: string, block: string, events: string }} Additions
 */

/**
 * The body of a response with a member in the JSON document, or in the event message_delta of the stream, and with a
 * first block of its content, as in worker/gateway/managed.go.
 * @param {Response} response
 * @param {Partial<Additions>} additions
 */
function withAdditions({ status, headers, body }, { member, block, events }) {
	const kind = headers.get("content-type") ?? "";
	const stream = kind.startsWith("text/event-stream");
	if (!body || !member || status !== 200 || !(stream || kind.startsWith("application/json"))) return body;
	const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
	let rest = "";
	let begun = false; // message_start has been read
	/** @param {string} text that ends with an object */
	const inserted = (text) => {
		const end = text.lastIndexOf("}");
		return end < 0 ? text : text.slice(0, end) + member + text.slice(end);
	};
	/** @param {string} text */
	const documentOf = (text) => {
		try {
			const { content } = JSON.parse(text);
			if (!block || !Array.isArray(content)) return inserted(text);
			return inserted(JSON.stringify({ ...JSON.parse(text), content: [JSON.parse(block), ...content] }));
		} catch {
			return text;
		}
	};
	/** @param {string} line */
	const lineOf = (line) => {
		if (begun && line.trim() === "") {
			begun = false; // the end of message_start
			return `${line}\n${events}`.replace(/\n$/, "");
		}
		if (!line.startsWith("data:") || !(block || line.includes("message_delta"))) return line;
		try {
			const event = JSON.parse(line.slice("data:".length));
			if (event.type === "message_delta") return inserted(line);
			if (block && event.type === "message_start") begun = true;
			if (!block || typeof event.index !== "number") return line;
			return `data: ${JSON.stringify({ ...event, index: event.index + 1 })}`;
		} catch {
			return line;
		}
	};
	return body.pipeThrough(
		new TransformStream({
			transform(chunk, controller) {
				const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
				rest = stream ? (lines.pop() ?? "") : lines.join("\n");
				if (stream && lines.length > 0) controller.enqueue(encoder.encode(`${lines.map(lineOf).join("\n")}\n`));
			},
			flush(controller) {
				rest += decoder.decode();
				controller.enqueue(encoder.encode(stream ? lineOf(rest) : documentOf(rest)));
			},
		}),
	);
}

/**
 * A checkpoint that was found, and the object that has those of its session.
 * @typedef {{ name: string, data: Uint8Array | null, object?: any }} Stored
 */

/**
 * Finds the newest checkpoint of a request, if a Durable Object is bound for them and GATEWAY_SECRET is set. Without
 * one the request is only slower: a checkpoint that cannot be read is none.
 * @param {Record<string, any>} env
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 * @param {string} head
 * @param {Uint8Array} body
 * @returns {Promise<Stored>}
 */
async function findCheckpoint(env, ctx, head, body) {
	const none = { name: "", data: null };
	if (!env.CHECKPOINTS) return none;
	/** @type {string} */
	const names = await ask(env, ctx, (go) => go.binding.names(head, body));
	if (!names) return none;
	const object = env.CHECKPOINTS.get(env.CHECKPOINTS.idFromName(names.split("\n", 1)[0]));
	try {
		const response = await object.fetch("https://checkpoints.invalid/", { method: "POST", body: names });
		const name = response.headers.get("name") ?? "";
		return { name, data: name ? new Uint8Array(await response.arrayBuffer()) : null, object };
	} catch {
		return { ...none, object };
	}
}

/**
 * Stores a checkpoint after the response has begun.
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 * @param {Stored} stored
 * @param {string} text JSON that has its name
 * @param {Uint8Array | null} checkpoint
 */
function keepCheckpoint(ctx, { object }, text, checkpoint) {
	const { name } = JSON.parse(text);
	if (!object || !name || !checkpoint) return;
	const kept = object.fetch("https://checkpoints.invalid/", { method: "PUT", headers: { name }, body: checkpoint });
	ctx.waitUntil(kept.catch(() => {})); // the next request computes it again
}

/**
 * The number of newest checkpoints that a session keeps, and the time after the last one until all are deleted, in ms.
 */
const MAX_CHECKPOINTS = 16;
const CHECKPOINT_LIFETIME = 24 * 3_600_000;

/**
 * The checkpoints of the sessions that begin with the same messages, the same credential and the same policy. Their
 * names are HMACs (worker/gateway), so that nothing else finds them.
 */
export class Checkpoints {
	/** @param {{ storage: any }} state */
	constructor({ storage }) {
		this.storage = storage;
	}

	/** POST with names, the oldest first: the newest that is stored. PUT: stores one. @param {Request} request */
	async fetch(request) {
		const body = await request.arrayBuffer(); // before the storage: no other request runs while it is read and written
		/** @type {string[]} */
		const kept = (await this.storage.get("names")) ?? [];
		if (request.method === "POST") {
			const wanted = new Set(new TextDecoder().decode(body).split("\n"));
			const name = kept.filter((name) => wanted.has(name)).pop();
			return new Response(name ? await this.storage.get(name) : null, name ? { headers: { name } } : {});
		}
		const name = request.headers.get("name") ?? "";
		await this.storage.put(name, body);
		const names = [...kept.filter((other) => other !== name), name];
		await this.storage.delete(names.splice(0, names.length - MAX_CHECKPOINTS));
		await this.storage.put("names", names);
		await this.storage.setAlarm(Date.now() + CHECKPOINT_LIFETIME);
		return new Response();
	}

	async alarm() {
		await this.storage.deleteAll();
	}
}

/**
 * Reads the error of a response that may be sent again; null if it is none. Also returns the response to pass on. The
 * Responses API and Gemini report a prompt that is too long in the first events of a stream: they are held back until
 * one that counts, as in worker/gateway/holdback.go.
 * @param {Response} response
 * @param {string} path
 * @param {boolean} canShrink a smaller request could be sent
 * @returns {Promise<[string | null, Response]>}
 */
async function errorOf(response, path, canShrink) {
	const { status, headers } = response;
	if (status === 400 || status === 413) return [await response.clone().text(), response];
	const holds = path.endsWith("/responses") || path.endsWith(":streamGenerateContent");
	const events = headers.get("content-type")?.startsWith("text/event-stream") && holds;
	if (status !== 200 || !events || !canShrink || !response.body) return [null, response];
	const reader = response.body.getReader();
	const decoder = new TextDecoder();
	/** @type {Uint8Array[]} */
	const chunks = [];
	let text = ""; // of the current event
	let size = 0;
	let first = ""; // the name of the first event that counts
	/** @type {Promise<ReadableStreamReadResult<Uint8Array>> | undefined} */
	let pending;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let timer;
	/** @type {Promise<null>} */
	const late = new Promise((resolve) => {
		timer = setTimeout(() => resolve(null), MAX_HOLD);
	});
	while (!first && size <= MAX_HELD) {
		pending ??= reader.read();
		const next = await Promise.race([pending, late]);
		if (!next) break;
		pending = undefined;
		if (next.done) break;
		chunks.push(next.value);
		const blank = /\r?\n\r?\n/g; // the end of an event; bytes are searched once
		blank.lastIndex = Math.max(0, text.length - 3);
		text += decoder.decode(next.value, { stream: true });
		size += next.value.byteLength;
		let event = 0; // where the current one begins
		while (!first && blank.test(text)) {
			const name = /^event: *(\S+)|^(data):/m.exec(text.slice(event, blank.lastIndex));
			event = blank.lastIndex;
			first = /^response\.(?:created|in_progress|queued)$/.test(name?.[1] ?? "") ? "" : (name?.[1] ?? name?.[2] ?? "");
		}
		if (!first) text = text.slice(event);
	}
	clearTimeout(timer);
	const failed = first === "response.failed" || first === "error" || /^data:\s*\{\s*"error"/.test(text.trim());
	return [failed ? text : null, new Response(streamOf(chunks, reader, pending), response)];
}

/** Equal to maxHold in worker/gateway/holdback.go, in ms. */
const MAX_HOLD = 1000;

/** Equal to maxHeld in worker/gateway/holdback.go. */
const MAX_HELD = 1 << 20;

/**
 * A stream of chunks that were read already, and of the rest.
 * @param {Uint8Array[]} chunks
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {Promise<ReadableStreamReadResult<Uint8Array>>} [pending] a read that has begun
 */
function streamOf(chunks, reader, pending) {
	return new ReadableStream({
		async pull(controller) {
			let next = chunks.shift();
			if (!next) {
				const read = pending ?? reader.read();
				pending = undefined;
				next = (await read).value;
			}
			if (next) controller.enqueue(next);
			else controller.close();
		},
		cancel: (reason) => reader.cancel(reason),
	});
}

/** Does what confine of worker/gateway/headers.go does. @param {Headers} response @param {Headers} request */
function confine(response, request) {
	const [type = ""] = (response.get("content-type") ?? "").split(";");
	if (!/^\s*(text\/event-stream|application\/([^/]+\+)?json)\s*$/i.test(type)) {
		response.set("content-security-policy", "sandbox");
		response.set("x-content-type-options", "nosniff");
	}
	if (!request.has("origin") && !request.has("sec-fetch-mode")) return;
	for (const name of ["set-cookie", "service-worker-allowed", "alt-svc"]) response.delete(name);
}

/** Headers of responses that are about one connection, as in worker/gateway/headers.go. */
const HOP_BY_HOP = ["connection", "keep-alive", "proxy-authenticate", "te", "trailer", "transfer-encoding", "upgrade"];

/**
 * Calls the kept instance, synchronously; see answerInKeptInstance for the invariant. An instance that failed or grew
 * too large is dropped.
 * @template T
 * @param {Record<string, any>} env
 * @param {{ waitUntil(promise: Promise<unknown>): void }} ctx
 * @param {(go: Started) => T} call
 */
async function ask(env, ctx, call) {
	kept ??= start(env, ctx);
	const current = kept;
	try {
		const go = await current;
		const answer = call(go);
		if (go.exited || (go.memory?.buffer.byteLength ?? 0) > MAX_KEPT_MEMORY) drop(current);
		return answer;
	} catch (error) {
		drop(current);
		throw error;
	}
}

/**
 * Reads the body in one piece, or returns a stream of it if it is over MAX_BODY.
 * @param {Request} request
 * @returns {Promise<Uint8Array<ArrayBuffer> | ReadableStream | null>}
 */
async function readOrStream(request) {
	if (!request.body) return new Uint8Array();
	const length = request.headers.get("content-length");
	if (Number(length) > MAX_BODY) return request.body;
	if (length !== null) return new Uint8Array(await request.arrayBuffer());
	const reader = request.body.getReader();
	/** @type {Uint8Array[]} */
	const chunks = [];
	for (let size = 0; size <= MAX_BODY; ) {
		const { done, value } = await reader.read();
		if (done) return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (chunks)).arrayBuffer());
		chunks.push(value);
		size += value.byteLength;
	}
	return streamOf(chunks, reader);
}

/** The readers of the content codings of requests: decodes in worker/gateway/headers.go lists them. */
const DECODERS = {
	gzip: zlib.gunzipSync,
	deflate: zlib.inflateSync,
	br: zlib.brotliDecompressSync,
	zstd: /** @type {any} */ (zlib).zstdDecompressSync, // the types of Node 20 do not have it
};

/**
 * The text of a body with a Content-Encoding, or why it is passed unread.
 * @param {Uint8Array} data
 * @param {keyof typeof DECODERS} coding
 * @returns {Uint8Array<ArrayBuffer> | "too_large" | "encoded"}
 */
function decode(data, coding) {
	try {
		return new Uint8Array(DECODERS[coding](data, { maxOutputLength: MAX_BODY }));
	} catch (error) {
		return error instanceof RangeError ? "too_large" : "encoded";
	}
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const isSame = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** A response of the gateway itself. @param {number} status @param {string} sentence */
function refusal(status, sentence) {
	return Response.json({ type: "error", error: { type: "api_error", message: `tamp: ${sentence}` } }, { status });
}

/**
 * The same, to a request whose body has not been read.
 * @param {Request} request
 * @param {{ status: number, message: string }} route
 */
async function refusalUnread(request, { status, message }) {
	await discard(request);
	return refusal(status, message);
}

/** Headers as one string, as in fetch_js.go: each name and each value is one line. @param {Headers} headers */
const linesOf = (headers) => [...headers].flat().join("\n");

/** @param {string[]} lines @returns {[string, string][]} */
const pairsIn = (lines) =>
	Array.from({ length: lines.length >> 1 }, (_, i) => [lines[2 * i] ?? "", lines[2 * i + 1] ?? ""]);

/** Runs work after the response has been returned. @param {() => void} work */
async function afterResponse(work) {
	await new Promise((resolve) => setTimeout(resolve, 0));
	work();
}

/** Drops the kept instance if it is this one. @param {Promise<Started>} which */
function drop(which) {
	if (kept === which) kept = undefined;
}

/** @param {Request} request @param {Record<string, any>} env */
async function overLimit(request, env) {
	if (!env.RATE_LIMITER || request.method === "OPTIONS" || new URL(request.url).pathname === "/healthz") return false;
	const { success } = await env.RATE_LIMITER.limit({ key: request.headers.get("cf-connecting-ip") ?? "unknown" });
	return !success;
}

/**
 * Reads the body in one piece; null without a body.
 * @param {Request} request
 * @returns {Promise<Body>}
 */
async function readBody(request) {
	if (!request.body) return null;
	const length = request.headers.get("content-length");
	if (Number(length) > MAX_BODY) return "too large";
	try {
		if (length !== null) return new Uint8Array(await request.arrayBuffer());
		/** @type {Uint8Array<ArrayBuffer>[]} */
		const chunks = [];
		if (!(await eachChunk(request.body, (chunk) => chunks.push(chunk)))) return "too large";
		return new Uint8Array(await new Blob(chunks).arrayBuffer());
	} catch {
		return "broken off";
	}
}

/**
 * Reads the body of a request that is refused without it, up to MAX_BODY. A connection that ends while the client still
 * sends is reset, and the client may see that instead of the response.
 * @param {Request} request
 */
async function discard({ body }) {
	if (!body) return;
	try {
		await eachChunk(body, () => {});
	} catch {} // the client broke off
}

/**
 * Reads a body up to MAX_BODY, and reports whether that was all.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {(chunk: Uint8Array<ArrayBuffer>) => void} take
 */
async function eachChunk(body, take) {
	let size = 0;
	for await (const chunk of body) {
		size += chunk.byteLength;
		if (size > MAX_BODY) return false;
		take(chunk);
	}
	return true;
}

function internalError() {
	const message = "cannot finish the request: an internal error of tamp, please report it";
	return Response.json({ error: { code: "internal", path: "", message } }, { status: 500, headers: HEADERS });
}
