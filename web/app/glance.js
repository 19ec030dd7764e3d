// This file shows how the block in hand begins, as people read it, beside the list. It keeps what it shows until the next block is
// here, so that going through the list does not flicker.

import { h } from "./dom.js";
import { Marks } from "./marks.js";
import { PartView, setParts } from "./partview.js";

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {import("./texts.js").Texts} Texts */

const ENOUGH = 5000; // characters: more than the place beside the list shows without much scrolling
const PATIENCE = 150; // ms without an answer after which the engine's preview stands in

export class Glance {
	/** @param {Texts} texts @param {{read: () => void, search: () => {pattern: RegExp | null, nth: number, index: number}}} acts */
	constructor(texts, acts) {
		this.texts = texts;
		this.acts = acts;
		this.body = h("div", { class: "reading", tabindex: "0", role: "group", "aria-label": "How the block begins" });
		this.button = h("button", { type: "button", class: "read", on: { click: () => acts.read() } }, "Read it whole", h("kbd", { "aria-hidden": "true" }, "Enter"));
		this.root = h("div", { class: "glance" }, this.body, this.button);
		this.view = new PartView(this.body);
		this.marks = new Marks(this.body, "found-glance");
		this.shown = "";
		this.timer = 0;
	}

	/** @param {Row} row */
	show(row) {
		const wanted = `${this.texts.key} ${row.index}`;
		if (wanted === this.shown) return this.root;
		this.shown = wanted;
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.body.replaceChildren(h("pre", { class: "text" }, row.block.preview || "(empty)", [...row.block.preview].length < row.block.chars ? "…" : "")), PATIENCE);
		this.texts.ask("glance", row.index, { limit: ENOUGH }, async ({ parts, cut }) => {
			clearTimeout(this.timer);
			this.body.scrollTop = 0;
			this.body.dataset.cut = String(cut);
			if (await this.view.show(setParts(parts))) await this.mark();
		});
		return this.root;
	}

	/** Marks what the search finds, and goes to the match in hand if it stands here. */
	async mark() {
		const { pattern, nth, index } = this.acts.search();
		if (!pattern) return this.marks.clear();
		const count = await this.marks.find(pattern);
		if (count > nth && nth >= 0 && this.shown === `${this.texts.key} ${index}`) this.marks.reveal(nth);
	}
}
