// This file shows how the block in hand begins, as people read it, beside the list. It keeps what it shows until the next block is
// here, so that going through the list does not flicker.

import { h } from "../ui/dom.js";
import { Marks } from "../reading/marks.js";
import { PartView, setParts } from "../reading/partView.js";

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {import("../reading/texts.js").Texts} Texts */

const ENOUGH = 5000; // characters: more than the place beside the list shows without much scrolling
const PATIENCE = 150; // ms without an answer after which the engine's preview stands in

export class Glance {
	/** @param {Texts} texts @param {{read: () => void, search: () => {pattern: RegExp | null, query: string, nth: number, index: number}}} acts */
	constructor(texts, acts) {
		this.texts = texts;
		this.acts = acts;
		this.body = h("div", { class: "reading", tabindex: "0", role: "group", "aria-label": "How the block begins" });
		this.button = h("button", { type: "button", class: "read", on: { click: () => acts.read() } }, "Read it whole", h("kbd", { "aria-hidden": "true" }, "Enter"));
		this.root = h("div", { class: "glance" }, this.body, this.button);
		this.view = new PartView(this.body);
		this.marks = new Marks(this.body, "found-glance");
		this.wanted = "";
		/** @type {Row | null} */
		this.row = null;
		this.cut = false;
		/** The match that is shown in place of the head. */
		this.near = "";
		this.timer = 0;
	}

	/** @param {Row} row */
	show(row) {
		if (this.wanted === `${this.texts.key} ${row.index}`) return this.root;
		this.wanted = `${this.texts.key} ${row.index}`;
		this.row = row;
		this.head(row);
		return this.root;
	}

	/** Draws how a block begins. @param {Row} row */
	head(row) {
		this.near = "";
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.body.replaceChildren(h("pre", { class: "text" }, row.block.preview || "(empty)", [...row.block.preview].length < row.block.chars ? "…" : "")), PATIENCE);
		this.texts.ask("glance", row.index, { limit: ENOUGH }, async ({ parts, cut }) => {
			clearTimeout(this.timer);
			this.body.scrollTop = 0;
			this.cut = cut;
			if (await this.view.show(setParts(parts))) await this.mark();
		});
	}

	/** Marks what the search finds, and shows the match in hand if it stands in this block. */
	async mark() {
		const { row } = this;
		const { pattern, query, nth, index } = this.acts.search();
		const here = row?.index === index && nth >= 0;
		// Of a long block only the head is here: the worker knows what stands around the match.
		const near = here && this.cut ? `${query} ${nth}` : "";
		if (row && near !== this.near) {
			if (near === "") return this.head(row);
			this.near = near;
			return this.texts.ask("glance", row.index, { near: { query, nth } }, async ({ parts, near: at }) => {
				if ((await this.view.show(setParts(parts))) && pattern && (await this.marks.find(pattern)) > at && at >= 0) this.marks.reveal(at);
			});
		}
		if (!pattern) return this.marks.clear();
		const count = await this.marks.find(pattern);
		if (here && near === "" && count > nth) this.marks.reveal(nth);
	}
}
