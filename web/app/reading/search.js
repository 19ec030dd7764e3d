// This file searches the whole session: a field, a count, steps from match to match. text.worker.js searches; the next
// key press cancels a running search.

import { byId } from "../ui/dom.js";
import { patternOf } from "./matching.js";
import { number, plural } from "../ui/words.js";

/** @import { Hit } from "./texts.js" */
/** @typedef {{index: number, nth: number}} Place the nth match in a row, from 0 */

const PAUSE = 90; // ms without a keystroke before the search begins

export class Search {
	/**
	 * @param {{find: (query: string) => void, changed: () => void, go: (place: Place) => void, leave: () => void, order:
	 *   () => number[], active: () => number}} acts
	 * find: start a search; changed: the matches changed; go: to a match; order: the shown rows; active: the active row
	 */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("search");
		this.field = byId("search-text");
		this.note = byId("search-note");
		this.buttons = { [-1]: byId("search-before"), 1: byId("search-next") };
		/** @type {Map<number, Hit>} */
		this.hits = new Map();
		/** @type {RegExp | null} */
		this.pattern = null;
		/** @type {Place | null} */
		this.here = null;
		this.done = true;
		/** The texts of this session could not be read. */
		this.unread = false;
		this.timer = 0;
		this.field.addEventListener("input", () => this.typed());
		this.field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.press(event));
		this.buttons[-1].addEventListener("click", () => this.step(-1));
		this.buttons[1].addEventListener("click", () => this.step(1));
		document.addEventListener("keydown", (event) => this.anywhere(event));
		this.updateNote();
	}

	get query() {
		return this.field.value;
	}

	typed() {
		clearTimeout(this.timer);
		this.reset();
		this.acts.find(""); // cancels the running search
		this.done = this.query === "";
		this.updateNote();
		if (this.done) this.acts.changed();
		else this.timer = setTimeout(() => this.start(), PAUSE);
	}

	reset() {
		this.hits = new Map();
		this.pattern = null;
		this.here = null;
	}

	start() {
		clearTimeout(this.timer);
		this.timer = 0;
		this.reset();
		this.acts.changed();
		if (this.query === "" || this.unread) return this.updateNote();
		this.pattern = patternOf(this.query);
		this.done = false;
		this.acts.find(this.query);
	}

	/** Searches a new session for the same text. @param {boolean} unread its texts could not be read */
	again(unread) {
		this.unread = unread;
		if (this.query !== "") this.start();
		this.updateNote();
	}

	/** @param {Hit[]} hits @param {boolean} done */
	found(hits, done) {
		for (const hit of hits) this.hits.set(hit.index, hit);
		this.done = done;
		this.updateNote();
		if (hits.length > 0 || done) this.acts.changed();
	}

	/** The texts of this session cannot be read. */
	fail() {
		this.unread = true;
		this.done = true;
		this.reset();
		this.updateNote();
	}

	/** The shown rows with a match, in order. */
	shown() {
		return this.acts.order().filter((index) => this.hits.has(index));
	}

	/** Goes to the next or the previous match, and wraps around. @param {1|-1} by */
	step(by) {
		if (this.timer) this.start();
		const rows = this.shown();
		if (rows.length === 0) return this.updateNote();
		const count = (/** @type {number} */ index) => this.hits.get(index)?.count ?? 0;
		const { here } = this;
		const last = (/** @type {number} */ index) => ({ index, nth: by > 0 ? 0 : count(index) - 1 });
		if (here && rows.includes(here.index) && here.nth + by >= 0 && here.nth + by < count(here.index))
			this.here = { index: here.index, nth: here.nth + by };
		else {
			// The first step starts at the active row.
			const from = here ? here.index + by : this.acts.active();
			const next = by > 0 ? rows.find((index) => index >= from) : rows.findLast((index) => index <= from);
			this.here = last(next ?? (by > 0 ? rows[0] : rows[rows.length - 1]));
		}
		this.updateNote();
		this.acts.go(this.here);
	}

	updateNote() {
		const rows = this.shown();
		const total = rows.reduce((sum, index) => sum + (this.hits.get(index)?.count ?? 0), 0);
		for (const button of Object.values(this.buttons)) button.disabled = total === 0;
		this.root.dataset.state = this.query === "" ? "idle" : !this.done ? "looking" : total === 0 ? "none" : "found";
		if (this.query === "") this.note.textContent = "";
		else if (this.unread) this.note.textContent = "This session cannot be searched";
		else if (total === 0)
			this.note.textContent = !this.done
				? "Searching…"
				: this.hits.size > 0
					? "No matches in the shown blocks"
					: "No matches";
		else {
			const matches = this.here
				? `${number(this.ordinal(rows))} of ${number(total)}`
				: plural(total, "match", "matches");
			this.note.textContent = `${matches} in ${plural(rows.length, "block")}${this.done ? "" : "…"}`;
		}
	}

	/** The number of the selected match, from 1. @param {number[]} rows */
	ordinal(rows) {
		let at = 1;
		for (const index of rows) {
			if (index === this.here?.index) return at + this.here.nth;
			at += this.hits.get(index)?.count ?? 0;
		}
		return at;
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		if (event.isComposing) return;
		if (event.key === "Enter") {
			event.preventDefault();
			this.step(event.shiftKey ? -1 : 1);
		} else if (event.key === "Escape") {
			event.preventDefault();
			event.stopPropagation();
			if (this.query === "") return this.acts.leave();
			this.field.value = "";
			this.typed();
		} else if (event.key === "ArrowDown") {
			event.preventDefault();
			this.acts.leave();
		}
	}

	/** @param {KeyboardEvent} event */
	anywhere(event) {
		if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.field.checkVisibility())
			return;
		if (event.key === "F3" && this.query !== "") {
			event.preventDefault();
			this.step(event.shiftKey ? -1 : 1);
		}
	}
}
