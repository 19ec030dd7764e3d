// This file answers Claude Code's event session.compact: with the compacted messages, or with the reason why the client
// has to compact itself. The originals are saved before the answer. mod.js has the hook.

import { run } from "./compact.js";
import { lean, messagesOf, rowsOf, withoutOpenRound } from "./rows.js";

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {import("./index.js").Engine} Engine */
/**
 * What the hook can do: paths are those of the machine.
 * @typedef {object} Machine
 * @property {() => Promise<Engine>} engine
 * @property {() => Promise<{ log: string, model: string, settings: string[] }>} session log: of the session; settings:
 *   the files that may have them, the most important first
 * @property {(path: string) => Promise<string>} read
 * @property {(path: string, text: string) => Promise<unknown>} write
 * @property {(path: string) => Promise<{ name: string }[]>} list
 * @property {() => number} now in milliseconds
 */

/** The client skips a hook after ten seconds, without a word. */
export const DEADLINE_MS = 5000;

/**
 * @typedef {object} Settings of tamp.json
 * @property {string} [preset] default: balanced
 * @property {Record<string, any>} [policy] what differs from it
 * @property {number} [trim] characters of a tool result above which it is cut as it enters; default: never
 */

/**
 * The settings: those of the project, else those next to the plugin.
 * @param {Pick<Machine, "read">} machine
 * @param {string[]} files
 * @returns {Promise<Settings>}
 */
export async function settingsOf(machine, files) {
	for (const file of files) {
		const text = await machine.read(file).catch(() => undefined);
		if (text === undefined) continue;
		let found;
		try {
			found = JSON.parse(text);
		} catch {}
		const known = ["preset", "policy", "trim"];
		if (!found || typeof found !== "object" || Array.isArray(found)) throw new Error(`${file} is no JSON object`);
		const wrong = Object.keys(found).find((name) => !known.includes(name));
		if (wrong !== undefined) throw new Error(`${file} has ${wrong}, which is none of ${known.join(", ")}`);
		return found;
	}
	return {};
}

/** The folder of a session's originals, next to its log. @param {string} log */
export function folderOf(log) {
	if (!log) throw new Error("the session has no log, next to which the originals would be");
	return `${log.replace(/\.jsonl$/, "")}/tamp`;
}

/** The most that the client reads or writes at once, in bytes. */
const LIMIT = 4 * 2 ** 20;

/** UTF-16 units that have at most LIMIT bytes in UTF-8. */
const PIECE = Math.floor(LIMIT / 3) - 1;

/**
 * The text of a file of any size.
 * @param {(part: { as: "bytes", offset: number, length: number }) => Promise<{ base64: string }>} read
 */
export async function wholeOf(read) {
	const decoder = new TextDecoder();
	let text = "";
	for (let offset = 0, more = true; more; offset += LIMIT) {
		const { base64 } = await read({ as: "bytes", offset, length: LIMIT });
		const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
		more = bytes.length === LIMIT;
		text += decoder.decode(bytes, { stream: more });
	}
	return text;
}

/** @param {Pick<Machine, "read">} machine @param {string} path @returns {Promise<any>} undefined if it is not there */
export async function readJSON(machine, path) {
	const text = await machine.read(path).catch(() => undefined);
	if (text === undefined) return undefined;
	const value = JSON.parse(text);
	if (!value?.pieces) return value;
	const all = [];
	for (let i = 1; i <= value.pieces; i++) all.push(await machine.read(`${path}-${i}`));
	return JSON.parse(all.join(""));
}

/** Writes a value, in pieces if it is long. @param {Pick<Machine, "write">} machine @param {string} path @param {unknown} value */
export async function writeJSON(machine, path, value) {
	const text = JSON.stringify(value);
	if (text.length <= PIECE) return machine.write(path, text);
	let pieces = 0;
	for (let at = 0; at < text.length; ) {
		let end = Math.min(at + PIECE, text.length);
		if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--; // do not split a surrogate pair
		await machine.write(`${path}-${++pieces}`, text.slice(at, end));
		at = end;
	}
	return machine.write(path, JSON.stringify({ pieces }));
}

const NOTHING = "there is nothing that can be removed";

/** Whether a file of a folder has originals of the plugin. @param {string} name */
export const isOriginals = (name) => /^\d+\.originals$/.test(name);

/**
 * Writes the next file of originals, or several if they are long: none is ever written twice.
 * @param {Pick<Machine, "list" | "write">} machine
 * @param {string} folder
 * @param {string} jsonl
 */
export async function saveNext(machine, folder, jsonl) {
	const files = await machine.list(folder).catch(() => []);
	let number = Math.max(0, ...files.map(({ name }) => (isOriginals(name) ? Number.parseInt(name, 10) : 0)));
	let path = "";
	for (let at = 0; at < jsonl.length; ) {
		const last = jsonl.length - at <= PIECE ? jsonl.length : jsonl.lastIndexOf("\n", at + PIECE) + 1;
		const end = last > at ? last : jsonl.indexOf("\n", at) + 1 || jsonl.length;
		path = `${folder}/${++number}.originals`;
		await machine.write(path, jsonl.slice(at, end));
		at = end;
	}
	return path;
}

/**
 * What is kept of a compaction, for each agent of the session.
 * @typedef {{ before: Row[], length: number, end: Row, state: string, undo?: boolean }} Last before: the messages that it
 *   got; length: of its answer; end: the last message of that; undo: the next compaction brings them back
 */

/** Whether a session still has the whole answer of its last compaction: it may have been rewound. @param {Last} last @param {Row[]} rows */
export function goesOn({ length, end }, rows) {
	const row = rows[length - 1];
	return row !== undefined && JSON.stringify(lean(row)) === JSON.stringify(end);
}

/** @param {string} folder @param {string | undefined} agent */
export const lastOf = (folder, agent) => `${folder}/last${agent ? `-${agent.replaceAll(/[^\w-]/g, "_")}` : ""}.json`;

/**
 * Plans a compaction, or does it if there is a save.
 * @param {Engine} engine
 * @param {Row[]} rows
 * @param {{ model: string, settings: Settings, state?: string | undefined, focus?: string | undefined, save: (jsonl: string) => Promise<void> | void,
 *   check?: () => void }} options check throws if it is too late
 */
export async function compacted(engine, rows, { model, settings, state, focus, save, check = () => {} }) {
	const conversation = JSON.stringify({ model, messages: messagesOf(rows) }); // once, not for each call of the engine
	const { total } = engine.count({ conversation, format: "anthropic" });
	const { policy, preset } = settings;
	check();
	const outcome = await run(
		engine,
		{
			conversation,
			...(preset === undefined ? {} : { preset }),
			// The messages are too much for the client now, whatever else its requests have: they are the window.
			policy: { ...policy, trigger: { window: total, ...policy?.trigger } },
			...(state === undefined ? {} : { state }),
			...(focus ? { focus } : {}),
			force: true,
		},
		{ save, quality: false, onWarning: () => {}, signal: /** @type {any} */ ({ throwIfAborted: check }) },
	).catch((thrown) => {
		throw thrown?.code === "context_overflow" ? new Error(NOTHING) : thrown; // what it advises is not for this place
	});
	const { messages } = JSON.parse(outcome.conversation);
	return { ...outcome, messages: rowsOf(messages, rows) };
}

export const REWOUND = "the session was rewound into the last compaction, so that cannot be undone";

/** The texts that the user pinned. @param {Machine} machine @param {string} folder @returns {Promise<string[]>} */
export const pinsOf = async (machine, folder) => (await readJSON(machine, `${folder}/pins.json`)) ?? [];

/**
 * @param {{ messages: Row[], agentId?: string, instructions?: string }} event instructions: behind /compact
 * @param {Machine} machine
 * @returns {Promise<{ messages: Row[], said: string }>} said: one line for the user
 */
export async function compaction({ messages: rows, agentId, instructions }, machine) {
	const start = machine.now();
	const check = () => {
		if (machine.now() - start > DEADLINE_MS) throw new Error(`it took more than ${DEADLINE_MS / 1000} seconds`);
	};
	const { log, model, settings: files } = await machine.session();
	const settings = await settingsOf(machine, files);
	const folder = folderOf(log);
	const file = lastOf(folder, agentId);
	/** @type {Last | undefined} */
	const last = await readJSON(machine, file);
	const pins = agentId === undefined ? await pinsOf(machine, folder) : [];
	const engine = await machine.engine();
	check();
	if (last?.undo && goesOn(last, rows)) {
		const messages = rowsOf(messagesOf([...last.before, ...rows.slice(last.length)]), rows);
		await machine.write(file, "{}");
		return { messages: withoutOpenRound(messages, rows), said: "the messages before the last compaction are back" };
	}
	const outcome = await compacted(engine, rows, {
		model,
		settings,
		state: last?.state,
		focus: instructions,
		check,
		save: async (jsonl) => void (await saveNext(machine, folder, jsonl)),
	});
	if (outcome.after >= outcome.before) throw new Error(NOTHING);
	const messages = withPins(withoutOpenRound(outcome.messages, rows), pins);
	const { problems } = engine.check({ conversation: messagesOf(messages), format: "anthropic" });
	const wrong = problems.find(({ severity }) => severity === "error");
	if (wrong) throw new Error(`the answer would be refused: ${wrong.message} (${wrong.rule} at ${wrong.path})`);
	check();
	const end = lean(/** @type {Row} */ (messages.at(-1)));
	await writeJSON(machine, file, { before: rows.map(lean), length: messages.length, end, state: outcome.state });
	check();
	const said = `${outcome.before} tokens of messages before, ${outcome.after} after; the originals: ${folder}`;
	return { messages, said: last?.undo ? `${REWOUND}; ${said}` : said };
}

/** The answer with each pin that is not in it, behind its first prompt. @param {Row[]} rows @param {string[]} pins */
export function withPins(rows, pins) {
	const missing = pins.filter((pin) => !rows.some(({ role, text }) => role === "user" && text.includes(pin)));
	const made = missing.map((text) => ({ role: "user", text, toolUses: [], toolResults: [] }));
	return [...rows.slice(0, 1), ...made, ...rows.slice(1)];
}

/**
 * A message with each result cut that is longer than the setting `trim` says, or undefined. Its beginning and its end stay.
 * @param {any} message
 * @param {Pick<Machine, "read" | "write" | "list"> & { session: () => Promise<{ log: string, settings: string[] }> }} machine
 */
export async function trimmed(message, machine) {
	const { log, settings } = await machine.session();
	const { trim } = await settingsOf(machine, settings);
	if (trim === undefined) return undefined;
	if (!(Number.isInteger(trim) && trim >= MIN_TRIM))
		throw new Error(`trim must be a whole number of at least ${MIN_TRIM}`);
	const content = Array.isArray(message?.content) ? message.content : [];
	let changed = false;
	const parts = [];
	for (const block of content) {
		const text = block?.type === "tool_result" ? resultText(block.content) : "";
		if (text.length <= trim) {
			parts.push(block);
			continue;
		}
		const path = await saveNext(machine, folderOf(log), `${JSON.stringify({ role: "user", content: [block] })}\n`);
		const cutOf = (/** @type {number} */ left) => `\n[${left} characters are left out; all of it: ${path}]\n`;
		const half = Math.max(0, (trim - cutOf(text.length).length) >> 1); // with the line it is not cut again
		const cut = cutOf(text.length - 2 * half);
		parts.push({ ...block, content: text.slice(0, half) + cut + text.slice(text.length - half) });
		changed = true;
	}
	return changed ? { ...message, content: parts } : undefined;
}

/** The least that `trim` may be: less would leave nothing to work with. */
const MIN_TRIM = 1000;

/** The text of a result; "" if it has anything else, such as a picture. @param {any} content */
function resultText(content) {
	if (typeof content === "string") return content;
	const blocks = Array.isArray(content) ? content : [];
	return blocks.every((block) => block?.type === "text") ? blocks.map(({ text }) => text).join("\n") : "";
}
