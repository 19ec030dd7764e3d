// This file has which files an audit reads, the ranking and the totals. `tamp audit` has the same in Go (cmd/tamp/audit), which
// would be 28 KB of the wasm; ranked.test.js compares both.

/** @typedef {import("../../npm/index.js").Audit & { file: string }} Audited */
/**
 * @typedef {Omit<Audited, "bills"> & { copies: number }} Session copies: its calls that another session has, too; they
 *   count there, and in no figure but fixed and misses
 */
/** @typedef {{ file: string, reason: string }} Unread */
/** @typedef {{ name: string, sessions: number, calls: number, cost: number, saved: number }} Total */
/** @typedef {{ cause: string, calls: number, tokens: number, cost: number }} Cause */
/** @typedef {{ name: string, sessions: number, cost: number }} Overhead of a tool server */
/**
 * @typedef {{ sessions: Session[], causes: Cause[], servers: Overhead[], days: Total[], projects: Total[], unread:
 *   Unread[], skipped: Unread[] }} Ranked skipped: files that are left out by their names
 */

/** What the names of session logs and request bodies end with, for people. */
const LOG_NAMES = "*.json, *.jsonl, *.ndjson, also with .zst; .aider.chat.history.md";

/** Why a file is left out by its name, or "". @param {string} name */
export function leftOut(name) {
	if (/.\.(json|jsonl|ndjson)(\.zst)?$|(^|[\\/])\.aider\.chat\.history\.md$/.test(name)) return "";
	const [, state] = /.\.jsonl\.(deleted|reset)\b/.exec(name) ?? [];
	if (state === "deleted") return "its agent has deleted the session";
	if (state === "reset") return "its agent has reset the session: it began again in another file";
	return `its name is not that of a session log (${LOG_NAMES})`;
}

/** Why a session is not ranked, or "". @param {{ calls: number }} audited */
export const emptiness = ({ calls }) => (calls === 0 ? "the conversation has no model call" : "");

/**
 * Sorts the sessions by the money that compaction would have saved or cost, and sums them up.
 * @param {Audited[]} audited
 * @param {Unread[]} unread
 * @param {Unread[]} [skipped]
 * @returns {Ranked}
 */
export function rank(audited, unread, skipped = []) {
	const sessions = withoutCopies(audited).map(({ session: { bills, ...session }, own, copies }) =>
		copies > 0 ? partOf(session, own, copies) : { ...session, copies },
	);
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

/**
 * Counts each call once: forks, resumed sessions and copies of a log repeat it. It belongs to the session that was forked
 * least, of those to the one that began first, then to the one that ended first.
 * @template {Audited} T
 * @param {T[]} all
 * @returns {{ session: T, own: T["bills"], copies: number }[]} own: the calls that count in a session
 */
function withoutCopies(all) {
	const known = new Set(all.map(({ session }) => session));
	const parents = (/** @type {T} */ one) => (one.forkedFrom ?? []).filter((id) => known.has(id));
	const order = [...all].sort(
		(a, b) =>
			parents(a).length - parents(b).length ||
			(a.start || Number.MAX_SAFE_INTEGER) - (b.start || Number.MAX_SAFE_INTEGER) ||
			(a.end ?? 0) - (b.end ?? 0) ||
			a.bills.length - b.bills.length ||
			(a.file < b.file ? -1 : 1),
	);
	/** The calls so far, by where they can be again and their IDs. @type {Set<string>} */
	const counted = new Set();
	const shares = [];
	for (const session of order) {
		const { session: id = "", forkedFrom: forked = [], bills } = session;
		const keys = (/** @type {string[]} */ places, /** @type {string} */ id) => places.map((place) => `${place} ${id}`);
		// The calls of a session whose log is not here are counted in its first fork.
		const written = [id, ...forked.filter((parent) => !known.has(parent))];
		const own = bills.filter((bill) => !keys([id, ...forked], bill.id).some((key) => counted.has(key)));
		for (const bill of own) for (const key of keys(written, bill.id)) counted.add(key);
		shares.push({ session, own, copies: bills.length - own.length });
	}
	return shares;
}

/**
 * A session with some of its calls only.
 * @param {Omit<Audited, "bills">} session
 * @param {Audited["bills"]} own
 * @param {number} copies
 * @returns {Session}
 */
function partOf(session, own, copies) {
	const all = own.filter(({ kind }) => !kind);
	const sum = (/** @type {(bill: Audited["bills"][number]) => number} */ of) =>
		all.reduce((total, bill) => total + of(bill), 0);
	const apart = (/** @type {string} */ name) => {
		const some = own.filter(({ kind }) => kind === name);
		return { calls: some.length, cost: some.reduce((total, { cost }) => total + cost, 0) };
	};
	const share = session.calls > 0 ? all.length / session.calls : 0;
	const [cost, compacted] = [sum((bill) => bill.cost), sum((bill) => bill.compacted)];
	return {
		...session,
		copies,
		calls: all.length,
		cost,
		compacted,
		saved: cost - compacted,
		overWindow: sum(({ overWindow }) => Number(overWindow ?? false)),
		fixedCost: Math.round(session.fixedCost * share),
		servers: session.servers.map((server) => ({ ...server, cost: Math.round(server.cost * share) })),
		breaks: breaksOf(all),
		subagents: apart("subagent"),
		branches: apart("branch"),
	};
}

/** What some calls paid again, by cause. @param {Audited["bills"]} bills */
function breaksOf(bills) {
	/** @type {Map<string, Cause>} */
	const causes = new Map();
	for (const { breaks = [] } of bills) {
		for (const { cause, tokens, cost } of breaks) {
			const sum = causes.get(cause) ?? { cause, calls: 0, tokens: 0, cost: 0 };
			causes.set(cause, { cause, calls: sum.calls + 1, tokens: sum.tokens + tokens, cost: sum.cost + cost });
		}
	}
	return [...causes.values()].sort((a, b) => b.cost - a.cost);
}

/** The day of the first call, in UTC. @param {Pick<Session, "start">} session */
export const dayOf = ({ start }) => (start ? new Date(start).toISOString().slice(0, 10) : "no date");

/** @param {Pick<Session, "project">} session */
export const projectOf = ({ project }) => project || "no project";

/**
 * @template {{ calls: number, cost: number, saved: number }} T
 * @param {T[]} sessions
 * @param {(session: T) => string} nameOf
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
