#!/usr/bin/env node
// This file is the command tamp: it starts the program (program.js), and has the commands about the files of this package.
// Results go to stdout, progress and errors to stderr. Exit codes: 0 done, 1 the input has an error (or could not be
// read), 2 wrong usage.

import { parseArgs } from "node:util";
import { inline } from "./inline.js";
import { install, pluginFolder, remove } from "./plugin.js";
import { isNative, run, UsageError } from "./program.js";
import { serve } from "./server.js";
import { visible } from "./visible.js";

/**
 * The commands of this package, with their options.
 * @type {Record<string, [(options: Record<string, any>, argument?: string) => Promise<number>, NonNullable<import("node:util").ParseArgsConfig["options"]>]>}
 */
const commands = {
	inline: [inlineFile, {}],
	plugin: [plugin, { project: { type: "boolean" }, remove: { type: "boolean" } }],
};

/** @param {string[]} args */
async function main([name = "", ...args]) {
	if (name === "serve" && !isNative()) return serve(args);
	if (name === "") throw new UsageError("there is no command");
	if (!Object.hasOwn(commands, name) || args.includes("--help") || args.includes("-h")) return run([name, ...args]);
	// A reader such as head may close the pipe early: that is no error.
	process.stdout.on("error", (thrown) => {
		if (/** @type {NodeJS.ErrnoException} */ (thrown).code === "EPIPE") process.exit();
		process.stderr.write(`tamp: cannot write: ${thrown.message}\n`);
		process.exit(1);
	});
	const [command, options] = /** @type {(typeof commands)[string]} */ (commands[name]);
	let parsed;
	try {
		parsed = parseArgs({ args, options, allowPositionals: true });
	} catch (thrown) {
		const [, option] = /^Unknown option '(\S+)'/.exec(/** @type {Error} */ (thrown).message) ?? [];
		throw new UsageError(
			option ? `${name} has no option ${option}` : /** @type {Error} */ (thrown).message.replaceAll("\n", " "),
		);
	}
	if (parsed.positionals.length > 1) throw new UsageError(`${name} takes one file or folder`);
	return command(parsed.values, parsed.positionals[0]);
}

/** @param {Record<string, any>} _ @param {string} [file] */
async function inlineFile(_, file) {
	if (file === undefined) throw new UsageError("inline needs the name of the file that it writes");
	process.stderr.write(`${await inline(file)}\n`);
	return 0;
}

/** @param {Record<string, any>} options @param {string} [client] */
async function plugin({ project = false, remove: away = false }, client) {
	if (client !== "claude") throw new UsageError("plugin needs the name of a client: claude");
	const folder = pluginFolder(project, process.env);
	return print(await (away ? remove(folder) : install(folder)));
}

/** @param {string} text */
function print(text) {
	process.stdout.write(`${text}\n`);
	return 0;
}

main(process.argv.slice(2)).then(
	(code) => {
		process.exitCode = code;
	},
	(thrown) => {
		const usage = thrown instanceof UsageError;
		process.stderr.write(
			`tamp: ${visible(`${thrown?.message ?? thrown}`)}\n${usage ? "Run tamp --help for all commands, tamp COMMAND --help for one.\n" : ""}`,
		);
		process.exitCode = usage ? 2 : 1;
	},
);
