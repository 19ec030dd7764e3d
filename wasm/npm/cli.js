#!/usr/bin/env node
// This file is the command tamp. Everything runs on this machine: no file is uploaded. Results go to stdout, progress
// and errors to stderr. Exit codes: 0 done, 1 the input has an error (or could not be read), 2 wrong usage.

import { appendFileSync, readFileSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { chosenOf, present, UsageError } from "./choice.js";
import { described } from "./commands.js";
import { isOriginals } from "./compaction.js";
import { compact, load, TampError } from "./index.js";
import { examine, reportOf } from "./doctor.js";
import { inline } from "./inline.js";
import { install, pluginFolder, remove } from "./plugin.js";
import { isProgram, run } from "./program.js";
import { isIdle, notResumable, RESUMABLE, resumable } from "./resume.js";
import { imported, missing, serve } from "./server.js";
import { unpacked } from "./unpack.js";
import { visible } from "./visible.js";

/** The help of all commands. */
const help = () => readFileSync(new URL("help/help.txt", import.meta.url), "utf8").trimEnd();

const commands = {
	check,
	compact: compactFile,
	convert,
	count,
	doctor,
	inline: inlineFile,
	lost,
	mcp,
	plugin,
	recall,
	repair,
	resume,
};

/** The options that each command takes. */
const taken = {
	check: ["format", "json"],
	count: ["format", "counter", "json"],
	compact: [
		"format",
		"preset",
		"policy",
		"window",
		"counter",
		"force",
		"keep",
		"drop",
		"summarize",
		"thinking",
		"archive",
		"discard",
		"json",
	],
	convert: ["format", "to"],
	doctor: ["json"],
	inline: /** @type {string[]} */ ([]),
	lost: ["format", "json"],
	mcp: ["root", "archive"],
	plugin: ["project", "remove"],
	recall: ["archive", "json"],
	repair: ["format", "archive", "discard", "json"],
	resume: ["format", "preset", "policy", "window", "thinking", "restore", "json"],
};

/** @typedef {import("./choice.js").Options} Options */

/** @param {string[]} args */
async function main(args) {
	if (args[0] === "serve") return serve(args.slice(1));
	if (args[0] === "try") return tryOut(args.slice(1));
	if (isProgram(args)) return run(args);
	// A reader such as head may close the pipe early: that is no error.
	process.stdout.on("error", (thrown) => {
		if (/** @type {NodeJS.ErrnoException} */ (thrown).code === "EPIPE") process.exit();
		process.stderr.write(`tamp: cannot write: ${thrown.message}\n`);
		process.exit(1);
	});
	/** @type {{ values: Options, positionals: string[] }} */
	let parsed;
	try {
		parsed = parseArgs({
			args,
			allowPositionals: true,
			options: {
				format: { type: "string" },
				preset: { type: "string" },
				policy: { type: "string" },
				window: { type: "string" },
				to: { type: "string" },
				counter: { type: "string" },
				force: { type: "boolean" },
				keep: { type: "string", multiple: true },
				drop: { type: "string", multiple: true },
				summarize: { type: "string", multiple: true },
				thinking: { type: "string" },
				archive: { type: "string" },
				discard: { type: "boolean" },
				root: { type: "string" },
				project: { type: "boolean" },
				remove: { type: "boolean" },
				restore: { type: "string", multiple: true },
				json: { type: "boolean" },
				help: { type: "boolean", short: "h" },
				version: { type: "boolean" },
			},
		});
	} catch (thrown) {
		throw new UsageError(/** @type {Error} */ (thrown).message.replaceAll("\n", " "));
	}
	const { values, positionals } = parsed;
	const [name, ...files] = positionals;
	if (values.help || name === "help") return print(helpOf(name === "help" ? files[0] : name));
	if (values.version) return print((await load()).version);
	if (!name) throw new UsageError("there is no command");
	if (!Object.hasOwn(commands, name)) throw new UsageError(`the command ${name} is unknown`);
	const known = /** @type {keyof typeof commands} */ (name);
	const wrong = Object.keys(values).find((option) => !taken[known].includes(option));
	if (wrong) throw new UsageError(`${name} has no option --${wrong}`);
	if (files.length > 1 && known !== "lost") throw new UsageError(`${name} takes one file or folder`);
	return commands[known](values, files[0], files.slice(1).join(" "));
}

/** The help of one command: its lines, and those of its options; of an unknown one the whole. @param {string} [name] */
function helpOf(name = "") {
	if (!Object.hasOwn(commands, name)) return help();
	const own = taken[/** @type {keyof typeof commands} */ (name)];
	const [about, ...options] = help()
		.split(/\n(?= {2}\S)|\n\n/)
		.filter((part) => part.startsWith(`  ${name} `) || own.some((option) => part.startsWith(`  --${option} `)));
	return [`Usage: tamp ${about?.trim()}`, ...(options.length > 0 ? ["", "Options:", ...options] : [])].join("\n");
}

/** @param {Options} _ @param {string} [file] */
async function inlineFile(_, file) {
	if (file === undefined) throw new UsageError("inline needs the name of the file that it writes");
	process.stderr.write(`${await inline(file)}\n`);
	return 0;
}

/** @param {Options} options @param {string} [file] */
async function mcp({ root = ".", archive }, file) {
	if (file !== undefined) throw new UsageError("mcp takes no file: --root names the folder");
	const { toolsOf } = await import("./mcp.js");
	/** @type {typeof import("./mcp-server.mjs")} */
	const server = (await imported(new URL("mcp/server.js", import.meta.url).href)) ?? missing("mcp/server.js");
	await server.serve((await load()).version, await toolsOf({ root, archive }));
	return 0;
}

/** The client and its own arguments are behind --; --shadow is in front of it, or the last argument. @param {string[]} args */
async function tryOut(args) {
	const at = args.indexOf("--");
	const options = at < 0 ? args : args.slice(0, at);
	if (at < 0 || options.some((option) => option !== "--shadow"))
		throw new UsageError("try is written as: tamp try [--shadow] -- CLIENT [ARGUMENTS]");
	const command = args.slice(at + 1);
	const shadow = options.length > 0 || command.at(-1) === "--shadow";
	const { tryClient } = await import("./try.js");
	return tryClient(command.at(-1) === "--shadow" ? command.slice(0, -1) : command, shadow);
}

/** @param {Options} options @param {string} [file] */
async function doctor(options, file) {
	if (file !== undefined) throw new UsageError("doctor takes no file");
	const found = examine(process.env);
	return print(options.json ? json(found) : reportOf(found));
}

/** @param {Options} options @param {string} [client] */
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

/** @param {unknown} value */
const json = (value) => JSON.stringify(value, null, 2);

/** The request for the engine. @param {Options} options @param {string | undefined} file */
async function inputOf({ format, preset, policy, window, counter, force, thinking }, file) {
	const stdin = file === undefined || file === "-";
	const conversation = await (stdin ? readStdin() : readFile(file)).catch((thrown) => {
		throw new Error(
			`cannot read ${stdin ? "stdin" : file}: ${thrown.code === "EISDIR" ? "it is a folder" : thrown.message}`,
		);
	});
	const choice = await policyOf({ preset, policy, window });
	const content = await unpacked(conversation, MAX_INPUT);
	return { ...present({ format, counter, force, thinking }), ...choice, conversation: content };
}

/** The members of a request that choose the policy. @param {Options} options */
async function policyOf({ preset, policy, window }) {
	const size = window === undefined ? undefined : Number(window);
	if (size !== undefined && !(Number.isInteger(size) && size > 0))
		throw new UsageError("--window must be a number of tokens");
	const patch = policy === undefined ? {} : parsedPolicy(await readFile(policy, "utf8"), policy);
	if (size !== undefined) patch.trigger = { ...patch.trigger, window: size };
	return { ...present({ preset }), ...(Object.keys(patch).length > 0 ? { policy: patch } : {}) };
}

/** @param {string} text @param {string} file @returns {Record<string, any>} */
function parsedPolicy(text, file) {
	try {
		const policy = JSON.parse(text);
		if (policy && typeof policy === "object" && !Array.isArray(policy)) return policy;
	} catch {}
	throw new Error(`${file} is no JSON object with parts of a policy`);
}

/** The largest input of the engine, in bytes. */
const MAX_INPUT = 256 * 2 ** 20;

/** Reads stdin, but stops at what the engine would refuse. */
async function readStdin() {
	const chunks = [];
	let size = 0;
	for await (const chunk of process.stdin) {
		size += chunk.length;
		if (size > MAX_INPUT) throw new Error("at most 256 MiB are accepted");
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

/** The vocabularies of the exact counters, by the name of a counter. */
const vocabularies = new Map([
	["auto", ["o200k_base", "cl100k_base"]],
	["o200k_base", ["o200k_base"]],
	["cl100k_base", ["cl100k_base"]],
]);

/** The engine, with the vocabularies that a counter needs. @param {Options} options */
async function engineFor({ counter }) {
	const engine = await load();
	for (const name of vocabularies.get(counter) ?? []) {
		const bytes = await readFile(new URL(`./vocab/${name}.bin`, import.meta.url));
		engine.loadVocabulary(/** @type {import("./index.js").Vocabulary} */ (name), bytes);
	}
	return engine;
}

/** @param {Options} options @param {string} [file] */
async function check(options, file) {
	const { valid, problems } = (await load()).check(await inputOf(options, file));
	if (options.json) print(json({ valid, problems }));
	else {
		for (const { severity, rule, path, message } of problems)
			print(visible(`${severity}: ${message} (${rule} at ${path})`));
		if (valid) print("valid");
	}
	return valid ? 0 : 1;
}

/** @param {Options} options @param {string} [file] */
async function count(options, file) {
	const counted = (await engineFor(options)).count(await inputOf(options, file));
	return print(options.json ? json(counted) : `${counted.total} tokens (${counted.low} to ${counted.high})`);
}

/** @param {Options} options @param {string} [file] */
async function repair(options, file) {
	const repaired = (await load()).repair(await inputOf(options, file));
	const { conversation, problems, left, originals = "" } = repaired;
	const archive = options.archive ?? (file === undefined || file === "-" ? undefined : `${file}.originals`);
	const kept = originals !== "" && !options.discard && archive !== undefined;
	if (kept) await append(archive, originals);
	if (options.json) print(json(repaired));
	else process.stdout.write(/** @type {string} */ (conversation));
	process.stderr.write(
		`${problems.length} ${problems.length === 1 ? "problem" : "problems"} repaired, ${left.length} left\n`,
	);
	if (kept) process.stderr.write(`${visible(`what it removed or changed: tamp recall --archive ${archive}`)}\n`);
	else if (originals !== "" && !options.discard)
		process.stderr.write("what it removed or changed is in no file: --archive FILE keeps it\n");
	for (const { severity, path, message } of left)
		process.stderr.write(`${visible(`${severity} at ${path}: ${message}`)}\n`);
	return left.some(({ severity }) => severity === "error") ? 1 : 0;
}

/** Appends originals to an archive that does not have them yet. @param {string} archive @param {string} originals */
async function append(archive, originals) {
	const there = await readFile(archive).catch(() => Buffer.alloc(0));
	if (!there.includes(originals)) appendFileSync(archive, originals, { mode: 0o600 });
}

/**
 * Prints the warnings of a compaction. Exit code 1: the conversation stays one that the provider refuses.
 */
function printer() {
	const printed = {
		code: 0,
		/** @param {import("./index.js").Warning} warning */
		onWarning: ({ code, message }) => {
			// What the message advises is for programs.
			const again = "the session was compacted before: its summaries are summarized again, as if they were messages";
			process.stderr.write(`tamp: ${code === "state_missing" ? again : visible(message)}\n`);
			if (code === "conversation_broken") printed.code = 1;
		},
	};
	return printed;
}

/** The most warnings that compact prints: each line of a log that cannot be read is one. */
const MAX_WARNINGS = 20;

/** @param {Options} options @param {string} [file] */
async function compactFile(options, file) {
	const { archive, discard } = options;
	const printed = printer();
	if (!archive === !discard)
		throw new UsageError("compact needs --archive and the file for the originals that it removes, or --discard");
	/** @type {Set<string>} */
	const warnings = new Set();
	const engine = await engineFor(options);
	const input = await inputOf(options, file);
	const outcome = await compact(
		engine,
		{ ...input, ...chosenOf(engine, input, options) },
		{
			save: discard ? "discard" : (jsonl) => appendFileSync(archive, jsonl),
			onWarning: (warning) => {
				printed.onWarning(warning);
				warnings.delete(warning.message); // of the plan
			},
			onProgress: (progress) => {
				if (progress.type === "plan") for (const { message } of progress.plan.warnings) warnings.add(message);
			},
		},
	);
	if (options.json) {
		print(json(outcome));
		return printed.code;
	}
	process.stdout.write(/** @type {string} */ (outcome.conversation));
	const unchanged =
		outcome.after === outcome.before && !options.force
			? ": the policy removes nothing yet, --force compacts anyway"
			: "";
	process.stderr.write(`${outcome.before} tokens before, ${outcome.after} after${unchanged}\n`);
	for (const message of [...warnings].slice(0, MAX_WARNINGS)) process.stderr.write(`${visible(message)}\n`);
	if (warnings.size > MAX_WARNINGS) process.stderr.write(`and ${warnings.size - MAX_WARNINGS} more warnings\n`);
	return printed.code;
}

/** @param {Options} options @param {string} [file] */
async function convert(options, file) {
	if (!options.to) throw new UsageError("convert needs --to and the name of a format");
	const { conversation, losses } = (await load()).convert({ ...(await inputOf(options, file)), to: options.to });
	process.stdout.write(/** @type {string} */ (conversation));
	for (const { path, what, became } of losses.slice(0, MAX_WARNINGS))
		process.stderr.write(`${visible(`lost at ${path}: ${what}, ${became}`)}\n`);
	if (losses.length > MAX_WARNINGS) process.stderr.write(`and ${losses.length - MAX_WARNINGS} more losses\n`);
	return 0;
}

/** @param {Options} options @param {string} [ref] */
async function recall({ archive, json: asJSON }, ref) {
	if (!archive) throw new UsageError("recall needs --archive and the file with the originals");
	const engine = await load();
	const originals = await originalsIn(archive);
	if (!ref && originals.length !== 1) throw new UsageError("recall needs a ref: the archive is a folder");
	let text = "";
	for (let offset = 0, more = true; more; ) {
		const part = engine.recall(originals, { ...present({ ref }), offset, limit: 100_000 });
		text += part.text;
		more = (part.next ?? 0) > 0;
		offset = part.next ?? 0;
	}
	return print(asJSON ? json({ ...present({ ref }), text }) : text);
}

/**
 * A compacted log with the texts at its end that --restore names, as one message of the user.
 * @param {import("./index.js").Engine} engine
 * @param {Uint8Array} original
 * @param {string} compacted
 * @param {Options} options
 */
function restored(engine, original, compacted, { restore = [], format }) {
	if (restore.length === 0) return compacted;
	const texts = restore.map((/** @type {string} */ ref) => {
		const part = engine.lost({ ...present({ format }), conversation: original, ref }).parts[0];
		if (!part) throw new UsageError(`no compaction of this log removed a text with the ref ${ref}`);
		return `${part.tool ? `The result of ${part.tool} ${part.input ?? ""}` : "A text"}, from before the compaction:\n${part.text}`;
	});
	return engine.assemble({ ...present({ format }), conversation: compacted, text: texts.join("\n\n") }).conversation;
}

/** The originals in a file, or in the files of the folder that the plugin for Claude Code writes. @param {string} archive */
async function originalsIn(archive) {
	if (!(await stat(archive)).isDirectory()) return [await readFile(archive)];
	const names = (await readdir(archive)).filter(isOriginals);
	return Promise.all(names.map((name) => readFile(path.join(archive, name))));
}

/** @param {Options} options @param {string} [file] */
async function resume(options, file) {
	if (file === undefined || file === "-") throw new UsageError("resume needs the file of a log");
	const engine = await load();
	const read = await inputOf(options, file);
	const { format } = engine.detect(read);
	if (!RESUMABLE.includes(format)) throw notResumable(format);
	const input = { ...read, force: isIdle(engine.inspect(read)) };
	let originals = "";
	const printed = printer();
	const outcome = await compact(engine, input, {
		save: async (jsonl) => {
			originals += jsonl;
		},
		onWarning: printed.onWarning,
	});
	const log = path.resolve(file);
	const whole = restored(engine, input.conversation, /** @type {string} */ (outcome.conversation), options);
	const { name, text, command } = resumable(format, log, whole);
	const out = path.join(path.dirname(log), name);
	const archive = `${out}.originals`; // no name that an agent takes for a session
	if (originals !== "") await writeFile(archive, originals, { flag: "wx", mode: 0o600 });
	await writeFile(out, text, { flag: "wx", mode: 0o600 });
	const { usage } = engine.count(input);
	const before = usage?.total ?? outcome.before;
	const after = before - Math.round(((outcome.before - outcome.after) * (usage?.factor ?? 1000)) / 1000);
	if (options.json) {
		print(json({ before, after, file: out, archive, command }));
		return printed.code;
	}
	const whose = usage ? " by the API's count, with system prompt and tools" : "";
	process.stderr.write(
		`${before} tokens before, ${after} after${whose}; ${visible(file)} is unchanged\n${originals === "" ? "" : `the originals: ${visible(archive)}\n`}`,
	);
	print(command);
	return printed.code;
}

/** @param {Options} options @param {string} [file] @param {string} [words] */
async function lost(options, file, words = "") {
	const { conversation } = await inputOf(options, file);
	const found = (await load()).lost({ ...present({ format: options.format }), conversation, words });
	if (options.json) return print(json(found));
	for (const part of found.parts) print(visible(`${part.ref}  ${described(part)}`));
	const { total } = found;
	const more = total > found.parts.length ? `, of which ${found.parts.length} are listed` : "";
	const hint = words === "" ? "; with words: all that have them" : "";
	process.stderr.write(
		total === 0
			? `no compaction removed what ${words === "" ? "a later call needed" : "has these words"}${hint}\n`
			: `${total} blocks${more}; tamp resume FILE --restore REF puts one back\n`,
	);
	return 0;
}

main(process.argv.slice(2)).then(
	(code) => {
		process.exitCode = code;
	},
	(thrown) => {
		const usage = thrown instanceof UsageError;
		const at = thrown instanceof TampError && thrown.path ? ` (at ${thrown.path})` : "";
		process.stderr.write(
			`tamp: ${visible(`${thrown?.message ?? thrown}${at}`)}\n${usage ? "Run tamp --help for all commands, tamp COMMAND --help for one.\n" : ""}`,
		);
		process.exitCode = usage ? 2 : 1;
	},
);
