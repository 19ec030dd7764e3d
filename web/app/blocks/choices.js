// This file computes what the user chose for single blocks: keep, remove or summarize them. The engine carries it out: it
// archives what goes and keeps pairs whole.

import { keepIn, keptIn } from "../ui/storage.js";

/** @import { Row } from "./rows.js" */
/** @typedef {"keep" | "drop" | "summarize"} Choice */
/** @typedef {"block" | "message" | "turn" | "above"} Scope */
/** @typedef {Record<string, Choice>} Choices by "message/block" */
/** @typedef {{name: string, blob: Blob}} Named */

const KEY = "tamp-choices";

/** @param {Named} source */
const nameOf = ({ name, blob }) => `${name} ${blob.size}`;

/** @type {{scope: Scope, name: string}[]} */
export const SCOPES = [
	{ scope: "block", name: "this block" },
	{ scope: "message", name: "this message" },
	{ scope: "turn", name: "this turn" },
	{ scope: "above", name: "all above here" },
];

/** @param {Row} row */
export const keyOf = ({ message, position }) => `${message}/${position}`;

/**
 * The choices with one more; the same if it changes none.
 * @param {Choices} of
 * @param {Row} row
 * @param {Scope} scope
 * @param {Row[]} rows all
 * @param {Choice | null} choice null takes the choice back
 */
export function withChoice(of, row, scope, rows, choice) {
	const keys = covered(row, scope, rows)
		.filter((one) => choice !== "summarize" || canSummarize(one))
		.map(keyOf)
		.filter((key) => of[key] !== (choice ?? undefined));
	if (keys.length === 0) return of;
	const next = { ...of };
	for (const key of keys)
		if (choice) next[key] = choice;
		else delete next[key];
	return next;
}

/** Keeps the choices for a reload of this tab. @param {Named} source @param {Choices} of */
export const keep = (source, of) => keepIn(KEY, JSON.stringify([nameOf(source), of]));

/** The choices that this tab had for a session before its reload. @param {Named} source @returns {Choices} */
export function recalled(source) {
	const [name, of] = JSON.parse(keptIn(KEY) ?? "[]");
	return name === nameOf(source) ? of : {};
}

/** As the engine takes them; nothing if nothing is chosen. @param {Choices} of */
export function given(of) {
	/** @type {{[choice in Choice]?: {message: number, block: number}[]}} */
	const lists = {};
	for (const [key, choice] of Object.entries(of)) {
		const [message, block] = key.split("/").map(Number);
		lists[choice] = [...(lists[choice] ?? []), { message, block }];
	}
	return lists;
}

/** Whether the engine takes it: no instructions, nothing of the open tool round. @param {Row} row */
function canSummarize({ role, open }) {
	return role !== "system" && role !== "developer" && !open;
}

/** @param {Row} row @param {Scope} scope @param {Row[]} rows */
function covered(row, scope, rows) {
	const ofMessages = rows.filter(({ message }) => message >= 0);
	if (scope === "block") return row.message >= 0 ? [row] : [];
	if (scope === "message") return ofMessages.filter(({ message }) => message === row.message);
	if (scope === "turn") return ofMessages.filter(({ turn }) => turn === row.turn);
	return ofMessages.filter(({ index }) => index < row.index);
}
