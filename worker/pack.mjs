// This file writes the npm package of `tamp serve` to wasm/npm/server: node worker/pack.mjs PAGE…, with the names of the
// page's files in web/. It is a package of its own, so that a program that uses the engine does not download the server.

import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = path.join(root, "wasm/npm/server");
/** @param {string} from @param {string} to */
const copy = (from, to) => cpSync(path.join(root, from), path.join(out, to), { recursive: true });

rmSync(out, { recursive: true, force: true });
for (const name of ["worker.mjs", "instance.mjs", "serve.mjs"]) copy(`worker/${name}`, name);
copy("worker/runtime.node.mjs", "build/runtime.mjs");
copy("worker/build/wasm_exec.js", "build/wasm_exec.js");
copy("wasm/npm/fzstd.js", "build/fzstd.js");
for (const name of ["LICENSE", "NOTICE.md"]) copy(`wasm/npm/${name}`, name);
for (const name of process.argv.slice(2)) copy(`web/${name}`, `web/${name}`);

execFileSync(process.execPath, [".ci/brotli.mjs", "worker/build/app.wasm", path.join(out, "build/app.wasm.br")], {
	cwd: root,
});

const manifest = JSON.parse(readFileSync(path.join(root, "wasm/npm/package.json"), "utf8"));
const { name, version, license, type, engines, repository, homepage, bugs, publishConfig } = manifest;
const server = {
	name: `${name}-server`,
	version,
	description:
		"The server of Tamp: a gateway that compacts the conversations of LLM agents, its API and its playground.",
	license,
	type,
	engines,
	exports: "./serve.mjs",
	bin: { [`${path.basename(name)}-server`]: "./cli.mjs" },
	dependencies: { [name]: version },
	repository,
	homepage,
	bugs,
	publishConfig,
};
writeFileSync(path.join(out, "package.json"), `${JSON.stringify(server, null, 2)}\n`);
writeFileSync(
	path.join(out, "cli.mjs"),
	`#!/usr/bin/env node
import { createRequire } from "node:module";
import path from "node:path";
import { serve } from "./serve.mjs";

const tamp = path.dirname(createRequire(import.meta.url).resolve("${name}/package.json"));
process.exitCode = await serve(process.argv.slice(2), tamp);
`,
	{ mode: 0o755 },
);
writeFileSync(
	path.join(out, "README.md"),
	`# ${name}-server

The gateway, the API and the playground of [${name}](https://www.npmjs.com/package/${name}) in Node.

\`\`\`sh
npx ${name}-server          # serves http://127.0.0.1:8787; --help lists the settings
npx ${name} serve           # the same, where both packages are installed
\`\`\`
`,
);
