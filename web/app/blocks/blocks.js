// This file is the list of blocks. It draws only the visible rows, so a session of any length scrolls. The list itself
// holds the focus and names the active row (aria-activedescendant): rows are added and removed, the focus stays.

import { byId, h } from "../ui/dom.js";
import { FATES, number, plural, sentence } from "../ui/words.js";

/** @import { Row, Laid } from "./rows.js" */

const ROW = 30; // px, as in style.css
const OVERSCAN = 8;

export class Blocks {
	/**
	 * @param {(row: Row) => import("./choices.js").Choice | undefined} choice of the user for a row
	 * @param {(row: Row | null) => void} show called with the current row: the hovered one, else the active one
	 * @param {{read: () => void, clearFilter: () => void, selected: (row: Row) => void}} acts read: opens the active row;
	 *   clearFilter: called before the list selects a row that the filter hides
	 */
	constructor(choice, show, acts) {
		this.choice = choice;
		this.report = show;
		this.acts = acts;
		this.list = byId("list");
		this.inner = byId("rows");
		/** @type {Laid} */
		this.laid = { rows: [], find: () => -1, largest: 1, total: 0 };
		this.active = 0;
		/** The indexes of the rows that the filter shows, ascending. @type {number[]} */
		this.order = [];
		/** @type {Map<number, number>} */
		this.places = new Map();
		/** The matches of the search, by row. @type {Map<number, import("../reading/texts.js").Hit>} */
		this.hits = new Map();
		/** @type {RegExp | null} */
		this.pattern = null;
		this.key = 0;
		/** @type {Map<number, HTMLElement>} */
		this.drawn = new Map();
		this.frame = 0;
		this.list.addEventListener("scroll", () => this.soon(), { passive: true });
		this.list.addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => this.press(e));
		this.list.addEventListener("click", (/** @type {MouseEvent} */ e) => this.point(e, (i) => this.select(i, false)));
		this.list.addEventListener("dblclick", (/** @type {MouseEvent} */ e) => this.point(e, () => this.acts.read()));
		this.list.addEventListener("mousemove", (/** @type {MouseEvent} */ e) => this.point(e, (i) => this.hover(i)));
		this.list.addEventListener("mouseleave", () => this.hover(-1));
		new ResizeObserver(() => this.soon()).observe(this.list);
	}

	/**
	 * Shows the rows. A changed policy keeps the scroll position, a new source starts at the top.
	 * @param {Laid} laid
	 * @param {number} key
	 * @param {number[]} [order] the rows to show, ascending; default: all
	 */
	show(laid, key, order = laid.rows.map(({ index }) => index)) {
		this.laid = laid;
		if (key !== this.key) {
			this.active = 0;
			this.list.scrollTop = 0;
		}
		this.key = key;
		this.active = Math.min(this.active, Math.max(0, laid.rows.length - 1));
		this.restrict(order);
	}

	/**
	 * Shows only these rows; the active row stays active if it is shown, else the next shown row becomes active.
	 * @param {number[]} order ascending
	 */
	restrict(order) {
		const moved = order.length !== this.order.length;
		this.order = order;
		this.places = new Map(order.map((index, place) => [index, place]));
		if (!this.places.has(this.active))
			this.active = order.find((index) => index > this.active) ?? order.at(-1) ?? this.active;
		this.inner.style.height = `${order.length * ROW}px`;
		if (moved)
			this.list.scrollTop = Math.max(0, (this.places.get(this.active) ?? 0) * ROW - this.list.clientHeight / 2);
		this.clear();
		this.draw();
		this.report(this.current());
	}

	/**
	 * Marks the matches of a search.
	 * @param {Map<number, import("../reading/texts.js").Hit>} hits
	 * @param {RegExp | null} pattern
	 */
	mark(hits, pattern) {
		this.hits = hits;
		this.pattern = pattern;
		this.redraw();
	}

	/** Draws the rows again. */
	redraw() {
		this.clear();
		this.draw();
	}

	/** The active row, or null if the filter hides it. */
	current() {
		return this.places.has(this.active) ? this.laid.rows[this.active] : null;
	}

	/**
	 * Selects the block at a path, or the message that holds it.
	 * @param {string} path
	 * @param {number} [index] its row, if known
	 */
	jump(path, index = this.laid.find(path)) {
		if (index < 0) return;
		this.select(index, true);
		this.list.focus({ preventScroll: true });
		this.list.scrollIntoView({ block: "nearest" });
		this.drawn.get(index)?.classList.add("flash");
	}

	/** The row of a block. @param {number} message @param {number} block its index in the message */
	indexOf(message, block) {
		return this.laid.rows.findIndex((row) => row.message === message) + block;
	}

	/** The other half of a call and its result. @param {Row} row */
	partner(row) {
		if (!row.block.id) return null;
		return (
			this.laid.rows.find(
				(other) => other !== row && other.block.id === row.block.id && other.block.kind !== row.block.kind,
			) ?? null
		);
	}

	/** Shows a row while it is pointed at; -1 goes back to the active one. @param {number} index */
	hover(index) {
		this.report(this.laid.rows[index] ?? this.current());
	}

	/**
	 * @param {number} index
	 * @param {boolean} center
	 */
	select(index, center) {
		if (index < 0 || index >= this.laid.rows.length) return;
		if (!this.places.has(index)) this.acts.clearFilter();
		const same = index === this.active && this.drawn.has(index);
		this.active = index;
		const top = (this.places.get(index) ?? 0) * ROW;
		const view = this.list.clientHeight;
		if (center && (top < this.list.scrollTop || top + ROW > this.list.scrollTop + view))
			this.list.scrollTop = top - view / 2;
		else if (top < this.list.scrollTop) this.list.scrollTop = top;
		else if (top + ROW > this.list.scrollTop + view) this.list.scrollTop = top + ROW - view;
		// The active row keeps its element: the second click of a double click needs it.
		if (!same) this.clear();
		this.draw();
		this.report(this.laid.rows[index]);
		this.acts.selected(this.laid.rows[index]);
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		const page = Math.max(1, Math.floor(this.list.clientHeight / ROW) - 1);
		const last = this.order.length - 1;
		const at = this.places.get(this.active) ?? 0;
		if (event.key === "Enter" && this.current() && !event.ctrlKey && !event.metaKey && !event.altKey) {
			event.preventDefault();
			return this.acts.read();
		}
		/** @type {Record<string, () => number>} places to go to */
		const moves = {
			ArrowDown: () => at + 1,
			ArrowUp: () => at - 1,
			PageDown: () => at + page,
			PageUp: () => at - page,
			Home: () => 0,
			End: () => last,
			ArrowRight: () => this.turn(at, 1),
			ArrowLeft: () => this.turn(at, -1),
		};
		const move = moves[event.key];
		if (!move || last < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		this.select(this.order[Math.max(0, Math.min(last, move()))], false);
	}

	/**
	 * The place of the first row of the turn after this one, or of this one, or of the one before.
	 * @param {number} at
	 * @param {1|-1} step
	 */
	turn(at, step) {
		at += step;
		while (this.order[at] !== undefined && !this.opens(at, "turn")) at += step;
		return at;
	}

	/**
	 * Whether the row at a place is the first that is shown of its turn or message.
	 * @param {number} at
	 * @param {"turn"|"message"} what
	 */
	opens(at, what) {
		const [row, before] = [this.laid.rows[this.order[at]], this.laid.rows[this.order[at - 1]]];
		return !before || before[what] !== row[what] || (what === "message" && before.role !== row.role);
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
		const from = Math.max(0, Math.floor(this.list.scrollTop / ROW) - OVERSCAN);
		const to = Math.min(this.order.length, Math.ceil((this.list.scrollTop + this.list.clientHeight) / ROW) + OVERSCAN);
		for (const [index, element] of this.drawn) {
			const place = this.places.get(index) ?? -1;
			if ((place < from || place >= to) && index !== this.active) {
				element.remove();
				this.drawn.delete(index);
			}
		}
		const fresh = document.createDocumentFragment();
		const need = (/** @type {number} */ place) => {
			const index = this.order[place];
			if (index === undefined || this.drawn.has(index)) return;
			const element = this.row(this.laid.rows[index], place);
			this.drawn.set(index, element);
			fresh.append(element);
		};
		for (let place = from; place < to; place++) need(place);
		need(this.places.get(this.active) ?? -1);
		this.inner.append(fresh);
		this.list.dataset.empty = String(this.order.length === 0);
		if (this.current()) this.list.setAttribute("aria-activedescendant", `block-${this.active}`);
		else this.list.removeAttribute("aria-activedescendant");
	}

	/** @param {Row} row @param {number} place */
	row(row, place) {
		const { block } = row;
		const hit = this.hits.get(row.index);
		const [opensTurn, opensMessage] = [this.opens(place, "turn"), this.opens(place, "message")];
		const changed = block.after !== block.tokens;
		const matters = block.tokens * 1000 >= this.laid.total; // below a thousandth of the session, its bar says enough
		const bar = h("span", { class: `bar fate-${block.fate}` }, h("span.rest"));
		bar.style.width = `${(block.tokens * 100) / this.laid.largest}%`;
		/** @type {HTMLElement} */ (bar.firstChild).style.width =
			`${block.tokens ? (block.after * 100) / block.tokens : 0}%`;
		const silent = { "aria-hidden": "true" }; // the hidden text says all of it, in a better order
		const element = h(
			"div",
			{
				id: `block-${row.index}`,
				class: `block${opensTurn ? " opens-turn" : ""}${opensMessage ? " opens-message" : ""}${hit ? " hit" : ""}`,
				role: "option",
				"aria-selected": String(row.index === this.active),
				"aria-setsize": this.order.length,
				"aria-posinset": place + 1,
				"data-index": row.index,
				"data-fate": block.fate,
				"data-path": block.path,
				"data-problem": row.problems.length > 0,
				"data-choice": this.choice(row),
			},
			h("span.hidden", hit ? `${spoken(row)}. ${plural(hit.count, "match", "matches")}` : spoken(row)),
			h("span.turn", { ...silent }, opensTurn && row.turn > 0 ? row.turn : ""),
			h("span", { class: `role role-${row.role}`, ...silent }, opensMessage ? row.role : ""),
			h("span.label", { ...silent }, row.label === "text" && h("span.who", `${row.role} `), row.label),
			h(
				"span.track",
				{ ...silent },
				bar,
				h("span.preview", ...(hit && this.pattern ? marked(hit.snippet, this.pattern) : [block.preview])),
				hit && h("span.matches", number(hit.count)),
			),
			h(
				"span.tokens",
				{ ...silent },
				matters && changed ? h("span.was", `${number(block.tokens)} → `) : null,
				matters && number(block.after),
			),
		);
		element.style.top = `${place * ROW}px`;
		return element;
	}
}

/** The text of a row for screen readers. @param {Row} row */
function spoken(row) {
	const { block } = row;
	const change =
		block.after !== block.tokens
			? `${number(block.tokens)} tokens, ${number(block.after)} after`
			: `${number(block.tokens)} tokens`;
	const where = row.turn > 0 ? `turn ${row.turn}, ` : "";
	return sentence(
		`${where}${row.role}, ${row.label}, ${change}, ${FATES[block.fate]?.name ?? block.fate}: ${block.why}`,
	);
}

/** A text with the matches of a pattern marked. @param {string} text @param {RegExp} pattern */
function marked(text, pattern) {
	/** @type {(Node | string)[]} */
	const out = [];
	let from = 0;
	for (const match of text.matchAll(pattern)) {
		out.push(text.slice(from, match.index), h("mark", match[0]));
		from = match.index + match[0].length;
	}
	out.push(text.slice(from));
	return out;
}
