// This file starts `tamp serve` where there is no native program: the same in Node, a package of its own.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const HOME = new URL(".", import.meta.url);

/**
 * Runs the server in Node.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export const serve = async (args) => (await serverPackage()).serve(args, fileURLToPath(HOME));

/**
 * The package of the server: in the repository below this one, otherwise installed next to it.
 * @returns {Promise<{ serve: (args: string[], folder: string) => Promise<number> }>}
 */
async function serverPackage() {
	const { name } = JSON.parse(await readFile(new URL("package.json", HOME), "utf8"));
	const found = (await imported(new URL("server/serve.mjs", HOME).href)) ?? (await imported(`${name}-server`));
	return found ?? missing(`the package ${name}-server`, `npm install ${name}-server`);
}

/** Imports a module; undefined if it is not there. @param {string} name */
export function imported(name) {
	return import(name).catch((thrown) => {
		if (thrown.code !== "ERR_MODULE_NOT_FOUND") throw thrown;
	});
}

/**
 * Throws that something is not there, with the command that gets it: in the repository, which has more files than the
 * package, that is a build.
 * @param {string} what
 * @param {string} [command]
 * @returns {never}
 */
export function missing(what, command) {
	const root = existsSync(new URL("bundle.mjs", HOME)) ? fileURLToPath(new URL("../..", HOME)) : undefined;
	const advice = root ? `make -C ${root} package` : command;
	throw new Error(`${what} is not there${advice ? `: ${advice}` : ""}`);
}
