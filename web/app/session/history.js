// This file remembers what the page was before each change, so that every change can be taken back and done again.
// A step is a whole state, not a difference: to go back is to put a state in place, whatever came in between.

/** @typedef {import("../engine/types.js").Answer} Answer */
/** @typedef {import("../engine/types.js").Source} Source */
/** @typedef {import("../policy/policy.js").Chosen} Chosen */

/** @typedef {{source: Source | null, chosen: Chosen, answers: [string, Answer][]}} State */
/** @typedef {{label: string, merge: string, at: number, state: State}} Step what was done, and the state before it (in the future: after it) */

const STEPS = 200; // states share their sources and answers, so a step is small
const SOURCES = 10; // sessions held for going back; each may have many megabytes
const MERGE = 1000; // ms: changes of one value that follow as closely as this are one change

export class History {
	/** @param {{now: () => State, put: (state: State) => void, changed: (undo: string, redo: string) => void}} acts changed: what undo and redo would do now, "" for nothing */
	constructor(acts) {
		this.acts = acts;
		/** @type {Step[]} */
		this.past = [];
		/** @type {Step[]} */
		this.future = [];
		/** @type {State | null} */
		this.present = null;
	}

	/** Where the way back ends. */
	begin() {
		this.present = this.acts.now();
		this.past = [];
		this.future = [];
		this.tell();
	}

	/**
	 * Call after a change.
	 * @param {string} label what was done, as it reads after "Undo: "
	 * @param {string} [merge] changes of this name in a row are one step
	 */
	record(label, merge = "") {
		const state = this.acts.now();
		const before = this.present;
		if (!before?.source) return this.begin();
		if (same(before, state)) return;
		const last = this.past.at(-1);
		const at = Date.now();
		if (merge && last?.merge === merge && this.future.length === 0 && at - last.at < MERGE) last.at = at;
		else this.past.push({ label, merge, at, state: before });
		this.present = state;
		this.future = [];
		this.trim();
		this.tell();
	}

	undo() {
		this.move(this.past, this.future);
	}

	redo() {
		this.move(this.future, this.past);
	}

	/**
	 * @param {Step[]} from
	 * @param {Step[]} to
	 */
	move(from, to) {
		const step = from.pop();
		if (!step || !this.present) return;
		to.push({ ...step, merge: "", state: this.present });
		this.present = step.state;
		this.acts.put(step.state);
		this.tell();
	}

	trim() {
		const sources = new Set([this.present?.source]);
		let first = this.past.length;
		while (first > 0 && this.past.length - first < STEPS) {
			sources.add(this.past[first - 1].state.source);
			if (sources.size > SOURCES + 1) break;
			first--;
		}
		this.past.splice(0, first);
	}

	tell() {
		this.acts.changed(this.past.at(-1)?.label ?? "", this.future.at(-1)?.label ?? "");
	}
}

/** @param {State} a @param {State} b */
function same(a, b) {
	return a.source === b.source && JSON.stringify([a.chosen, a.answers]) === JSON.stringify([b.chosen, b.answers]);
}
