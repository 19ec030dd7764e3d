// This file measures what the gateway adds to a call, next to a gateway that only relays (Portkey), and prints a table:
// node worker/test/relay.mjs PEERS, where PEERS is the folder with node_modules; with --json it prints the figures. Both stand in
// front of one provider on this machine, and the same calls go there directly and through each, in turn.
// @ts-check

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { generated, recorded } from "../../wasm/npm/bench/conversation.mjs";

const CALLS = 60;
const WARM = 15;
const SESSIONS = 200;
const GROWTH = 20_000;
const root = fileURLToPath(new URL("../..", import.meta.url));
const peers = process.argv[2] ?? ".build/peers";
const asJSON = process.argv[3] === "--json";
/** Milliseconds, by the row and the way. @type {Record<string, Record<string, number>>} */
const figures = {};
/** @param {string} text */
const print = (text) => asJSON || console.log(text);

const answer = JSON.stringify({
	id: "msg_1",
	type: "message",
	role: "assistant",
	model: "claude-opus-4-5",
	content: [{ type: "text", text: "Well." }],
	stop_reason: "end_turn",
	usage: { input_tokens: 1, output_tokens: 1 },
});

const provider = createServer((incoming, response) => {
	incoming.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end(answer));
}).listen(0, "127.0.0.1");
await once(provider, "listening");

/** @param {import("node:net").Server} server */
const portOf = (server) => /** @type {import("node:net").AddressInfo} */ (server.address()).port;

async function freePort() {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const port = portOf(server);
	server.close();
	await once(server, "close");
	return port;
}

/** @type {import("node:child_process").ChildProcess[]} */
const started = [];
const upstream = `http://127.0.0.1:${portOf(provider)}`;

/**
 * Starts a program and waits until its port answers.
 * @param {string} program
 * @param {string[]} args
 * @param {number} port
 * @param {Record<string, string>} env
 */
async function start(program, args, port, env = {}) {
	const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: "ignore" });
	started.push(child);
	for (let tries = 0; tries < 200; tries++) {
		const open = await fetch(`http://127.0.0.1:${port}/`).then(
			() => true,
			() => false,
		);
		if (open) return port;
		if (child.exitCode !== null) break;
		await sleep(50);
	}
	throw new Error(`${program} ${args.join(" ")} does not answer`);
}

/** @typedef {{ port: number, path: string, headers?: Record<string, string> }} To */

/**
 * Sends one call, and returns the milliseconds to the first byte of the answer.
 * @param {To} to
 * @param {string} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<number>}
 */
function call(to, body, headers = {}) {
	const began = performance.now();
	return new Promise((resolve, reject) => {
		const sent = request(
			{
				host: "127.0.0.1",
				port: to.port,
				path: to.path,
				method: "POST",
				headers: {
					"content-type": "application/json",
					"content-length": Buffer.byteLength(body),
					"anthropic-version": "2023-06-01",
					"x-api-key": "none",
					...to.headers,
					...headers,
				},
			},
			(response) => {
				if (response.statusCode !== 200) reject(new Error(`${to.path}: status ${response.statusCode}`));
				response.once("data", () => resolve(performance.now() - began));
				response.resume();
			},
		);
		sent.on("error", reject);
		sent.end(body);
	});
}

/** @param {number[]} times @param {number} share */
const at = (times, share) => times.sort((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? NaN;

/** The messages of recorded sessions, or generated ones, without images: their size says little about the work. */
const messages = JSON.parse(recorded(process.env.TAMP_CORPUS, 6e6) ?? generated(6e6)).filter(
	(/** @type {object} */ m) => JSON.stringify(m).length < 60_000,
);

/** @param {number} bytes @returns {number} how many messages take as many bytes */
function count(bytes) {
	let n = 0;
	for (let size = 0; size < bytes && n < messages.length; n++) size += JSON.stringify(messages[n]).length;
	return n;
}

/** @param {number} last @returns {number[]} the lengths of the prompts of the calls up to a message */
const callsUpTo = (last) =>
	Array.from({ length: last + 1 }, (_, n) => n).filter((n) => n > 0 && messages[n]?.role === "assistant");

/** @param {number} n */
const bodyOf = (n) => JSON.stringify({ model: "claude-opus-4-5", max_tokens: 100, messages: messages.slice(0, n) });

try {
	const portkey = await freePort();
	await start(
		process.execPath,
		[join(peers, "node_modules/@portkey-ai/gateway/build/start-server.js"), `--port=${portkey}`, "--headless"],
		portkey,
		{ NODE_ENV: "production" },
	);
	/** @param {object} policy */
	const tamp = async (policy) => {
		const port = await freePort();
		return start(join(root, ".build/server"), [], port, {
			PORT: String(port),
			UPSTREAMS: `up=${upstream}`,
			GATEWAY_POLICY: JSON.stringify(policy),
		});
	};
	const passing = { preset: "turns", trigger: { window: 1_000_000 } };
	const direct = { port: portOf(provider), path: "/v1/messages" };
	const relay = {
		port: portkey,
		path: "/v1/messages",
		headers: { "x-portkey-provider": "anthropic", "x-portkey-custom-host": `${upstream}/v1` },
	};
	print(`${availableParallelism()} processors, load ${(loadavg()[0] ?? 0).toFixed(1)}`);
	for (const row of [
		{ name: "416 KB, passed", bytes: 416_000, policy: passing },
		{ name: "1.36 MB, compacted by its checkpoint", bytes: 1_360_000, policy: { trigger: { window: 200_000 } } },
	]) {
		const ours = { port: await tamp(row.policy), path: "/up/v1/messages" };
		const all = [direct, relay, ours];
		const last = count(row.bytes);
		const lengths = callsUpTo(last).slice(-WARM - CALLS);
		const times = all.map(() => /** @type {number[]} */ ([]));
		for (let i = 0; i < WARM + CALLS; i++) {
			const body = bodyOf(lengths[i] ?? last); // a round more each time
			for (const [n, to] of all.entries()) {
				const ms = await call(to, body);
				if (i >= WARM) times[n]?.push(ms);
			}
		}
		const [base = 0, theirs = 0, added = 0] = times.map((list) => at(list, 0.5));
		const [least = 0, leastTheirs = 0, leastAdded = 0] = times.map((list) => at(list, 0));
		figures[row.name] = { direct: base, Portkey: theirs, Tamp: added };
		print(
			`${row.name.padEnd(38)} direct ${base.toFixed(1)} ms   Portkey +${(theirs - base).toFixed(1)} ms   Tamp +${(added - base).toFixed(1)} ms   ` +
				`ratio ${((added - base) / (theirs - base)).toFixed(2)} (of the minima ${((leastAdded - least) / (leastTheirs - least)).toFixed(2)})`,
		);
	}
	const together = { port: await tamp(passing), path: "/up/v1/messages" };
	const first = count(GROWTH);
	for (const [name, to] of /** @type {[string, To][]} */ ([
		["direct", direct],
		["Portkey", relay],
		["Tamp", together],
	])) {
		const times = /** @type {number[]} */ ([]);
		let failed = 0;
		for (let calls = 1; calls <= 5; calls++) {
			const body = bodyOf(callsUpTo(first * calls).at(-1) ?? first);
			const answers = Array.from({ length: SESSIONS }, (_, s) => call(to, body, { "x-api-key": `session-${s}` }));
			for (const one of await Promise.allSettled(answers)) {
				if (one.status === "rejected") failed++;
				else if (calls > 1) times.push(one.value);
			}
		}
		figures[name] = { p50: at(times, 0.5), p99: at(times, 0.99) };
		print(
			`${SESSIONS} sessions at once, +20 KB a call: ${name.padEnd(8)} first byte p50 ${at(times, 0.5).toFixed(0)} ms, p99 ${at(times, 0.99).toFixed(0)} ms, ${failed} failed`,
		);
	}
	if (asJSON) console.log(JSON.stringify(figures));
} finally {
	for (const child of started) child.kill();
	provider.close();
}
