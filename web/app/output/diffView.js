// This file shows messages side by side, before and after. Unchanged runs are folded, and a text is read from its
// Blob only when it becomes visible, so that 10 MB cost no more than their visible part.

import { byId, fill, h } from "../ui/dom.js";
import { LazyText } from "../reading/lazyText.js";
import { hunksOf } from "./lineDiff.js";
import { pagedList } from "../ui/pagedList.js";
import { number, plural, sentence as capital } from "../ui/words.js";

/** @import { Segment, Shown } from "../engine/types.js" */
/** @typedef {{messages: Shown[], text: Blob}} Side */
/** @typedef {{noun: string, segments: Segment[], before: Side, after: Side}} Diff noun: "message" or "line" */

const STEP = 60; // segments drawn at a time
const MESSAGES = 40; // folded messages drawn at a time
const AHEAD = "600px"; // how far below the fold texts are fetched
// Bytes of a side that are compared line by line; a longer text is compared in part
const MAX_COMPARED_BYTES = 64 * 1024;
const AROUND = 2; // equal lines shown on each side of a change
const LINES = 60; // lines of a change shown at once

export class DiffView {
	/** @param {string} [id] of its element; the note's ends in -note */
	constructor(id = "diff") {
		this.root = byId(id);
		this.note = byId(`${id}-note`);
		/** @type {Diff} */
		this.diff = {
			noun: "message",
			segments: [],
			before: { messages: [], text: new Blob() },
			after: { messages: [], text: new Blob() },
		};
		/** @type {WeakMap<Element, () => void>} */
		this.waiting = new WeakMap();
		this.observer = new IntersectionObserver(
			(entries) => {
				for (const { target, isIntersecting } of entries) {
					if (!isIntersecting) continue;
					this.observer.unobserve(target);
					this.waiting.get(target)?.();
				}
			},
			{ root: this.root, rootMargin: AHEAD },
		);
	}

	wait() {
		this.root.setAttribute("aria-busy", "true");
	}

	/** @param {string} why */
	fail(why) {
		this.root.setAttribute("aria-busy", "false");
		this.note.textContent = why;
		fill(this.root);
	}

	/** @param {Diff} diff */
	show(diff) {
		const top = this.root.scrollTop;
		this.diff = diff;
		this.observer.disconnect();
		this.root.setAttribute("aria-busy", "false");
		const changed = diff.segments.filter(({ kind }) => kind !== "same");
		const edits = changed.filter(({ kind }) => kind === "edit").length;
		const removed = changed.reduce((sum, { kind, a }) => sum + (kind === "swap" ? a[1] - a[0] : 0), 0);
		const added = changed.reduce((sum, { kind, b }) => sum + (kind === "swap" ? b[1] - b[0] : 0), 0);
		const same = diff.before.messages.length - edits - removed;
		const parts = [
			edits > 0 && `${number(edits)} edited`,
			removed > 0 && added > 0 && `${number(removed)} replaced by ${number(added)}`,
			removed > 0 && added === 0 && `${number(removed)} removed`,
			removed === 0 && added > 0 && `${number(added)} added`,
			same > 0 && `${number(same)} unchanged`,
		].filter(Boolean);
		this.note.textContent =
			changed.length === 0
				? `All ${plural(same, diff.noun)} are unchanged.`
				: `Of ${plural(diff.before.messages.length, diff.noun)}, ${parts.join(", ")}.`;
		fill(this.root);
		pagedList(this.root, diff.segments, (segment) => this.segment(segment), { step: STEP });
		this.root.scrollTop = top;
	}

	/** @param {Segment} segment */
	segment({ kind, a, b }) {
		const { before, after, noun } = this.diff;
		if (kind === "same") return this.run(a);
		if (kind === "edit") {
			const body = h("div.sides.lines");
			const article = h(
				"article.differs.edit",
				{ "aria-label": `${capital(noun)} ${a[0] + 1}, edited` },
				h(
					"header",
					title(before.messages[a[0]], a[0]),
					h("span.hint", b[0] === a[0] ? "" : `now ${noun} ${number(b[0] + 1)}`),
				),
				body,
			);
			// The article, not its body: content-visibility keeps a skipped body from intersecting.
			this.whenVisible(article, () => this.compare(body, before.messages[a[0]], after.messages[b[0]]));
			return article;
		}
		const left = h("div.side.before");
		pagedList(left, before.messages.slice(...a), (message, i) => this.folded(message, a[0] + i, before, "del"), {
			step: MESSAGES,
		});
		const right = h("div.side.after");
		pagedList(right, after.messages.slice(...b), (message, i) => this.open(message, b[0] + i), { step: MESSAGES });
		const says =
			a[1] === a[0]
				? `${plural(b[1] - b[0], noun)} added`
				: b[1] === b[0]
					? `${plural(a[1] - a[0], noun)} removed`
					: `${plural(a[1] - a[0], noun)} replaced by ${number(b[1] - b[0])}`;
		return h("article.differs.swap", { "aria-label": says }, h("header", h("h3", says)), h("div.sides", left, right));
	}

	/** A run of unchanged messages, folded. @param {[number, number]} a */
	run(a) {
		const { before, noun } = this.diff;
		const inside = h("div.run-messages");
		const box = h(
			"details.run",
			{
				on: {
					toggle: () =>
						box.open &&
						!inside.firstChild &&
						pagedList(
							inside,
							before.messages.slice(...a),
							(message, i) => this.folded(message, a[0] + i, before, null),
							{ step: MESSAGES },
						),
				},
			},
			h(
				"summary",
				`${plural(a[1] - a[0], `unchanged ${noun}`)}`,
				h("span.hint", a[1] - a[0] > 1 ? ` ${number(a[0] + 1)}–${number(a[1])}` : ` ${number(a[0] + 1)}`),
			),
			inside,
		);
		return box;
	}

	/**
	 * One line that unfolds.
	 * @param {Shown} message
	 * @param {number} index
	 * @param {Side} side
	 * @param {"del" | null} mark
	 */
	folded(message, index, side, mark) {
		const pre = h("pre", { tabindex: "0", "aria-label": `${capital(this.diff.noun)} ${index + 1}` });
		const lazy = new LazyText(pre);
		const box = h(
			"details",
			{
				class: `message${mark ? " gone" : ""}`,
				on: { toggle: () => box.open && lazy.show(side.text.slice(message.from, message.to)) },
			},
			h("summary", h("span.who", title(message, index)), h(mark ?? "span", { class: "head" }, message.head)),
			pre,
		);
		return box;
	}

	/** A new message, with its text open. @param {Shown} message @param {number} index */
	open(message, index) {
		const pre = h("pre.come", { tabindex: "0", "aria-label": `${capital(this.diff.noun)} ${index + 1}, new` });
		const lazy = new LazyText(pre);
		this.whenVisible(pre, () => lazy.show(this.diff.after.text.slice(message.from, message.to)));
		return h("div.message", h("p.who", title(message, index)), pre);
	}

	/** @param {Element} element @param {() => void} draw */
	whenVisible(element, draw) {
		this.waiting.set(element, draw);
		this.observer.observe(element);
	}

	/** @param {HTMLElement} body @param {Shown} was @param {Shown} is */
	async compare(body, was, is) {
		const { before, after } = this.diff;
		const [left, right] = await Promise.all([piece(before.text, was), piece(after.text, is)]);
		const hunks = hunksOf(left.text, right.text);
		fill(
			body,
			...hunks.flatMap(
				(hunk, i) =>
					/** @type {HTMLElement[]} */ (
						hunk.same ? same(hunk.a, i === 0, i === hunks.length - 1) : [lines("del", hunk.a), lines("ins", hunk.b)]
					),
			),
		);
		if (left.cut || right.cut) body.append(h("p.hint.whole", "Only the beginning is compared here."));
	}
}

/** @param {Blob} blob @param {Shown} message */
async function piece(blob, { from, to }) {
	const text = await blob.slice(from, Math.min(to, from + MAX_COMPARED_BYTES)).text();
	return { text, cut: to - from > MAX_COMPARED_BYTES };
}

/** @param {Shown} message @param {number} index */
function title({ role, label }, index) {
	return h(
		"span.title",
		h("strong", { class: `role-${role}` }, role),
		` ${number(index + 1)}`,
		label ? h("span.hint", ` ${label}`) : null,
	);
}

/**
 * Equal lines: those next to a change, the rest as a count that unfolds.
 * @param {string[]} all
 * @param {boolean} first
 * @param {boolean} last
 */
function same(all, first, last) {
	const head = first ? 0 : AROUND;
	const tail = last ? 0 : AROUND;
	const plain = (/** @type {string[]} */ some) => h("pre.same", some.join("\n"));
	if (all.length <= head + tail + 1) return [plain(all)];
	const hidden = all.slice(head, all.length - tail);
	const fold = h(
		"button.link.equal",
		{ on: { click: () => fold.replaceWith(plain(hidden)) } },
		plural(hidden.length, "equal line"),
	);
	return [
		head > 0 ? plain(all.slice(0, head)) : null,
		fold,
		tail > 0 ? plain(all.slice(all.length - tail)) : null,
	].filter((part) => part !== null);
}

/** @param {"del"|"ins"} tag @param {string[]} all */
function lines(tag, all) {
	const box = h("div", { class: `side ${tag === "del" ? "before" : "after"}` });
	if (all.length === 0) return box;
	const some = h(tag, {}, ...all.slice(0, LINES).map((line) => h("span.line", line || " ")));
	box.append(some);
	if (all.length > LINES) {
		const more = h(
			"button.link",
			{
				on: {
					click: () => {
						some.append(...all.slice(LINES).map((line) => h("span.line", line || " ")));
						more.remove();
					},
				},
			},
			`${plural(all.length - LINES, "more line")}`,
		);
		box.append(more);
	}
	return box;
}
