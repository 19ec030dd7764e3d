// This file has the four commands of the plugin for Claude Code: preview, undo, lost and pin. mod.js has the hooks.

import { compacted, folderOf, goesOn, lastOf, pinsOf, readJSON, REWOUND, settingsOf, writeJSON } from "./compaction.js";

/**
 * What a command can do; insert: hands a text to the model, in front of the next prompt.
 * @typedef {import("./compaction.js").Machine & { rows: () => Promise<import("./rows.js").Row[]>,
 *   insert: (text: string) => Promise<unknown> }} Commander
 */

/** Blocks that /tamp:lost lists. */
const MAX_LISTED = 15;

/** The first characters of a text, on one line. @param {string} text @param {number} most */
const short = (text, most) => {
	const line = text.replaceAll(/\s+/g, " ").trim();
	return line.length > most ? `${line.slice(0, most)}…` : line;
};

/**
 * The text that a command answers.
 * @param {string} name
 * @param {string} args
 * @param {Commander} machine
 * @returns {Promise<string>}
 */
export async function commanded(name, args, machine) {
	const command = /** @type {Record<string, (args: string, machine: Commander) => Promise<string>>} */ (commands)[name];
	if (!command) throw new Error(`there is no command ${name}`);
	return command(args.trim(), machine);
}

const commands = { preview, undo, lost, pin };

/** @param {string} _ @param {Commander} machine */
async function preview(_, machine) {
	const { log, model, settings: files } = await machine.session();
	const settings = await settingsOf(machine, files);
	const last = await readJSON(machine, lastOf(folderOf(log), undefined));
	const rows = await machine.rows();
	let originals = "";
	const save = (/** @type {string} */ jsonl) => {
		originals += jsonl;
	};
	const engine = await machine.engine();
	const { before, after, messages } = await compacted(engine, rows, { model, settings, state: last?.state, save });
	if (after >= before) return `${before} tokens of messages; nothing can be removed now`;
	const gone = originals.split("\n").filter((line) => line !== "").length;
	const prompts = messages.filter(({ role, text, toolResults }) => role === "user" && text && !toolResults?.length);
	return [
		`${before} tokens of messages now, ${after} after a compaction: it saves ${Math.round((100 * (before - after)) / before)} %`,
		`${gone} messages would be summarized or cleared; their originals would be in ${folderOf(log)}`,
		`${messages.length} messages would stay or be new, ${prompts.length} of them prompts and summaries`,
		"nothing was changed",
	].join("\n");
}

/** @param {string} _ @param {Commander} machine */
async function undo(_, machine) {
	const { log } = await machine.session();
	const file = lastOf(folderOf(log), undefined);
	const last = await readJSON(machine, file);
	if (!last?.before) return "there is no compaction by Tamp in this session that can be undone";
	if (!goesOn(last, await machine.rows())) return REWOUND;
	await writeJSON(machine, file, { ...last, undo: true });
	return `the next compaction brings back the ${last.before.length} messages before the last one, and keeps those since: type /compact`;
}

/** @param {string} args @param {Commander} machine */
async function lost(args, machine) {
	const { log } = await machine.session();
	const text = await machine.read(log);
	const engine = await machine.engine();
	const [, ref] = /^#?([0-9a-f]{16})$/.exec(args) ?? [];
	if (ref !== undefined) {
		const found = engine.lost({ conversation: text, ref }).parts[0];
		if (!found) return `nothing that was removed has the ref ${ref}`;
		await machine.insert(found.text);
		return `${found.text.length} characters are in the context again: ${described(found)}`;
	}
	const { parts, total } = engine.lost({ conversation: text, words: args });
	if (total === 0) {
		return args === ""
			? "no later call needed what compactions removed; with words the command searches all of it"
			: "nothing that was removed has all of these words";
	}
	return [
		...parts.slice(0, MAX_LISTED).map((part) => `${part.ref}  ${described(part)}`),
		...(total > MAX_LISTED ? [`and ${total - MAX_LISTED} more`] : []),
		"with a ref the command reads one back into the context",
	].join("\n");
}

/** One line about a removed block. @param {import("./index.js").RemovedPart} part */
function described({ tool, input, role, text, calls, names }) {
	const what = tool ? `${tool} ${short(input ?? "", 60)}` : role === "user" ? "a prompt" : "an answer";
	const used =
		calls > 0 ? `needed by ${calls} later ${calls === 1 ? "call" : "calls"} (${short(names.join(", "), 60)}); ` : "";
	return `${what}; ${used}${text.length} characters: ${short(text, 60)}`;
}

/** @param {string} args @param {Commander} machine */
async function pin(args, machine) {
	const { log } = await machine.session();
	const folder = folderOf(log);
	const pins = await pinsOf(machine, folder);
	if (args === "") return pins.length > 0 ? pins.join("\n") : "there is no pin: /tamp:pin TEXT sets one";
	if (pins.includes(args)) return "it is pinned already";
	await machine.write(`${folder}/pins.json`, JSON.stringify([...pins, args]));
	await machine.insert(`The user says, for the rest of this session: ${args}`);
	return `it is in the context, and stays there through every compaction (${pins.length + 1} pinned)`;
}
