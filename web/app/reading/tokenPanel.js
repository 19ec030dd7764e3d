// This file shows the selected block token by token instead of its preview, if the user wants that. It needs an exact
// counter, and offers one if none is in use.

import { fill, h } from "../ui/dom.js";
import { TokenView } from "./tokenView.js";
import { exactIn } from "../policy/counter.js";
import { isVocabulary, VOCABULARIES } from "../engine/vocabulary.js";
import { bytes, number, plural } from "../ui/words.js";

/** @import { Row } from "../blocks/rows.js" */

const PAUSE = 60; // ms on a block before its tokens are requested: keys move through the list faster
const MAX_CHARACTERS = 4_000_000; // characters that are split into tokens

export class TokenPanel {
	/**
	 * @param {import("../store.js").Store} store
	 * @param {import("../session/session.js").Session} session
	 * @param {import("./texts.js").Texts} texts
	 */
	constructor(store, session, texts) {
		this.store = store;
		this.session = session;
		this.texts = texts;
		this.box = h("input", { type: "checkbox", role: "switch", on: { change: () => this.draw() } });
		this.sums = h("p.hint.token-sums", { role: "status" });
		this.says = h("p.token-says", { "aria-live": "polite", "data-testid": "token-says" });
		this.view = new TokenView({
			says: (text) => (this.says.textContent = text || "Point at a token, or go through them with ← →."),
		});
		this.offer = h("div.token-offer", { "data-testid": "token-offer" });
		this.body = h("div.token-body");
		this.root = h(
			"div.token-panel",
			h("label.switch.token-switch", this.box, h("span", "Show tokens")),
			this.body,
			h("p.hidden", { id: "token-keys" }, "Left and right arrow go from token to token."),
		);
		/** @type {Row | null} */
		this.row = null;
		/** @type {() => HTMLElement} */
		this.preview = () => h("div");
		this.timer = 0;
		this.requested = "";
		store.watch(["count"], () => this.box.checked && this.row && this.draw());
	}

	/**
	 * The element below the facts of a block.
	 * @param {Row} row
	 * @param {() => HTMLElement} preview its text, shown if tokens are off
	 */
	show(row, preview) {
		this.row = row;
		this.preview = preview;
		this.draw();
		return this.root;
	}

	draw() {
		const { row } = this;
		if (!row) return;
		if (!this.box.checked) {
			this.forget();
			this.view.clear();
			return this.put(this.preview());
		}
		const name = exactIn(this.store.state.count);
		if (!name) return this.offerCounters();
		this.put(this.sums, this.view.root, this.says);
		const wanted = `${this.texts.key} ${row.index} ${name} ${row.block.tokens}`;
		if (wanted === this.requested) return;
		this.forget();
		this.requested = wanted;
		this.view.root.setAttribute("aria-busy", "true");
		this.timer = setTimeout(() => this.ask(row, name, wanted), PAUSE);
	}

	/** Cancels the request that waits, and drops the answer of the one that runs. */
	forget() {
		clearTimeout(this.timer);
		this.requested = "";
	}

	/**
	 * Replaces the parts only if they differ: a moved element would lose its scroll position and focus.
	 * @param {...HTMLElement} parts
	 */
	put(...parts) {
		const now = [...this.body.children];
		if (now.length !== parts.length || parts.some((part, i) => now[i] !== part)) fill(this.body, ...parts);
	}

	offerCounters() {
		const { progress, own: mine } = this.store.state.count;
		this.forget();
		this.put(this.offer);
		if (progress) return fill(this.offer, h("p", `${progress}…`));
		if (this.offer.contains(document.activeElement)) return; // its buttons are still the same
		const nearest = isVocabulary(mine) ? mine : "o200k_base";
		const own = VOCABULARIES.filter(({ name }) => name === nearest);
		const others = VOCABULARIES.filter(({ name }) => name !== nearest);
		const button = (/** @type {typeof own[number]} */ { name, size }, /** @type {boolean} */ first) =>
			h(
				"button",
				{ class: first ? "primary" : "", on: { click: () => this.pick(name) } },
				`Count with ${name}, ${bytes(size)}`,
			);
		fill(
			this.offer,
			h(
				"p",
				"Tokens need an exact counter; an estimate has none. The counter closest to this session’s model is first.",
			),
			h("div.buttons", ...own.map((one) => button(one, true)), ...others.map((one) => button(one, false))),
		);
	}

	/** @param {string} name */
	pick(name) {
		this.box.focus();
		this.session.count(name);
	}

	/** @param {Row} row @param {string} name @param {string} wanted */
	ask(row, name, wanted) {
		this.texts.ask("tokens", row.index, { counted: true }, async ({ counted = [] }) => {
			let left = MAX_CHARACTERS;
			const texts = counted
				.map((text) => {
					const shown = text.slice(0, left);
					left -= shown.length;
					return shown;
				})
				.filter((text) => text !== "");
			const { vocabularies } = this.store.state.count.counting;
			const answer = await this.session.engine.ask({ kind: "tokens", texts, counter: name, vocabularies });
			if (this.requested !== wanted) return;
			this.view.root.setAttribute("aria-busy", "false");
			if (!("tokens" in answer)) {
				this.view.clear();
				this.sums.textContent = `The tokens cannot be shown: ${"failure" in answer ? answer.failure : ""}.`;
				return;
			}
			this.view.show(answer.tokens.map((tokens, i) => ({ text: texts[i], ...tokens })));
			this.view.acts.says("");
			this.sums.textContent = this.sum(
				row,
				name,
				counted.reduce((sum, text) => sum + text.length, 0),
			);
		});
	}

	/** @param {Row} row @param {string} name @param {number} length characters of the block */
	sum({ block }, name, length) {
		const { total } = this.view;
		if (length === 0) return "This block has no text: its tokens are message overhead, or its pixels.";
		const shown = length > MAX_CHARACTERS ? `, of its first ${number(MAX_CHARACTERS)} characters` : "";
		const rest =
			block.tokens === total || shown
				? ""
				: ` The block counts ${number(block.tokens)}, with its overhead${this.store.state.count.certain ? "" : " and the correction for its model"}.`;
		return `${plural(total, "token")} of ${name}${shown}.${rest}`;
	}
}
