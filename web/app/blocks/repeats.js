// This file finds repeats in a session: equal calls, a file that is read again, equal results. It runs in
// text.worker.js; its cost is linear in the size of the texts.

import { inputOf, outputOf } from "../reading/parts.js";

/** @import { Entry } from "../reading/texts.js" */

/**
 * `at`: the rows to go to, in order; `rows`: those and their results; `tokens`: calls and results after the first time;
 * `same`: all results are equal.
 * @typedef {{kind: "call"|"file"|"result", tool: string, what: string, at: number[], rows: number[], tokens: number,
 *   same: boolean}} Repeat
 */

/** @typedef {{index: number, result: number, tool: string, key: string, file: string, what: string}} Call */

const MIN_RESULT_TOKENS = 20; // tokens: a result as short as "ok" is no repeat
const SHORT = 120; // characters of the description of a call
const READS =
	/(^|[_-])(read|view|cat|open)([_-]|$)|^(read|view|cat|open|get)[_-]?file|^Read|NotebookRead|str_replace_based_edit_tool|file_?read/i;
const FILE_KEYS = [
	"file_path",
	"filePath",
	"path",
	"absolute_path",
	"target_file",
	"notebook_path",
	"filename",
	"file",
];
const DESCRIPTIVE_KEYS = ["command", "cmd", "query", "pattern", "url", ...FILE_KEYS];
/** One file printed by the shell, whole or in part. */
const PRINTS =
	/^\s*(?:cat|head|tail|nl|bat|less|sed\s+-n)\s+(?:-\S+\s+|\d+\s+|'[\d,$p]+'\s+|"[\d,$p]+"\s+|[\d,$]+p\s+)*([^\s|;&<>'"`$*?-][^\s|;&<>'"`$*?]*)\s*$/;

/**
 * @param {Entry[]} rows
 * @param {(index: number) => any} read the value of the session at a row
 * @returns {{groups: Repeat[], rows: number[], tokens: number}} largest first; the rows that are repeats, each once,
 *   and their tokens
 */
export function repeatsIn(rows, read) {
	const results = new Map();
	for (const row of rows)
		if (row.kind === "tool_result" && row.id && !results.has(row.id)) results.set(row.id, row.index);
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
		const call = {
			index: row.index,
			result: results.get(row.id) ?? -1,
			tool: row.tool,
			key,
			file: fileOf(row.tool, input),
			what: describe(input, key),
		};
		calls.push(call);
		if (call.result >= 0) callOf.set(call.result, call);
		byCall.add(`${row.tool}\n${key}`, row.index);
		if (call.file) byFile.add(call.file, row.index);
	}
	for (const row of rows) {
		if (row.kind === "tool_result" && row.tokens >= MIN_RESULT_TOKENS)
			byResult.add(textual(outputOf(read(row.index))), row.index);
	}

	const at = new Map(calls.map((call) => [call.index, call]));
	/** The group of equal results, by row. @type {Map<number, number>} */
	const text = new Map();
	for (const [n, list] of byResult.lists().entries()) for (const index of list) text.set(index, n);
	/** The repeat group that covers a row. @type {Map<number, number>} */
	const groupOf = new Map();
	/** @type {Set<number>} */
	const repeated = new Set();
	/** @type {Repeat[]} */
	const groups = [];
	/** @param {Repeat["kind"]} kind @param {number[]} list @param {number[]} excess */
	const addGroup = (kind, list, excess) => {
		const call = kind === "result" ? callOf.get(list[0]) : at.get(list[0]);
		const each = kind === "result" ? list : list.map((index) => at.get(index)?.result ?? -1);
		const first = text.get(each[0]);
		for (const index of list) groupOf.set(index, groups.length);
		for (const index of each) groupOf.set(index, groups.length);
		for (const index of excess) repeated.add(index);
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
	/** Whether one group covers all of them. @param {number[]} list */
	const inOneGroup = (list) =>
		groupOf.has(list[0]) && list.every((index) => groupOf.get(index) === groupOf.get(list[0]));
	const withResults = (/** @type {number[]} */ list) =>
		list.slice(1).flatMap((index) => [index, at.get(index)?.result ?? -1].filter((i) => i >= 0));

	for (const list of byFile.lists()) {
		const key = at.get(list[0])?.key;
		if (!list.every((index) => at.get(index)?.key === key && at.get(index)?.tool === at.get(list[0])?.tool))
			addGroup("file", list, withResults(list));
	}
	for (const list of byCall.lists()) if (!inOneGroup(list)) addGroup("call", list, withResults(list));
	for (const list of byResult.lists()) if (!inOneGroup(list)) addGroup("result", list, list.slice(1));
	groups.sort((a, b) => b.tokens - a.tokens || a.at[0] - b.at[0]);
	return { groups, rows: [...repeated], tokens: [...repeated].reduce((sum, index) => sum + rows[index].tokens, 0) };
}

/** Groups equal texts by a digest of the whole text: JavaScript engines hash long strings by their length only. */
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

	/** The groups with more than one row. @returns {number[][]} */
	lists() {
		return [...this.map.values()]
			.flat()
			.map(({ list }) => list)
			.filter((list) => list.length > 1);
	}
}

/** FNV-1a with the length: a bucket usually holds one text. @param {string} text */
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

/** The file that a call reads, "" if it reads none. @param {string} tool @param {any} input */
function fileOf(tool, input) {
	if (typeof input !== "object" || input === null) return "";
	if (READS.test(tool) && (input.command === undefined || input.command === "view")) {
		const key = FILE_KEYS.find((name) => Object.hasOwn(input, name) && typeof input[name] === "string");
		return key ? input[key] : "";
	}
	const command = Array.isArray(input.command) ? input.command.at(-1) : (input.command ?? input.cmd);
	return typeof command === "string" && command.length < 1000 ? (PRINTS.exec(command)?.[1] ?? "") : "";
}

/** A short description of a call, from its most specific input. @param {any} input @param {string} key */
function describe(input, key) {
	const own = typeof input === "object" && input !== null ? input : {};
	const name =
		DESCRIPTIVE_KEYS.find((one) => Object.hasOwn(own, one) && typeof own[one] === "string") ??
		Object.keys(own).find((one) => typeof own[one] === "string");
	const says = name === undefined ? (key === "{}" ? "without input" : key) : own[name];
	return says.slice(0, SHORT).replace(/\s+/g, " ") + (says.length > SHORT ? "…" : "");
}
