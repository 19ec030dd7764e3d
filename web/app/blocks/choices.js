// This file holds what the user chose for single blocks: keep them, or remove them. Both go to the engine, which archives
// what is removed and keeps pairs whole.

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {"keep" | "drop"} Choice */
/** @typedef {"block" | "message" | "turn" | "above"} Scope */
/** @typedef {{message: number, block: number}} Ref */

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
			const key = keyOf(one);
			if (this.of.get(key) === (choice ?? undefined)) continue;
			if (choice) this.of.set(key, choice);
			else this.of.delete(key);
			changed++;
		}
		return changed;
	}

	/** As the engine takes them; nothing if nothing is chosen. @returns {{keep?: Ref[], drop?: Ref[]}} */
	given() {
		/** @type {Record<Choice, Ref[]>} */
		const lists = { keep: [], drop: [] };
		for (const [key, choice] of this.of) {
			const [message, block] = key.split("/").map(Number);
			lists[choice].push({ message, block });
		}
		return {
			...(lists.keep.length > 0 ? { keep: lists.keep } : {}),
			...(lists.drop.length > 0 ? { drop: lists.drop } : {}),
		};
	}
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
