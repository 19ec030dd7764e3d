// This file is the reading view: one block in a large dialog, formatted, as plain text, or as its source in the input.
// Escape goes back to the list, whose selection follows from block to block.

import { toClipboard } from "../ui/clipboard.js";
import { byId, fill, h } from "../ui/dom.js";
import { Marks } from "./marks.js";
import { PartView, plain, plainParts, setParts } from "./partView.js";
import { FATES, fromTo, number, plural, sentence } from "../ui/words.js";

/** @import { Row } from "../blocks/rows.js" */
/** @import { Texts } from "./texts.js" */
/** @import { Mode } from "./partView.js" */

export class Reader {
	/**
	 * @param {Texts} texts
	 * @param {{step: (by: 1|-1) => void, at: (row: Row) => {place: number, of: number}, closed: () => void, search: () =>
	 *   {pattern: RegExp | null, nth: number, index: number, count: number}}} acts
	 * step: to the next shown block; at: the position among the shown blocks; search: the pattern and the selected
	 * match
	 */
	constructor(texts, acts) {
		this.texts = texts;
		this.acts = acts;
		/** @type {HTMLDialogElement} */
		this.root = byId("reader");
		this.body = byId("reader-body");
		this.status = byId("reader-status");
		this.before = byId("reader-before");
		this.next = byId("reader-next");
		this.wrap = byId("reader-wrap");
		this.view = new PartView(this.body);
		this.marks = new Marks(this.body, "found");
		/** @type {Row | null} */
		this.row = null;
		/** @type {Mode} */
		this.mode = "read";
		/** The shown mode: plain if the formatted text hides a match. @type {Mode} */
		this.showing = "read";
		this.drawn = "";
		this.drawing = false;
		this.wraps = true;
		this.modes = /** @type {Mode[]} */ (["read", "plain", "source"]).map((mode) => ({
			mode,
			button: byId(`reader-${mode}`),
		}));
		for (const { mode, button } of this.modes) button.addEventListener("click", () => this.choose(mode));
		this.before.addEventListener("click", () => this.acts.step(-1));
		this.next.addEventListener("click", () => this.acts.step(1));
		this.wrap.addEventListener("click", () => this.fold(!this.wraps));
		byId("reader-copy").addEventListener("click", () => this.copy());
		byId("reader-close").addEventListener("click", () => this.root.close());
		this.root.addEventListener("close", () => this.onClosed());
		this.root.addEventListener(
			"click",
			(/** @type {MouseEvent} */ event) => event.target === this.root && this.root.close(),
		); // on the backdrop
		this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.press(event));
	}

	/** @param {Row} row */
	open(row) {
		if (!this.root.open) {
			// The list and the reading view share one search field.
			byId("reader-search").append(byId("search"));
			this.root.showModal();
			this.body.focus({ preventScroll: true });
		}
		this.show(row);
	}

	onClosed() {
		byId("search-place").append(byId("search"));
		this.row = null;
		this.drawn = "";
		this.view.clear();
		this.marks.clear();
		this.acts.closed();
	}

	/** @param {Row} row */
	show(row) {
		this.row = row;
		const { block } = row;
		const { place, of } = this.acts.at(row);
		byId("reader-title").textContent = row.label;
		fill(
			byId("reader-where"),
			row.turn > 0 ? `Turn ${row.turn} · ` : "",
			`${row.role}${row.message >= 0 ? ` message ${number(row.message + 1)}` : ""} · `,
			`${block.after !== block.tokens ? fromTo(block.tokens, block.after) : number(block.tokens)} tokens · `,
			h("span", { class: `swatch fate-${block.fate}`, "aria-hidden": "true" }),
			`${sentence(FATES[block.fate]?.name ?? block.fate)} · `,
			h("code", block.path || "/"),
		);
		byId("reader-count").textContent = `${number(place + 1)} of ${plural(of, "block")}`;
		this.before.disabled = place <= 0;
		this.next.disabled = place >= of - 1;
		const { index, nth } = this.acts.search();
		if (this.drawn !== `${this.texts.key} ${row.index} ${this.showing}` || nth < 0 || index !== row.index)
			this.draw(this.mode);
		else this.mark();
	}

	/** @param {Mode} mode */
	choose(mode) {
		this.mode = mode;
		this.draw(mode);
	}

	/** @param {Mode} mode */
	draw(mode) {
		const { row } = this;
		if (!row) return;
		this.status.textContent = "";
		this.showing = mode;
		for (const one of this.modes) one.button.setAttribute("aria-pressed", String(one.mode === mode));
		this.body.setAttribute("aria-label", row.label);
		const wanted = `${this.texts.key} ${row.index} ${mode}`;
		if (this.drawn === wanted) return this.mark();
		this.drawn = wanted;
		this.busy(true);
		this.texts.ask("reader", row.index, { source: mode === "source" }, async ({ parts, source }) => {
			this.body.scrollTop = 0;
			const nodes =
				mode === "source" && source !== "" ? plain(source) : mode !== "read" ? plainParts(parts) : setParts(parts);
			const whole = await this.view.show(nodes);
			if (!whole) return;
			this.busy(false);
			this.mark();
		});
	}

	/**
	 * Marks the matches and goes to the selected one. Formatted text may hide a match, in a fold or a mark: plain text
	 * shows all.
	 */
	async mark() {
		const { pattern, index, nth, count } = this.acts.search();
		if (!pattern) return this.marks.clear();
		if (this.drawing) return;
		const found = await this.marks.find(pattern);
		if (found < 0 || nth < 0 || index !== this.row?.index) return;
		if (this.showing === "read" && found !== count) {
			this.draw("plain");
			this.status.textContent = "Shown as plain text, where each match can be seen.";
		} else this.marks.reveal(Math.min(nth, found - 1));
	}

	/** @param {boolean} is whether the block is being drawn */
	busy(is) {
		this.drawing = is;
		this.body.setAttribute("aria-busy", String(is));
	}

	/** @param {boolean} wrap */
	fold(wrap) {
		this.wraps = wrap;
		this.wrap.setAttribute("aria-pressed", String(wrap));
		this.body.dataset.wrap = String(wrap);
	}

	copy() {
		const { row, showing } = this;
		if (!row) return;
		this.texts.ask("copy", row.index, { source: showing === "source" }, async ({ parts, source }) => {
			const text =
				showing === "source"
					? source
					: parts
							.map((part) => ("text" in part && part.kind !== "note" ? part.text : ""))
							.filter(Boolean)
							.join("\n\n");
			await toClipboard(new Blob([text]), "the block");
			this.status.textContent = "Copied the block.";
		});
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		// Keys do not reach the page behind, except those of the search and of the list of keys.
		if (!["/", "?", "F3"].includes(event.key)) event.stopPropagation();
		const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea");
		if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
		/** @type {Record<string, () => void>} */
		const keys = {
			j: () => this.acts.step(1),
			k: () => this.acts.step(-1),
			w: () => this.fold(!this.wraps),
		};
		if (!Object.hasOwn(keys, event.key)) return;
		event.preventDefault();
		keys[event.key]();
	}
}
