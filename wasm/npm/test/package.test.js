// This file packs the package as npm would, installs it in an empty folder, and runs the README's example there.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { transform } from "../../../web/node_modules/esbuild/lib/main.js";
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

/** @param {string} archive @param {string} folder */
function unpack(archive, folder) {
	mkdirSync(folder, { recursive: true });
	run("tar", ["-xzf", archive, "-C", folder, "--strip-components", "1"]);
}

/** In bytes: the two programs as wasm and the vocabularies, which do not become smaller, are 4.3 MB of it. */
const MAX_SIZE = 4_800_000;

test("the package has the necessary files, and its examples run", () => {
	const [packed] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", away, home]));
	/** @type {string[]} */
	const all = packed.files.map((/** @type {{ path: string }} */ file) => file.path).sort();
	assert.deepEqual(all, [
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
		"before.js",
		"builtin.js",
		"claude-code/.claude-plugin/plugin.json",
		"claude-code/README.md",
		"claude-code/commands/lost.md",
		"claude-code/commands/pin.md",
		"claude-code/commands/preview.md",
		"claude-code/commands/undo.md",
		"claude-code/hooks/hooks.json",
		"claude-code/hooks/tamp.js",
		"cli.js",
		"cloudflare.cjs",
		"cloudflare.d.cts",
		"cloudflare.d.ts",
		"cloudflare.js",
		"commands.js",
		"compact.js",
		"compaction.js",
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
		"inline.js",
		"inline/thread.js",
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
		"methods.js",
		"mod.js",
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
		"plugin.js",
		"program.js",
		"program.wasm.br",
		"refused.js",
		"remote.js",
		"resume.js",
		"rows.js",
		"server.js",
		"shims.js",
		"source.js",
		"spawn.js",
		"tamp.wasm",
		"tamp.wasm.d.ts",
		"thread.js",
		"unpack.js",
		"visible.js",
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
	assert.ok(packed.size < MAX_SIZE, `${packed.size} bytes`);
	const installed = path.join(away, "node_modules", "tamp");
	unpack(packed.filename, installed);

	const { name, version } = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
	const cli = path.join(installed, "cli.js");
	const missing = spawnSync(process.execPath, [cli, "serve"], {
		cwd: away,
		encoding: "utf8",
		env: { ...process.env, TAMP_PROGRAM: "" },
	});
	assert.equal(missing.status, 1);
	assert.ok(missing.stderr.includes(`npm install ${name}-server`), missing.stderr);
	const [server] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", away, path.join(home, "server")]));
	const files = server.files.map((/** @type {{ path: string }} */ file) => file.path).sort();
	assert.deepEqual(
		files.filter((/** @type {string} */ file) => !file.startsWith("web/")),
		[
			"LICENSE",
			"NOTICE.md",
			"README.md",
			"build/app.wasm.br",
			"build/fzstd.js",
			"build/runtime.mjs",
			"build/wasm_exec.js",
			"cli.mjs",
			"instance.mjs",
			"package.json",
			"serve.mjs",
			"worker.mjs",
		],
	);
	assert.ok(files.includes("web/index.html") && files.includes("web/app/main.js"), "the page");
	unpack(server.filename, path.join(away, "node_modules", `${name}-server`));
	for (const command of [[cli, "serve"], [path.join(away, "node_modules", `${name}-server`, "cli.mjs")]])
		assert.equal(run(process.execPath, [...command, "--version"]), `${version}\n`);

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
    const { default: inside } = await import("./inside.js");
    for (const source of [inside, inside.buffer]) await loadInWorker(source);
    console.log(engine.version === remote.version);`,
	);
	run(process.execPath, [cli, "inline", "inside.js"]);
	run(process.execPath, [cli, "inline", "inside.js"]); // again, as each build does
	assert.equal(run(process.execPath, ["exports.mjs"]), "true\n");
	const own = spawnSync(process.execPath, [cli, "inline", "exports.mjs"], { cwd: away, encoding: "utf8" });
	assert.match(own.stderr, /^tamp: cannot write exports\.mjs: it is a file of yours\n$/);
});

test("the program of each adapter has at most 15 lines, and names what the package exports", async () => {
	const page = readFileSync(path.join(root, "docs/javascript.md"), "utf8");
	const programs = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);
	const adapters = new Set();
	for (const program of programs) {
		assert.ok(program.trimEnd().split("\n").length <= 15, program);
		await transform(program, { loader: "ts" });
		for (const [, names = "", entry = ""] of program.matchAll(/import \{ (.*?) \} from "tamp\/?(.*?)";/g)) {
			const module = await import(`../${entry || "index"}.js`);
			for (const name of names.split(", ")) assert.ok(name in module, `${name} of ${entry}`);
			if (entry) adapters.add(entry);
		}
	}
	assert.ok(adapters.size >= 7, [...adapters].join());
});

test("the package depends on nothing but its native program, and runs nothing when it is installed", () => {
	const manifest = JSON.parse(readFileSync(path.join(home, "package.json"), "utf8"));
	for (const key of ["dependencies", "peerDependencies"]) assert.equal(manifest[key], undefined, key);
	const { name, version, optionalDependencies = {} } = manifest; // a release has them (.ci/rename.mjs)
	for (const [native, range] of Object.entries(optionalDependencies)) {
		assert.match(native, new RegExp(`^${name}-(linux|darwin|win32)-(x64|arm64)$`));
		assert.equal(range, version);
	}
	assert.deepEqual(Object.keys(manifest.scripts), ["prepack"]);
});

test("optional members of all declarations take undefined", () => {
	const names = readdirSync(home).filter((name) => name.endsWith(".d.ts"));
	for (const name of names) {
		const text = readFileSync(path.join(home, name), "utf8").replaceAll(/\/\*.*?\*\/|\{\}/gs, "");
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
