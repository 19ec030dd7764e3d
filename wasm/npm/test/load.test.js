// This file checks load: every kind of source, loading once, retries after a failure, and unchanged globals.
//
// Measures: the time to the first answer.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before } from "node:test";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { measure, test } from "../../../web/test/measure.js";
import { fresh } from "./support.js";

const file = new URL("../tamp.wasm", import.meta.url);
const bytes = readFileSync(file);
const conversation = [{ role: "user", content: "Hello" }];

/** @type {import("node:http").Server} */
let server;
let site = "";
before(async () => {
	server = createServer((request, response) => {
		if (request.url === "/absent") return response.writeHead(404).end("no such file");
		if (request.url === "/page") return response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html>");
		response
			.writeHead(200, { "Content-Type": request.url === "/right" ? "application/wasm" : "application/octet-stream" })
			.end(bytes);
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
	site = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
});
after(() => {
	server.closeAllConnections();
	server.close();
});

test("every kind of source", async () => {
	/**
	 * @type {Record<string, () => Promise<import("../index.js").Source | undefined> | import("../index.js").Source |
	 *   undefined>}
	 */
	const sources = {
		nothing: () => undefined,
		"a file URL": () => file,
		"an http URL": () => new URL(`${site}/right`),
		"a URL of the wrong type": () => new URL(`${site}/wrong`),
		"a Response": () => fetch(`${site}/right`),
		"a Response of the wrong type": () => fetch(`${site}/wrong`),
		"a Response made by hand": () => new Response(bytes),
		bytes: () => bytes,
		"bytes of gzip": () => gzipSync(bytes),
		"an ArrayBuffer": () => new Uint8Array(bytes).buffer,
		"an ArrayBuffer of another realm": () => {
			const other = vm.runInNewContext("new Uint8Array(length)", { length: bytes.length });
			other.set(bytes);
			return other.buffer;
		},
		"a Module": () => WebAssembly.compile(bytes),
	};
	for (const [name, source] of Object.entries(sources)) {
		const { load } = await fresh();
		const engine = await load(await source());
		assert.equal(engine.detect({ conversation }).messages, 1, name);
	}
});

test("once: later and simultaneous calls get the same engine", async () => {
	const { load } = await fresh();
	const [a, b] = await Promise.all([load(), load(bytes)]);
	assert.equal(a, b);
	assert.equal(await load(file), a);
});

test("a load that failed says why, and may be tried again", async () => {
	const { load, TampError } = await fresh();
	/** @type {[any, string, RegExp][]} */
	const failures = [
		[new URL("absent.wasm", file), "load_failed", /ENOENT/],
		[new URL(`${site}/absent`), "load_failed", /404/],
		[new URL(`${site}/page`), "load_failed", /cannot load/],
		[new URL("http://127.0.0.1:1/"), "load_failed", /cannot load/],
		[new Uint8Array([1, 2, 3]), "load_failed", /cannot load/],
		[await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), "load_failed", /cannot start/],
		["./tamp.wasm", "bad_request", /want a URL/],
		[5, "bad_request", /want a URL/],
		[null, "bad_request", /want a URL/],
	];
	for (const [source, code, words] of failures) {
		await assert.rejects(
			load(source),
			(error) => error instanceof TampError && error.code === code && words.test(error.message),
			String(source),
		);
	}
	assert.equal((await load()).detect({ conversation }).messages, 1);
});

test("without WebAssembly, as in React Native: load() says so, and changes no globals", () => {
	const script = `
    for (const name of ["WebAssembly", "crypto", "performance", "TextEncoder", "TextDecoder"]) delete globalThis[name];
    const names = () => Reflect.ownKeys(globalThis).map(String).sort().join();
    const before = names();
    const { load, loadInWorker } = await import(${JSON.stringify(new URL("../index.js", import.meta.url).href)});
    if (names() !== before) throw new Error("changed: " + names());
    for (const call of [() => load(), () => load(new URL("http://127.0.0.1:1/")), () => loadInWorker()]) {
      await call().then(console.log, ({ code, message }) => console.log(code + " " + message));
    }`;
	const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
	const lines = run.stdout.trim().split("\n");
	assert.equal(lines.length, 3, run.stdout + run.stderr);
	for (const line of lines) {
		assert.match(line, /^load_failed cannot load tamp\.wasm: this runtime has no WebAssembly .* over HTTP .* WebView$/);
	}
});

test("globals are not changed, so other Go programs keep theirs", () => {
	const script = `
    const names = () => Reflect.ownKeys(globalThis).map(String).sort().join();
    const before = names();
    const others = ["Go", "__tamp"];
    for (const bare of [true, false]) {
      if (!bare) for (const name of others) globalThis[name] = "theirs";
      const { load } = await import(${JSON.stringify(new URL("../index.js", import.meta.url).href)} + "?" + bare);
      const engine = await load();
      engine.detect({ conversation: [{ role: "user", content: "Hello" }] });
      if (bare && names() !== before) throw new Error("left behind: " + names());
      if (!bare && others.some((name) => globalThis[name] !== "theirs")) throw new Error("overwritten");
    }`;
	const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
	assert.equal(run.status, 0, run.stderr);
	assert.equal(run.stdout + run.stderr, "");
});

measure("the time to the first answer", (t) => {
	const script = `
    const began = performance.now();
    const { load } = await import(${JSON.stringify(new URL("../index.js", import.meta.url).href)});
    const engine = await load();
    engine.detect({ conversation: [{ role: "user", content: "Hello" }] });
    console.log(Math.round(performance.now() - began));`;
	const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
	assert.equal(run.status, 0, run.stderr);
	t.diagnostic(`load to first answer: ${run.stdout.trim()} ms`);
});
