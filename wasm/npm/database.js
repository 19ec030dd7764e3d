// This file reads the sessions of agents that keep them in a database (SQLite), as documents that the engine reads. It
// needs node:sqlite, which Node has since version 22.5.

import { basename } from "node:path";

/** Whether a file is a database of opencode or of Crush, by its name. @param {string} file */
export const isDatabase = (file) => /^(opencode(-[\w.]+)?|crush)\.db$/.test(basename(file));

/** What each SQLite database begins with. */
const MAGIC = Buffer.from("SQLite format 3\0");

/** Whether a file is a database, by its first bytes. @param {Uint8Array} head */
export const isSQLite = (head) => MAGIC.equals(head.subarray(0, MAGIC.length));

/** What to do with a database where it cannot be read. */
export const ADVICE =
	"it is a SQLite database: tamp usage and tamp audit read those of opencode and Crush with Node 22.5 and later; " +
	"else give what `opencode export SESSION > FILE` or `crush session show SESSION --json > FILE` writes";

/**
 * @typedef {{ id: string, read: () => Uint8Array }} Stored a session
 */

/**
 * The sessions in a database, each as its agent writes it as JSON, the oldest first. Nothing is written.
 * @param {string} file
 * @returns {Promise<Stored[]>}
 */
export async function sessionsOf(file) {
	/** @type {any} */
	const sqlite = /** @type {any} */ (process).getBuiltinModule?.("node:sqlite");
	if (!sqlite) throw new Error(ADVICE);
	const database = new sqlite.DatabaseSync(file, { readOnly: true });
	const columns = (/** @type {string} */ table) =>
		new Set(
			database
				.prepare(`SELECT name FROM pragma_table_info('${table}')`)
				.all()
				.map((/** @type {any} */ c) => c.name),
		);
	/** @param {Record<string, string[]>} tables */
	const hasAll = (tables) =>
		Object.entries(tables).every(([table, names]) => {
			const has = columns(table);
			return names.every((name) => has.has(name));
		});
	if (hasAll(OPENCODE)) return ofOpenCode(database);
	if (hasAll(CRUSH)) return ofCrush(database);
	throw new Error("it is a SQLite database, but not one of opencode or of Crush");
}

/** The tables and columns that are read. */
const OPENCODE = {
	session: ["id", "directory"],
	message: ["id", "session_id", "data", "time_created"],
	part: ["id", "message_id", "data"],
};
const CRUSH = {
	sessions: ["id"],
	messages: ["id", "session_id", "role", "parts", "model", "created_at", "is_summary_message"],
};

/**
 * A part of a message as `crush session show` writes it; a command that the user ran, as Crush sends it.
 * @param {{ type: string, data: any }} part
 */
function shown({ type, data }) {
	if (type === "tool_call") return { type, ...data, tool_call_id: data.id };
	if (type !== "shell_command") return { type, ...data };
	return { type: "text", text: `$ ${data.command}\n${data.output}\n(exit code ${data.exit_code})` };
}

/** @param {any} database @returns {Stored[]} */
function ofCrush(database) {
	const messages = database.prepare(
		"SELECT id, role, parts, model, created_at AS created, is_summary_message FROM messages WHERE session_id = ? ORDER BY created_at, rowid",
	);
	return database
		.prepare("SELECT id FROM sessions ORDER BY created_at, id")
		.all()
		.map((/** @type {{ id: string }} */ { id }) => ({
			id,
			read: () => {
				const list = messages.all(id).map((/** @type {any} */ { parts, created, ...rest }) => ({
					...rest,
					created: new Date(created < 1e11 ? created * 1000 : created).toISOString(),
					parts: JSON.parse(parts).map(shown),
				}));
				return Buffer.from(JSON.stringify({ meta: { uuid: id }, messages: list }));
			},
		}));
}

/** @param {any} database @returns {Stored[]} */
function ofOpenCode(database) {
	const messages = database.prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id");
	const parts = database.prepare("SELECT id, data FROM part WHERE message_id = ? ORDER BY id");
	return database
		.prepare("SELECT id, directory FROM session ORDER BY id")
		.all()
		.map((/** @type {{ id: string, directory: string }} */ { id, directory }) => ({
			id,
			read: () => {
				const list = messages.all(id).map((/** @type {{ id: string, data: string }} */ m) => {
					const info = `{"id":${JSON.stringify(m.id)},"sessionID":${JSON.stringify(id)},${m.data.trim().slice(1)}`;
					const own = parts.all(m.id).map((/** @type {{ id: string, data: string }} */ part) => {
						const head = `"id":${JSON.stringify(part.id)},"sessionID":${JSON.stringify(id)},"messageID":${JSON.stringify(m.id)}`;
						return `{${head},${part.data.trim().slice(1)}`;
					});
					return `{"info":${info},"parts":[${own.join(",")}]}`;
				});
				const info = JSON.stringify({ id, directory });
				return Buffer.from(`{"info":${info},"messages":[${list.join(",")}]}`);
			},
		}));
}
