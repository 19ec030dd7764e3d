// This file installs the plugin for Claude Code, as `tamp plugin claude`, and takes it away. It writes one folder, which
// the client loads by itself; no file of the client is changed.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { missing } from "./server.js";

/** Lists what an installation wrote. */
const NOTE = "installed.json";

const HOME = new URL(".", import.meta.url);

/** @param {Uint8Array} bytes */
const digestOf = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The files below a folder, relative to it. @param {string} folder @returns {Promise<string[]>} */
async function filesIn(folder) {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => !entry.isDirectory())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
		.sort();
}

/**
 * The folder of the plugin: the client loads what is in the folder skills of a user or a project.
 * @param {boolean} project
 * @param {NodeJS.ProcessEnv} env
 */
export const pluginFolder = (project, env) =>
	path.join(
		project ? path.resolve(".claude") : (env.CLAUDE_CONFIG_DIR ?? path.join(homedir(), ".claude")),
		"skills",
		"tamp",
	);

/** What an earlier installation wrote; undefined if there is none. @param {string} folder */
async function noteOf(folder) {
	const text = await readFile(path.join(folder, NOTE), "utf8").catch(() => undefined);
	return text === undefined
		? undefined
		: /** @type {{ created: string[], files: Record<string, string> }} */ (JSON.parse(text));
}

/**
 * Installs the plugin, also over an earlier version of it.
 * @param {string} folder
 * @returns {Promise<string>} what was done, in lines for people
 */
export async function install(folder) {
	const source = fileURLToPath(new URL("claude-code", HOME));
	const wasm = path.join("hooks", "tamp.wasm");
	const names = [...(await filesIn(source)).filter((name) => name !== wasm), wasm];
	if (!names.includes(path.join("hooks", "tamp.js"))) missing("claude-code/hooks/tamp.js");
	const before = await noteOf(folder);
	if (!before && existsSync(folder)) throw new Error(`cannot install: ${folder} is there, and not from this command`);
	if (before) await removeFiles(folder, before.files);
	const created = before?.created ?? [];
	for (let at = folder; !existsSync(at); at = path.dirname(at)) created.push(at);
	/** @type {Record<string, string>} */
	const files = {};
	for (const name of names) {
		const bytes = await readFile(name === wasm ? new URL("tamp.wasm", HOME) : path.join(source, name));
		await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
		await writeFile(path.join(folder, name), bytes);
		files[name] = digestOf(bytes);
	}
	await writeFile(path.join(folder, NOTE), `${JSON.stringify({ created, files }, null, 2)}\n`);
	return [
		`wrote ${names.length + 1} files to ${folder}; nothing else was changed`,
		"Claude Code (2.1.287 or later) loads them at its next start: its compactions are Tamp's, without a model",
		"commands: /tamp:preview, /tamp:undo, /tamp:lost, /tamp:pin; take it away with the same command and --remove",
	].join("\n");
}

/**
 * Takes the plugin away: the folder is as it was before the installation.
 * @param {string} folder
 */
export async function remove(folder) {
	const note = await noteOf(folder);
	if (!note) throw new Error(`cannot remove: there is no plugin of this command in ${folder}`);
	const own = new Set([...Object.keys(note.files), NOTE]);
	const other = (await filesIn(folder)).find((name) => !own.has(name));
	if (other) throw new Error(`cannot remove: ${path.join(folder, other)} is not from this command`);
	await removeFiles(folder, note.files);
	await rm(path.join(folder, NOTE));
	await rmdir(folder);
	for (const one of note.created.filter((name) => name !== folder)) {
		if ((await readdir(one).catch(() => ["gone"])).length === 0) await rmdir(one);
	}
	return `removed ${folder}`;
}

/** Removes the files of an installation, and the folders that are empty then. @param {string} folder @param {Record<string, string>} files */
async function removeFiles(folder, files) {
	const changed = [];
	for (const [name, digest] of Object.entries(files)) {
		const bytes = await readFile(path.join(folder, name)).catch(() => undefined);
		if (bytes && digestOf(bytes) !== digest) changed.push(name);
	}
	if (changed.length > 0) throw new Error(`cannot remove ${path.join(folder, changed[0] ?? "")}: it was changed`);
	for (const name of Object.keys(files)) await rm(path.join(folder, name), { force: true });
	for (const name of new Set(Object.keys(files).map((name) => path.dirname(name)))) {
		if (name !== ".") await rmdir(path.join(folder, name)).catch(() => {});
	}
}
