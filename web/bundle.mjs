// This file bundles the page for the built site: node web/bundle.mjs OUT writes web/ to OUT/web and wasm/npm to OUT/npm,
// with the modules in six files and the styles in one. `make run` serves the source instead: on this machine a request
// takes no time, and an edit shows on reload.

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const WEB = fileURLToPath(new URL(".", import.meta.url));
const NPM = fileURLToPath(new URL("../wasm/npm/", import.meta.url));
const MODULES = ["app/main.js", "engine.worker.js", "replay.worker.js", "audit.worker.js", "text.worker.js"];
const STYLE = "style.css";
const SKIPPED = new Set(["node_modules", "test", "screenshots", "site", "app"]);

const folder = process.argv[2];
if (!folder) throw new Error("usage: node web/bundle.mjs OUT");
const out = path.resolve(folder, "web");

rmSync(folder, { recursive: true, force: true });
cpSync(WEB, out, {
	recursive: true,
	filter: (source) => !SKIPPED.has(path.basename(source)) && !source.endsWith(".worker.js"),
});

/** inline/ is for bundles that lose the worker, which these do not. */
const EXTERNAL = ["node:*", "./inline/*"];
/** @type {import("esbuild").BuildOptions} */
const MODULE = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none" };
// The package is bundled into each worker, which saves a request in a row; the wasm stays next to the package, as on the
// server, in npm/ below the page.
/** @type {import("esbuild").Plugin} */
const packaged = {
	name: "npm",
	setup: ({ onResolve, onLoad }) => {
		onResolve({ filter: /^(\.|\.\.\/\.\.)\/npm\// }, ({ path: file }) => ({
			path: path.join(NPM, path.basename(file)),
		}));
		onLoad({ filter: /\/npm\/source\.js$/ }, ({ path: file }) => ({
			contents: readFileSync(file, "utf8").replace(/"\.\/(tamp\.(\w+\.)?wasm)"/g, '"./npm/$1"'),
		}));
	},
};
await build({
	...MODULE,
	absWorkingDir: WEB,
	entryPoints: MODULES,
	outdir: out,
	outbase: WEB,
	external: EXTERNAL,
	plugins: [packaged],
});
const npm = path.resolve(folder, "npm");
cpSync(NPM, npm, {
	recursive: true,
	filter: (source) => !["test", "bench", "bundlers", "inline"].includes(path.basename(source)),
});
await build({
	...MODULE,
	entryPoints: [path.join(NPM, "index.js")],
	outdir: npm,
	platform: "neutral",
	external: EXTERNAL,
	allowOverwrite: true,
});

const html = readFileSync(path.join(out, "index.html"), "utf8");
const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)">\n/g)];
const { outputFiles } = await build({
	absWorkingDir: WEB,
	stdin: { contents: styles.map(([, file]) => `@import "./${file}";`).join("\n"), loader: "css", resolveDir: WEB },
	bundle: true,
	minify: true,
	write: false,
	target: "chrome123",
});
for (const [, file] of styles) if (!used(file)) rmSync(path.join(out, file));
writeFileSync(path.join(out, STYLE), outputFiles[0].contents);

// The first link loads the bundle of all styles; the engine thread loads while the page starts.
const [[first], ...others] = styles;
const preload = '<link rel="modulepreload" href="engine.worker.js">\n';
let whole = html.replace(first, `<link rel="stylesheet" href="${STYLE}">\n${preload}`);
for (const [line] of others) whole = whole.replace(line, "");
writeFileSync(path.join(out, "index.html"), whole);

/** Whether another page uses a style sheet, too. @param {string} file */
function used(file) {
	return readFileSync(path.join(out, "how.html"), "utf8").includes(`href="${file}"`);
}
