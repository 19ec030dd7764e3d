// This file tries the packed package in the toolchains of package.json: node wasm/npm/bundlers/run.mjs TARBALL [PART OF A
// ROW'S NAME…]. Each row is a scratch project with program.js, which must print the same numbers in its runtime as here.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { libraries } from "./libraries.mjs";
import {
	bin,
	closeBrowser,
	environment,
	files,
	fromHere,
	here,
	inPage,
	PATIENCE,
	PRINTED,
	printed,
	project,
	root,
	run,
	scratch,
	visit,
} from "./scratch.mjs";

const [packed = "", ...only] = process.argv.slice(2);
const tarball = path.resolve(packed);
const tools = createRequire(path.join(here, "package.json"));
const worker = createRequire(path.join(root, "worker/package.json"));

/**
 * What the README says for toolchains that leave tamp.wasm behind: to copy it next to the bundle, or to make a module of it.
 * @param {string} dir
 */
const copyWasm = (dir) => cpSync(path.join(dir, "node_modules/tamp/tamp.wasm"), path.join(dir, "dist/tamp.wasm"));

/** A project whose program has the wasm inside of a module. @param {string} name @param {Record<string, string>} [more] */
async function inlined(name, more) {
	const text = readFileSync(path.join(here, "program.js"), "utf8");
	const program = `import wasm from "./tamp-wasm.js";\n${text.replace("load()", "load(wasm)").replace("loadInWorker(undefined", "loadInWorker(wasm")}`;
	const dir = project(name, { "program.js": program, ...more });
	await run(dir, process.execPath, path.join(dir, "node_modules/tamp/cli.js"), "inline", "tamp-wasm.js");
	rmSync(path.join(dir, "node_modules/tamp/tamp.wasm"));
	return dir;
}

/** @param {string} version */
const vite = (version) => ({
	[`vite ${version} dev`]: async (name) => {
		const dir = project(name);
		const { createServer } = await import(`vite${version}`);
		const options = { root: dir, configFile: false, logLevel: "silent", cacheDir: path.join(dir, "cache") };
		const server = await createServer({
			...options,
			...(version < "8" ? { optimizeDeps: { exclude: ["tamp"] } } : {}),
			server: { host: "127.0.0.1", port: 0 },
		});
		await server.listen();
		try {
			return await visit(`http://127.0.0.1:${server.httpServer.address().port}/`);
		} finally {
			await server.close();
		}
	},
	[`vite ${version} build`]: async (name) => {
		const dir = project(name);
		const { build } = await import(`vite${version}`);
		await build({ root: dir, configFile: false, logLevel: "silent", worker: { format: "es" } });
		return await inPage(path.join(dir, "dist"));
	},
});

/** Copies the page next to a bundle of page.js. */
const pageOf = (dir, script = "page.js") =>
	writeFileSync(path.join(dir, "dist/index.html"), files.html.replace("page.js", script));

/** @param {object} options */
async function pack(options) {
	const webpack = tools("webpack");
	const stats = await new Promise((resolve, reject) =>
		webpack({ mode: "production", ...options }, (error, stats) => (error ? reject(error) : resolve(stats))),
	);
	if (stats.hasErrors()) throw new Error(stats.toString("errors-only"));
}

const route = (runtime) => `import { program } from "../../../program.js";
export const runtime = "${runtime}";
export const dynamic = "force-dynamic";
export async function GET() {
	try { return Response.json(await program()); } catch (thrown) { return Response.json({ error: String(thrown) }); }
}
`;
const nextFiles = {
	"app/layout.js": "export default function Layout({ children }) { return <html><body>{children}</body></html>; }\n",
	"app/page.js": `"use client";
import { useEffect } from "react";
import { program } from "../program.js";
export default function Page() {
	useEffect(() => {
		program().then((result) => { globalThis.result = result; }, (thrown) => { globalThis.result = { error: String(thrown) }; });
	}, []);
	return null;
}
`,
	"app/api/node/route.js": route("nodejs"),
	"app/api/edge/route.js": route("edge"),
	"next.config.mjs": `export default { serverExternalPackages: ["tamp"], turbopack: { root: ${JSON.stringify(root)} }, outputFileTracingRoot: ${JSON.stringify(root)} };\n`,
};

/** With webpack, Next.js 16 cannot build an edge route of the folder app. */
const edgeInPages = {
	"pages/api/edge.js": `import { program } from "../../program.js";
export const config = { runtime: "edge" };
export default async function handler() {
	try { return Response.json(await program()); } catch (thrown) { return Response.json({ error: String(thrown) }); }
}
`,
};

/** @param {string[]} flags @param {Record<string, string>} [more] */
const next = (flags, more) => async (name) => {
	const dir = project(name, { ...nextFiles, ...more });
	if (more) rmSync(path.join(dir, "app/api/edge"), { recursive: true });
	await run(dir, bin("next"), "build", ...flags);
	const child = spawn(bin("next"), ["start", "-H", "127.0.0.1", "-p", "0"], {
		cwd: dir,
		env: environment,
		detached: true,
	});
	try {
		const url = await new Promise((resolve, reject) => {
			let out = "";
			for (const stream of [child.stdout, child.stderr])
				stream.on("data", (data) => {
					out += data;
					const found = /http:\/\/127\.0\.0\.1:\d+/.exec(out);
					if (found) resolve(found[0]);
				});
			child.on("close", (code) => reject(new Error(`next start ended: ${code}\n${out}`)));
		});
		return {
			page: await visit(url),
			node: await (await fetch(`${url}/api/node`)).json(),
			edge: withoutWorkers(await (await fetch(`${url}/api/edge`)).json()),
		};
	} finally {
		process.kill(-child.pid, "SIGKILL");
	}
};

/** Runtimes without workers must say so. */
function withoutWorkers(result) {
	assert.match(result.warnings?.join() ?? JSON.stringify(result), /cannot start a worker/);
	return { ...result, warnings: [] };
}

/** Runs dir/worker.js and the wasm next to it, and returns its answer. */
async function inWorkerd(dir) {
	const { Miniflare } = worker("miniflare");
	const modules = ["worker.js", ...readdirSync(dir).filter((name) => name.endsWith(".wasm"))].map((name) => ({
		type: name.endsWith(".wasm") ? "CompiledWasm" : "ESModule",
		path: path.join(dir, name),
	}));
	const server = new Miniflare({ modulesRoot: dir, modules, compatibilityDate: "2026-04-01" });
	try {
		return await (await server.dispatchFetch("http://worker/")).json();
	} finally {
		await server.dispose();
	}
}
const fetchHandler = `${fromHere}export default {
	async fetch() {
		try { return Response.json(await program()); } catch (thrown) { return Response.json({ code: thrown.code, error: thrown.message }); }
	},
};
`;

/** @type {Record<string, (name: string) => Promise<any>>} */
const rows = {
	"next with webpack": next(["--webpack"], edgeInPages),
	"next with turbopack": next([]),
	...vite("5"),
	...vite("6"),
	...vite("7"),
	...vite("8"),
	esbuild: async (name) => {
		const dir = project(name);
		await tools("esbuild").build({
			absWorkingDir: dir,
			entryPoints: ["page.js"],
			bundle: true,
			format: "esm",
			outdir: "dist",
			logLevel: "silent",
		});
		copyWasm(dir);
		pageOf(dir);
		return await inPage(path.join(dir, "dist"));
	},
	"esbuild for node, CommonJS": async (name) => {
		const dir = await inlined(name, {
			"entry.js": `${fromHere}program().then((r) => console.log("${PRINTED}" + JSON.stringify(r)));\n`,
		});
		const options = { absWorkingDir: dir, entryPoints: ["entry.js"], bundle: true, logLevel: "silent" };
		await tools("esbuild").build({ ...options, format: "cjs", platform: "node", outfile: "dist/entry.cjs" });
		return printed(await run(dir, process.execPath, "dist/entry.cjs"));
	},
	rollup: async (name) => {
		const dir = project(name);
		const { rollup } = await import("rollup");
		const { nodeResolve } = await import("@rollup/plugin-node-resolve");
		const bundle = await rollup({ input: path.join(dir, "page.js"), plugins: [nodeResolve()], onwarn() {} });
		await bundle.write({ dir: path.join(dir, "dist"), format: "es" });
		copyWasm(dir);
		pageOf(dir);
		return await inPage(path.join(dir, "dist"));
	},
	parcel: async (name) => {
		const dir = project(name);
		const cache = path.join(dir, "cache"); // by default in the folder of the repository
		await run(dir, bin("parcel"), "build", "index.html", "--no-cache", "--cache-dir", cache, "--no-source-maps");
		return await inPage(path.join(dir, "dist"));
	},
	"webpack for the web": async (name) => {
		const dir = project(name);
		await pack({ context: dir, entry: "./page.js", output: { path: path.join(dir, "dist"), filename: "page.js" } });
		pageOf(dir);
		return await inPage(path.join(dir, "dist"));
	},
	"webpack for node": async (name) => {
		const dir = project(name, { "entry.js": files.print });
		const output = { path: path.join(dir, "dist"), filename: "entry.cjs" };
		await pack({ context: dir, target: "node20", entry: "./entry.js", output });
		return printed(await run(dir, process.execPath, "dist/entry.cjs"));
	},
	"webpack for a web worker": async (name) => {
		const dir = project(name, {
			"entry.js": `${fromHere}program().then(postMessage, (thrown) => postMessage({ error: String(thrown) }));\n`,
		});
		const output = { path: path.join(dir, "dist"), filename: "worker.js" };
		await pack({ context: dir, target: "webworker", entry: "./entry.js", output });
		writeFileSync(
			path.join(dir, "dist/index.html"),
			"<script>new Worker('worker.js').onmessage = ({ data }) => { globalThis.result = data; };</script>",
		);
		return await inPage(path.join(dir, "dist"));
	},
	"bun build": async (name) => {
		const dir = project(name);
		await run(dir, bun(), "build", "page.js", "--outdir", "dist", "--target", "browser");
		copyWasm(dir);
		pageOf(dir);
		return await inPage(path.join(dir, "dist"));
	},
	"bun build for bun": async (name) => {
		const dir = project(name);
		await run(dir, bun(), "build", "print.mjs", "--outdir", "dist", "--target", "bun");
		copyWasm(dir);
		return printed(await run(dir, bun(), "dist/print.js"));
	},
	bun: async (name) => printed(await run(project(name), bun(), "print.mjs")),
	deno: async (name) =>
		printed(await run(project(name), deno(), "run", "-A", "--no-lock", "--node-modules-dir=manual", "print.mjs")),
	vitest: async (name) => {
		const dir = project(name, {
			"some.test.js": `import { test } from "vitest";\n${fromHere}test("it", async () => { process.stdout.write("\\n${PRINTED}" + JSON.stringify(await program()) + "\\n"); });\n`,
		});
		return printed(
			await run(dir, process.execPath, path.join(here, "node_modules/vitest/vitest.mjs"), "run", "--root", dir),
		);
	},
	jest: async (name) => {
		const dir = project(name, { "package.json": '{ "private": true }\n' });
		writeFileSync(path.join(dir, "program.js"), asCommonJS);
		writeFileSync(
			path.join(dir, "some.test.js"),
			`const { program } = require("./program.js");\ntest("it", async () => { require("node:fs").writeSync(1, "\\n${PRINTED}" + JSON.stringify(await program()) + "\\n"); });\n`,
		);
		return printed(await run(dir, bin("jest"), "--rootDir", dir, "--no-watchman", "--testTimeout", String(PATIENCE)));
	},
	"node, import": async (name) => printed(await run(project(name), process.execPath, "print.mjs")),
	"node, require": async (name) => {
		const dir = project(name, { "package.json": '{ "private": true }\n' });
		writeFileSync(path.join(dir, "program.js"), asCommonJS);
		const script = `require("./program.js").program().then((r) => console.log("${PRINTED}" + JSON.stringify(r)));\n`;
		writeFileSync(path.join(dir, "main.cjs"), script);
		// As Node before 20.19, which cannot load ES modules with require.
		return printed(await run(dir, process.execPath, "--no-experimental-require-module", "main.cjs"));
	},
	workerd: async (name) => {
		const dir = project(name, {
			"worker.js": fetchHandler,
			"wrangler.json": '{ "name": "row", "main": "worker.js", "compatibility_date": "2026-04-01" }\n',
		});
		const wrangler = path.join(root, "worker/node_modules/wrangler/bin/wrangler.js");
		await run(dir, process.execPath, wrangler, "deploy", "--dry-run", "--outdir", "dist");
		return withoutWorkers(await inWorkerd(path.join(dir, "dist")));
	},
	"workerd, bundled for browsers": async (name) => {
		const dir = project(name, { "worker.js": fetchHandler });
		const options = { absWorkingDir: dir, entryPoints: ["worker.js"], bundle: true, logLevel: "silent" };
		await tools("esbuild").build({ ...options, format: "esm", outfile: "dist/worker.js" });
		const { code, error } = await inWorkerd(path.join(dir, "dist"));
		assert.equal(code, "load_failed");
		assert.ok(error.endsWith('write: import wasm from "tamp/tamp.wasm"; load(wasm)'), error);
	},
	"a module that has the wasm inside": async (name) => {
		const dir = await inlined(name);
		const options = { absWorkingDir: dir, entryPoints: ["page.js"], bundle: true, logLevel: "silent" };
		await tools("esbuild").build({ ...options, format: "esm", outdir: "dist" });
		pageOf(dir);
		return { node: printed(await run(dir, process.execPath, "print.mjs")), page: await inPage(path.join(dir, "dist")) };
	},
	...libraries,
	...typescript("node16 CommonJS", { module: "node16" }, "use.cts"),
	...typescript("node16 ES modules", { module: "node16" }, "use.mts"),
	...typescript("bundler, DOM", { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"] }, "use.ts"),
	publint: async (name) => {
		const { publint } = await import("publint");
		const { messages } = await publint({ pkgDir: path.join(project(name), "node_modules/tamp"), strict: true });
		assert.deepEqual(messages, []);
	},
	attw: async (name) => {
		const excluded = ["--exclude-entrypoints", "./tamp.wasm", "./wasm_exec.js"]; // neither has a CommonJS form
		await run(project(name), bin("attw"), tarball, ...excluded);
	},
};

/** Without the DOM's types unless options have them, and with the strictest options. */
function typescript(name, options, file) {
	return {
		[`typescript, ${name}`]: async (row) => {
			const compilerOptions = {
				target: "es2022",
				lib: ["es2022"],
				types: [],
				strict: true,
				exactOptionalPropertyTypes: true,
				noUncheckedIndexedAccess: true,
				skipLibCheck: false,
				noEmit: true,
				...options,
			};
			const dir = project(row, {
				"tsconfig.json": JSON.stringify({ compilerOptions, files: [file] }),
				[file]: `import { compact, load, loadInWorker, TampError, type Engine } from "tamp";
${file.endsWith(".cts") ? "declare const wasm: Uint8Array;" : 'import wasm from "tamp/tamp.wasm";'}

export async function use(): Promise<number> {
	const engine: Engine = await load(wasm);
	const remote = await loadInWorker(undefined, { onWarning: (warning: TampError) => void warning.code });
	const outcome = await compact(remote, { conversation: [] }, { save: async (originals: string) => void originals });
	return outcome.after + engine.countText("text");
}
`,
			});
			await run(dir, bin("tsc"), "-p", ".");
		},
	};
}

const asCommonJS = readFileSync(path.join(here, "program.js"), "utf8")
	.replace(/import (\{.*\}) from "tamp";/, 'const $1 = require("tamp");')
	.replace("export async function", "module.exports.program = async function");

/**
 * The program of a package that has one for each platform, which its install script would copy.
 * @param {string} scope
 * @param {string} file
 */
function program(scope, file) {
	const dir = path.join(here, "node_modules", scope);
	const [found] = readdirSync(dir)
		.map((name) => path.join(dir, name, file))
		.filter(existsSync);
	if (!found) throw new Error(`${dir} has no ${file}`);
	return found;
}
const bun = () => program("@oven", "bin/bun");
const deno = () => program("@deno", "deno");

// The rows, two at a time.

mkdirSync(scratch, { recursive: true });
rmSync(path.join(scratch, "node_modules"), { force: true });
symlinkSync(path.join(here, "node_modules"), path.join(scratch, "node_modules"), "dir");
rmSync(path.join(scratch, "unpacked"), { recursive: true, force: true });
mkdirSync(path.join(scratch, "unpacked"), { recursive: true });
await run(scratch, "tar", "-xzf", tarball, "-C", path.join(scratch, "unpacked"));
const want = await (await import(pathToFileURL(path.join(project("reference"), "program.js")).href)).program();
assert.ok(want.after < want.before && want.lines > 0);

let failed = 0;
const waiting = Object.entries(rows).filter(([name]) => only.some((part) => name.includes(part)));
assert.ok(waiting.length > 0, `no row is named ${only}`);
const total = waiting.length;
async function tryRows() {
	for (let next = waiting.shift(); next; next = waiting.shift()) {
		const [name, row] = next;
		const began = Date.now();
		try {
			const got = await row(name);
			const results = got === undefined ? [] : "before" in got || "error" in got ? [got] : Object.values(got);
			for (const result of results) assert.deepEqual(result, want);
			console.log(`✓ ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
		} catch (thrown) {
			failed++;
			console.log(`✗ ${name}\n${thrown instanceof Error ? thrown.message : thrown}\n`);
		}
	}
}
await Promise.all([tryRows(), tryRows()]);
await closeBrowser();
console.log(`${total - failed} of ${total} toolchains: ${want.before} -> ${want.after} tokens`);
process.exit(failed === 0 ? 0 : 1);
