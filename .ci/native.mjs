// This file writes the npm packages of the native program: node .ci/native.mjs, after `make binaries`, which leaves the
// programs in .build/release/native. Each has the names that Node gives its platform; the npm package starts the one that is
// installed (wasm/npm/program.js), and names all as optional dependencies in a release (.ci/rename.mjs).

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Node's names of the platforms of `make binaries`, by Go's. */
export const PLATFORMS = {
	"linux-amd64": ["linux", "x64"],
	"linux-arm64": ["linux", "arm64"],
	"darwin-amd64": ["darwin", "x64"],
	"darwin-arm64": ["darwin", "arm64"],
	"windows-amd64": ["win32", "x64"],
};

/** The names of the packages. @param {string} name of the npm package */
export const namesOf = (name) => Object.values(PLATFORMS).map((platform) => [name, ...platform].join("-"));

/** @param {string} folder with a folder for each platform */
export function writePackages(folder) {
	const { name, version, license, repository, homepage, bugs, publishConfig } = JSON.parse(
		readFileSync("wasm/npm/package.json", "utf8"),
	);
	for (const [platform, [os, cpu]] of Object.entries(PLATFORMS)) {
		const own = path.join(folder, platform);
		if (!readdirSync(own).some((file) => /^tamp(\.exe)?$/.test(file))) throw new Error(`${own} has no program`);
		for (const file of ["LICENSE", "NOTICE.md"]) copyFileSync(`wasm/npm/${file}`, path.join(own, file));
		const manifest = {
			name: `${name}-${os}-${cpu}`,
			version,
			description: `The native program of ${name} for ${os} on ${cpu}.`,
			license,
			os: [os],
			cpu: [cpu],
			repository,
			homepage,
			bugs,
			publishConfig,
		};
		writeFileSync(path.join(own, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePackages(".build/release/native");
