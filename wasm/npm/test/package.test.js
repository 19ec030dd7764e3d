// This file packs the package as npm would, installs it in an empty folder, and runs the README's example there.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { root } from "./support.js";

const home = fileURLToPath(new URL("..", import.meta.url));
const away = mkdtempSync(path.join(tmpdir(), "tamp-"));
after(() => rmSync(away, { recursive: true, force: true }));

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
	const env = { ...process.env, ANTHROPIC_API_KEY: "key" };
	const done = spawnSync(command, args, { cwd: away, encoding: "utf8", env });
	assert.equal(done.status, 0, `${command} ${args.join(" ")}: ${done.error ?? done.stderr}`);
	return done.stdout;
}

test("the package has the necessary files, and its examples run", () => {
	const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", away, home]));
	/** @type {string[]} */
	const all = packed.files.map((/** @type {{ path: string }} */ file) => file.path).sort();
	assert.ok(all.includes("server/web/index.html") && all.includes("server/web/app/main.js"), "the page of tamp serve");
	const names = all.filter((name) => !name.startsWith("server/web/"));
	assert.deepEqual(names, [
		"LICENSE",
		"NOTICE.md",
		"README.md",
		"ai-sdk.cjs",
		"ai-sdk.d.cts",
		"ai-sdk.d.ts",
		"ai-sdk.js",
		"anthropic.cjs",
		"anthropic.d.cts",
		"anthropic.d.ts",
		"anthropic.js",
		"api.js",
		"audit.js",
		"before.js",
		"builtin.js",
		"choice.js",
		"cli.js",
		"cloudflare.cjs",
		"cloudflare.d.cts",
		"cloudflare.d.ts",
		"cloudflare.js",
		"compact.js",
		"compactor.js",
		"compile.js",
		"edge-light.js",
		"error.js",
		"examples/agent.mjs",
		"examples/tools.mjs",
		"fetch.js",
		"fzstd.d.ts",
		"fzstd.js",
		"google.cjs",
		"google.d.cts",
		"google.d.ts",
		"google.js",
		"held.js",
		"index.cjs",
		"index.d.cts",
		"index.d.ts",
		"index.js",
		"inline.cjs",
		"inline.d.cts",
		"inline.d.ts",
		"inline.js",
		"inline/thread.js",
		"inline/wasm.js",
		"instance.js",
		"langchain.cjs",
		"langchain.d.cts",
		"langchain.d.ts",
		"langchain.js",
		"listen.js",
		"marks.js",
		"mastra.cjs",
		"mastra.d.cts",
		"mastra.d.ts",
		"mastra.js",
		"mcp.js",
		"mcp/server.js",
		"methods.js",
		"module.js",
		"openai.cjs",
		"openai.d.cts",
		"openai.d.ts",
		"openai.js",
		"opencode.cjs",
		"opencode.d.cts",
		"opencode.d.ts",
		"opencode.js",
		"package.json",
		"pi.cjs",
		"pi.d.cts",
		"pi.d.ts",
		"pi.js",
		"rank.js",
		"refused.js",
		"remote.js",
		"resume.js",
		"server/build/app.wasm.br",
		"server/build/runtime.mjs",
		"server/build/wasm_exec.js",
		"server/instance.mjs",
		"server/serve.mjs",
		"server/worker.mjs",
		"shims.js",
		"source.js",
		"spawn.js",
		"tamp.wasm",
		"tamp.wasm.d.ts",
		"thread.js",
		"unpack.js",
		"vocab/NOTICE.md",
		"vocab/cl100k_base.bin",
		"vocab/o200k_base.bin",
		"wasm_exec.d.ts",
		"wasm_exec.js",
		"wire.d.cts",
		"wire.d.ts",
		"worker.js",
		"workerd.js",
	]);
	const installed = path.join(away, "node_modules/tamp");
	mkdirSync(installed, { recursive: true });
	run("tar", ["-xzf", packed.filename, "-C", installed, "--strip-components", "1"]);

	const { version } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
	assert.equal(run(process.execPath, [path.join(installed, "cli.js"), "serve", "--version"]), `${version}\n`);

	// The examples of a page run one after the other, each with its own names; the model always fails.
	mkdirSync(path.join(away, "node_modules/@anthropic-ai"));
	symlinkSync(path.join(root, "web/node_modules/@anthropic-ai/sdk"), path.join(away, "node_modules/@anthropic-ai/sdk"));
	for (const [file, printed] of /** @type {const} */ ([
		["wasm/npm/README.md", /^/],
		["docs/javascript.md", /^\d+ -> \d+ tokens, 5 messages archived\n$/],
	])) {
		const page = readFileSync(path.join(root, file), "utf8");
		const [first = "", ...more] = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code ?? "");
		assert.ok(more.length >= 1);
		const prelude = "const callYourModel = async () => { throw new Error('overloaded'); };\n";
		writeFileSync(path.join(away, "example.mjs"), `${prelude}${first}${more.map((code) => `{\n${code}}\n`).join("")}`);
		assert.match(run(process.execPath, ["example.mjs"]), printed);
	}

	writeFileSync(
		path.join(away, "exports.mjs"),
		`
    import { readFileSync } from "node:fs";
    const bytes = readFileSync(new URL(import.meta.resolve("tamp/tamp.wasm")));
    import.meta.resolve("tamp/wasm_exec.js");
    for (const name of ["o200k_base", "cl100k_base"]) readFileSync(new URL(import.meta.resolve(\`tamp/vocab/\${name}.bin\`)));
    const { compactor, load, loadInWorker } = await import("tamp");
    const { createRequire } = await import("node:module");
    const tamp = await compactor({ save: "discard" });
    for (const name of ["ai-sdk", "anthropic", "google", "langchain", "mastra", "openai", "opencode", "pi", "cloudflare"]) {
      for (const module of [await import(\`tamp/\${name}\`), createRequire(import.meta.url)(\`tamp/\${name}\`)]) {
        const { middleware, prepareStep, compactingFetch, processor, extension, plugin } = module;
        const adapters = [middleware, prepareStep, compactingFetch, processor, extension, plugin].filter(Boolean);
        if (adapters.length === 0) module.compaction({ engine: await load(), save: "discard" });
        for (const adapter of adapters) adapter(tamp);
      }
    }
    const engine = await load(await WebAssembly.compile(bytes));
    const remote = await loadInWorker();
    console.log(engine.version === remote.version);`,
	);
	assert.equal(run(process.execPath, ["exports.mjs"]), "true\n");
});

test("the package depends on nothing and runs nothing when it is installed", () => {
	const manifest = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
	for (const key of ["dependencies", "peerDependencies", "optionalDependencies"])
		assert.equal(manifest[key], undefined, key);
	assert.deepEqual(Object.keys(manifest.scripts), ["prepack"]);
});

test("optional members of all declarations take undefined", () => {
	const names = readdirSync(home).filter((name) => name.endsWith(".d.ts"));
	for (const name of names) {
		const text = readFileSync(path.join(home, name), "utf8").replaceAll(/\/\*.*?\*\//gs, "");
		for (const [member] of text.matchAll(/(?<=[;{]\s*)\w+\?[:(][^;}]*/g))
			assert.match(member, /undefined|unknown/, name);
	}
	assert.ok(names.length > 5);
});

test("the manual has the exact text of the host's contract", () => {
	const contract =
		"**Save what Plan.Archive names BEFORE you use what Apply returns; answer every request, even with an error; keep State with the conversation.**";
	for (const name of ["wasm/npm/index.d.ts", "docs/javascript.md"])
		assert.ok(readFileSync(path.join(root, name), "utf8").includes(contract), name);
});
