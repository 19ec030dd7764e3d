// This file writes the parts of the package that are made from others: the worker inside of a module (inline/), and the
// CommonJS entry points with their types. It is no part of the package: node bundle.mjs ESBUILD.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const esbuild = path.resolve(process.argv[2] ?? "esbuild");
const home = fileURLToPath(new URL(".", import.meta.url));

/** @param {string[]} args */
function bundle(...args) {
	const done = spawnSync(esbuild, ["--bundle", "--log-level=warning", ...args], { cwd: home, encoding: "utf8" });
	if (done.status !== 0) throw new Error(`cannot bundle: ${done.error ?? done.stderr}`);
	return done.stdout;
}

mkdirSync(new URL("inline", import.meta.url), { recursive: true });
const thread = bundle("thread.js", "--format=iife", "--minify", "--target=es2020");
writeFileSync(new URL("inline/thread.js", import.meta.url), `export default ${JSON.stringify(thread)};\n`);

// Jest and Node before 20.19 load packages with require.
const adapters = ["ai-sdk", "anthropic", "cloudflare", "google", "langchain", "mastra", "openai", "opencode", "pi"];
for (const name of ["index", ...adapters]) {
	const code = bundle(
		`${name}.js`,
		"--format=cjs",
		"--platform=node",
		"--target=node20",
		"--external:./inline/*",
		"--define:import.meta.url=tampUrl",
		'--banner:js=const tampUrl = require("node:url").pathToFileURL(__filename).href;',
	);
	writeFileSync(new URL(`${name}.cjs`, import.meta.url), code);
}
for (const name of ["index", "wire", ...adapters]) {
	const types = readFileSync(new URL(`${name}.d.ts`, import.meta.url), "utf8");
	writeFileSync(new URL(`${name}.d.cts`, import.meta.url), types.replaceAll(/(["'])(\.\/\w+)\.js\1/g, "$1$2.cjs$1"));
}

// The client checks the names in the module of its plugin, so they stay.
const mod = bundle("mod.js", "--format=esm", "--target=es2022", "--minify-whitespace");
writeFileSync(new URL("claude-code/hooks/tamp.js", import.meta.url), mod);
