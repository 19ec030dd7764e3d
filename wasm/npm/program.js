// This file runs the program tamp: the native one where its package is installed, otherwise the same as WebAssembly.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/** A mistake on the command line. */
export class UsageError extends Error {}

const HOME = new URL(".", import.meta.url);
const require = createRequire(HOME);

/** The name of this package. */
const packageName = () => JSON.parse(readFileSync(new URL("package.json", HOME), "utf8")).name;

/** The file of an installed package; undefined if it is not there. @param {string} name */
function installed(name) {
	try {
		return require.resolve(name);
	} catch {}
}

/** The name of the package with the native program. */
const nativePackage = () => `${packageName()}-${process.platform}-${process.arch}`;

/**
 * The native program: the one that TAMP_PROGRAM names ("" for none), that of the package for this platform, or in a clone
 * the one that make built.
 */
function nativeProgram() {
	const name = process.platform === "win32" ? "tamp.exe" : "tamp";
	const built = fileURLToPath(new URL(`native/${name}`, HOME));
	return process.env.TAMP_PROGRAM ?? installed(`${nativePackage()}/${name}`) ?? (existsSync(built) ? built : undefined);
}

/** Reports whether run starts the native program. */
export const isNative = () => Boolean(nativeProgram());

/**
 * Runs a command line. Ctrl-C reaches the program by itself, which may go on: this process waits for it.
 * @param {string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function run(args) {
	const program = nativeProgram();
	if (!program) return runWasm(args);
	const child = spawn(program, args, { stdio: "inherit" });
	process.on("SIGINT", () => {}).on("SIGTERM", () => child.kill());
	const [status, signal] = await once(child, "exit").catch((thrown) => {
		throw new Error(`cannot run ${program}: ${thrown.message}`);
	});
	if (signal === "SIGPIPE") return 0; // a reader such as head may close the pipe early
	return status ?? 128 + (constants.signals[/** @type {NodeJS.Signals} */ (signal)] ?? 0);
}

/** @param {string[]} args */
async function runWasm(args) {
	const file = new URL("program.wasm.br", HOME);
	const { Go } = await import("./shims.js");
	Object.assign(globalThis, { fs: await import("node:fs"), path }); // Go reads files through them
	const go = /** @type {InstanceType<typeof Go> & { argv: string[] }} */ (new Go());
	go.argv = [fileURLToPath(new URL("tamp", HOME)), ...args]; // next to it Go finds the vocabularies
	go.env = { .../** @type {Record<string, string>} */ (process.env), HOME: homedir(), TAMP_PACKAGE: nativePackage() };
	go.exit = (code) => process.exit(code); // at once: what Go still waits for would find it ended
	const module = await WebAssembly.compile(brotliDecompressSync(readFileSync(file)));
	await go.run(await WebAssembly.instantiate(module, /** @type {any} */ (go.importObject)));
	return 0;
}
