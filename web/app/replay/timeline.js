// This file is the timeline: the size of the context at each model call, without compaction and under the policy, and
// the use of the prompt cache. Its picture is plain SVG, drawn again for each width; its height is fixed, so that
// nothing moves when it is drawn.

import {
	areaOf,
	callTicks,
	hasTimes,
	lasts,
	lineOf,
	nearest,
	places,
	sawtooth,
	short,
	span,
	stretches,
	thin,
	ticks,
	timeTicks,
	topOf,
} from "./chart.js";
import { byId, fill, h } from "../ui/dom.js";
import { CallTable } from "./callTable.js";
import { sayCall, sayFreed, timeOf } from "./callText.js";
import { change } from "./metrics.js";
import { number, plural, sentence } from "../ui/words.js";

/** @typedef {import("./replays.js").Report} Report */
/** @typedef {import("./replays.js").ReplayStatus} ReplayStatus */
/** @typedef {{title: string, base: ReplayStatus, chosen: ReplayStatus}} Shown title: of the chosen preset */

const SPACE = { top: 10, main: 216, rail: 24, cache: 40, foot: 24, left: 50, right: 14 };
export const HEIGHT = SPACE.top + SPACE.main + SPACE.rail + SPACE.cache + SPACE.foot;
const SPEAK_AFTER = 350; // ms: a screen reader reads the call at which the arrows stop
const PAGE = 10; // calls that PageUp and PageDown go

export class Timeline {
	/** @param {{look: (call: number) => void, moved: () => void}} acts look: show the conversation as it was sent at a call, from 1; moved: the user selected another call */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("timeline");
		this.plot = byId("timeline-plot");
		this.picture = byId("timeline-picture");
		this.handle = byId("timeline-handle");
		this.tip = byId("timeline-tip");
		/** @type {Shown | null} */
		this.shown = null;
		/** @type {Report | null} */
		this.base = null;
		/** @type {Report | null} */
		this.report = null;
		/** @type {number[]} positions of the calls, in pixels */
		this.xs = [];
		this.at = 0;
		/** Whether the user selected a call. */
		this.chosen = false;
		/** The call to select when the session is known; -1: the last. */
		this.wanted = -1;
		/** @type {"calls"|"time"} */
		this.by = "calls";
		this.drawn = "";
		this.timer = 0;
		this.table = new CallTable((call) => this.open(call - 1));
		/** @type {HTMLInputElement[]} */
		this.switches = [...document.querySelectorAll("input[name=timeline-by]")].map(
			(input) => /** @type {HTMLInputElement} */ (input),
		);
		for (const input of this.switches) {
			input.addEventListener("change", () => {
				this.by = input.value === "time" ? "time" : "calls";
				this.draw();
			});
		}
		this.handle.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.point(event));
		this.handle.addEventListener("pointerleave", () => (this.tip.hidden = true));
		this.handle.addEventListener("click", (/** @type {PointerEvent} */ event) => {
			this.point(event);
			this.select();
			this.handle.focus({ preventScroll: true });
		});
		this.handle.addEventListener("dblclick", () => this.open(this.at));
		this.handle.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.press(event));
		this.handle.addEventListener("blur", () => (this.tip.hidden = true));
		byId("timeline-look").addEventListener("click", () => this.open(this.at));
		new ResizeObserver(() => this.draw()).observe(this.plot);
	}

	/** Call for a new session, before its replays. */
	wait() {
		this.shown = this.base = this.report = null;
		this.at = 0;
		this.chosen = false;
		this.wanted = -1;
		this.state("waiting");
		this.say("The session is being read.");
		this.clear();
	}

	/** @param {Shown} shown */
	show(shown) {
		this.shown = shown;
		const { base, chosen } = shown;
		for (const { settled } of [base, chosen]) {
			if (!settled || !("failure" in settled)) continue;
			this.state("failed");
			this.base = this.report = null;
			this.clear();
			return this.say(`The session cannot be replayed: ${settled.failure.message}.`);
		}
		const known = base.settled && "report" in base.settled ? base.settled.report : null;
		const report = chosen.settled && "report" in chosen.settled ? chosen.settled.report : null;
		const fresh = known !== this.base || (report !== null && report !== this.report);
		if (known && known.calls.length !== this.base?.calls.length) {
			const last = known.calls.length - 1;
			this.chosen = this.wanted >= 0;
			this.at = this.chosen ? Math.min(this.wanted, last) : last;
		}
		if (known !== this.base) this.report = null;
		this.base = known;
		if (report) this.report = report;
		if (known?.calls.length === 0) {
			this.state("empty");
			this.clear();
			return this.say(
				"No model call yet: the session has no assistant message. Open a session with model calls to see its timeline.",
			);
		}
		this.state(known && report ? "ready" : "computing");
		if (!known) this.say(progressOf(base, "the session as it is"));
		else this.say(report ? "" : progressOf(chosen, shown.title));
		if (fresh) this.draw();
	}

	/** @param {"waiting"|"computing"|"ready"|"empty"|"failed"} state */
	state(state) {
		this.root.dataset.state = state;
		this.root.setAttribute("aria-busy", String(state === "waiting" || state === "computing"));
	}

	/** @param {string} text */
	say(text) {
		const says = byId("timeline-says");
		if (says.textContent !== text) says.textContent = text;
		says.dataset.over = String(this.base !== null && this.base.calls.length > 0);
	}

	clear() {
		this.drawn = "";
		fill(this.picture);
		fill(byId("timeline-figures"), h("p", { class: "hint" }, " "));
		fill(byId("timeline-call"));
		byId("timeline-look").disabled = true;
		this.handle.hidden = true;
		this.tip.hidden = true;
		this.table.show(null, null);
	}

	draw() {
		const { base, report, shown } = this;
		const width = this.plot.clientWidth;
		if (!base || !shown || base.calls.length === 0 || width < 80) return;
		const timed = hasTimes(base.calls);
		for (const input of this.switches) {
			input.disabled = input.value === "time" && !timed;
			input.checked = input.value === (timed ? this.by : "calls");
		}
		const by = timed ? this.by : "calls";
		const inner = width - SPACE.left - SPACE.right;
		this.xs = places(base.calls, by).map((x) => SPACE.left + x * inner);
		this.figures(base, report);
		fill(this.picture, picture({ base, report, title: shown.title, xs: this.xs, by, width }));
		this.picture.firstElementChild?.setAttribute("aria-label", summary(base, report, shown.title));
		this.handle.hidden = false;
		this.handle.setAttribute("aria-valuemax", String(base.calls.length));
		byId("timeline-look").disabled = false;
		byId("timeline-legend").dataset.api = String(base.totals.apiCalls > 0);
		this.table.show(base, report);
		this.put(Math.min(this.at, base.calls.length - 1), false);
	}

	/** The numbers above the chart. @param {Report} base @param {Report | null} report */
	figures(base, report) {
		const pair = (
			/** @type {string} */ cap,
			/** @type {number} */ was,
			/** @type {number | undefined} */ is,
			/** @type {string} */ hook,
		) =>
			h(
				"div",
				{ class: "course-figure" },
				h("dt", {}, cap),
				h(
					"dd",
					{ "data-figure": hook, "data-value": is ?? "" },
					h("strong", {}, is === undefined ? "…" : number(is)),
					h(
						"span",
						{ class: "hint" },
						is === was
							? " same as without compaction"
							: ` of ${number(was)}${is === undefined ? "" : `, ${change(is, was)}`}`,
					),
				),
			);
		const { totals } = report ?? {};
		fill(
			byId("timeline-figures"),
			pair("Largest request", base.totals.peak, totals?.peak, "peak"),
			pair("Sent in all", base.totals.sent, totals?.sent, "sent"),
			h(
				"div",
				{ class: "course-figure" },
				h("dt", {}, "Compactions"),
				h(
					"dd",
					{ "data-figure": "compactions", "data-value": totals?.compactions ?? "" },
					h("strong", {}, totals ? number(totals.compactions) : "…"),
					h("span", { class: "hint" }, ` in ${plural(base.totals.calls, "call")}`),
				),
			),
		);
	}

	/** @param {PointerEvent | MouseEvent} event */
	point(event) {
		if (this.xs.length === 0) return;
		const x = event.clientX - this.plot.getBoundingClientRect().left;
		this.put(nearest(this.xs, x), true);
	}

	/**
	 * Selects a call.
	 * @param {number} at from 0
	 * @param {boolean} tip with the tooltip
	 */
	put(at, tip) {
		const { base, report, shown } = this;
		const call = report?.calls[at] ?? base?.calls[at];
		if (!base || !shown || !call) return;
		this.at = at;
		const cursor = this.picture.querySelector(".cursor");
		cursor?.setAttribute("transform", `translate(${Math.round(this.xs[at] * 10) / 10} 0)`);
		const words = `${number(call.sent)} tokens sent${report ? "" : " without compaction"}`;
		this.handle.setAttribute("aria-valuenow", String(at + 1));
		this.handle.setAttribute(
			"aria-valuetext",
			`Call ${number(at + 1)} of ${number(base.calls.length)}: ${words}${call.freed ? `, ${sayFreed(call)}` : ""}`,
		);
		fill(
			byId("timeline-call"),
			h(
				"p",
				{ class: "call-head" },
				h("strong", {}, `Call ${number(at + 1)}`),
				h("span", { class: "hint" }, ` of ${number(base.calls.length)}${timeOf(call)}`),
			),
			...sayCall(base.calls[at], report?.calls[at] ?? null, report?.price ?? base.price).map(({ name, value, kind }) =>
				h("dl", { class: "call-value", "data-kind": kind }, h("dt", {}, name), h("dd", {}, value)),
			),
			h(
				"p",
				{ class: "call-note", "data-kind": call.error ? "error" : call.freed ? "freed" : "none" },
				call.error
					? `Not compacted: ${call.error}.`
					: call.freed
						? sayFreed(call, true)
						: report
							? "Nothing was compacted before this call."
							: "",
			),
		);
		this.tip.hidden = !tip;
		if (!tip) return;
		fill(
			this.tip,
			h("strong", {}, `Call ${number(at + 1)}: ${short(call.sent)} tokens`),
			call.freed ? h("span", {}, sayFreed(call)) : null,
		);
		const width = this.plot.clientWidth;
		this.tip.style.insetInlineStart = `${Math.max(4, Math.min(width - this.tip.offsetWidth - 4, this.xs[at] - this.tip.offsetWidth / 2))}px`;
	}

	/** Call when the user selected a call. */
	select() {
		this.chosen = true;
		this.acts.moved();
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const last = this.xs.length - 1;
		const step = (/** @type {1|-1} */ by) => () => (event.shiftKey ? this.compaction(by) : this.at + by);
		/** @type {Record<string, () => number>} */
		const moves = {
			ArrowRight: step(1),
			ArrowLeft: step(-1),
			ArrowUp: step(1),
			ArrowDown: step(-1),
			PageUp: () => this.at + PAGE,
			PageDown: () => this.at - PAGE,
			Home: () => 0,
			End: () => last,
		};
		const move = moves[event.key];
		if (event.key === "Enter" || event.key === " ") {
			event.preventDefault();
			return this.open(this.at);
		}
		if (!move || last < 0) return;
		event.preventDefault();
		this.put(Math.max(0, Math.min(last, move())), true);
		this.select();
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.speak(), SPEAK_AFTER);
	}

	/** Reads the values of the selected call that are not in the text of the handle. */
	speak() {
		const values = [...byId("timeline-call").querySelectorAll(".call-value:not([data-kind=policy])")].map(
			(value) => `${value.firstElementChild?.textContent}: ${value.lastElementChild?.textContent}`,
		);
		byId("timeline-spoken").textContent = `${values.join(", ")}.`;
	}

	/** The next call with a compaction before it, or the current call if there is none. @param {1|-1} by */
	compaction(by) {
		const calls = this.report?.calls ?? [];
		let at = this.at + by;
		while (calls[at] && !calls[at].freed) at += by;
		return calls[at] ? at : this.at;
	}

	/** @param {number} at from 0 */
	open(at) {
		if (!this.base?.calls[at]) return;
		this.put(at, false);
		this.acts.look(at + 1);
	}
}

/** @param {ReplayStatus} status @param {string} what */
function progressOf({ running, done, of }, what) {
	return running && of > 0 ? `Replaying ${what}: call ${number(done)} of ${number(of)}…` : `Replaying ${what}…`;
}

/** @param {Report} base @param {Report | null} report @param {string} title */
function summary(base, report, title) {
	const lines = [
		`window ${number(base.window)}`,
		report?.soft && `soft limit ${number(report.soft)}`,
		report?.hard && `hard limit ${number(report.hard)}`,
	]
		.filter(Boolean)
		.join(", ");
	const under = report
		? ` With ${title} it stays at or below ${number(report.totals.peak)}, with ${plural(report.totals.compactions, "compaction")}.`
		: "";
	return `Size of the context at each of ${plural(base.totals.calls, "model call")}, in tokens. Without compaction it grows to ${number(base.totals.peak)}.${under} ${sentence(lines)} tokens.`;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Element | string | null)} children
 */
export function svg(tag, attributes, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
	element.append(...children.filter((child) => child !== null));
	return element;
}

/** @param {{base: Report, report: Report | null, title: string, xs: number[], by: "calls"|"time", width: number}} of */
function picture({ base, report, xs, by, width }) {
	const { top, main, left, right } = SPACE;
	const inner = width - left - right;
	const lines = [
		{ name: "window", at: report?.window ?? base.window },
		{ name: "hard", at: report?.hard ?? 0 },
		{ name: "soft", at: report?.soft ?? 0 },
	].filter(({ at }) => at > 0);
	const peak = Math.max(
		base.totals.peak,
		base.totals.apiPeak ?? 0,
		...(report ? report.calls.map(({ sent, freed = 0 }) => sent + freed) : []),
	);
	const scale = topOf(
		peak,
		lines.map(({ at }) => at),
	);
	const y = (/** @type {number} */ tokens) => top + main - (tokens / scale) * main;
	const floor = top + main;
	const whole = thin(base.calls.map(({ sent }, i) => [xs[i], y(sent)]));
	const seen = lines.filter(({ at }) => at <= scale);
	const far = lines.filter(({ at }) => at > scale).reverse();
	return svg(
		"svg",
		{ class: "course", role: "img", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT },
		svg(
			"g",
			{ class: "grid" },
			...ticks(scale).flatMap((n) => [
				svg("line", { x1: left, x2: left + inner, y1: y(n), y2: y(n) }),
				svg("text", { x: left - 8, y: y(n) + 4, "text-anchor": "end" }, short(n)),
			]),
		),
		svg("path", { class: "base-area", d: areaOf(whole, floor) }),
		svg("path", { class: "base-line", d: lineOf(whole) }),
		...seen.flatMap(({ name, at }) => [
			svg("line", { class: `limit limit-${name}`, x1: left, x2: left + inner, y1: y(at), y2: y(at) }),
		]),
		report ? svg("path", { class: "policy-line", d: lineOf(thin(sawtooth(report.calls, xs, y))) }) : null,
		svg("path", { class: "api-dots", d: dots(base, xs, y) }),
		...labels(seen.map((line) => ({ ...line, y: y(line.at) }))).map(({ name, at, y }) =>
			svg("text", { class: `limit-name limit-${name}`, x: left + 6, y: y - 4 }, `${name} ${number(at)}`),
		),
		far.length > 0
			? svg(
					"text",
					{ class: "limit-name limit-far", x: left + 6, y: top + 10 },
					`↑ ${far.map(({ name, at }) => `${name} ${number(at)}`).join(" · ")}`,
				)
			: null,
		report ? rail(report, xs, floor) : null,
		cache(report ?? base, xs, by, left + inner),
		foot(base, by, left, inner),
		svg("g", { class: "cursor" }, svg("line", { x1: 0, x2: 0, y1: top, y2: HEIGHT - SPACE.foot })),
	);
}

/**
 * Names of lines that are close to each other, moved apart.
 * @template {{y: number}} L
 * @param {L[]} lines
 * @returns {L[]}
 */
function labels(lines) {
	let above = -Infinity;
	const sorted = [...lines].sort((a, b) => a.y - b.y);
	return sorted.map((line) => {
		above = Math.max(line.y, above + 14);
		return { ...line, y: above };
	});
}

/**
 * The counts of the provider, as dots.
 * @param {Report} base
 * @param {number[]} xs
 * @param {(tokens: number) => number} y
 */
function dots({ calls }, xs, y) {
	/** @type {[number, number][]} */
	const points = calls.flatMap(({ api }, i) =>
		api ? [/** @type {[number, number]} */ ([xs[i], y(api.input + api.cacheRead + api.cacheWrite)])] : [],
	);
	return thin(points)
		.map(([px, py]) => `M${px.toFixed(1)} ${py.toFixed(1)}h0`)
		.join(""); // a line of no length with round ends is a dot
}

/**
 * The compactions: a tick for cleared blocks, a diamond for summaries.
 * @param {Report} report
 * @param {number[]} xs
 * @param {number} floor
 */
function rail({ calls }, xs, floor) {
	const at = floor + 12;
	const acted = calls.flatMap((call, i) => (call.freed || call.error ? [{ call, x: xs[i] }] : []));
	const cleared = stretches(
		acted.filter(({ call }) => call.freed && !call.summaries),
		acted.filter(({ call }) => call.freed && !call.summaries).map(({ x }) => x),
		2,
	);
	const summed = stretches(
		acted.filter(({ call }) => call.summaries),
		acted.filter(({ call }) => call.summaries).map(({ x }) => x),
		6,
	);
	const failed = stretches(
		acted.filter(({ call }) => call.error),
		acted.filter(({ call }) => call.error).map(({ x }) => x),
		4,
	);
	const middle = (/** @type {{x: number}[]} */ items) => items[0].x.toFixed(1);
	return svg(
		"g",
		{ class: "rail" },
		svg("path", { class: "rail-error", d: failed.map(({ items }) => `M${middle(items)} ${at - 4}v8`).join("") }),
		svg("path", { class: "rail-cleared", d: cleared.map(({ items }) => `M${middle(items)} ${at - 5}v10`).join("") }),
		svg("path", {
			class: "rail-summary",
			d: summed.map(({ items }) => `M${middle(items)} ${at - 6}l5 6l-5 6l-5 -6z`).join(""),
		}),
	);
}

/**
 * The shares of each request that were read from the cache, written to it, and paid in full.
 * @param {Report} report
 * @param {number[]} xs
 * @param {"calls"|"time"} by
 * @param {number} end
 */
function cache({ calls }, xs, by, end) {
	const top = SPACE.top + SPACE.main + SPACE.rail;
	const height = SPACE.cache;
	const slot = by === "calls" ? (end - SPACE.left) / calls.length : 3;
	const group = Math.max(2, Math.min(slot, 3));
	const bars =
		slot >= 3 && by === "calls"
			? calls.map((call, i) => ({ from: xs[i] - slot / 2, items: [call] }))
			: stretches(calls, xs, group);
	const wide = slot >= 3 && by === "calls" ? Math.max(1, slot - (slot > 6 ? 1 : 0)) : group;
	const parts = { read: "", write: "", input: "" };
	for (const { from, items } of bars) {
		const sum = (/** @type {"cacheRead"|"cacheWrite"|"input"} */ name) =>
			items.reduce((all, call) => all + call[name], 0);
		const all = { read: sum("cacheRead"), write: sum("cacheWrite"), input: sum("input") };
		const whole = all.read + all.write + all.input || 1;
		let y = top + height;
		for (const name of /** @type {const} */ (["read", "write", "input"])) {
			const size = (all[name] / whole) * height;
			if (size > 0)
				parts[name] +=
					`M${from.toFixed(1)} ${y.toFixed(1)}h${wide.toFixed(1)}v${(-size).toFixed(1)}h${(-wide).toFixed(1)}z`;
			y -= size;
		}
	}
	return svg(
		"g",
		{ class: "cache" },
		svg("text", { x: SPACE.left - 8, y: top + height / 2 + 4, "text-anchor": "end" }, "cache"),
		...Object.entries(parts).map(([name, d]) => svg("path", { class: `cache-${name}`, d })),
	);
}

/** @param {Report} base @param {"calls"|"time"} by @param {number} left @param {number} inner */
function foot({ calls }, by, left, inner) {
	const room = Math.max(2, Math.floor(inner / 80));
	const whole = lasts(calls);
	const names =
		by === "time"
			? timeTicks(whole, room).map((at) => ({ x: at / (whole || 1), text: at === 0 ? "0" : span(at) }))
			: callTicks(calls.length, room).map((n) => ({ x: (n - 0.5) / calls.length, text: number(n) }));
	const y = HEIGHT - 7;
	return svg(
		"g",
		{ class: "grid" },
		...names.map(({ x, text }, i) =>
			svg(
				"text",
				{ x: left + x * inner, y, "text-anchor": i === 0 ? "start" : i === names.length - 1 ? "end" : "middle" },
				i === 0 ? (by === "time" ? "start" : `call ${text}`) : text,
			),
		),
	);
}
