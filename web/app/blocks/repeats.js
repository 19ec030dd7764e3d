// This file finds what a session says twice: the same call again, the same file read again, the same result again. It works in the
// worker of the texts, and its cost is linear in them.

import { inputOf, outputOf } from "../reading/parts.js";

/** @typedef {import("../reading/texts.js").Entry} Entry */

/**
 * `at` are rows to go to, in order, `rows` those and their results; `tokens` is what came after the first time, call and result; `same`: each time the same result.
 * @typedef {{kind: "call"|"file"|"result", tool: string, what: string, at: number[], rows: number[], tokens: number, same: boolean}} Repeat
 */

/** @typedef {{index: number, result: number, tool: string, key: string, file: string, what: string}} Call */

const TRIFLE = 20; // tokens: a result as short as "ok" says nothing by coming again
const SHORT = 120; // characters that tell one call from another
const READS = /(^|[_-])(read|view|cat|open)([_-]|$)|^(read|view|cat|open|get)[_-]?file|^Read|NotebookRead|str_replace_based_edit_tool|file_?read/i;
const FILE_KEYS = ["file_path", "filePath", "path", "absolute_path", "target_file", "notebook_path", "filename", "file"];
const TELLING = ["command", "cmd", "query", "pattern", "url", ...FILE_KEYS];
/** One file printed by the shell, whole or in part. */
const PRINTS = /^\s*(?:cat|head|tail|nl|bat|less|sed\s+-n)\s+(?:-\S+\s+|\d+\s+|'[\d,$p]+'\s+|"[\d,$p]+"\s+|[\d,$]+p\s+)*([^\s|;&<>'"`$*?-][^\s|;&<>'"`$*?]*)\s*$/;

/**
 * @param {Entry[]} rows
 * @param {(index: number) => any} read what the session holds at a row
 * @returns {{groups: Repeat[], rows: number[], tokens: number}} largest first; the rows that are repeats, each once, and their tokens
 */
export function repeatsIn(rows, read) {
	const results = new Map();
	for (const row of rows) if (row.kind === "tool_result" && row.id && !results.has(row.id)) results.set(row.id, row.index);
	/** @type {Call[]} */
	const calls = [];
	const byCall = new Buckets();
	const byFile = new Buckets();
	const byResult = new Buckets();
	/** @type {Map<number, Call>} */
	const callOf = new Map();
	for (const row of rows) {
		if (row.kind !== "tool_use") continue;
		const input = inputOf(read(row.index));
		const key = textual(input);
		const call = { index: row.index, result: results.get(row.id) ?? -1, tool: row.tool, key, file: fileOf(row.tool, input), what: tell(input, key) };
		calls.push(call);
		if (call.result >= 0) callOf.set(call.result, call);
		byCall.add(`${row.tool}\n${key}`, row.index);
		if (call.file) byFile.add(call.file, row.index);
	}
	for (const row of rows) {
		if (row.kind === "tool_result" && row.tokens >= TRIFLE) byResult.add(textual(outputOf(read(row.index))), row.index);
	}

	const at = new Map(calls.map((call) => [call.index, call]));
	/** Which group of results a row is in. @type {Map<number, number>} */
	const text = new Map();
	byResult.lists().forEach((list, n) => list.forEach((index) => text.set(index, n)));
	/** Rows that a group speaks of already. @type {Map<number, number>} */
	const spoken = new Map();
	/** @type {Set<number>} */
	const again = new Set();
	/** @type {Repeat[]} */
	const groups = [];
	/** @param {Repeat["kind"]} kind @param {number[]} list @param {number[]} excess */
	const tellGroup = (kind, list, excess) => {
		const call = kind === "result" ? callOf.get(list[0]) : at.get(list[0]);
		const each = kind === "result" ? list : list.map((index) => at.get(index)?.result ?? -1);
		const first = text.get(each[0]);
		for (const index of list) spoken.set(index, groups.length);
		for (const index of each) spoken.set(index, groups.length);
		for (const index of excess) again.add(index);
		groups.push({
			kind,
			tool: call?.tool ?? rows[list[0]].tool,
			what: kind === "file" ? (call?.file ?? "") : (call?.what ?? ""),
			at: list,
			rows: [...new Set([...list, ...each.filter((index) => index >= 0)])].sort((a, b) => a - b),
			tokens: excess.reduce((sum, index) => sum + rows[index].tokens, 0),
			same: first !== undefined && each.every((index) => text.get(index) === first),
		});
	};
	/** Whether one group speaks of all of them. @param {number[]} list */
	const told = (list) => spoken.has(list[0]) && list.every((index) => spoken.get(index) === spoken.get(list[0]));
	const withResults = (/** @type {number[]} */ list) => list.slice(1).flatMap((index) => [index, at.get(index)?.result ?? -1].filter((i) => i >= 0));

	for (const list of byFile.lists()) {
		const key = at.get(list[0])?.key;
		if (!list.every((index) => at.get(index)?.key === key && at.get(index)?.tool === at.get(list[0])?.tool)) tellGroup("file", list, withResults(list));
	}
	for (const list of byCall.lists()) if (!told(list)) tellGroup("call", list, withResults(list));
	for (const list of byResult.lists()) if (!told(list)) tellGroup("result", list, list.slice(1));
	groups.sort((a, b) => b.tokens - a.tokens || a.at[0] - b.at[0]);
	return { groups, rows: [...again], tokens: [...again].reduce((sum, index) => sum + rows[index].tokens, 0) };
}

/** Equal texts together, by a digest of the whole text: engines hash long strings by their length alone. */
class Buckets {
	constructor() {
		/** @type {Map<string, {text: string, list: number[]}[]>} */
		this.map = new Map();
	}

	/** @param {string} text @param {number} index */
	add(text, index) {
		const key = digest(text);
		const bucket = this.map.get(key);
		const group = bucket?.find((one) => one.text === text);
		if (group) group.list.push(index);
		else if (bucket) bucket.push({ text, list: [index] });
		else this.map.set(key, [{ text, list: [index] }]);
	}

	/** Those that came more than once. @returns {number[][]} */
	lists() {
		return [...this.map.values()].flat().map(({ list }) => list).filter((list) => list.length > 1);
	}
}

/** FNV-1a with the length: a bucket holds one text as a rule. @param {string} text */
function digest(text) {
	let sum = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
	return `${text.length} ${sum}`;
}

/** @param {any} value */
function textual(value) {
	if (typeof value === "string") return value;
	try {
		return JSON.stringify(value) ?? "";
	} catch {
		return ""; // nested too deeply to be compared
	}
}

/** The file that a call reads, "" where it reads none. @param {string} tool @param {any} input */
function fileOf(tool, input) {
	if (typeof input !== "object" || input === null) return "";
	if (READS.test(tool) && (input.command === undefined || input.command === "view")) {
		const key = FILE_KEYS.find((name) => Object.hasOwn(input, name) && typeof input[name] === "string");
		return key ? input[key] : "";
	}
	const command = Array.isArray(input.command) ? input.command.at(-1) : (input.command ?? input.cmd);
	return typeof command === "string" && command.length < 1000 ? (PRINTS.exec(command)?.[1] ?? "") : "";
}

/** What tells this call from another, in a few words. @param {any} input @param {string} key */
function tell(input, key) {
	const own = typeof input === "object" && input !== null ? input : {};
	const name = TELLING.find((one) => Object.hasOwn(own, one) && typeof own[one] === "string") ?? Object.keys(own).find((one) => typeof own[one] === "string");
	const says = name === undefined ? (key === "{}" ? "without input" : key) : own[name];
	return says.slice(0, SHORT).replace(/\s+/g, " ") + (says.length > SHORT ? "…" : "");
}
