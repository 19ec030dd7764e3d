// This file writes the version, the addresses, the path of the Go module and the name of the npm package into the sources of
// a release: node .ci/rename.mjs VERSION REPOSITORY [GO_MODULE] [NPM_NAME]. It edits the working tree.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { namesOf } from "./native.mjs";

const [version, repository, goModule, npmName] = process.argv.slice(2);
const file = "wasm/npm/package.json";
const manifest = JSON.parse(readFileSync(file, "utf8"));
const before = { go: /^module (\S+)/m.exec(readFileSync("go.mod", "utf8"))[1], npm: manifest.name };
const after = { go: goModule || repository.replace(/^https:\/\//, ""), npm: npmName || before.npm };
// A module of version 2 or later has the major version in its path, https://go.dev/ref/mod#major-version-suffixes.
const major = Number(version.split(".")[0]);
if (major > 1 && !after.go.endsWith(`/v${major}`)) after.go += `/v${major}`;
if (!/^[\w.-]+\.[\w.-]+\/[\w./-]+$/.test(after.go))
	throw new Error(`cannot rename: ${after.go} is no path of a Go module`);
if (!/^(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/.test(after.npm))
	throw new Error(`cannot rename: ${after.npm} is no name of a package`);

/** @param {string} path @param {(text: string) => string} change */
function edit(path, change) {
	const text = readFileSync(path, "utf8");
	const changed = change(text);
	if (changed !== text) writeFileSync(path, changed);
}

/** @param {string} path @param {RegExp} pattern @param {string} text */
function set(path, pattern, text) {
	if (!pattern.test(readFileSync(path, "utf8"))) throw new Error(`cannot rename: ${path} has no ${pattern}`);
	edit(path, (old) => old.replace(pattern, () => text));
}

set("core/wire/wire.go", /^const Version = ".*"/m, `const Version = "${version}"`);
for (const [title, address] of Object.entries({
	Documentation: `${repository}/tree/main/docs`,
	Source: repository,
	Package: `https://www.npmjs.com/package/${after.npm}`,
})) {
	set(
		"web/app/project.js",
		new RegExp(`title: "${title}", address: "[^"]*"`),
		`title: "${title}", address: "${address}"`,
	);
}
Object.assign(manifest, {
	name: after.npm,
	version,
	repository: { type: "git", url: `git+${repository}.git`, directory: "wasm/npm" },
	homepage: `${repository}#readme`,
	bugs: { url: `${repository}/issues` },
	optionalDependencies: Object.fromEntries(namesOf(after.npm).map((name) => [name, version])),
});
writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);

const files = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8", maxBuffer: 2 ** 26 })
	.split("\0")
	.filter(Boolean);
// The module: imports, and texts of tools and tests that name packages as an import does.
set("go.mod", /^module \S+/m, `module ${after.go}`);
for (const path of files.filter((path) => path.endsWith("/go.mod")))
	edit(path, (text) =>
		text
			.replace(`module ${before.go}/`, `module ${after.go}/`)
			.replace(`replace ${before.go} `, `replace ${after.go} `)
			.replace(`\t${before.go} v`, `\t${after.go} v`),
	);
for (const path of files.filter((path) => path.endsWith(".go")))
	edit(path, (text) => text.replaceAll(`"${before.go}/`, `"${after.go}/`));
// The package: imports and commands in the documentation, and each text that is its name in the examples, in what load()
// advises, and in the programs that test the packed package. Its command is still tamp.
const programs =
	/^wasm\/npm\/(examples|bundlers)\/.*\.m?js$|^wasm\/npm\/test\/(agent|package)\.test\.js$|^wasm\/npm\/(module|source)\.js$/;
const pages = /^(README|wasm\/npm\/README|worker\/README|docs\/\w+)\.md$/;
const name = before.npm.replaceAll("/", "\\/");
// What a page says before the release, and after it in a comment.
const unreleased = /<!-- unreleased -->\n.*?<!-- released\n(.*?)-->\n/gs;
const goPackage = new RegExp(`\\b${before.go}/(core|cmd)\\b`, "g"); // tamp/core/forward
const below = new RegExp(`(["'\`])${name}(/[^"'\`\\s]+)\\1`, "g"); // "tamp/ai-sdk"
const alone = new RegExp(`((?:from|import) ?\\(?)(["'])${name}\\2`, "g"); // from "tamp"
const typed = new RegExp(`\\b(npx|npx --no-install|npm install|npm i) ${name}(?![\\w/-])`, "g");
const installed = new RegExp(`node_modules/${name}(?![\\w-])`, "g");
const server = new RegExp(`(?<![\\w/-])${name}-server\\b`, "g"); // the package of the server
const listed = new RegExp(`: \\["${name}"\\]`, "g"); // in the configuration of a bundler
const configured = new RegExp(`("--no-install", )"${name}"`, "g"); // the arguments of npx in the configuration of a client
for (const path of files.filter((path) => pages.test(path) || programs.test(path)))
	edit(path, (text) => {
		const changed = text
			.replace(unreleased, "$1")
			.replace(goPackage, (_, folder) => `${after.go}/${folder}`)
			.replace(below, (_, quote, entry) => `${quote}${after.npm}${entry}${quote}`)
			.replace(alone, (_, start, quote) => `${start}${quote}${after.npm}${quote}`)
			.replace(typed, (_, command) => `${command} ${after.npm}`)
			.replace(installed, () => `node_modules/${after.npm}`)
			.replace(server, () => `${after.npm}-server`)
			.replace(listed, () => `: ["${after.npm}"]`)
			.replace(configured, (_, before) => `${before}"${after.npm}"`);
		return programs.test(path) ? changed.replaceAll(`"${before.npm}"`, `"${after.npm}"`) : changed;
	});
console.log(`→ ${after.go}, ${after.npm} ${version}`);
