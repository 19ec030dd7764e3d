// This file measures how long a request through the gateway takes, natively and as `tamp serve` in Node: node wasm/npm/bench/serve.mjs
// after `make package .build/server .build/fake`. The provider is the fake one of the tests, on this machine. The requests are
// sent in turn, so that other load on the machine affects all of them equally.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { generated } from "./conversation.mjs";

const RUNS = Number(process.argv[2] ?? 60); // of each request, after WARM others: V8 compiles frequent code
const WARM = RUNS / 4;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tamp-serve-"));
/** @type {import("node:child_process").ChildProcess[]} */
const children = [];

/** Starts a program and returns the address in its first lines. @param {string[]} command @param {Record<string, string>} [env] */
async function start([program = "", ...args], env = {}) {
	const child = spawn(program, args, {
		cwd: folder,
		env: { ...process.env, ...env },
		stdio: ["pipe", "pipe", "inherit"],
	});
	children.push(child);
	for await (const line of createInterface({ input: child.stdout })) {
		const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
		if (!url) continue;
		child.stdout.resume();
		return url;
	}
	throw new Error(`${program} has printed no address`);
}

/** @param {string} url @param {string} body */
async function post(url, body) {
	const began = performance.now();
	const headers = { "content-type": "application/json", "x-api-key": "k", "anthropic-version": "2023-06-01" };
	const answer = await fetch(`${url}/v1/messages`, { method: "POST", headers, body });
	const text = await answer.text();
	if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`);
	return { ms: performance.now() - began, reason: answer.headers.get("x-tamp-reason") ?? "" };
}

/** @param {number[]} times @param {number} permille */
const percentile = (times, permille) =>
	times[Math.min(times.length - 1, Math.floor((times.length * permille) / 1000))] ?? 0;

try {
	const provider = await start([resolve(root, ".build/fake")]);
	const settings = { UPSTREAMS: `anthropic=${provider}`, PORT: "0", GATEWAY_POLICY: '{"trigger":{"window":100000}}' };
	const servers = {
		direct: provider,
		native: `${await start([resolve(root, ".build/server"), "serve"], settings)}/anthropic`,
		node: `${await start([process.execPath, join(root, "wasm/npm/cli.js"), "serve"], { ...settings, TAMP_PROGRAM: "" })}/anthropic`,
	};
	const request = (/** @type {number} */ size) =>
		`{"model":"claude-opus-4-5","max_tokens":100,"messages":${generated(size)}}`;
	console.log(`load ${(loadavg()[0] ?? 0).toFixed(1)}; ms of a request, median and 95th percentile`);
	console.log("body          direct       p95    native       p95      Node       p95   Node / native");
	for (const [name, body] of Object.entries({ "40 KB": request(40e3), "400 KB": request(400e3) })) {
		/** @type {Record<string, number[]>} */
		const times = { direct: [], native: [], node: [] };
		for (let run = -WARM; run < RUNS; run++) {
			for (const [server, url] of Object.entries(servers)) {
				// Each is a session of its own: a gateway with a checkpoint of the session has less to do.
				const own = body.replace('"content":"', `"content":"${name} ${run} `);
				const { ms } = await post(url, own);
				if (run >= 0) times[server]?.push(ms);
			}
		}
		const took = (/** @type {string} */ server, /** @type {number} */ permille) =>
			percentile(
				(times[server] ?? []).sort((a, b) => a - b),
				permille,
			);
		const cells = ["direct", "native", "node"].flatMap((server) => [took(server, 500), took(server, 950)]);
		const ratio = [500, 950].map((p) => (took("node", p) / took("native", p)).toFixed(1)).join(" and ");
		console.log(`${name.padEnd(10)} ${cells.map((ms) => ms.toFixed(1).padStart(9)).join(" ")}   ${ratio} ×`);
	}
} finally {
	for (const child of children) child.kill();
	rmSync(folder, { recursive: true });
}
