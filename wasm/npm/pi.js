// This file has the adapter for the coding agent pi: an extension, which compacts each request before it is sent, and one
// with the four commands.

import { builtin } from "./builtin.js";
import { commanded } from "./commands.js";
import { folderOf, pinsOf } from "./compaction.js";
import { reason } from "./error.js";
import { LISTS } from "./methods.js";
import { rowsOf } from "./rows.js";

/** @param {import("./index.js").Compactor} tamp */
export function extension(tamp) {
	return (/** @type {any} */ pi) => {
		pi.on("before_provider_request", async (/** @type {any} */ { payload }) =>
			LISTS.some((name) => Array.isArray(payload?.[name])) ? tamp(payload) : undefined,
		);
	};
}

const COMMANDS = {
	preview: "What a compaction by Tamp would remove now; nothing is changed",
	undo: "Brings back the last compaction: the requests alone are compacted, so the session has everything",
	lost: "What compactions removed from this session; a ref reads one back",
	pin: "Keeps a text in the context through every compaction of this session",
};

/**
 * The commands /tamp-preview, /tamp-undo, /tamp-lost and /tamp-pin.
 * @param {import("./index.js").Engine} engine
 */
export function commands(engine) {
	return (/** @type {any} */ pi) => {
		const insert = (/** @type {string} */ content) => pi.sendMessage({ customType: "tamp", content, display: true });
		const machineOf = async (/** @type {any} */ ctx) => {
			const { mkdir, readdir, readFile, writeFile } = await builtin("node:fs/promises");
			const { dirname } = await builtin("node:path");
			return {
				engine: async () => engine,
				session: async () => ({
					log: ctx.sessionManager.getSessionFile() ?? "",
					model: ctx.model?.id ?? "",
					settings: [],
				}),
				read: (/** @type {string} */ path) => readFile(path, "utf8"),
				write: async (/** @type {string} */ path, /** @type {string} */ text) => {
					await mkdir(dirname(path), { recursive: true });
					await writeFile(path, text);
				},
				list: async (/** @type {string} */ path) =>
					(await readdir(path)).map((/** @type {string} */ name) => ({ name })),
				now: () => performance.now(),
				rows: async () => {
					const log = await readFile(ctx.sessionManager.getSessionFile() ?? "", "utf8");
					const made = JSON.parse(String(engine.convert({ conversation: log, to: "anthropic" }).conversation));
					return rowsOf(made.messages ?? made, []);
				},
				insert,
			};
		};
		for (const [name, description] of Object.entries(COMMANDS)) {
			const handler = async (/** @type {string} */ args, /** @type {any} */ ctx) => {
				try {
					ctx.ui.notify(await commanded(name, args ?? "", await machineOf(ctx)), "info");
				} catch (thrown) {
					ctx.ui.notify(`cannot do it: ${reason(thrown)}`, "error");
				}
			};
			pi.registerCommand(`tamp-${name}`, { description, handler });
		}
		// pi's own compaction keeps no such message.
		pi.on("session_compact", async (/** @type {any} */ _, /** @type {any} */ ctx) => {
			const machine = await machineOf(ctx);
			const { log } = await machine.session();
			for (const pin of log ? await pinsOf(machine, folderOf(log)) : []) await insert(pin);
		});
	};
}
