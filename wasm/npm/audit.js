// This file has the parts of `tamp audit` and `tamp usage` that need Node: the logs below a folder, and the report as
// text.

import { existsSync, readFileSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { ADVICE, isDatabase, isSQLite, sessionsOf } from "./database.js";
import { withUsage } from "./grok.js";
import { loadInWorker, TampError } from "./index.js";
import { emptiness, factorsIn, LOG_NAMES, leftOut, MAX_FILE, reasonsOf, refusalOf } from "./rank.js";
import { unpacked } from "./unpack.js";

/** @typedef {import("./rank.js").Session} Session */
/** @typedef {import("./rank.js").Unread} Unread */
/** @typedef {import("./rank.js").Ranked} Ranked */

/** The agents that have other files next to their sessions, by the names of both. */
const SESSIONS = [
	{ title: "Kimi Code", folder: ".kimi-code", name: "wire.jsonl", file: /^wire\.jsonl$/ },
	{ title: "Copilot CLI", folder: ".copilot", name: "events.jsonl", file: /^events\.jsonl$/ },
	{ title: "Grok CLI", folder: ".grok", name: "chat_history.jsonl", file: /^chat_history\.jsonl$/ },
	{
		title: "Cline",
		folder: ".cline",
		name: "*.messages.json",
		file: /\.messages\.json$|^api_conversation_history\.json$/,
	},
];

/**
 * Lists the files below a folder, or the file itself. Symbolic links to folders are not followed, so that no cycle can
 * occur; links to files outside of the folder are.
 * @param {string} folder
 * @returns {Promise<{ files: string[], unread: Unread[], skipped: Unread[] }>} skipped: left out by their names
 */
export async function filesBelow(folder) {
	/** @type {string[]} */
	const files = [];
	/** @type {Unread[]} */
	const unread = [];
	/** @type {Unread[]} */
	const skipped = [];
	const root = await stat(folder).catch((thrown) => {
		throw new Error(`cannot read ${folder}: ${thrown.message}`);
	});
	if (!root.isDirectory()) return { files: [folder], unread, skipped };
	const link = async (/** @type {string} */ path, /** @type {boolean} */ log) => {
		try {
			const target = await stat(path);
			if (target.isDirectory()) unread.push({ file: path, reason: "symbolic links to folders are not followed" });
			else if (log && target.isFile() && !(await realpath(path)).startsWith(inside)) files.push(path);
		} catch (thrown) {
			if (log) unread.push({ file: path, reason: reasonOf(path, thrown) });
		}
	};
	const folders = [folder];
	const inside = (await realpath(folder)) + sep;
	for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
		let entries;
		try {
			entries = await readdir(at, { withFileTypes: true });
		} catch (thrown) {
			unread.push({ file: at, reason: reasonOf(at, thrown) });
			continue;
		}
		for (const entry of entries) {
			const path = join(at, entry.name);
			if (entry.isDirectory()) folders.push(path);
			else if (entry.isSymbolicLink()) await link(path, !leftOut(entry.name));
			else if (leftOut(entry.name) && !isDatabase(path)) skipped.push({ file: path, reason: leftOut(entry.name) });
			else if (entry.isFile()) files.push(path);
			else unread.push({ file: path, reason: "it is neither a file nor a folder" });
		}
	}
	const known = new Set(files);
	const own = files.filter((path) => {
		const isPart =
			/^(wire|context_\d+)\.jsonl$/.test(basename(path)) && known.has(join(dirname(path), "context.jsonl"));
		const agent = SESSIONS.find(({ folder }) => path.includes(`${sep}${folder}${sep}`));
		if (agent && !agent.file.test(basename(path))) {
			skipped.push({ file: path, reason: `it is no session: ${agent.title} has those in ${agent.name}` });
			return false;
		}
		if (isPart) skipped.push({ file: path, reason: "its calls are counted with context.jsonl next to it" });
		return !isPart;
	});
	return { files: own.sort(), unread, skipped };
}

/**
 * The content of a log. readFile would take six times the processor time: it reads parts in other threads.
 * @param {string} file
 */
async function readLog(file) {
	const refusal = refusalOf((await stat(file)).size);
	if (refusal) throw new Error(refusal);
	const bytes = readFileSync(file);
	if (isSQLite(bytes)) throw new Error(ADVICE);
	return unpacked(bytes, MAX_FILE);
}

/**
 * The logs in a file: itself, or the sessions of a database.
 * @param {string} file
 * @param {(file: string) => Promise<Uint8Array>} read
 * @returns {Promise<{ file: string, read: () => Uint8Array | Promise<Uint8Array> }[]>}
 */
async function logsOf(file, read) {
	if (!isDatabase(file)) return [{ file, read: () => contentOf(file, read) }];
	return (await sessionsOf(file)).map(({ id, read }) => ({ file: `${file}#${id}`, read }));
}

/**
 * The content of a log. That of a context of Kimi CLI has the usage of its calls, which is in the file next to it.
 * @param {string} file
 * @param {(file: string) => Promise<Uint8Array>} read
 */
async function contentOf(file, read) {
	const content = await read(file);
	const updates = join(dirname(file), "updates.jsonl");
	if (basename(file) === "chat_history.jsonl" && existsSync(updates)) {
		return Buffer.from(withUsage(Buffer.from(content).toString(), Buffer.from(await read(updates)).toString()));
	}
	const wire = join(dirname(file), "wire.jsonl");
	if (basename(file) !== "context.jsonl" || !existsSync(wire)) return content;
	return Buffer.concat([content, Buffer.from("\n"), await read(wire)]);
}

/**
 * Asks the engine about each log, in threads.
 * @template {{ calls: number }} T
 * @param {{ files: string[], unread: Unread[], skipped: Unread[] }} found
 * @param {(engine: import("./index.js").AsyncEngine, conversation: Uint8Array) => Promise<T>} ask
 * @param {object} [options]
 * @param {number} [options.threads]
 * @param {(file: string) => Promise<Uint8Array>} [options.read]
 * @param {() => Promise<import("./index.js").AsyncEngine>} [options.load]
 * @param {AbortSignal} [options.signal]
 */
export async function readLogs(found, ask, { threads = 1, read = readLog, load = loadInWorker, signal } = {}) {
	const { files, skipped } = found;
	const unread = [...found.unread];
	/** @type {(T & { file: string })[]} */
	const results = [];
	let next = 0;
	let done = 0;
	/** One thread: reads one file after another, so its memory is that of the largest file. */
	const work = async () => {
		const engine = await load();
		const end = () => engine.terminate();
		signal?.addEventListener("abort", end);
		try {
			for (let file = files[next++]; file !== undefined; file = files[next++]) {
				signal?.throwIfAborted();
				/** @type {Awaited<ReturnType<typeof logsOf>>} */
				let logs = [];
				try {
					logs = await logsOf(file, read);
				} catch (thrown) {
					unread.push({ file, reason: reasonOf(file, thrown) });
				}
				for (const log of logs) {
					try {
						const result = await ask(engine, await log.read());
						if (emptiness(result)) throw new Error(emptiness(result));
						results.push({ file: log.file, ...result });
					} catch (thrown) {
						signal?.throwIfAborted();
						if (thrown instanceof TampError && thrown.code === "bad_policy") throw thrown;
						unread.push({ file: log.file, reason: reasonOf(log.file, thrown) });
					}
				}
				progress(++done, files.length);
			}
		} finally {
			signal?.removeEventListener("abort", end);
			end();
		}
	};
	await Promise.all(Array.from({ length: Math.min(threads, Math.max(files.length, 1)) }, work));
	return { results, unread, skipped };
}

/** @param {number} done @param {number} of */
function progress(done, of) {
	if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} files${done === of ? "\n" : ""}`);
}

/** The databases of the projects that Crush lists, each in a folder of its own. @param {string} file */
function crushDatabases(file) {
	if (!existsSync(file)) return [];
	try {
		const { projects } = JSON.parse(readFileSync(file, "utf8"));
		return projects.map((/** @type {any} */ project) => join(project.data_dir, "crush.db"));
	} catch {
		return []; // it is being written, or has another form
	}
}

/**
 * The folders in which agents write their sessions on this machine, of those that exist.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [home]
 */
export function agentFolders(env, home = homedir()) {
	const claude = env.CLAUDE_CONFIG_DIR?.split(",") ?? [join(home, ".claude"), join(home, ".config", "claude")];
	const codex = env.CODEX_HOME ?? join(home, ".codex");
	const data = env.XDG_DATA_HOME ?? join(home, ".local", "share");
	return [
		...claude.map((folder) => join(folder.trim(), "projects")),
		join(codex, "sessions"),
		join(codex, "archived_sessions"),
		join(home, ".pi", "agent", "sessions"),
		join(home, ".gemini", "tmp"),
		join(home, ".qwen", "projects"),
		join(home, ".kimi", "sessions"),
		join(env.KIMI_CODE_HOME ?? join(home, ".kimi-code"), "sessions"),
		join(data, "opencode", "opencode.db"),
		...crushDatabases(join(env.CRUSH_GLOBAL_DATA ?? join(data, "crush"), "projects.json")),
		join(home, ".copilot", "session-state"),
		join(env.GROK_HOME ?? join(home, ".grok"), "sessions"),
		join(home, ".cline", "data", "sessions"),
	].filter((folder) => existsSync(folder));
}

/**
 * Whether a stream takes colors: a terminal, without NO_COLOR (no-color.org).
 * @param {{ isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} env
 */
export const takesColor = (stream, env) => Boolean(stream.isTTY) && !env.NO_COLOR;

/** Titles in bold, money that compaction would have cost in red. @param {string} line */
function painted(line) {
	if (/^ *(saved|paid again|cost) {2}/.test(line)) return `\u001b[1m${line}\u001b[22m`;
	return line.replace(/^ *-\$[\d.]+/, (money) => `\u001b[31m${money}\u001b[39m`);
}

/**
 * A line for a terminal: names of files and projects may have line breaks and escape sequences.
 * @param {string} line
 */
export function visible(line) {
	const escaped = (/** @type {string} */ c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
	return line.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escaped);
}

/**
 * Why a file could not be read.
 * @param {string} file
 * @param {unknown} thrown
 */
function reasonOf(file, thrown) {
	if (file.includes("\ufffd") && /** @type {NodeJS.ErrnoException} */ (thrown).code === "ENOENT") {
		return "its name is not valid UTF-8: rename it";
	}
	return /** @type {Error} */ (thrown).message;
}

/**
 * The totals of usage as text.
 * @param {import("./rank.js").UsageTotals} totals
 * @param {string} folder
 * @param {keyof import("./rank.js").Periods} [by] whose totals are listed
 * @param {boolean} [color]
 */
export function usageReport(totals, folder, by = "daily", color = false) {
	const { sessions, calls, cost, copies, priced, multipliers, periods, projects, unread, skipped } = totals;
	const lines = [];
	if (sessions === 0) lines.push(`There is no session log below ${folder} (${LOG_NAMES}).`);
	else {
		lines.push(
			`${many(sessions, "session")}, ${many(calls, "call")}, ${dollars(cost)}.`,
			...apartOf(totals),
			...copiesOf(copies),
		);
		if (!priced) lines.push("The price of a model is not known; assumed is that of a mid-range model.");
		lines.push(...factorsOf(multipliers));
	}
	for (const [title, all] of sessions === 0 ? [] : lists(by, periods[by], projects)) {
		lines.push("", `      cost  calls  ${title}`);
		for (const { name, cost, calls } of all) lines.push(`${cell(cost)} ${String(calls).padStart(6)}  ${name}`);
	}
	const text = [...lines, ...notRead(unread), ...notTaken(skipped)].map(visible);
	return (color ? text.map(painted) : text).join("\n");
}

/**
 * The titles of the totals, and the totals.
 * @template T
 * @param {keyof import("./rank.js").Periods} by
 * @param {T[]} period
 * @param {T[]} projects
 * @returns {[string, T[]][]}
 */
const lists = (by, period, projects) => [
	[{ daily: "day", weekly: "week from", blocks: "five hours from" }[by], period],
	["project", projects],
];

/** The calls that are in no other total. @param {{ subagents: import("./rank.js").Apart, branches: import("./rank.js").Apart }} all */
const apartOf = ({ subagents, branches }) =>
	[
		{ ...subagents, what: "of subagents" },
		{ ...branches, what: "on branches that the users left" },
	]
		.filter(({ calls }) => calls > 0)
		.map(({ calls, cost, what }) => `Apart from these: ${many(calls, "call")} ${what}, ${dollars(cost)}.`);

/** @param {number} copies */
const copiesOf = (copies) =>
	copies > 0 ? [`${many(copies, "call")} of forks and copies of a session are counted once.`] : [];

/** @param {import("./index.js").Used["multipliers"]} multipliers */
function factorsOf(multipliers = []) {
	const names = [...new Set(multipliers.map(({ name }) => name))];
	if (names.length === 0) return [];
	const given = names.map((name) => {
		const factors = multipliers.filter((m) => m.name === name).map(({ permille = 1000 }) => permille / 1000);
		return `${name} ${factors.sort((a, b) => b - a).join(" or ")}`;
	});
	return [`The prices are multiplied: ${given.join(", ")}. Models without such a factor keep theirs (1).`];
}

/** Millionths of a dollar as dollars. @param {number} millionths */
const dollars = (millionths) => `${millionths < 0 ? "-" : ""}$${(Math.abs(millionths) / 1e6).toFixed(2)}`;

/** The sessions, and the files that were not read, that the text lists; --json has all of them. */
const LISTED = 20;
const UNREAD = 100;

/** @param {number} n @param {string} word */
const many = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/**
 * The result as text.
 * @param {Ranked} ranked
 * @param {string} folder
 * @param {keyof import("./rank.js").Periods} [by] whose totals are listed
 * @param {boolean} [color]
 */
export function report(ranked, folder, by = "daily", color = false) {
	const { sessions, causes, servers, periods, projects, unread, skipped } = ranked;
	if (sessions.length === 0) {
		return [`There is no session log below ${folder} (${LOG_NAMES}).`, ...notRead(unread), ...notTaken(skipped)]
			.map(visible)
			.join("\n");
	}
	const sum = (/** @type {(session: Session) => number} */ of) => sessions.reduce((all, one) => all + of(one), 0);
	const calls = sum((s) => s.calls);
	const lines = [
		`${many(sessions.length, "session")}, ${many(calls, "call")}, ${dollars(sum((s) => s.cost))}. ` +
			`Compaction would have saved ${dollars(sum((s) => s.saved))}. System prompts and tools: ` +
			`${dollars(sum((s) => s.fixedCost))}.`,
	];
	const apart = (/** @type {"subagents" | "branches"} */ name) => ({
		calls: sum((s) => s[name].calls),
		cost: sum((s) => s[name].cost),
	});
	lines.push(
		...apartOf({ subagents: apart("subagents"), branches: apart("branches") }),
		...copiesOf(sum((s) => s.copies)),
	);
	const names = sum((s) => s.misses.names);
	if (names > 0) {
		const had = names - sum((s) => s.misses.missed);
		const edits = sum((s) => s.misses.edits);
		const percent = Math.floor((Math.floor((had * 1000) / names) + 5) / 10); // as a verdict says it
		const share = had < names ? Math.min(percent, 99) || Number(had > 0) : 100;
		lines.push(
			`Of ${many(names, "name")} that the agents used later, ${had} would have been in the context ` +
				`(${share} %); ${sum((s) => s.misses.calls)} of ${many(calls, "call")} would have missed ` +
				`something${edits > 0 ? `; ${sum((s) => s.misses.lost)} of ${many(edits, "edit")} would have had to read again` : ""}. ` +
				`Reading it again would have cost ${dollars(sum((s) => s.misses.readCost))}.`,
		);
	}
	if (sessions.some(({ priced }) => !priced)) {
		lines.push("* The price of the model is not known; assumed is that of a mid-range model.");
	}
	lines.push(...factorsOf(factorsIn(sessions)));
	const compacted = sessions.filter(({ agent }) => agent && agent.compactions.length > 0);
	if (compacted.length > 0) {
		const all = compacted.reduce((number, { agent }) => number + (agent?.compactions.length ?? 0), 0);
		lines.push(`The agents compacted ${many(all, "time")} themselves, in ${many(compacted.length, "session")}.`);
	}
	const windows = [...new Set(sessions.flatMap(({ agent }) => agent?.window ?? []))].sort((a, b) => a - b);
	if (windows.length > 0) lines.push(`Windows that the agents worked with: ${windows.join(", ")} tokens.`);
	lines.push("", "     saved       cost  calls  session");
	for (const { file, saved, cost, calls, priced } of sessions.slice(0, LISTED)) {
		lines.push(`${cell(saved)} ${cell(cost)} ${String(calls).padStart(6)}  ${file}${priced ? "" : " *"}`);
	}
	if (sessions.length > LISTED) lines.push(`… ${sessions.length - LISTED} more: --json lists them all`);
	if (causes.length > 0) lines.push("", "paid again     tokens  calls  cause");
	for (const { cause, cost, tokens, calls } of causes) {
		lines.push(`${cell(cost)} ${String(tokens).padStart(10)} ${String(calls).padStart(6)}  ${cause}`);
	}
	if (servers.length > 0) lines.push("", "      cost  sessions  tool server, its definitions in each call");
	for (const { name, cost, sessions } of servers) lines.push(`${cell(cost)} ${String(sessions).padStart(9)}  ${name}`);
	for (const [title, all] of lists(by, periods[by], projects)) {
		lines.push("", `     saved       cost  calls  ${title}`);
		for (const { name, saved, cost, calls } of all) {
			lines.push(`${cell(saved)} ${cell(cost)} ${String(calls).padStart(6)}  ${name}`);
		}
	}
	const text = [...lines, ...notRead(unread), ...notTaken(skipped)].map(visible);
	return (color ? text.map(painted) : text).join("\n");
}

/**
 * Lists the files that could not be read: each reason once, in the order of its first file, and the accepted formats
 * once.
 * @param {Unread[]} unread
 */
function notRead(unread) {
	if (unread.length === 0) return [];
	const { files, formats } = reasonsOf(unread);
	return [
		"",
		`${many(unread.length, "file")} could not be read:`,
		...listed(files),
		...(formats ? [`Accepted formats: ${formats}.`] : []),
	];
}

/** Lists the files that were left out, likewise. @param {Unread[]} skipped */
const notTaken = (skipped) =>
	skipped.length === 0 ? [] : ["", `${many(skipped.length, "file")} left out:`, ...listed(skipped)];

/** The first files of each reason. @param {Unread[]} files */
function listed(files) {
	/** @type {Map<string, string[]>} */
	const byReason = new Map();
	for (const { file, reason } of files) {
		const names = byReason.get(reason);
		if (names) names.push(file);
		else byReason.set(reason, [file]);
	}
	const lines = [];
	let room = UNREAD;
	for (const [reason, names] of byReason) {
		const shown = names.slice(0, room);
		room -= shown.length;
		if (names.length === 1) lines.push(shown[0] ? `  ${shown[0]}: ${reason}` : `  1 file: ${reason}`);
		else lines.push(`  ${names.length} files: ${reason}`, ...shown.map((name) => `    ${name}`));
	}
	if (files.length > UNREAD) lines.push(`  … ${files.length - UNREAD} more: --json lists them all`);
	return lines;
}

/** @param {number} millionths */
const cell = (millionths) => dollars(millionths).padStart(10);
