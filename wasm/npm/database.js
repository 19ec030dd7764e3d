// This file reads the sessions of agents that keep them in a database (SQLite), as documents that the engine reads. It
// needs node:sqlite, which Node has since version 22.5.

import { basename } from "node:path";

/** Whether a file is a database of opencode, by its name. @param {string} file */
export const isDatabase = (file) => /^opencode(-[\w.]+)?\.db$/.test(basename(file));

/** What each SQLite database begins with. */
const MAGIC = Buffer.from("SQLite format 3\0");

/** Whether a file is a database, by its first bytes. @param {Uint8Array} head */
export const isSQLite = (head) => MAGIC.equals(head.subarray(0, MAGIC.length));

/** What to do with a database where it cannot be read. */
export const ADVICE =
	"it is a SQLite database: tamp usage and tamp audit read that of opencode with Node 22.5 and later; " +
	"else give what `opencode export SESSION > FILE` writes";

/**
 * The sessions in a database of opencode, each as `opencode export` writes it, the oldest first. Nothing is written.
 * @param {string} file
 * @returns {Promise<{ id: string, read: () => Uint8Array }[]>}
 */
export async function sessionsOf(file) {
	/** @type {any} */
	const sqlite = await import("node:sqlite").catch(() => null);
	if (!sqlite) throw new Error(ADVICE);
	const database = new sqlite.DatabaseSync(file, { readOnly: true });
	const columns = (/** @type {string} */ table) =>
		new Set(database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all().map((/** @type {any} */ c) => c.name));
	for (const [table, names] of [
		["session", ["id", "directory"]],
		["message", ["id", "session_id", "data", "time_created"]],
		["part", ["id", "message_id", "data"]],
	]) {
		const has = columns(/** @type {string} */ (table));
		if (/** @type {string[]} */ (names).some((name) => !has.has(name)))
			throw new Error("it is a SQLite database, but not one of opencode");
	}
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
