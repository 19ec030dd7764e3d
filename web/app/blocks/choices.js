// This file holds what the user chose for single blocks: keep, remove or summarize them. The engine carries it out: it
// archives what goes and keeps pairs whole.

import { keepIn, keptIn } from "../ui/storage.js";

/** @import { Row } from "./rows.js" */
/** @typedef {"keep" | "drop" | "summarize"} Choice */
/** @typedef {"block" | "message" | "turn" | "above"} Scope */
/** @typedef {{message: number, block: number}} Ref */
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

export class Choices {
	constructor() {
		/** By "message/block". @type {Map<string, Choice>} */
		this.of = new Map();
	}

	/** @param {Row} row */
	at(row) {
		return this.of.get(keyOf(row));
	}

	/**
	 * @param {Row} row
	 * @param {Scope} scope
	 * @param {Row[]} rows all
	 * @param {Choice | null} choice null takes the choice back
	 * @returns {number} the number of blocks that changed
	 */
	put(row, scope, rows, choice) {
		let changed = 0;
		for (const one of covered(row, scope, rows)) {
			if (choice === "summarize" && !canSummarize(one)) continue;
			const key = keyOf(one);
			if (this.of.get(key) === (choice ?? undefined)) continue;
			if (choice) this.of.set(key, choice);
			else this.of.delete(key);
			changed++;
		}
		return changed;
	}

	/** Keeps the choices for a reload of this tab. @param {Named} source */
	keep(source) {
		keepIn(KEY, JSON.stringify([nameOf(source), [...this.of]]));
	}

	/** Takes the choices that this tab had for a session before its reload. @param {Named} source */
	recall(source) {
		const [name, of] = JSON.parse(keptIn(KEY) ?? "[]");
		if (name === nameOf(source)) this.of = new Map(of);
	}

	/** As the engine takes them; nothing if nothing is chosen. @returns {{[choice in Choice]?: Ref[]}} */
	given() {
		/** @type {Record<Choice, Ref[]>} */
		const lists = { keep: [], drop: [], summarize: [] };
		for (const [key, choice] of this.of) {
			const [message, block] = key.split("/").map(Number);
			lists[choice].push({ message, block });
		}
		return Object.fromEntries(Object.entries(lists).filter(([, refs]) => refs.length > 0));
	}
}

/** Whether the engine takes it: no instructions, nothing of the open tool round. @param {Row} row */
function canSummarize({ role, open }) {
	return role !== "system" && role !== "developer" && !open;
}

/** @param {Row} row */
function keyOf({ message, position }) {
	return `${message}/${position}`;
}

/** @param {Row} row @param {Scope} scope @param {Row[]} rows */
function covered(row, scope, rows) {
	const ofMessages = rows.filter(({ message }) => message >= 0);
	if (scope === "block") return row.message >= 0 ? [row] : [];
	if (scope === "message") return ofMessages.filter(({ message }) => message === row.message);
	if (scope === "turn") return ofMessages.filter(({ turn }) => turn === row.turn);
	return ofMessages.filter(({ index }) => index < row.index);
}
