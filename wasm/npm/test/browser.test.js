// This file runs the package in a real Chromium, behind the playground's own strict headers: in a page, in its workers,
// and next to another Go program.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";
import { anthropic, root } from "./support.js";

const { chromium } = /** @type {typeof import("../../../web/node_modules/playwright-core/index.js")} */ (
	createRequire(path.join(root, "web/package.json"))("playwright-core")
);

/** @type {import("node:child_process").ChildProcess} */
let server;
/** @type {import("../../../web/node_modules/playwright-core/index.js").Browser} */
let browser;
let site = "";

before(async () => {
	server = spawn(path.join(root, ".build/server"), ["-web", "web", "-npm", "wasm/npm"], {
		cwd: root,
		env: { ...process.env, PORT: "0" },
		stdio: ["ignore", "pipe", "inherit"],
	});
	site = await new Promise((resolve, reject) => {
		server.on("error", reject);
		server.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
		server.stdout?.on("data", (/** @type {Buffer} */ said) => resolve(/http:\S+/.exec(String(said))?.[0] ?? ""));
	});
	browser = await chromium.launch({
		executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
		args: ["--no-sandbox"],
	});
});
after(async () => {
	await browser?.close();
	server?.kill();
});

/**
 * An empty page of the site, and its errors.
 * @returns {Promise<[import("../../../web/node_modules/playwright-core/index.js").Page, string[]]>}
 */
async function blank() {
	const page = await browser.newPage();
	/** @type {string[]} */
	const wrong = [];
	await page.goto(`${site}/favicon.svg`);
	page.on("console", (message) => {
		// A picture as a page makes the browser ask for an icon; absent.wasm is asked for by a test.
		if (!/favicon\.ico$|absent\.wasm$/.test(message.location().url)) wrong.push(message.text());
	});
	page.on("pageerror", (error) => wrong.push(String(error)));
	return [page, wrong];
}

test("in a page with another Go program, without changes to globals", async () => {
	const [page, wrong] = await blank();
	const got = await page.evaluate(async (conversation) => {
		const names = () => Reflect.ownKeys(globalThis).map(String).sort().join();
		/** @type {any} */ (globalThis).Go = "theirs";
		const before = names();
		const index = "/npm/index.js";
		const { load, TampError } = await import(index);
		const engine = await load();
		const plan = engine.plan({ conversation, preset: "s06" });
		let code;
		try {
			engine.detect({ conversation: "not JSON" });
		} catch (thrown) {
			code = thrown instanceof TampError && /** @type {any} */ (thrown).code;
		}
		return {
			messages: engine.detect({ conversation }).messages,
			edits: plan.edits.length,
			code,
			go: /** @type {any} */ (globalThis).Go,
			clean: names() === before,
		};
	}, anthropic());
	assert.deepEqual(got, { messages: 14, edits: 3, code: "bad_json", go: "theirs", clean: true });
	assert.deepEqual(wrong, []);
});

test("in a worker, with concurrent calls and transferred bytes", async () => {
	const [page, wrong] = await blank();
	const got = await page.evaluate(async (conversation) => {
		const index = "/npm/index.js";
		const { load, loadInWorker } = await import(index);
		const [engine, remote] = await Promise.all([load(), loadInWorker()]);
		const input = { conversation: JSON.stringify(conversation), preset: "s06" };
		const plan = await remote.plan(input);
		const [outcome, text] = await Promise.all([
			remote.apply({ ...input, plan, results: [] }),
			remote.archive({ ...input, plan }),
		]);
		const bytes = new Uint8Array(new TextEncoder().encode(input.conversation));
		const { messages } = await remote.detect({ conversation: bytes }, { transfer: true });
		const codes = [];
		codes.push(await remote.detect({ conversation: "not JSON" }).catch((/** @type {any} */ error) => error.code));
		remote.terminate();
		codes.push(await remote.presets().catch((/** @type {any} */ error) => error.code));
		codes.push(
			await loadInWorker(new URL("/absent.wasm", location.href)).catch((/** @type {any} */ error) => error.code),
		);
		const same =
			JSON.stringify([outcome, text]) ===
			JSON.stringify([engine.apply({ ...input, plan, results: [] }), engine.archive({ ...input, plan })]);
		return { same, messages, left: bytes.length, codes };
	}, anthropic());
	assert.deepEqual(got, { same: true, messages: 14, left: 0, codes: ["bad_json", "terminated", "load_failed"] });
	assert.deepEqual(wrong, []);
});

/**
 * The package on a server with these headers, and a service worker that answers a message with what load says.
 * @param {Record<string, string>} headers
 */
async function serve(headers) {
	const types = { js: "text/javascript", wasm: "application/wasm" };
	const worker = `import * as index from "/index.js";
		onmessage = async ({ source, data: { how, url } }) => {
			const told = [];
			const engine = await index[how](url && new URL(url, location.href), { onWarning: told.push.bind(told) })
				.catch((thrown) => thrown);
			source.postMessage([String(engine.version ?? engine.message), ...told.map(({ message }) => message)]);
		};`;
	const own = { "/": ["text/html", "<!doctype html>"], "/service.js": [types.js, worker] };
	const server = createServer(({ url = "" }, response) => {
		const type = types[/** @type {"js" | "wasm"} */ (url.split(".").pop())];
		const [kind, body] =
			own[/** @type {"/"} */ (url)] ?? (type ? [type, readFileSync(path.join(root, "wasm/npm", url))] : []);
		response.writeHead(kind ? 200 : 404, { ...headers, "Content-Type": kind ?? "text/plain" }).end(body);
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
	const page = await browser.newPage();
	await page.goto(`http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`);
	/** @param {{ how: string, url?: string }} request @returns {Promise<string[]>} */
	const inPage = (request) =>
		page.evaluate(
			async ({ entry, how, url }) => {
				const { [how]: load } = await import(entry);
				return load(url && new URL(url, location.href)).then(
					(/** @type {any} */ engine) => [engine.version],
					(/** @type {any} */ thrown) => [thrown.message],
				);
			},
			{ ...request, entry: "/index.js" },
		);
	/** @param {{ how: string, url?: string }} request @returns {Promise<string[]>} */
	const inServiceWorker = (request) =>
		page.evaluate(async (request) => {
			const registration = await navigator.serviceWorker.register("/service.js", { type: "module" });
			const worker = registration.installing ?? registration.waiting ?? registration.active;
			return new Promise((resolve) => {
				navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
				worker?.postMessage(request);
			});
		}, request);
	const close = async () => {
		server.closeAllConnections();
		server.close();
		await page.close();
	};
	return { inPage, inServiceWorker, close };
}

test("behind a Content-Security-Policy without wasm-unsafe-eval: what to add to it", async () => {
	const { inPage, inServiceWorker, close } = await serve({ "Content-Security-Policy": "script-src 'self' blob:" });
	const advice =
		"cannot load tamp.wasm: the Content-Security-Policy refuses WebAssembly; add 'wasm-unsafe-eval' to its script-src";
	for (const how of ["load", "loadInWorker"]) assert.deepEqual(await inPage({ how }), [advice], how);
	assert.deepEqual(await inServiceWorker({ how: "load", url: "/tamp.wasm" }), [advice]);
	await close();
});

test("in a service worker, which starts no workers", async () => {
	const { inServiceWorker, close } = await serve({});
	const { version } = JSON.parse(readFileSync(path.join(root, "wasm/npm/package.json"), "utf8"));
	assert.deepEqual(await inServiceWorker({ how: "load", url: "/tamp.wasm" }), [version]);
	assert.deepEqual(await inServiceWorker({ how: "load" }), [version]);
	const [none, warning = ""] = await inServiceWorker({ how: "loadInWorker" });
	assert.equal(none, version);
	assert.match(warning, /calls block this thread: this runtime has no workers$/);
	await close();
});
