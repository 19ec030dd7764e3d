// This file draws texts token by token: two alternating tones, a thin line at the start of each. Only the chunks near
// the visible area are split into pieces; the others are plain text of the same size, so that a text of megabytes opens
// at once and scrolls smoothly.

import { h } from "../ui/dom.js";
import { number } from "../ui/words.js";

/** @typedef {{text: string, ends: Uint32Array, ids: Uint32Array}} Split a text and its tokens */
/**
 * @typedef {{split: Split, from: number, to: number, first: number, count: number}} Piece text[from, to) and its
 *   tokens: several if a character takes more than one token
 */
/** @typedef {{first: number, end: number, element: HTMLElement, drawn: boolean}} Chunk pieces [first, end) */

const CHUNK = 1500; // characters: some hundred pieces
const LONG = 3000; // characters without a line break, after which a chunk ends all the same
const MARGIN = "300px"; // around the visible area
const LINE = 20; // px, to estimate a height

export class TokenView {
	/** @param {{says: (text: string) => void}} acts says: called with the description of the current token */
	constructor(acts) {
		this.acts = acts;
		this.root = h("div.reading.token-text", {
			tabindex: "0",
			role: "group",
			"aria-label": "Tokens of the block",
			"aria-describedby": "token-keys",
			"data-testid": "tokens",
		});
		/** @type {Piece[]} */
		this.pieces = [];
		/** @type {Chunk[]} */
		this.chunks = [];
		this.active = -1;
		this.total = 0;
		/** @type {Map<Element, Chunk>} */
		this.of = new Map();
		this.observer = new IntersectionObserver(
			(seen) => {
				for (const { target, isIntersecting } of seen) {
					const chunk = this.of.get(target);
					if (chunk && isIntersecting) this.open(chunk);
					else if (chunk && !this.holds(chunk, this.active)) this.close(chunk);
				}
			},
			{ root: this.root, rootMargin: MARGIN },
		);
		this.root.addEventListener("mouseover", (event) => this.hover(event));
		this.root.addEventListener("mouseleave", () => this.showToken(this.active));
		this.root.addEventListener("click", (event) => this.activate(this.at(event)));
		this.root.addEventListener("keydown", (event) => this.press(event));
	}

	/** @param {Split[]} splits */
	show(splits) {
		this.clear();
		this.pieces = splits.flatMap(piecesOf);
		this.total = splits.reduce((sum, { ids }) => sum + ids.length, 0);
		const holders = [];
		let at = 0;
		for (const split of splits) {
			const holder = h("div.token-part");
			while (this.pieces[at]?.split === split) {
				const end = this.chunkFrom(at);
				const element = h("div.chunk", this.plain(at, end));
				element.style.containIntrinsicBlockSize = `auto ${LINE * Math.ceil((this.pieces[end - 1].to - this.pieces[at].from) / 40)}px`;
				const chunk = { first: at, end, element, drawn: false };
				this.chunks.push(chunk);
				this.of.set(element, chunk);
				holder.append(element);
				at = end;
			}
			holders.push(holder);
		}
		this.root.replaceChildren(...holders);
		this.root.scrollTop = 0;
		for (const { element } of this.chunks) this.observer.observe(element);
	}

	clear() {
		this.observer.disconnect();
		this.of.clear();
		this.chunks = [];
		this.pieces = [];
		this.active = -1;
		this.total = 0;
		this.root.replaceChildren();
	}

	/** The end of the chunk that begins here: after a line break, if possible. @param {number} at */
	chunkFrom(at) {
		const { split, from } = this.pieces[at];
		for (let end = at + 1; ; end++) {
			const next = this.pieces[end];
			if (!next || next.split !== split) return end;
			const length = next.from - from;
			if (length >= LONG || (length >= CHUNK && split.text[next.from - 1] === "\n")) return end;
		}
	}

	/** @param {number} first @param {number} end */
	plain(first, end) {
		const { split, from } = this.pieces[first];
		return split.text.slice(from, this.pieces[end - 1].to);
	}

	/** @param {Chunk} chunk @param {number} index */
	holds(chunk, index) {
		return index >= chunk.first && index < chunk.end;
	}

	/** @param {Chunk} chunk */
	open(chunk) {
		if (chunk.drawn) return;
		chunk.drawn = true;
		const fresh = document.createDocumentFragment();
		for (let i = chunk.first; i < chunk.end; i++) {
			const { split, from, to, count } = this.pieces[i];
			const text = split.text.slice(from, to);
			const piece = document.createElement("span");
			piece.className = `token tone-${i % 2}${/^[^\S\n]*\n+$/.test(text) ? " breaks" : ""}`;
			if (count > 1) piece.dataset.tokens = String(count);
			piece.textContent = text;
			fresh.append(piece);
		}
		chunk.element.replaceChildren(fresh);
	}

	/** @param {Chunk} chunk */
	close(chunk) {
		if (!chunk.drawn) return;
		chunk.drawn = false;
		chunk.element.textContent = this.plain(chunk.first, chunk.end);
	}

	/** The index of the piece under the pointer; -1 for none. @param {Event} event */
	at(event) {
		const piece = event.target instanceof Element ? event.target.closest(".token") : null;
		const chunk = piece?.parentElement && this.of.get(piece.parentElement);
		return chunk && piece ? chunk.first + [...chunk.element.children].indexOf(piece) : -1;
	}

	/** @param {Event} event */
	hover(event) {
		const index = this.at(event);
		if (index < 0) return;
		this.showToken(index);
		/** @type {HTMLElement} */ (event.target).title = this.words(index);
	}

	/** Selects a token. @param {number} index */
	activate(index) {
		if (index < 0 || index >= this.pieces.length) return;
		this.root.querySelector(".token[data-on]")?.removeAttribute("data-on");
		this.active = index;
		const chunk = /** @type {Chunk} */ (this.chunks.find((one) => this.holds(one, index)));
		this.open(chunk);
		const piece = /** @type {HTMLElement} */ (chunk.element.children[index - chunk.first]);
		piece.dataset.on = "true";
		piece.scrollIntoView({ block: "nearest" });
		this.showToken(index);
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const last = this.pieces.length - 1;
		/** @type {Record<string, number>} */
		const moves = {
			ArrowRight: Math.min(last, this.active + 1),
			ArrowLeft: Math.max(0, this.active - 1),
			Home: 0,
			End: last,
		};
		if (!Object.hasOwn(moves, event.key)) return;
		event.preventDefault();
		this.activate(moves[event.key]);
	}

	/** @param {number} index */
	showToken(index) {
		this.acts.says(index < 0 ? "" : this.words(index));
	}

	/** @param {number} index */
	words(index) {
		const { split, from, to, first, count } = this.pieces[index];
		const bytes = [...new TextEncoder().encode(split.text.slice(from, to))].map((byte) =>
			byte.toString(16).padStart(2, "0"),
		);
		const ids = split.ids.subarray(first, first + count).join(", ");
		const shown = bytes.length > 12 ? `${bytes.slice(0, 12).join(" ")} …` : bytes.join(" ");
		return `${count > 1 ? `${count} tokens, ids` : "Token"} ${ids} · ${number(bytes.length)} ${bytes.length === 1 ? "byte" : "bytes"}: ${shown}`;
	}
}

/**
 * Tokens that end at the same position are one piece: each holds only a part of a character.
 * @param {Split} split
 * @returns {Piece[]}
 */
export function piecesOf(split) {
	/** @type {Piece[]} */
	const pieces = [];
	let from = 0;
	for (let i = 0; i < split.ends.length; ) {
		const first = i;
		const to = split.ends[i];
		while (split.ends[i] === to) i++;
		pieces.push({ split, from, to, first, count: i - first });
		from = to;
	}
	return pieces;
}
