// This file stores the state of the page before each change, for undo and redo.
// A step is a whole state, not a difference: undo puts that state in place, whatever happened in between.

import { byId } from "../ui/dom.js";

/** @import { Answer, Source } from "../engine/types.js" */
/** @import { Chosen } from "../store.js" */

/**
 * @typedef {{source: Source | null, chosen: {policy: Chosen, counter: string, blocks:
 *   import("../blocks/choices.js").Choices}, answers: [string, Answer][]}} State
 */
/**
 * @typedef {{label: string, merge: string, at: number, state: State}} Step a change, and the state before it (in the
 *   future list: after it)
 */

const STEPS = 200; // states share their sources and answers, so a step is small
const SOURCES = 10; // sessions held for undo; each may have many megabytes
const MERGE = 1000; // ms: changes of one value within this time are one step

export class History {
	/**
	 * @param {{now: () => State, put: (state: State) => void, changed: (undo: string, redo: string) => void}} acts
	 *   changed: the labels of the next undo and redo, "" for none
	 */
	constructor(acts) {
		this.acts = acts;
		/** @type {Step[]} */
		this.past = [];
		/** @type {Step[]} */
		this.future = [];
		/** @type {State | null} */
		this.present = null;
	}

	/** Starts a new history at the present state. */
	begin() {
		this.present = this.acts.now();
		this.past = [];
		this.future = [];
		this.notify();
	}

	/**
	 * Call after a change.
	 * @param {string} label the change, as it reads after "Undo: "
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
		this.notify();
	}

	/** Call after a change that is no step of its own. */
	amend() {
		this.present = this.acts.now();
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
		this.notify();
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

	notify() {
		this.acts.changed(this.past.at(-1)?.label ?? "", this.future.at(-1)?.label ?? "");
	}
}

/** @param {State} a @param {State} b */
function same(a, b) {
	return a.source === b.source && JSON.stringify([a.chosen, a.answers]) === JSON.stringify([b.chosen, b.answers]);
}

/** Names the steps on their buttons. @param {string} undo @param {string} redo what each would do; "" for nothing */
export function nameSteps(undo, redo) {
	for (const [id, title, what] of [
		["undo", "Undo", undo],
		["redo", "Redo", redo],
	]) {
		const button = byId(id);
		button.disabled = !what;
		button.title = what ? `${title}: ${what}` : "";
	}
}
