// This file shows the beginning of the selected block, formatted, next to the list. The old text stays until the next
// one has arrived, so that moving through the list does not flicker.

import { h } from "../ui/dom.js";
import { Marks } from "../reading/marks.js";
import { PartView, setParts } from "../reading/partView.js";

/** @import { Row } from "./rows.js" */
/** @import { Texts } from "../reading/texts.js" */

const MAX_CHARACTERS = 5000; // more than the preview shows without much scrolling
const FALLBACK_DELAY = 150; // ms without an answer after which the engine's short preview is shown

export class Preview {
	/**
	 * @param {Texts} texts
	 * @param {{read: () => void, search: () => {pattern: RegExp | null, query: string, nth: number, index: number}}} acts
	 */
	constructor(texts, acts) {
		this.texts = texts;
		this.acts = acts;
		this.body = h("div.reading", { tabindex: "0", role: "group", "aria-label": "Beginning of the block" });
		this.button = h(
			"button.read",
			{ on: { click: () => acts.read() } },
			"Read all",
			h("kbd", { "aria-hidden": "true" }, "Enter"),
		);
		this.root = h("div.preview-panel", this.body, this.button);
		this.view = new PartView(this.body);
		this.marks = new Marks(this.body, "found-preview");
		this.wanted = "";
		/** @type {Row | null} */
		this.row = null;
		this.cut = false;
		/** The match that is shown instead of the beginning, as "query n". */
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

	/** Draws the beginning of a block. @param {Row} row */
	head(row) {
		this.near = "";
		clearTimeout(this.timer);
		this.timer = setTimeout(
			() =>
				this.body.replaceChildren(
					h("pre.text", row.block.preview || "(empty)", [...row.block.preview].length < row.block.chars ? "…" : ""),
				),
			FALLBACK_DELAY,
		);
		this.texts.ask("preview", row.index, { limit: MAX_CHARACTERS }, async ({ parts, cut }) => {
			clearTimeout(this.timer);
			this.body.scrollTop = 0;
			this.cut = cut;
			if (await this.view.show(setParts(parts))) await this.mark();
		});
	}

	/** Marks the matches, and shows the selected match if it is in this block. */
	async mark() {
		const { row } = this;
		const { pattern, query, nth, index } = this.acts.search();
		const here = row?.index === index && nth >= 0;
		// Of a long block only the beginning is here: the worker returns the lines around the match.
		const near = here && this.cut ? `${query} ${nth}` : "";
		if (row && near !== this.near) {
			if (near === "") return this.head(row);
			this.near = near;
			return this.texts.ask("preview", row.index, { near: { query, nth } }, async ({ parts, near: at }) => {
				if ((await this.view.show(setParts(parts))) && pattern && (await this.marks.find(pattern)) > at && at >= 0)
					this.marks.reveal(at);
			});
		}
		if (!pattern) return this.marks.clear();
		const count = await this.marks.find(pattern);
		if (here && near === "" && count > nth) this.marks.reveal(nth);
	}
}
