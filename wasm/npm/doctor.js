// This file is `tamp doctor`: which agents are on this machine, where Tamp gets a place in each, and the command for it.

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { CLIENTS } from "./clients.js";
import { pluginFolder } from "./plugin.js";

/**
 * @typedef {object} Found
 * @property {string} name
 * @property {string} title
 * @property {string} [program] its path; absent if it is not installed
 * @property {string} [version]
 * @property {string} slot
 * @property {string[]} ready what is set up
 * @property {string[]} logs folders with its sessions
 * @property {string} command
 */

/** The path of a program; undefined if it is on no path. @param {string} name @param {NodeJS.ProcessEnv} env */
function pathOf(name, env) {
	const ends = process.platform === "win32" ? [".exe", ".cmd"] : [""];
	for (const folder of (env["PATH"] ?? "").split(path.delimiter)) {
		for (const end of ends) {
			const file = path.join(folder, name + end);
			try {
				accessSync(file, constants.X_OK);
				return file;
			} catch {}
		}
	}
	return undefined;
}

/** The first line of --version with a number. @param {string} program */
function versionOf(program) {
	const { stdout } = spawnSync(program, ["--version"], {
		encoding: "utf8",
		timeout: 10_000,
		stdio: ["ignore", "pipe", "ignore"],
	});
	return /\d+\.\d+\.\d+\S*/.exec(stdout ?? "")?.[0];
}

/** @param {NodeJS.ProcessEnv} env @returns {Found[]} */
export function examine(env) {
	const home = env["HOME"] ?? homedir();
	return Object.entries(CLIENTS).map(([name, { title, slot, command, folders, bases }]) => {
		const program = pathOf(name, env);
		const version = program && versionOf(program);
		const ready = Object.keys(bases).flatMap((variable) =>
			env[variable] ? [`${variable}=${env[variable]}, which may be a gateway`] : [],
		);
		if (name === "claude") {
			for (const folder of new Set([pluginFolder(false, env), pluginFolder(true, env)])) {
				if (existsSync(path.join(folder, "installed.json"))) ready.unshift(`the plugin in ${folder}`);
			}
		}
		const logs = folders.map((folder) => path.join(home, folder)).filter((folder) => existsSync(folder));
		return {
			name,
			title,
			...(program ? { program } : {}),
			...(version ? { version } : {}),
			slot,
			ready,
			logs,
			command,
		};
	});
}

/** @param {Found[]} found */
export function reportOf(found) {
	const lines = found.flatMap(({ title, program, version, slot, ready, logs, command }) => {
		if (!program && logs.length === 0) return [];
		return [
			`${title} ${program ? `${version ?? "of an unknown version"}, ${program}` : "is not installed, but has logs"}`,
			`  place:  ${slot}`,
			`  set up: ${ready.join("; ") || "no"}`,
			`  logs:   ${logs.join(", ") || "none"}`,
			...(program ? [`  ${ready.length > 0 ? "again" : "do"}:${ready.length > 0 ? "  " : "     "}${command}`] : []),
		];
	});
	const missing = found.filter(({ program, logs }) => !program && logs.length === 0).map(({ title }) => title);
	if (missing.length > 0) lines.push(`not here: ${missing.join(", ")}`);
	return lines.join("\n");
}
