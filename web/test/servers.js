// This file starts what the tests of the page talk to: the server, natively and on workerd, a static host, and the fake
// provider.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{url: string, stop: () => Promise<void>}} Running */
/** @typedef {Running & {kill: () => Promise<void>}} Program kill ends it at once, as a crash does */
/** @typedef {{key: string, body: any, step: string, problems: string[]}} Call */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What make has built, or else the way to run it from source. @param {string} built @param {string} source */
function program(built, source) {
	return existsSync(ROOT + built) ? [ROOT + built] : ["go", "run", source];
}

/**
 * Starts a program that says where it listens.
 * @param {string[]} command
 * @param {Record<string, string>} env
 * @returns {Promise<Program>}
 */
function listen([command, ...args], env) {
	const child = spawn(command, args, {
		cwd: ROOT,
		env: { ...process.env, ...env },
		stdio: ["pipe", "pipe", "inherit"],
	});
	const ended = new Promise((resolve) => child.once("exit", resolve));
	const end = async (/** @type {NodeJS.Signals} */ signal) => {
		child.kill(signal);
		await ended;
	};
	return new Promise((resolve, reject) => {
		let said = "";
		child.stdout.on("data", (chunk) => {
			said += chunk;
			const found = /http:\/\/[\d.]+:\d+/.exec(said);
			if (found) resolve({ url: `${found[0]}/`, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") });
		});
		child.once("error", reject);
		child.once("exit", (code) => reject(new Error(`cannot start ${command}: it ended with ${code}`)));
	});
}

/** A folder that is gone once the test is. */
function folder() {
	const at = mkdtempSync(path.join(tmpdir(), "tamp-"));
	return { at, remove: () => rmSync(at, { recursive: true, force: true }) };
}

/**
 * The page and the API on a free port.
 * @param {Record<string, string>} [settings] as an operator sets them
 * @param {string} [bundle] folder of the bundled page; default: the source is served
 * @returns {Promise<Program>}
 */
export async function startServer(settings = {}, bundle) {
	const transcripts = folder();
	const files = bundle ? partsOf(bundle) : ["-web", "web", "-npm", "wasm/npm"];
	const { url, stop, kill } = await listen([...program(".build/server", "./worker"), ...files], {
		PORT: "0",
		TRANSCRIPTS_DIR: transcripts.at,
		...settings,
	});
	return { url, stop: () => stop().then(transcripts.remove), kill: () => kill().then(transcripts.remove) };
}

/** The same with the page as `make site` bundles it, in a folder. @returns {Promise<Running & {bundle: string}>} */
export async function startBundled() {
	const bundle = bundled();
	const { url, stop } = await startServer({}, bundle.at);
	return { url, bundle: bundle.at, stop: () => stop().then(bundle.remove) };
}

/**
 * The same on workerd, as worker/wrangler.jsonc has it: files first, but not for the API.
 * @param {Record<string, string>} settings
 * @returns {Promise<Running>}
 */
export async function startWorkerd(settings) {
	const installed = createRequire(`${ROOT}worker/package.json`);
	const { Miniflare } = installed("miniflare");
	const config = installed("wrangler").unstable_readConfig({ config: `${ROOT}worker/wrangler.jsonc` });
	const site = folder();
	exportSite(site.at);
	const part = (/** @type {string} */ name, type = "ESModule") => ({ type, path: `${ROOT}worker/${name}` });
	const workerd = new Miniflare({
		modulesRoot: `${ROOT}worker`,
		modules: [
			part("worker.mjs"),
			part("instance.mjs"),
			part("build/wasm_exec.js"),
			part("build/runtime.mjs"),
			part("build/app.wasm", "CompiledWasm"),
		],
		compatibilityDate: config.compatibility_date,
		compatibilityFlags: config.compatibility_flags,
		assets: {
			directory: site.at,
			routerConfig: { has_user_worker: true, static_routing: { user_worker: config.assets.run_worker_first } },
		},
		r2Buckets: ["TRANSCRIPTS"],
		bindings: settings,
		handleRuntimeStdio() {}, // a line of log for each request
		host: "127.0.0.1",
		port: 0,
	});
	const stop = () => workerd.dispose().then(site.remove);
	try {
		return { url: String(await workerd.ready), stop };
	} catch (cause) {
		await stop(); // else the test file would never end
		throw cause;
	}
}

/** Writes the site as `make site` does; the page is bundled already if TAMP_BUNDLE names its folder. @param {string} to */
function exportSite(to) {
	const bundle = process.env.TAMP_BUNDLE ? { at: process.env.TAMP_BUNDLE, remove() {} } : bundled();
	perform([...program(".build/server", "./worker"), ...partsOf(bundle.at), "-export", to]);
	bundle.remove();
}

/** The bundled page in a new folder. */
function bundled() {
	const bundle = folder();
	perform(["go", "run", "./web/bundle", bundle.at]);
	return bundle;
}

/** The options of the server for a bundled page. @param {string} bundle */
const partsOf = (bundle) => ["-web", `${bundle}/web`, "-npm", `${bundle}/npm`];

/** @param {string[]} command */
function perform([program, ...args]) {
	const { status, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8" });
	assert.equal(status, 0, stderr);
}

/** The page on a host that has files and nothing else. @returns {Promise<Running>} */
export async function startStatic() {
	const site = folder();
	exportSite(site.at);
	/** @type {Record<string, string>} */
	const types = {
		".bin": "application/octet-stream",
		".html": "text/html",
		".js": "text/javascript",
		".css": "text/css",
		".svg": "image/svg+xml",
		".json": "application/json",
		".jsonl": "application/jsonl",
		".gz": "application/gzip",
		".wasm": "application/wasm",
	};
	const host = createServer((request, response) => {
		const file = path.join(
			site.at,
			path.normalize(new URL(request.url ?? "/", "http://host").pathname).replace(/\/$/, "/index.html"),
		);
		const kind = types[path.extname(file)];
		if (!kind || !existsSync(file))
			return response.writeHead(404, { "content-type": "text/html" }).end("<!doctype html><title>Not found</title>");
		response.writeHead(200, { "content-type": kind }).end(readFileSync(file));
	});
	await new Promise((resolve) => host.listen(0, "127.0.0.1", () => resolve(null)));
	const { port } = /** @type {import("node:net").AddressInfo} */ (host.address());
	return {
		url: `http://127.0.0.1:${port}/`,
		stop: async () => {
			host.closeAllConnections();
			await new Promise((resolve) => host.close(resolve));
			site.remove();
		},
	};
}

/** The fake provider of worker/internal/fake. Each name has its own script and its own calls. */
export async function startFake() {
	const fake = await listen(program(".build/fake", "./worker/internal/fake/cmd"), {});
	const base = (/** @type {string} */ name) => `${fake.url}s/${name}`;
	return {
		stop: fake.stop,
		base,
		/**
		 * What a server meets from now on whose base URL is base(name).
		 * @param {string} name
		 * @param {object[]} steps
		 */
		async script(name, steps) {
			const answer = await fetch(base(name), { method: "PUT", body: JSON.stringify(steps) });
			assert.equal(answer.status, 200, await answer.text());
		},
		/** The calls so far. @param {string} name @returns {Promise<Call[]>} */
		async calls(name) {
			return /** @type {any} */ ((await fetch(`${fake.url}calls?name=${name}`)).json());
		},
	};
}
