// This file has the parts of an audit that the command and the page share: which files are read, the ranking and the
// totals. It needs neither Node nor the engine.

/** @typedef {import("./index.js").Audit & { file: string }} Session */
/** @typedef {{ file: string, reason: string }} Unread */
/** @typedef {{ name: string, sessions: number, calls: number, cost: number, saved: number }} Total */
/** @typedef {{ cause: string, calls: number, tokens: number, cost: number }} Cause */
/** @typedef {{ name: string, sessions: number, cost: number }} Overhead of a tool server */
/**
 * @typedef {{ sessions: Session[], causes: Cause[], servers: Overhead[], days: Total[], projects: Total[], unread:
 *   Unread[], skipped: Unread[] }} Ranked skipped: files that are left out by their names
 */

/** Larger files are no session logs; reading them would need gigabytes. So is the content of a compressed one. */
export const MAX_FILE = 128_000_000; // bytes

/** What the names of session logs and request bodies end with, for people. */
export const LOG_NAMES = "*.json, *.jsonl, *.ndjson, also with .zst";

/** Why a file is left out by its name, or "". @param {string} name */
export function leftOut(name) {
	if (/.\.(json|jsonl|ndjson)(\.zst)?$/.test(name)) return "";
	const [, state] = /.\.jsonl\.(deleted|reset)\b/.exec(name) ?? [];
	if (state === "deleted") return "its agent has deleted the session";
	if (state === "reset") return "its agent has reset the session: it began again in another file";
	return `its name is not that of a session log (${LOG_NAMES})`;
}

/** Why a file of this size is not read, or "". @param {number} size in bytes */
export function refusalOf(size) {
	if (size === 0) return "the file is empty";
	const megabytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1e6)} MB`;
	return size > MAX_FILE ? `the file has ${megabytes(size)}, at most ${megabytes(MAX_FILE)} are read` : "";
}

/** Why a session is not ranked, or "". @param {{ calls: number }} audited */
export const emptiness = ({ calls }) => (calls === 0 ? "the conversation has no model call" : "");

/**
 * Sorts the sessions by the money that compaction would have saved or cost, and sums them up.
 * @param {Session[]} sessions
 * @param {Unread[]} unread
 * @param {Unread[]} [skipped]
 * @returns {Ranked}
 */
export function rank(sessions, unread, skipped = []) {
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
	/** @type {Map<string, Overhead>} */
	const servers = new Map();
	for (const session of sessions) {
		for (const { name, cost } of session.servers) {
			const sum = servers.get(name) ?? { name, sessions: 0, cost: 0 };
			servers.set(name, { name, sessions: sum.sessions + 1, cost: sum.cost + cost });
		}
	}
	return {
		sessions,
		causes: [...causes.values()].sort((a, b) => b.cost - a.cost),
		servers: [...servers.values()].sort((a, b) => b.cost - a.cost || (a.name < b.name ? -1 : 1)),
		days: totals(sessions, dayOf),
		projects: totals(sessions, projectOf),
		unread: unread.sort(byFile),
		skipped: skipped.sort(byFile),
	};
}

/** The day of the first call, in UTC. @param {Session} session */
export const dayOf = ({ start }) => (start ? new Date(start).toISOString().slice(0, 10) : "no date");

/** @param {Session} session */
export const projectOf = ({ project }) => project || "no project";

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

/** The limits of the engine: hidden tokens; a price, in thousandths of a dollar for a million tokens or permille. */
export const MAX_HIDDEN = 10_000_000;
export const MAX_PRICE = 1_000_000;

/** Starts the list of formats in the reason of a file with an unknown format. */
const ACCEPTED = "; accepted are ";

/**
 * The reasons without the list of accepted formats, and that list once; "" if no file has an unknown format.
 * @param {Unread[]} unread
 */
export function reasonsOf(unread) {
	const formats = unread.find(({ reason }) => reason.includes(ACCEPTED))?.reason.split(ACCEPTED)[1] ?? "";
	return {
		files: unread.map(({ file, reason }) => ({ file, reason: reason.split(ACCEPTED)[0] ?? reason })),
		formats,
	};
}
