// This file is `tamp try`: it runs an agent with the gateway in between, for this process only, and prints what was sent. A
// proxy of its own is in front of the gateway, to see the requests. The gateway runs in a thread, so that nothing is
// left behind when this process ends.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { UsageError } from "./program.js";
import { CLIENTS } from "./clients.js";
import { load } from "./index.js";
import { LISTS } from "./methods.js";

/** The largest request that is kept for the count of what was missed, in bytes. */
const MAX_KEPT = 32 * 2 ** 20;

/** What the gateway logs of a request. @typedef {{ op?: string, tokens_before?: number, tokens_after?: number }} Line */

/**
 * @param {string[]} command of the client, with its arguments
 * @param {boolean} shadow
 * @returns {Promise<number>} the client's own exit code
 */
export async function tryClient(command, shadow) {
	const [program = "", ...args] = command;
	const name = path.basename(program).replace(/\.(exe|cmd|[cm]?js)$/, "");
	const client = CLIENTS[name];
	if (!client)
		throw new UsageError(
			`try knows no client ${name || "without a name"}: it knows ${Object.keys(CLIENTS).join(", ")}`,
		);
	const bases = Object.entries(client.bases).map(([variable, base], i) => {
		const given = (process.env[variable] || base).replace(/\/+$/, "");
		// The gateway knows the routes of a provider by the whole path.
		const version = /\/v1$/.exec(given)?.[0] ?? "";
		return { variable, upstream: `provider${i}`, version, base: given.slice(0, given.length - version.length) };
	});
	const lacking = bases.find(({ base }) => base === "");
	if (lacking)
		throw new UsageError(`${name} has no address to go through: set ${lacking.variable} to that of your provider`);
	const gateway = await startGateway(bases.map(({ upstream, base }) => `${upstream}=${base}`).join(","), shadow);
	const proxy = await startProxy(gateway.url);
	const folder = mkdtempSync(path.join(tmpdir(), "tamp-try-"));
	try {
		const urls = Object.fromEntries(
			bases.map(({ variable, upstream, version }) => [variable, `${proxy.url}/${upstream}${version}`]),
		);
		const { args: more = [], env = urls } = client.point?.(urls, folder) ?? {};
		const code = await run(program, [...more, ...args], { ...process.env, ...env });
		process.stderr.write(await summary(gateway.lines, proxy.largest(), shadow));
		return code;
	} finally {
		rmSync(folder, { recursive: true, force: true });
		await gateway.stop();
		proxy.stop();
	}
}

/**
 * Starts the gateway in a thread, on a free port of this machine.
 * @param {string} upstreams
 * @param {boolean} shadow
 */
async function startGateway(upstreams, shadow) {
	const { TAMP_SERVER: _, ...env } = process.env;
	const worker = new Worker(new URL("./try-gateway.js", import.meta.url), {
		env: { ...env, HOST: "127.0.0.1", PORT: "0", UPSTREAMS: upstreams, ...(shadow ? { GATEWAY_MODE: "observe" } : {}) },
		stdout: true,
		stderr: true,
		execArgv: [],
	});
	/** @type {Line[]} */
	const lines = [];
	let said = "";
	/** @type {string} */
	const url = await new Promise((resolve, reject) => {
		createInterface({ input: worker.stdout }).on("line", (line) => {
			const found = / at (http:\S+)/.exec(line);
			if (found?.[1]) resolve(found[1]);
			try {
				lines.push(JSON.parse(line));
			} catch {}
		});
		createInterface({ input: worker.stderr }).on("line", (line) => {
			said = line;
		});
		worker.on("error", reject);
		worker.on("exit", () => reject(new Error(`the gateway does not start: ${said}`)));
	});
	return { url, lines, stop: () => worker.terminate() };
}

/**
 * Starts a proxy that keeps the largest request.
 * @param {string} target
 */
async function startProxy(target) {
	/** @type {string | undefined} */
	let largest;
	const server = createServer((incoming, outgoing) => {
		const { method, url, headers } = incoming;
		const { connection: _, upgrade: __, host: ___, ...rest } = headers;
		const onward = request(`${target}${url}`, { method, headers: rest }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
			answer.pipe(outgoing);
			answer.on("error", () => outgoing.destroy());
		});
		onward.on("error", () => {
			if (!outgoing.headersSent) outgoing.writeHead(502, { "content-type": "text/plain" });
			outgoing.end("tamp try: the gateway has ended\n");
		});
		outgoing.on("close", () => onward.destroy());
		/** @type {Buffer[]} */
		const chunks = [];
		let size = 0;
		incoming.on("data", (chunk) => {
			size += chunk.length;
			if (size <= MAX_KEPT) chunks.push(chunk);
		});
		incoming.on("end", () => {
			if (size > (largest?.length ?? 0) && size <= MAX_KEPT && !headers["content-encoding"]) {
				const text = Buffer.concat(chunks).toString();
				if (LISTS.some((list) => text.includes(`"${list}"`))) largest = text;
			}
		});
		incoming.pipe(onward);
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
	const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		largest: () => largest,
		stop: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

/**
 * Runs the client on this terminal. Ctrl-C reaches it by itself; this process waits for it.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
async function run(program, args, env) {
	const child = spawn(program, args, { stdio: "inherit", env });
	const wait = () => {};
	const pass = () => child.kill("SIGTERM");
	process.on("SIGINT", wait).on("SIGTERM", pass);
	try {
		return await new Promise((resolve, reject) => {
			child.on("error", (thrown) => reject(new Error(`cannot run ${program}: ${thrown.message}`)));
			child.on("exit", (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 0)));
		});
	} finally {
		process.off("SIGINT", wait).off("SIGTERM", pass);
	}
}

/** @param {number} n */
const grouped = (n) => n.toLocaleString("en-US");

/**
 * Three lines: what was sent, what would have been, what was missed.
 * @param {Line[]} lines
 * @param {string | undefined} largest
 * @param {boolean} shadow
 */
async function summary(lines, largest, shadow) {
	const calls = lines.filter(({ op, tokens_before }) => op === "gateway" && tokens_before !== undefined);
	const sum = (/** @type {"tokens_before" | "tokens_after"} */ name) =>
		calls.reduce((total, line) => total + (line[name] ?? line.tokens_before ?? 0), 0);
	const [whole, compacted] = [sum("tokens_before"), sum("tokens_after")];
	const saved = whole > 0 ? Math.round((100 * (whole - compacted)) / whole) : 0;
	const [sent, other] = shadow ? [whole, compacted] : [compacted, whole];
	return [
		`tamp: sent: ${grouped(sent)} tokens in ${calls.length} ${calls.length === 1 ? "call" : "calls"}`,
		`tamp: ${shadow ? "with Tamp it would have been" : "without Tamp it would have been"}: ${grouped(other)} tokens; Tamp ${shadow ? "would save" : "saved"} ${saved} %`,
		`tamp: missed: ${await missedIn(largest)}`,
		"",
	].join("\n");
}

/** What the answers of a session use, and a compacted request would not have. @param {string | undefined} conversation */
async function missedIn(conversation) {
	if (conversation === undefined) return "not known: no request could be read";
	try {
		const { preset, ...policy } = JSON.parse(process.env.GATEWAY_POLICY || "{}");
		const { misses } = (await load()).replay({ conversation, ...(preset ? { preset } : {}), policy });
		return misses.text || "no answer used a name of an earlier message";
	} catch (thrown) {
		return `not known: ${/** @type {Error} */ (thrown).message}`;
	}
}
