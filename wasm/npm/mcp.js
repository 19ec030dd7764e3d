// This file has the tools of `tamp mcp`: they read and write files below one folder. The protocol is in mcp-server.mjs.
//
// Invariant: a path of a client names a file that is, after all symbolic links, in the folder, or the archive that the
// user named; what is written is a new file next to one that was read.

import { constants } from "node:fs";
import { open, readdir, realpath, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { isOriginals } from "./compaction.js";
import { compact, loadInWorker } from "./index.js";
import { RESUMABLE, resumable } from "./resume.js";
import { output } from "./program.js";
import { MAX_FILE, refusalOf, unpacked } from "./unpack.js";
import { visible } from "./visible.js";

/** The largest answer, in characters: clients put it into the context of a model. */
const MAX_TEXT = 60_000;

/** The problems that an answer of check lists. */
const MAX_PROBLEMS = 100;

/** @typedef {import("./index.js").AsyncEngine} AsyncEngine */
/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} description
 * @property {Record<string, any>} properties of its input, as a JSON Schema
 * @property {string[]} required
 * @property {boolean} [writes]
 * @property {(start: () => Promise<AsyncEngine>, input: any, signal: AbortSignal) => Promise<string>} run start: an engine, once
 */

const file = { type: "string", description: "path of the file, relative to the server's folder" };

/**
 * The tools for the files of a folder.
 * @param {{ root: string, archive?: string | undefined, load?: () => Promise<AsyncEngine> }} options archive: the default of recall
 */
export async function toolsOf({ root, archive, load = loadInWorker }) {
	const home = await realpath(root).catch((thrown) => {
		throw new Error(`cannot serve ${root}: ${thrown.message}`);
	});

	/** The real path of what a client names. @param {string} name */
	async function inside(name) {
		const refused = new Error(`cannot read ${name}: it is not in the folder of this server, or does not exist`);
		if (name.includes("\0")) throw refused;
		const real = await realpath(path.resolve(home, name)).catch(() => {
			throw refused; // the reason would tell which files exist outside
		});
		const relative = path.relative(home, real);
		if (relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) throw refused;
		return real;
	}

	/** @param {string} real */
	async function read(real) {
		// A pipe must not block, and the last part must not have become a link.
		const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
		try {
			const status = await handle.stat();
			if (!status.isFile()) throw new Error(`cannot read ${shown(real)}: it is not a file`);
			const refusal = refusalOf(status.size);
			if (refusal) throw new Error(`cannot read ${shown(real)}: ${refusal}`);
			return await unpacked(await handle.readFile(), MAX_FILE);
		} finally {
			await handle.close();
		}
	}

	/** An archive, or those in a folder that the plugin for Claude Code writes. @param {string} real */
	async function originalsIn(real) {
		const names = (await stat(real)).isDirectory() ? (await readdir(real)).filter(isOriginals) : [];
		if (names.length === 0) return [await read(real)];
		return Promise.all(names.map((name) => read(path.join(real, name))));
	}

	const shown = (/** @type {string} */ real) => path.relative(home, real) || ".";
	const contentOf = async (/** @type {string} */ name) => read(await inside(name));

	/** @type {Tool[]} */
	const tools = [
		{
			name: "recall",
			description:
				"Reads back what a compaction left out: the original of a ref that a summary or a placeholder names, page by page, or its lines that contain a text",
			properties: {
				archive: { type: "string", description: `path of the file with the originals${archive ? "; optional" : ""}` },
				ref: { type: "string", description: "16 hexadecimal digits; absent: the first original" },
				text: { type: "string", description: "answer the lines that contain this text, with their offsets" },
				offset: { type: "integer", minimum: 0, description: "the character to start at" },
				limit: { type: "integer", minimum: 1, maximum: 50_000, description: "characters of the page; default 5000" },
			},
			required: archive ? [] : ["archive"],
			async run(start, { archive: name, ...query }) {
				const originals = await originalsIn(await (name === undefined ? realpath(String(archive)) : inside(name)));
				const { text, next, total, lines } = await (await start()).recall(originals, query);
				if (query.text !== undefined) {
					const found = (lines ?? []).map(({ offset, text }) => `${offset}: ${text}`);
					return found.length > 0 ? found.join("\n") : `no line of ${total} characters contains it`;
				}
				return next ? `${text}\n[${next} of ${total} characters were read; go on with offset ${next}]` : text;
			},
		},
		{
			name: "check",
			description: "Lists what the provider would refuse of a request, a list of messages or a session log in a file",
			properties: { file },
			required: ["file"],
			async run(start, { file }) {
				const conversation = await contentOf(file);
				const { valid, problems } = await (await start()).check({ conversation });
				const lines = problems
					.slice(0, MAX_PROBLEMS)
					.map(({ severity, rule, path, message }) => visible(`${severity}: ${message} (${rule} at ${path})`));
				if (problems.length > MAX_PROBLEMS) lines.push(`and ${problems.length - MAX_PROBLEMS} more`);
				return [valid ? "valid" : "not valid", ...lines].join("\n");
			},
		},
		{
			name: "count",
			description: "Estimates the tokens of a request, a list of messages or a session log in a file",
			properties: { file },
			required: ["file"],
			async run(start, { file }) {
				const conversation = await contentOf(file);
				const { total, low, high } = await (await start()).count({ conversation });
				return `${total} tokens (${low} to ${high})`;
			},
		},
		{
			name: "compact_file",
			description:
				"Compacts a request, a list of messages or a session log in a file, without a model, and writes the result and the removed originals as new files next to it; the file stays as it is",
			properties: {
				file,
				preset: { type: "string", description: "the policy; default: balanced" },
				window: {
					type: "integer",
					minimum: 1,
					description: "the context window in tokens; default: that of the model",
				},
			},
			required: ["file"],
			writes: true,
			async run(start, { file: name, preset, window }, signal) {
				const real = await inside(name);
				const conversation = await read(real);
				const engine = await start();
				const { format } = await engine.detect({ conversation });
				const input = {
					conversation,
					force: true,
					...(preset === undefined ? {} : { preset }),
					...(window === undefined ? {} : { policy: { trigger: { window } } }),
				};
				let originals = "";
				const { before, after, ...outcome } = await compact(engine, input, {
					save: (jsonl) => {
						originals += jsonl;
					},
					signal,
					onWarning: () => {},
				});
				if (before === after && originals === "")
					return `${before} tokens: nothing can be removed, nothing was written`;
				const made = resultOf(format, real, /** @type {any} */ (outcome.conversation)); // bytes are answered as text
				const out = path.join(path.dirname(real), made.name);
				await create(`${out}.originals`, originals);
				await create(out, made.text);
				return [
					`${before} tokens before, ${after} after`,
					`compacted: ${shown(out)}`,
					`originals: ${shown(`${out}.originals`)}, which recall reads as archive`,
					...(made.command ? [`resume it with: ${made.command}`] : []),
				].join("\n");
			},
		},
		{
			name: "audit",
			description: "Ranks the session logs below a folder by the money that compaction would have saved or cost",
			properties: { folder: { type: "string", description: "default: the server's folder" } },
			required: [],
			async run(_, { folder = "." }, signal) {
				return output(["audit", "--root", home, await inside(folder)], signal);
			},
		},
	];
	return tools.map((tool) => ({ ...tool, run: alone(tool, load) }));
}

/** The call before. One runs at a time, in an engine of its own: a large file takes its memory only while it is read. */
let before = Promise.resolve();

/**
 * @param {Tool} tool
 * @param {() => Promise<AsyncEngine>} load
 */
function alone({ run }, load) {
	/** @param {any} input @param {AbortSignal} signal */
	return (input, signal) => {
		/** @type {AsyncEngine | undefined} */
		let engine;
		const end = () => engine?.terminate();
		const start = async () => {
			engine = await load();
			if (signal.aborted) end();
			return engine;
		};
		const done = before.then(async () => {
			signal.throwIfAborted();
			signal.addEventListener("abort", end, { once: true });
			const text = await run(start, input, signal).finally(end);
			return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\n[cut: ${text.length} characters]` : text;
		});
		before = done.then(
			() => {},
			() => {},
		);
		return done;
	};
}

/**
 * The compacted file: of a log that an agent resumes a session of its own.
 * @param {string} format
 * @param {string} real
 * @param {string} text
 * @returns {{ name: string, text: string, command?: string }}
 */
function resultOf(format, real, text) {
	if (RESUMABLE.includes(format)) return resumable(format, real, text);
	const { name, ext } = path.parse(real.replace(/\.zst$/, ""));
	return { name: `${name}.compacted-${crypto.randomUUID().slice(0, 8)}${ext}`, text };
}

/** Writes a new file, for its owner only. @param {string} name @param {string} text */
const create = (name, text) => writeFile(name, text, { flag: "wx", mode: 0o600 });
