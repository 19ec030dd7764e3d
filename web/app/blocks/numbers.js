// This file shows the token counts, and below them the whole context as two strips on one scale: before and after.

import { byId, fill, h } from "../ui/dom.js";
import { termButton } from "../ui/glossary.js";
import { FATES, fromTo, grouped, number, plural, saved, sentence } from "../ui/words.js";

/** @import { Row } from "./rows.js" */
/** @import { Inspection, Action } from "../engine/types.js" */

const STRIP = 16; // px, height of one strip
const GAP = 6;
const NEAR = 4; // px between the line of the window and its name
const MAX_ROOM = 2; // a window larger than this many times the session would make its blocks too narrow
const SEAM = 8; // px: only wider blocks get a seam; narrow blocks would consist of seams only
const COLORS = [
	"broken",
	"broken-ground",
	"cleared",
	"cleared-ground",
	"dropped",
	"dropped-ground",
	"ink",
	"kept",
	"line",
	"pinned",
	"pinned-ink",
	"summarized",
	"summarized-ground",
];
const SPEAK_AFTER = 600; // ms: a screen reader reads the number when a slider rests, not each value in between

export class Numbers {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		byId("force-now").addEventListener("click", () => session.compactNow(true));
		/** @type {Row[]} */
		this.rows = [];
		this.total = 0;
		this.after = 0;
		this.store = store;
		/** @type {Row | null} */
		this.marked = null;
		this.timer = 0;
		this.canvas = byId("strip");
		this.canvas.addEventListener("click", (/** @type {MouseEvent} */ e) => {
			const index = this.at(e);
			if (index >= 0) session.jump("", index, true);
		});
		this.canvas.addEventListener("mousemove", (/** @type {MouseEvent} */ e) => store.put({ hovered: this.at(e) }));
		this.canvas.addEventListener("mouseleave", () => store.put({ hovered: -1 }));
		this.frame = 0;
		/** The colors and patterns of the theme, made once. @type {{ratio: number, of: Record<string, any>} | null} */
		this.fills = null;
		new ResizeObserver(() => this.paint()).observe(this.canvas);
		store.watch(["shown"], ({ shown }) => shown && this.show(shown.seen, shown.laid.rows));
		store.watch(["size"], ({ size }) => size && put("before", size.total));
		store.watch(["window"], () => this.draw());
		store.watch(["row"], ({ row }) => this.mark(row));
		store.watch(["waiting"], ({ waiting }) => {
			byId("saved-cap").textContent = waiting ? "saved if compacted now" : "saved";
			byId("session").dataset.assumed = String(waiting !== null);
		});
		store.watchInPieces("output", ({ output, seen }) => {
			if (seen && output.is !== "waiting") this.explain(seen, output.is === "done" ? output.actions : seen.actions);
		});
	}

	/** Of the context, in tokens; it is drawn as a line, if it is not far to the right. 0: not known. */
	get window() {
		return this.store.state.window;
	}

	/**
	 * @param {Inspection} inspection
	 * @param {Row[]} rows
	 */
	show(inspection, rows) {
		const { before, after } = inspection;
		this.rows = rows;
		// What no block has, before and after, is the last part of each strip: the strips end where the numbers say.
		this.total = before;
		this.after = after;
		const sum = (/** @type {"tokens" | "after"} */ of) => rows.reduce((all, row) => all + row.block[of], 0);
		const other = { tokens: before - sum("tokens"), after: after - sum("after") };
		put("before", before);
		put("after", after);
		byId("saved").textContent = saved(before, after);
		this.explain(inspection, inspection.actions, false);
		this.legend(other);
		this.draw();
	}

	/**
	 * @param {Inspection} inspection
	 * @param {Action[]} decisions
	 * @param {boolean} [packed] false: the session is not packed yet, and a summary may change it
	 */
	explain(inspection, decisions, packed = true) {
		const { before, after } = inspection;
		const says = verdict(inspection, decisions, packed);
		byId("verdict").textContent = says;
		byId("verdict").dataset.freed = String(before !== after);
		byId("force-now").hidden = !packed || inspection.trigger.kind === "manual" || before !== after;
		clearTimeout(this.timer);
		this.timer = setTimeout(() => {
			byId("spoken").textContent =
				`${number(before)} tokens before, ${number(after)} after, ${saved(before, after)} saved. ${says}`;
		}, SPEAK_AFTER);
	}

	/** @param {{tokens: number, after: number}} other tokens that belong to messages and to what the log does not show */
	legend(other) {
		/** @type {Map<string, {blocks: number, tokens: number, after: number}>} */
		const sums = new Map();
		for (const { block } of this.rows) {
			const sum = sums.get(block.fate) ?? { blocks: 0, tokens: 0, after: 0 };
			sums.set(block.fate, {
				blocks: sum.blocks + 1,
				tokens: sum.tokens + block.tokens,
				after: sum.after + block.after,
			});
		}
		fill(
			byId("legend"),
			...Object.entries(FATES)
				.filter(([fate]) => sums.has(fate))
				.map(([fate, { name }]) => {
					const { blocks, tokens, after } = sums.get(fate) ?? { blocks: 0, tokens: 0, after: 0 };
					return h(
						"li",
						h("span", { class: `swatch fate-${fate}`, "aria-hidden": "true" }),
						h("strong", termButton(sentence(name), fate)),
						amount(tokens, after),
						h("span.hint", plural(blocks, "block")),
					);
				}),
			other.tokens !== 0 || other.after !== 0
				? h(
						"li",
						h("span.swatch.other", { "aria-hidden": "true" }),
						h("strong", termButton("Other", "other")),
						amount(other.tokens, other.after),
					)
				: null,
		);
	}

	/** Tokens that the width of the strips shows. */
	get width() {
		const largest = Math.max(this.total, this.after);
		return this.window <= MAX_ROOM * largest ? Math.max(largest, this.window) : largest;
	}

	/** Outlines the current block on both strips. @param {Row | null} row */
	mark(row) {
		if (this.marked === row) return;
		this.marked = row;
		this.draw();
	}

	/** Call when the theme changed. */
	recolor() {
		this.fills = null;
		this.draw();
	}

	/** Makes the colors and patterns before the first session arrives. */
	prepare() {
		const paint = this.canvas.getContext("2d");
		if (paint) this.colors(paint, devicePixelRatio || 1);
	}

	/** @param {CanvasRenderingContext2D} paint @param {number} ratio */
	colors(paint, ratio) {
		if (this.fills?.ratio !== ratio) this.fills = { ratio, of: paints(paint, ratio) };
		return this.fills.of;
	}

	/** Paints before the next frame: reading the width at once would force a layout for each change. */
	draw() {
		this.frame ||= requestAnimationFrame(() => this.paint());
	}

	paint() {
		cancelAnimationFrame(this.frame);
		this.frame = 0;
		const { canvas } = this;
		const width = canvas.clientWidth;
		if (width === 0 || this.total === 0) return;
		const ratio = devicePixelRatio || 1;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round((2 * STRIP + GAP) * ratio);
		const paint = canvas.getContext("2d");
		if (!paint) return;
		paint.scale(ratio, ratio);
		const fills = this.colors(paint, ratio);
		const scale = width / this.width;
		let x = 0;
		let y = 0;
		/** Positions of blocks with problems: a pointer marks even a block of three pixels. @type {number[]} */
		const trouble = [];
		const upper = new Bars(paint, 0, ratio);
		const lower = new Bars(paint, STRIP + GAP, ratio);
		for (const row of this.rows) {
			const { tokens, after, fate } = row.block;
			if (row.problems.length > 0) trouble.push(x + (tokens * scale) / 2);
			const fill = fills[fate] ?? fills.kept;
			x += tokens * scale;
			y += after * scale;
			upper.until(x, fill.before);
			lower.until(y, fill.after);
		}
		upper.end();
		lower.end();
		x = Math.max(x, this.total * scale);
		y = Math.max(y, this.after * scale);
		upper.until(x, fills.line);
		lower.until(y, fills.line);
		upper.end();
		lower.end();
		paint.fillStyle = fills.trouble;
		for (const at of trouble) pointer(paint, at);
		// The outline is drawn last, over the neighboring blocks.
		if (this.marked) {
			const [mx, mw, my, mv] = this.span(this.marked.index, scale);
			outline(paint, fills.mark, [mx, mw, my, mv]);
		}
		paint.fillStyle = fills.line;
		paint.fillRect(y, STRIP + GAP + STRIP - 1, Math.max(0, width - y), 1);
		this.paintLimit(paint, fills.trouble, scale, width, y);
	}

	/**
	 * @param {CanvasRenderingContext2D} paint
	 * @param {string} color
	 * @param {number} scale
	 * @param {number} width px of the strips
	 * @param {number} after px where the lower strip ends
	 */
	paintLimit(paint, color, scale, width, after) {
		const name = byId("strip-window");
		const at = Math.min(this.window * scale, width - 1);
		name.hidden = this.window === 0 || this.window > this.width;
		if (name.hidden) return;
		paint.fillStyle = color;
		paint.fillRect(at - 1, 0, 2, 2 * STRIP + GAP);
		name.textContent = "window";
		// In the row of the lower strip, where that leaves room: after its end, or else right of the line.
		const room = name.offsetWidth + NEAR;
		const isRight = after <= at && after > at - room && at + room <= width;
		name.style.insetInlineStart = isRight ? `${at + NEAR}px` : "auto";
		name.style.insetInlineEnd = isRight ? "auto" : `${Math.max(0, width - at + NEAR)}px`;
	}

	/**
	 * @param {number} index
	 * @param {number} scale
	 */
	span(index, scale) {
		let x = 0;
		let y = 0;
		for (const { block } of this.rows.slice(0, index)) {
			x += block.tokens * scale;
			y += block.after * scale;
		}
		const block = this.rows[index]?.block;
		return [x, (block?.tokens ?? 0) * scale, y, (block?.after ?? 0) * scale];
	}

	/** @param {MouseEvent} event */
	at(event) {
		const box = this.canvas.getBoundingClientRect();
		const upper = event.clientY - box.top < STRIP + GAP / 2;
		let left = ((event.clientX - box.left) / box.width) * this.width;
		return this.rows.findIndex(({ block }) => {
			left -= upper ? block.tokens : block.after;
			return left < 0;
		});
	}
}

/**
 * The bars of one strip, from left to right. A session of 28,000 blocks has many in each pixel, so narrow blocks are
 * joined until they fill half a device pixel: the bar has the color of the one that fills it.
 */
class Bars {
	/** @param {CanvasRenderingContext2D} paint @param {number} top px @param {number} ratio device pixels of a pixel */
	constructor(paint, top, ratio) {
		this.paint = paint;
		this.top = top;
		this.least = 0.5 / ratio;
		this.from = this.to = 0;
		/** @type {any} */
		this.fill = null;
	}

	/** @param {number} to px, where the next block ends @param {any} fill */
	until(to, fill) {
		this.to = to;
		this.fill = fill;
		if (to - this.from >= this.least) this.end();
	}

	end() {
		const width = this.to - this.from;
		const { paint } = this;
		paint.fillStyle = this.fill;
		paint.fillRect(this.from, this.top, width - (width > SEAM ? 1 : 0), STRIP); // a line separates wide blocks
		this.from = this.to;
	}
}

/** The tokens of a part of the legend. @param {number} tokens @param {number} after */
const amount = (tokens, after) =>
	h(
		"span.amount",
		{ "data-before": tokens, "data-after": after },
		tokens === after ? number(tokens) : fromTo(tokens, after),
		h("span.hidden", " tokens"),
	);

/** @param {string} id @param {number} value */
function put(id, value) {
	const element = byId(id);
	element.textContent = number(value);
	element.dataset.value = String(value);
}

/**
 * One sentence on what the policy changed; if it changed nothing, the engine's reason from its decisions.
 * @param {Inspection} inspection
 * @param {Action[]} decisions
 * @param {boolean} packed
 */
function verdict({ trigger }, decisions, packed) {
	const done = decisions.filter((action) => action.before !== action.after);
	const of = (/** @type {string} */ kind) => done.filter((action) => action.kind === kind).length;
	const [summaries, truncated] = [of("summarize"), of("truncate")];
	const blocks = done.length - summaries - truncated;
	const parts = [
		blocks > 0 && `${plural(blocks, "block")} cleared or shortened`,
		summaries > 0 && (summaries === 1 ? "one summary inserted" : `${number(summaries)} summaries inserted`),
		truncated > 0 && (truncated === 1 ? "one region truncated" : `${number(truncated)} regions truncated`),
	].filter(Boolean);
	if (parts.length > 0) return `${sentence(parts.join(", "))}.`;
	if (!packed) return "Packing…";
	const reason = decisions.find((action) => action.kind === "none")?.reason;
	return `This policy changes nothing here${reason ? `: ${waits(reason, trigger)}` : ""}.`;
}

/**
 * The engine's reason, and for one that names a limit, the unit of the limit.
 * @param {string} reason
 * @param {import("../engine/types.js").Trigger} trigger
 */
function waits(reason, { waitsFor, waitsLimit = 0 }) {
	if (!reason.startsWith("waiting: ") || !waitsFor) return grouped(reason);
	const unit = waitsFor === "tool_uses" ? "calls" : "tokens";
	return `it waits until the session has more than ${number(waitsLimit)} ${unit}`;
}

/**
 * Colors come from the style sheet, the one place where both themes define them. Patterns match the bars of the list.
 * @param {CanvasRenderingContext2D} paint
 * @param {number} ratio
 * @returns {Record<string, any>}
 */
function paints(paint, ratio) {
	// A custom property reads back unresolved, with light-dark(); a color that uses it reads back resolved. All are set
	// before the first is read, since each read after a change computes the styles again.
	const probes = COLORS.map((name) => {
		const probe = h("span");
		probe.style.color = `var(--${name})`;
		return probe;
	});
	const root = h("div", { hidden: true }, ...probes);
	document.body.append(root);
	const colors = new Map(COLORS.map((name, i) => [name, getComputedStyle(probes[i]).color]));
	root.remove();
	const color = (/** @type {string} */ name) => colors.get(name) ?? "";
	const hatch = (
		/** @type {string} */ ink,
		/** @type {string} */ ground,
		/** @type {(p: CanvasRenderingContext2D, n: number) => void} */ lines,
	) => {
		const n = Math.round(6 * ratio);
		const tile = document.createElement("canvas");
		tile.width = tile.height = n;
		const p = tile.getContext("2d");
		if (!p) return ink;
		p.fillStyle = ground;
		p.fillRect(0, 0, n, n);
		p.strokeStyle = p.fillStyle = ink;
		p.lineWidth = 1.5 * ratio;
		lines(p, n);
		const pattern = paint.createPattern(tile, "repeat");
		pattern?.setTransform(new DOMMatrix().scale(1 / ratio));
		return pattern ?? ink;
	};
	const slash = (/** @type {CanvasRenderingContext2D} */ p, /** @type {number} */ n) => {
		p.beginPath();
		for (const s of [-n, 0, n]) {
			p.moveTo(s - 1, n + 1);
			p.lineTo(s + n + 1, -1);
		}
		p.stroke();
	};
	const cross = (/** @type {CanvasRenderingContext2D} */ p, /** @type {number} */ n) => {
		slash(p, n);
		p.beginPath();
		p.moveTo(0, 0);
		p.lineTo(n, n);
		p.stroke();
	};
	const bars = (/** @type {CanvasRenderingContext2D} */ p, /** @type {number} */ n) => p.fillRect(0, 0, n, n / 3);
	const posts = (/** @type {CanvasRenderingContext2D} */ p, /** @type {number} */ n) => p.fillRect(0, 0, n / 3, n);
	const dots = (/** @type {CanvasRenderingContext2D} */ p, /** @type {number} */ n) =>
		p.fillRect(n / 3, n / 3, n / 3, n / 3);
	const cleared = hatch(color("cleared"), color("cleared-ground"), slash);
	const broken = hatch(color("broken"), color("broken-ground"), cross);
	const pinned = hatch(color("pinned-ink"), color("pinned"), dots);
	const dropped = hatch(color("dropped"), color("dropped-ground"), slash);
	return {
		kept: { before: color("kept"), after: color("kept") },
		pinned: { before: pinned, after: pinned },
		cleared: { before: cleared, after: color("cleared") },
		summarized: { before: hatch(color("summarized"), color("summarized-ground"), bars), after: color("summarized") },
		truncated: { before: hatch(color("cleared"), color("cleared-ground"), posts), after: color("cleared") },
		dropped: { before: dropped, after: color("dropped") },
		broken: { before: broken, after: broken },
		mark: color("ink"),
		trouble: color("broken"),
		line: color("line"),
	};
}

/** Points at the upper strip from the gap below it. @param {CanvasRenderingContext2D} paint @param {number} x */
function pointer(paint, x) {
	paint.beginPath();
	paint.moveTo(x, STRIP);
	paint.lineTo(x + 5, STRIP + GAP - 1);
	paint.lineTo(x - 5, STRIP + GAP - 1);
	paint.fill();
}

/**
 * @param {CanvasRenderingContext2D} paint
 * @param {string} color
 * @param {number[]} at
 */
function outline(paint, color, [x, w, y, v]) {
	paint.strokeStyle = color;
	paint.lineWidth = 2;
	paint.strokeRect(x, 1, Math.max(3, w), STRIP - 2);
	if (v > 0) paint.strokeRect(y, STRIP + GAP + 1, Math.max(3, v), STRIP - 2);
}
