// This file is the list of blocks. It draws only the rows in sight, so a session of any length scrolls.
// The list itself holds the focus and names the active row (aria-activedescendant): rows come and go, the focus stays.

import { byId, h } from "./dom.js";
import { FATES, number, sentence } from "./words.js";

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {import("./rows.js").Laid} Laid */

const ROW = 30; // px, as in style.css
const OVERSCAN = 8;

export class Blocks {
	/** @param {(row: Row | null) => void} show what to do with the row in hand: the hovered one, else the active one */
	constructor(show) {
		this.report = show;
		this.list = byId("list");
		this.inner = byId("rows");
		/** @type {Laid} */
		this.laid = { rows: [], find: () => -1, largest: 1 };
		this.active = 0;
		this.key = 0;
		/** @type {Map<number, HTMLElement>} */
		this.drawn = new Map();
		this.frame = 0;
		this.list.addEventListener("scroll", () => this.soon(), { passive: true });
		this.list.addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => this.press(e));
		this.list.addEventListener("click", (/** @type {MouseEvent} */ e) => this.point(e, (i) => this.select(i, false)));
		this.list.addEventListener("mousemove", (/** @type {MouseEvent} */ e) => this.point(e, (i) => this.hover(i)));
		this.list.addEventListener("mouseleave", () => this.hover(-1));
		new ResizeObserver(() => this.soon()).observe(this.list);
	}

	/**
	 * A changed policy keeps the place, a new source starts at the top.
	 * @param {Laid} laid
	 * @param {number} key
	 */
	show(laid, key) {
		this.laid = laid;
		if (key !== this.key) {
			this.active = 0;
			this.list.scrollTop = 0;
		}
		this.key = key;
		this.active = Math.min(this.active, Math.max(0, laid.rows.length - 1));
		this.inner.style.height = `${laid.rows.length * ROW}px`;
		this.clear();
		this.draw();
		this.report(laid.rows[this.active] ?? null);
	}

	/** Goes to the block at a path, or to the message that holds it. @param {string} path */
	jump(path) {
		const index = this.laid.find(path);
		if (index < 0) return;
		this.select(index, true);
		this.list.focus({ preventScroll: true });
		this.list.scrollIntoView({ block: "nearest" });
		this.drawn.get(index)?.classList.add("flash");
	}

	/** The other half of a call and its result. @param {Row} row */
	partner(row) {
		if (!row.block.id) return null;
		return this.laid.rows.find((other) => other !== row && other.block.id === row.block.id && other.block.kind !== row.block.kind) ?? null;
	}

	/** Shows a row while it is pointed at; -1 goes back to the active one. @param {number} index */
	hover(index) {
		this.report(this.laid.rows[index] ?? this.laid.rows[this.active] ?? null);
	}

	/**
	 * @param {number} index
	 * @param {boolean} center
	 */
	select(index, center) {
		if (index < 0 || index >= this.laid.rows.length) return;
		this.active = index;
		const top = index * ROW;
		const view = this.list.clientHeight;
		if (center && (top < this.list.scrollTop || top + ROW > this.list.scrollTop + view)) this.list.scrollTop = top - view / 2;
		else if (top < this.list.scrollTop) this.list.scrollTop = top;
		else if (top + ROW > this.list.scrollTop + view) this.list.scrollTop = top + ROW - view;
		this.clear();
		this.draw();
		this.report(this.laid.rows[index]);
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		const page = Math.max(1, Math.floor(this.list.clientHeight / ROW) - 1);
		const last = this.laid.rows.length - 1;
		/** @type {Record<string, () => number>} */
		const moves = {
			ArrowDown: () => this.active + 1,
			ArrowUp: () => this.active - 1,
			PageDown: () => this.active + page,
			PageUp: () => this.active - page,
			Home: () => 0,
			End: () => last,
			ArrowRight: () => this.turn(1),
			ArrowLeft: () => this.turn(-1),
		};
		const move = moves[event.key];
		if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		this.select(Math.max(0, Math.min(last, move())), false);
	}

	/** The first row of the turn after this one, or of this one, or of the one before. @param {1|-1} step */
	turn(step) {
		let index = this.active + step;
		while (this.laid.rows[index] && !this.laid.rows[index].opensTurn) index += step;
		return index;
	}

	/**
	 * @param {MouseEvent} event
	 * @param {(index: number) => void} act
	 */
	point(event, act) {
		const row = event.target instanceof Element ? event.target.closest("[data-index]") : null;
		if (row instanceof HTMLElement) act(Number(row.dataset.index));
	}

	soon() {
		cancelAnimationFrame(this.frame);
		this.frame = requestAnimationFrame(() => this.draw());
	}

	clear() {
		for (const row of this.drawn.values()) row.remove();
		this.drawn.clear();
	}

	draw() {
		const { rows } = this.laid;
		const from = Math.max(0, Math.floor(this.list.scrollTop / ROW) - OVERSCAN);
		const to = Math.min(rows.length, Math.ceil((this.list.scrollTop + this.list.clientHeight) / ROW) + OVERSCAN);
		for (const [index, element] of this.drawn) {
			if ((index < from || index >= to) && index !== this.active) {
				element.remove();
				this.drawn.delete(index);
			}
		}
		const fresh = document.createDocumentFragment();
		const need = (/** @type {number} */ index) => {
			if (this.drawn.has(index) || !rows[index]) return;
			const element = this.row(rows[index]);
			this.drawn.set(index, element);
			fresh.append(element);
		};
		for (let index = from; index < to; index++) need(index);
		need(this.active);
		this.inner.append(fresh);
		if (rows.length > 0) this.list.setAttribute("aria-activedescendant", `block-${this.active}`);
		else this.list.removeAttribute("aria-activedescendant");
	}

	/** @param {Row} row */
	row(row) {
		const { block } = row;
		const changed = block.after !== block.tokens;
		const bar = h("span", { class: `bar fate-${block.fate}` }, h("span", { class: "rest" }));
		bar.style.width = `${(block.tokens * 100) / this.laid.largest}%`;
		/** @type {HTMLElement} */ (bar.firstChild).style.width = `${block.tokens ? (block.after * 100) / block.tokens : 0}%`;
		const element = h(
			"div",
			{
				id: `block-${row.index}`,
				class: `block${row.opensTurn ? " opens-turn" : ""}${row.opensMessage ? " opens-message" : ""}`,
				role: "option",
				"aria-selected": String(row.index === this.active),
				"aria-setsize": this.laid.rows.length,
				"aria-posinset": row.index + 1,
				"aria-label": spoken(row),
				"data-index": row.index,
				"data-fate": block.fate,
				"data-path": block.path,
			},
			h("span", { class: "turn" }, row.opensTurn && row.turn > 0 ? row.turn : ""),
			h("span", { class: `role role-${row.role}` }, row.opensMessage ? row.role : ""),
			h("span", { class: "label" }, row.label),
			h("span", { class: "track" }, bar, h("span", { class: "preview" }, block.preview)),
			h("span", { class: "tokens" }, changed ? h("span", { class: "was" }, `${number(block.tokens)} → `) : null, number(block.after)),
		);
		element.style.top = `${row.index * ROW}px`;
		return element;
	}
}

/** What a screen reader says of a row. @param {Row} row */
function spoken(row) {
	const { block } = row;
	const change = block.after !== block.tokens ? `${number(block.tokens)} tokens, ${number(block.after)} after` : `${number(block.tokens)} tokens`;
	const where = row.turn > 0 ? `turn ${row.turn}, ` : "";
	return sentence(`${where}${row.role}, ${row.label}, ${change}, ${FATES[block.fate]?.name ?? block.fate}: ${block.why}`);
}
