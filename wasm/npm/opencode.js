// This file has the adapter for the agent opencode: a plugin, which compacts the messages before each request, and one with the
// four commands.

import { builtin } from "./builtin.js";
import { commanded } from "./commands.js";
import { folderOf, pinsOf } from "./compaction.js";
import { reason } from "./error.js";
import { rowsOf } from "./rows.js";

/** @param {import("./index.js").Compactor} tamp */
export function plugin(tamp) {
	return async () => ({
		"experimental.chat.messages.transform": async (
			/** @type {unknown} */ _,
			/** @type {{ messages: any[] }} */ output,
		) => {
			const { messages } = output;
			messages.splice(0, messages.length, ...(await tamp([...messages])));
		},
	});
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
	return async (/** @type {{ client: any }} */ { client }) => {
		/** Adds a text to a session without an answer. @param {string} id @param {object} part */
		const add = async (id, part) => {
			const { error } = await client.session.prompt({
				path: { id },
				body: { noReply: true, parts: [{ type: "text", ...part }] },
			});
			if (error) throw new Error("opencode does not take the text");
		};
		const machineOf = async (/** @type {string} */ id) => {
			const { mkdir, readdir, readFile, writeFile } = await builtin("node:fs/promises");
			const { homedir } = await builtin("node:os");
			const { dirname, join } = await builtin("node:path");
			const data = process.env["XDG_DATA_HOME"] || join(homedir(), ".local/share");
			const log = join(data, "opencode/tamp", id); // no such file: opencode has the messages
			const messages = async () => JSON.stringify((await client.session.messages({ path: { id } })).data);
			return {
				engine: async () => engine,
				session: async () => ({ log, model: "", settings: [] }),
				read: (/** @type {string} */ path) => (path === log ? messages() : readFile(path, "utf8")),
				write: async (/** @type {string} */ path, /** @type {string} */ text) => {
					await mkdir(dirname(path), { recursive: true });
					await writeFile(path, text);
				},
				list: async (/** @type {string} */ path) =>
					(await readdir(path)).map((/** @type {string} */ name) => ({ name })),
				now: () => performance.now(),
				rows: async () => {
					const { conversation } = engine.convert({ conversation: await messages(), to: "anthropic" });
					const made = JSON.parse(String(conversation));
					return rowsOf(made.messages ?? made, []);
				},
				insert: (/** @type {string} */ text) => add(id, { text }),
			};
		};
		return {
			config: async (/** @type {any} */ config) => {
				config.command ??= {};
				for (const [name, description] of Object.entries(COMMANDS)) {
					config.command[`tamp-${name}`] = { description, template: "$ARGUMENTS" };
				}
			},
			"command.execute.before": async (
				/** @type {{ command: string, sessionID: string, arguments: string }} */ input,
			) => {
				const [, name] = /^tamp-(\w+)$/.exec(input.command) ?? [];
				if (name === undefined || !(name in COMMANDS)) return;
				let said;
				try {
					said = await commanded(name, input.arguments ?? "", await machineOf(input.sessionID));
				} catch (thrown) {
					said = `cannot do it: ${reason(thrown)}`;
				}
				await add(input.sessionID, { text: said, ignored: true }); // for the user, not for the model
				throw new Error(`${said.split("\n", 1)[0]} (a command of Tamp makes no request)`);
			},
			// opencode's own compaction keeps no such message.
			event: async (/** @type {{ event: any }} */ { event }) => {
				if (event.type !== "session.compacted") return;
				const id = event.properties.sessionID;
				const machine = await machineOf(id);
				const { log } = await machine.session();
				for (const pin of await pinsOf(machine, folderOf(log))) await machine.insert(pin);
			},
		};
	};
}
