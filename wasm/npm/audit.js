// This file has the parts of `tamp audit` besides the engine: the files below a folder, totals, and the table.

import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";

/** @typedef {import("./index.js").Audit & { file: string }} Session */
/** @typedef {{ file: string, reason: string }} Unread */
/** @typedef {{ name: string, sessions: number, calls: number, cost: number, saved: number }} Total */
/** @typedef {{ cause: string, calls: number, tokens: number, cost: number }} Cause */
/** @typedef {{ sessions: Session[], causes: Cause[], days: Total[], projects: Total[], unread: Unread[] }} Ranked */

/** The extensions of session logs and request bodies. Other files are not read, and not listed. */
const EXTENSIONS = new Set([".json", ".jsonl", ".ndjson"]);

/**
 * Lists the files below a folder, or the file itself. Symbolic links are not followed, so that no cycle can occur.
 * @param {string} folder
 * @returns {Promise<{ files: string[], unread: Unread[] }>}
 */
export async function filesBelow(folder) {
	/** @type {string[]} */
	const files = [];
	/** @type {Unread[]} */
	const unread = [];
	if (!(await stat(folder)).isDirectory()) return { files: [folder], unread };
	const folders = [folder];
	for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
		let entries;
		try {
			entries = await readdir(at, { withFileTypes: true });
		} catch (thrown) {
			unread.push({ file: at, reason: /** @type {Error} */ (thrown).message });
			continue;
		}
		for (const entry of entries) {
			const path = join(at, entry.name);
			if (entry.isDirectory()) folders.push(path);
			else if (entry.isFile() && EXTENSIONS.has(extname(entry.name))) files.push(path);
		}
	}
	return { files: files.sort(), unread };
}

/**
 * Sorts the sessions by the money that compaction would have saved or cost, and sums them up.
 * @param {Session[]} sessions
 * @param {Unread[]} unread
 * @returns {Ranked}
 */
export function rank(sessions, unread) {
	const byFile = (/** @type {{ file: string }} */ a, /** @type {{ file: string }} */ b) => (a.file < b.file ? -1 : 1);
	sessions.sort((a, b) => Math.abs(b.saved) - Math.abs(a.saved) || byFile(a, b));
	/** @type {Map<string, Cause>} */
	const causes = new Map();
	for (const { breaks } of sessions) {
		for (const { cause, calls, tokens, cost } of breaks) {
			const sum = causes.get(cause) ?? { cause, calls: 0, tokens: 0, cost: 0 };
			causes.set(cause, { cause, calls: sum.calls + calls, tokens: sum.tokens + tokens, cost: sum.cost + cost });
		}
	}
	return {
		sessions,
		causes: [...causes.values()].sort((a, b) => b.cost - a.cost),
		days: totals(sessions, ({ start }) => (start ? new Date(start).toISOString().slice(0, 10) : "no date")),
		projects: totals(sessions, ({ project }) => project || "no project"),
		unread: unread.sort(byFile),
	};
}

/**
 * @param {Session[]} sessions
 * @param {(session: Session) => string} nameOf
 * @returns {Total[]}
 */
function totals(sessions, nameOf) {
	/** @type {Map<string, Total>} */
	const all = new Map();
	for (const session of sessions) {
		const name = nameOf(session);
		const sum = all.get(name) ?? { name, sessions: 0, calls: 0, cost: 0, saved: 0 };
		all.set(name, {
			name,
			sessions: sum.sessions + 1,
			calls: sum.calls + session.calls,
			cost: sum.cost + session.cost,
			saved: sum.saved + session.saved,
		});
	}
	return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Millionths of a dollar as dollars. @param {number} millionths */
const dollars = (millionths) => `${millionths < 0 ? "-" : ""}$${(Math.abs(millionths) / 1e6).toFixed(2)}`;

/** The sessions that the text lists; --json has all of them. */
const LISTED = 20;

/**
 * The result as text.
 * @param {Ranked} ranked
 */
export function report({ sessions, causes, days, projects, unread }) {
	const sum = (/** @type {(session: Session) => number} */ of) => sessions.reduce((all, one) => all + of(one), 0);
	const lines = [
		`${sessions.length} sessions, ${sum((s) => s.calls)} calls, ${dollars(sum((s) => s.cost))}. ` +
			`Compaction would have saved ${dollars(sum((s) => s.saved))}. System prompts and tools: ` +
			`${dollars(sum((s) => s.fixedCost))}.`,
	];
	if (sessions.some(({ priced }) => !priced)) {
		lines.push("* The price of the model is not known; assumed is that of a mid-range model.");
	}
	lines.push("", "     saved       cost  calls  session");
	for (const { file, saved, cost, calls, priced } of sessions.slice(0, LISTED)) {
		lines.push(`${cell(saved)} ${cell(cost)} ${String(calls).padStart(6)}  ${file}${priced ? "" : " *"}`);
	}
	if (sessions.length > LISTED) lines.push(`… ${sessions.length - LISTED} more: --json lists them all`);
	lines.push("", "paid again     tokens  calls  cause");
	for (const { cause, cost, tokens, calls } of causes) {
		lines.push(`${cell(cost)} ${String(tokens).padStart(10)} ${String(calls).padStart(6)}  ${cause}`);
	}
	for (const [title, all] of /** @type {[string, Total[]][]} */ ([
		["day", days],
		["project", projects],
	])) {
		lines.push("", `     saved       cost  calls  ${title}`);
		for (const { name, saved, cost, calls } of all) {
			lines.push(`${cell(saved)} ${cell(cost)} ${String(calls).padStart(6)}  ${name}`);
		}
	}
	return [...lines, ...notRead(unread)].join("\n");
}

/** Starts the list of formats in the reason of a file with an unknown format. */
const ACCEPTED = "; accepted are ";

/** Lists the files that could not be read, and the accepted formats once. @param {Unread[]} unread */
function notRead(unread) {
	if (unread.length === 0) return [];
	const formats = unread.find(({ reason }) => reason.includes(ACCEPTED))?.reason.split(ACCEPTED)[1];
	return [
		"",
		`${unread.length} files could not be read:`,
		...unread.map(({ file, reason }) => `  ${file}: ${reason.split(ACCEPTED)[0]}`),
		...(formats ? [`Accepted formats: ${formats}.`] : []),
	];
}

/** @param {number} millionths */
const cell = (millionths) => dollars(millionths).padStart(10);
