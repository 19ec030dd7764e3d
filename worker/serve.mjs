// This file runs the Worker in Node, as `tamp serve` of the npm packages: the same program as on Cloudflare, behind an HTTP
// server. Instead of Cloudflare's services it has the memory of this process and a folder. There is no list of sessions
// and there are no metrics: the native server has them.
// @ts-check

import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createServer, request as plain } from "node:http";
import { request as secure } from "node:https";
import { isIP } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as runtime from "./build/runtime.mjs";
import { start } from "./instance.mjs";
import worker, { Checkpoints } from "./worker.mjs";

const WEB = fileURLToPath(new URL("web", import.meta.url));
/** The folder of the package tamp, whose files the page loads. */
let npm = "";

/** Of runtime.node.mjs, which is ./build/runtime.mjs in the package. @type {{ trusted: boolean }} */
const place = /** @type {any} */ (runtime).place;

/** @typedef {{ name: string, default: string, secret: boolean }} Setting */

/**
 * Runs the command. The exit code is 0 after a signal, 1 for a wrong setting, 2 for a wrong option.
 * @param {string[]} args
 * @param {string} folder of the package tamp
 */
export async function serve(args, folder) {
	npm = folder;
	const { help, version, settings } = (await start({}, {})).binding;
	/** @type {Setting[]} */
	const all = JSON.parse(settings);
	/** @type {Record<string, any>} */
	const env = filled(Object.fromEntries(all.map(({ name }) => [name, process.env[name] ?? ""])));
	const named = all.filter(({ secret }) => !secret);
	const option = (/** @type {Setting} */ { name }) => name.toLowerCase().replaceAll("_", "-");
	/** @type {Record<string, any>} */
	let values;
	try {
		const text = /** @type {const} */ ({ type: "string" });
		const options = Object.fromEntries(named.map((setting) => [option(setting), text]));
		const flag = /** @type {const} */ ({ type: "boolean" });
		values = parseArgs({ args, options: { ...options, help: { ...flag, short: "h" }, version: flag } }).values;
	} catch (thrown) {
		process.stderr.write(`tamp: ${/** @type {Error} */ (thrown).message.split("\n")[0]}\n${help}`);
		return 2;
	}
	if (values.help) return say(help);
	if (values.version) return say(`${version}\n`);
	for (const setting of named) if (option(setting) in values) env[setting.name] = values[option(setting)];
	const { PORT: port = "8787", HOST: host = "127.0.0.1" } = filled(env);
	place.trusted = isLoopback(host);
	const { problem } = (await start(env, {})).binding;
	if (problem) return fail(problem);
	if (!place.trusted && !env.TAMP_TOKEN)
		return fail("cannot use HOST: other machines can connect then, so TAMP_TOKEN must be set");
	if (!/^\d+$/.test(port) || Number(port) > 65_535)
		return fail(`cannot listen on port ${JSON.stringify(port)}: want a number from 0 to 65535 in PORT`);
	globalThis.fetch = /** @type {any} */ (send);
	Object.assign(env, bindings(env));
	const names = (env.ALLOWED_HOSTS ?? "").split(/[, ]+/).filter(Boolean);
	if (host !== "0.0.0.0" && host !== "::") names.push(host);
	const server = createServer((incoming, outgoing) => answer(incoming, outgoing, env, names));
	server.requestTimeout = Number(env.GATEWAY_BODY_TIMEOUT || 120) * 1000;
	return new Promise((resolve) => {
		server.on("error", (error) => resolve(fail(`cannot listen on ${host}:${port}: ${error.message}`)));
		server.listen(Number(port), host.replace(/^\[|\]$/g, ""), () => {
			const at = /** @type {import("node:net").AddressInfo} */ (server.address());
			const shown = at.family === "IPv6" ? `[${at.address}]` : at.address;
			say(
				`  playground at http://${shown}:${at.port} with its API at /v1, the gateway at its upstreams (Ctrl-C stops it)\n`,
			);
		});
		const stop = () => {
			process.once("SIGINT", () => process.exit(1)).once("SIGTERM", () => process.exit(1));
			server.close(() => resolve(0));
			server.closeIdleConnections();
		};
		process.once("SIGINT", stop).once("SIGTERM", stop);
	});
}

/** Requests with a body that are under way at the same time. */
let open = 0;

/**
 * Disconnects a client that reads nothing of what is there for it, so that it does not take the place of others for
 * ever: as the native server, after 30 seconds, or GATEWAY_BODY_TIMEOUT if that is set. A provider may be silent for
 * longer.
 * @param {import("node:http").ServerResponse} outgoing
 * @param {number} seconds
 */
function endStalled(outgoing, seconds) {
	let sent = "";
	let since = Date.now();
	const look = () => {
		const { bytesWritten = 0, writableLength = 0 } = outgoing.socket ?? {};
		const now = `${bytesWritten} ${writableLength}`;
		if (writableLength === 0 || now !== sent) {
			sent = now;
			since = Date.now();
		} else if (Date.now() - since >= seconds * 1000) outgoing.destroy();
	};
	const timer = setInterval(look, Math.min(seconds * 250, 5000)).unref();
	outgoing.on("close", () => clearInterval(timer));
}

/** The variables that are set. @param {Record<string, string>} env */
const filled = (env) => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));

/** @param {string} text */
function say(text) {
	process.stdout.write(text);
	return 0;
}

/** @param {string} problem */
function fail(problem) {
	process.stderr.write(`tamp: ${problem}\n`);
	return 1;
}

/** @param {string} host */
function isLoopback(host) {
	const name = host.replace(/^\[|\]$/g, "").toLowerCase();
	return name === "localhost" || (isIP(name) === 4 && name.startsWith("127.")) || name === "::1";
}

/**
 * Answers a request: with a file of the page, else as the Worker does.
 * @param {import("node:http").IncomingMessage} incoming
 * @param {import("node:http").ServerResponse} outgoing
 * @param {Record<string, any>} env
 * @param {string[]} names that the header Host may have besides this machine's
 */
async function answer(incoming, outgoing, env, names) {
	const gone = new AbortController();
	const counts = incoming.method === "POST";
	if (counts && open >= Number(env.GATEWAY_MAX_STREAMS || 256)) {
		outgoing.writeHead(503, { "content-type": "text/plain; charset=utf-8", "retry-after": "1", connection: "close" });
		outgoing.end("too many requests at the same time: GATEWAY_MAX_STREAMS is the limit\n");
		return;
	}
	if (counts) open++;
	outgoing.on("close", () => {
		if (counts) open--;
		gone.abort();
	});
	endStalled(outgoing, Number(env.GATEWAY_BODY_TIMEOUT || 30));
	/** @type {Promise<unknown>[]} */
	const later = [];
	try {
		const { method = "GET", headers, url: target = "/" } = incoming;
		const name = (headers.host ?? "").replace(/:\d+$/, "");
		if (!isLoopback(name) && !names.some((other) => other.toLowerCase() === name.toLowerCase())) {
			// A page of another origin could point its DNS name here and read the responses (DNS rebinding).
			outgoing.writeHead(421, { "content-type": "text/plain; charset=utf-8" });
			outgoing.end("this server does not have this name; its operator can allow it with ALLOWED_HOSTS\n");
			return;
		}
		const body = method === "GET" || method === "HEAD" ? null : /** @type {any} */ (Readable.toWeb(incoming));
		const request = new Request(`http://${headers.host}${target}`, {
			method,
			headers: pairsOf(incoming.rawHeaders),
			body,
			signal: gone.signal,
			.../** @type {any} */ ({ duplex: "half" }),
		});
		const file = body === null ? await pageFile(request) : null;
		const waiting = { waitUntil: (/** @type {Promise<unknown>} */ work) => void later.push(work) };
		const response = file ?? (await worker.fetch(request, env, waiting));
		/** @type {Record<string, string | string[]>} */
		const fields = Object.fromEntries(response.headers);
		const cookies = response.headers.getSetCookie();
		if (cookies.length > 0) fields["set-cookie"] = cookies;
		outgoing.writeHead(response.status, fields);
		outgoing.flushHeaders();
		if (response.body) await pipeline(Readable.fromWeb(/** @type {any} */ (response.body)), outgoing);
		else outgoing.end();
	} catch {
		outgoing.destroy(); // the client or the provider has broken off
	}
	await Promise.allSettled(later);
}

/** @param {string[]} raw names and values in turn @returns {[string, string][]} */
const pairsOf = (raw) => Array.from({ length: raw.length >> 1 }, (_, i) => [raw[2 * i] ?? "", raw[2 * i + 1] ?? ""]);

/** The types of the files of the page, as in web/site. @type {Record<string, string>} */
const TYPES = {
	".bin": "application/octet-stream",
	".css": "text/css; charset=utf-8",
	".gz": "application/gzip",
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".json": "application/json",
	".jsonl": "application/jsonl; charset=utf-8",
	".md": "text/plain; charset=utf-8",
	".svg": "image/svg+xml",
	".wasm": "application/wasm",
};

/** The headers of the page, as in web/site. */
const HEADERS = {
	"cache-control": "no-cache",
	"content-security-policy":
		"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"referrer-policy": "no-referrer",
	"x-content-type-options": "nosniff",
};

/** A file of the page, or of the package below /npm/; null if there is none. @param {Request} request */
async function pageFile({ url, method }) {
	const name = new URL(url).pathname.slice(1) || "index.html";
	const type = TYPES[path.extname(name)];
	if (!type || !/^[\w./-]+$/.test(name) || name.split("/").some((part) => part.startsWith("."))) return null;
	const [folder, file] = name.startsWith("npm/") ? [npm, name.slice(4)] : [WEB, name];
	try {
		const content = await readFile(path.join(folder, file));
		return new Response(method === "HEAD" ? null : new Uint8Array(content), {
			headers: { ...HEADERS, "content-type": type },
		});
	} catch {
		return null;
	}
}

/** The statuses of responses without a body. */
const EMPTY = new Set([204, 205, 304]);

/**
 * In place of fetch, which adds headers of its own and decodes responses. Responses come uncompressed, so that the Worker
 * can read them.
 * @param {string} url
 * @param {{ method?: string, headers?: [string, string][] | Record<string, string>, body?: any, signal?: AbortSignal }} [init]
 * @returns {Promise<Response>}
 */
function send(url, { method = "GET", headers = {}, body = null, signal } = {}) {
	return new Promise((resolve, reject) => {
		/** @type {Record<string, string[]>} */
		const fields = {};
		for (const [name, value] of Array.isArray(headers) ? headers : Object.entries(headers)) {
			const key = name.toLowerCase();
			if (["accept-encoding", "content-length", "host", "expect"].includes(key)) continue;
			fields[key] = [...(fields[key] ?? []), value];
		}
		const open = url.startsWith("https:") ? secure : plain;
		const request = open(url, { method, headers: fields, signal });
		request.on("error", reject);
		request.on("response", (response) => {
			const status = response.statusCode ?? 502;
			const none = method === "HEAD" || EMPTY.has(status);
			if (none) response.resume();
			const content = none ? null : /** @type {any} */ (Readable.toWeb(response));
			try {
				resolve(new Response(content, { status, headers: pairsOf(response.rawHeaders) }));
			} catch (error) {
				reject(error);
			}
		});
		request.on("upgrade", (_, socket) => {
			socket.destroy();
			reject(new Error("a WebSocket cannot be forwarded"));
		});
		if (body instanceof ReadableStream) {
			pipeline(Readable.fromWeb(/** @type {any} */ (body)), request).catch(reject);
		} else {
			if (body) request.setHeader("content-length", body.byteLength ?? Buffer.byteLength(body));
			request.end(body ?? undefined);
		}
	});
}

/** The bytes of checkpoints that this process keeps, as natively. */
const MAX_CHECKPOINTS = 64 << 20;

/**
 * What Cloudflare's services are for the Worker, in the memory of this process and a folder.
 * @param {Record<string, string>} env
 */
function bindings(env) {
	const folder = env.TRANSCRIPTS_DIR || path.join(".tamp", "transcripts");
	/** @param {string} key */
	const fileOf = (key) => path.join(folder, path.basename(key));
	/** @type {Map<string, { text: string, until: number }>} */
	const summaries = new Map();
	return {
		GATEWAY_SECRET: env.GATEWAY_SECRET || randomBytes(16).toString("hex"),
		ASSETS: {
			fetch: async (/** @type {string} */ url) =>
				(await pageFile(new Request(url))) ?? new Response(null, { status: 404 }),
		},
		TRANSCRIPTS: {
			/** @param {string} key */
			async get(key) {
				const data = await readFile(fileOf(key)).catch((error) =>
					error.code === "ENOENT" ? null : Promise.reject(error),
				);
				return data && { arrayBuffer: async () => new Uint8Array(data).buffer };
			},
			/** @param {string} key @param {Uint8Array} data */
			async put(key, data) {
				await mkdir(folder, { recursive: true, mode: 0o700 });
				const temporary = path.join(folder, `.new-${randomBytes(8).toString("hex")}`);
				await writeFile(temporary, data, { mode: 0o600 });
				await rename(temporary, fileOf(key)); // so that a file whose name is a ref is complete
			},
		},
		SUMMARIES: {
			/** @param {string} key */
			async get(key) {
				const found = summaries.get(key);
				return found && Date.now() < found.until ? found.text : null;
			},
			/** @param {string} key @param {string} text @param {{ expirationTtl: number }} options */
			async put(key, text, { expirationTtl }) {
				summaries.delete(key);
				summaries.set(key, { text, until: Date.now() + expirationTtl * 1000 });
				if (summaries.size > 1000) summaries.delete(/** @type {string} */ (summaries.keys().next().value));
			},
		},
		CHECKPOINTS: checkpoints(),
	};
}

/** The objects that keep checkpoints, the last used at the end. */
function checkpoints() {
	/** @type {Map<string, { object: Checkpoints, stored: Map<string, any> }>} */
	const objects = new Map();
	const sizeOf = () => {
		let size = 0;
		for (const { stored } of objects.values()) for (const value of stored.values()) size += value.byteLength ?? 0;
		return size;
	};
	return {
		idFromName: (/** @type {string} */ name) => name,
		/** @param {string} name */
		get(name) {
			const found = objects.get(name) ?? created();
			objects.delete(name);
			objects.set(name, found);
			return {
				/** @param {string} url @param {RequestInit} init */
				async fetch(url, init) {
					const response = await found.object.fetch(new Request(url, init));
					if (init.method === "PUT")
						while (objects.size > 1 && sizeOf() > MAX_CHECKPOINTS) objects.delete([...objects.keys()][0] ?? "");
					return response;
				},
			};
		},
	};
}

/** An object with its storage in memory. */
function created() {
	/** @type {Map<string, any>} */
	const stored = new Map();
	const storage = {
		get: async (/** @type {string} */ key) => stored.get(key),
		put: async (/** @type {string} */ key, /** @type {any} */ value) => void stored.set(key, value),
		delete: async (/** @type {string[]} */ keys) => void keys.forEach((key) => void stored.delete(key)),
		deleteAll: async () => stored.clear(),
		setAlarm: async () => {},
	};
	return { object: new Checkpoints({ storage }), stored };
}
