// This file measures the Worker on workerd and prints a table: node worker/test/bench.mjs
// @ts-check

import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { generated } from "../../wasm/npm/bench/conversation.mjs";
import { start, tamp } from "./start.mjs";

const KB = 1000;

/** The minimal work of a Worker with a document: parse it and write it. */
const echo = `export default { async fetch(request) { return Response.json(await request.json()); } };`;

/** @param {number[]} times @param {number} permille */
const percentile = (times, permille) =>
	times.sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor((times.length * permille) / 1000))] ?? NaN;

/**
 * @param {string} url
 * @param {string} body
 * @param {Record<string, string>} [headers]
 */
async function post(url, body, headers) {
	const began = performance.now();
	const answer = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body,
	});
	const text = await answer.text();
	if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`);
	return { text, ms: performance.now() - began };
}

/**
 * Times of several requests that are sent alternately, so that other load on the machine affects all of them equally.
 * @param {number} runs
 * @param {[url: string, body: string][]} requests
 */
async function inTurn(runs, requests) {
	/** @type {number[][]} */
	const times = requests.map(() => []);
	for (let i = -runs; i < runs; i++) {
		for (const [n, [url, body]] of requests.entries()) {
			const { ms } = await post(url, body);
			if (i >= 0) times[n]?.push(ms); // the first half is warm-up: V8 compiles frequent code
		}
	}
	return times;
}

/** A provider that answers after 200 ms. */
let asked = 0;
const provider = createServer((request, response) => {
	asked++;
	request.resume().on("end", () =>
		setTimeout(() => {
			response.setHeader("content-type", "application/json");
			response.end(
				JSON.stringify({
					type: "message",
					role: "assistant",
					content: [{ type: "text", text: "Read the files; all tests pass." }],
					stop_reason: "end_turn",
				}),
			);
		}, 200),
	);
});
await new Promise((resolve) => provider.listen(0, "127.0.0.1", () => resolve(undefined)));
const port = /** @type {import("node:net").AddressInfo} */ (provider.address()).port;

/** A provider that answers at once. */
const upstream = createServer((request, response) => request.resume().on("end", () => response.end("{}")));
upstream.keepAliveTimeout = 60_000; // workerd does not send a request again if its connection was closed meanwhile
await new Promise((resolve) => upstream.listen(0, "127.0.0.1", () => resolve(undefined)));
const upstreamURL = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (upstream.address()).port}`;

const plain = await start({ modules: true, script: echo }, {});
const ours = await start(tamp(), {});
const asking = await start(tamp(), {
	bindings: { SUMMARIZER: "anthropic", SUMMARIZER_BASE_URL: `http://127.0.0.1:${port}`, SUMMARIZER_CONCURRENCY: "8" },
});
const gateway = await start(tamp(), {
	bindings: {
		UPSTREAMS: `up=${upstreamURL}`,
		GATEWAY_POLICY: '{"trigger":{"window":100000}}',
		GATEWAY_SECRET: "a secret of this benchmark",
	},
	durableObjects: { CHECKPOINTS: { className: "Checkpoints", useSQLite: true } },
});
try {
	for (const [name, size, runs] of /** @type {const} */ ([
		["400 KB", 400 * KB, 30],
		["4 MB", 4000 * KB, 5],
	])) {
		const body = `{"model":"claude-opus-4-5","max_tokens":100,"messages":${generated(size)}}`;
		const [a = [], b = []] = await inTurn(runs, [
			[`${upstreamURL}/v1/messages`, body],
			[`${gateway.url}up/v1/messages`, body],
		]);
		const [direct, through] = [percentile(a, 500), percentile(b, 500)];
		console.log(
			`gateway ${name.padEnd(8)} p50 ${through.toFixed(1)} ms, direct ${direct.toFixed(1)} ms, ` +
				`added ${(through - direct).toFixed(1)} ms${size <= 400 * KB ? " (limit 60)" : ""}`,
		);
	}
	for (const [name, size, runs] of /** @type {const} */ ([
		["100 KB", 100 * KB, 400],
		["4 MB", 4000 * KB, 9],
	])) {
		const body = `{"preset":"balanced","conversation":${generated(size)}}`;
		const [a = [], b = [], c = []] = await inTurn(runs, [
			[plain.url, body],
			[`${ours.url}v1/plan`, body],
			[`${ours.url}v1/version`, body],
		]);
		const [p, q, r] = [percentile(a, 500), percentile(b, 500), percentile(c, 500)];
		console.log(
			`/v1/plan ${name.padEnd(7)} p50 ${q.toFixed(1)} ms, p95 ${percentile(b, 950).toFixed(1)} ms   ` +
				`empty JavaScript worker p50 ${p.toFixed(1)} ms   ratio ${(q / p).toFixed(2)}${size <= 100 * KB ? " (limit 2)" : ", limit 500 ms"}   ` +
				`ours, only reading ${r.toFixed(1)} ms`,
		);
	}

	const conversations = Array.from(
		{ length: 50 },
		(_, i) => `{"preset":"harness","force":true,"conversation":${generated((60 + i) * KB)}}`,
	);
	await post(`${asking.url}v1/compact`, conversations[0] ?? "", { "x-api-key": "bench" });
	const began = performance.now();
	const answers = await Promise.all(
		conversations.map((body) => post(`${asking.url}v1/compact`, body, { "x-api-key": "bench" })),
	);
	const ms = performance.now() - began;
	const failed = answers.filter(({ text }) => text.includes('"failures"')).length;
	if (asked <= conversations.length) throw new Error(`the model was asked only ${asked} times`);
	console.log(`/v1/compact 50 at once, model 200 ms: ${(ms / 1000).toFixed(2)} s (limit 5 s), ${failed} with failures`);

	const parts = ["worker.mjs", "build/app.wasm", "build/wasm_exec.js", "build/runtime.mjs"].map((path) =>
		readFileSync(new URL(`../${path}`, import.meta.url)),
	);
	console.log(`size ${(gzipSync(Buffer.concat(parts), { level: 9 }).length / 1e6).toFixed(3)} MB gzip (limit 2.6)`);
} finally {
	await Promise.all([plain.stop(), ours.stop(), asking.stop(), gateway.stop()]);
	provider.close();
	upstream.close();
}
