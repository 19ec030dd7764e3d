// This file makes the scratch projects of run.mjs, runs commands in them, and opens their pages in Chromium.

import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const here = path.join(root, "wasm/npm/bundlers");
export const scratch = path.join(root, ".build/bundlers");
const { chromium } = createRequire(path.join(root, "web/package.json"))("playwright-core");
export const bin = (name) => path.join(here, "node_modules/.bin", name);

/** Milliseconds that a command or a page may take; on a very busy machine, the build of Next.js takes four minutes. */
export const PATIENCE = 600_000;
export const PRINTED = "tamp:";

export const fromHere = `import { program } from "./program.js";\n`;
export const files = {
	page: `${fromHere}program().then((result) => { globalThis.result = result; }, (thrown) => { globalThis.result = { error: String(thrown?.stack ?? thrown) }; });\n`,
	print: `${fromHere}console.log("${PRINTED}" + JSON.stringify(await program()));\n`,
	html: '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./page.js"></script>\n',
};

/**
 * Makes a scratch project with the package installed.
 * @param {string} name
 * @param {Record<string, string>} more
 */
export function project(name, more = {}) {
	const dir = path.join(scratch, name.replaceAll(/\W+/g, "-"));
	rmSync(dir, { recursive: true, force: true });
	mkdirSync(path.join(dir, "node_modules"), { recursive: true });
	cpSync(path.join(scratch, "unpacked/package"), path.join(dir, "node_modules/tamp"), { recursive: true });
	cpSync(path.join(here, "program.js"), path.join(dir, "program.js"));
	const all = { "page.js": files.page, "print.mjs": files.print, "index.html": files.html, ...more };
	for (const [file, text] of Object.entries({ "package.json": '{ "type": "module", "private": true }\n', ...all })) {
		mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
		writeFileSync(path.join(dir, file), text);
	}
	return dir;
}

/**
 * Runs a command, and returns its output.
 * @param {string} dir
 * @param {string} command
 * @param {string[]} args
 */
export function run(dir, command, ...args) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd: dir, env: environment, timeout: PATIENCE, killSignal: "SIGKILL" });
		let out = "";
		for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (out += data));
		child.on("error", reject);
		child.on("close", (code) =>
			code === 0
				? resolve(out)
				: reject(new Error(`${path.basename(command)} ${args.join(" ")}: ${code}\n${out.slice(-3000)}`)),
		);
	});
}
export const environment = {
	...process.env,
	ANTHROPIC_API_KEY: "key",
	NEXT_TELEMETRY_DISABLED: "1",
	WRANGLER_SEND_METRICS: "false",
	CI: "1",
	FORCE_COLOR: "0",
};

/** @param {string} out */
export function printed(out) {
	const line = out.split("\n").find((line) => line.startsWith(PRINTED));
	if (!line) throw new Error(`printed no result:\n${out.slice(-3000)}`);
	return JSON.parse(line.slice(PRINTED.length));
}

const types = {
	".html": "text/html",
	".js": "text/javascript",
	".mjs": "text/javascript",
	".wasm": "application/wasm",
};

/** Serves a folder, and returns what program() returns in a page of it. */
export async function inPage(dir) {
	const server = createServer((request, response) => {
		const name = path.join(dir, path.normalize(new URL(request.url ?? "/", "http://x").pathname));
		const file = name.endsWith(path.sep) ? path.join(name, "index.html") : name;
		if (!file.startsWith(dir) || !existsSync(file)) return response.writeHead(404).end();
		response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" });
		response.end(readFileSync(file));
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
	try {
		return await visit(`http://127.0.0.1:${server.address().port}/`);
	} finally {
		server.closeAllConnections();
		server.close();
	}
}

let browser;
export async function visit(url) {
	browser ??= chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
	const page = await (await browser).newPage();
	const said = [];
	page.on("console", (message) => said.push(message.text()));
	page.on("pageerror", (thrown) => said.push(String(thrown)));
	try {
		await page.goto(url);
		return await (await page.waitForFunction(() => globalThis.result, null, { timeout: PATIENCE })).jsonValue();
	} catch (thrown) {
		throw new Error(`${thrown}\n${said.join("\n")}`);
	} finally {
		await page.close();
	}
}

/** Ends the browser, if a page needed it. */
export async function closeBrowser() {
	await (await browser)?.close();
}
