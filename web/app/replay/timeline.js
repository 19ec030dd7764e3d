// This file is the timeline: the size of the context at each model call, without compaction and under the policy, and
// the use of the prompt cache. picture.js draws it, again for each width and each zoom.

import { hasTimes, nearest, places, short } from "./chart.js";
import { byId, fill, h } from "../ui/dom.js";
import { CallTable } from "./callTable.js";
import { sayBreak, sayCall, sayFreed, timeOf } from "./callText.js";
import { ofIt, without } from "./baseline.js";
import { change } from "./metrics.js";
import { progressOf, showLegend, summary } from "./legend.js";
import { picture, SPACE } from "./picture.js";
import { brush, Zoom } from "./zoom.js";
import { unbroken } from "../ui/unbroken.js";
import { number, sentence } from "../ui/words.js";

/** @import { Replay as Report } from "../../npm/wire.js" */
/** @import { ReplayStatus } from "./replays.js" */
/** @typedef {{title: string, base: ReplayStatus, chosen: ReplayStatus}} Shown title: of the chosen preset */

const SPEAK_AFTER = 350; // ms: a screen reader reads the call at which the arrows stop
const PAGE = 10; // calls that PageUp and PageDown go
const LEAST = 6; // calls of the closest zoom

export class Timeline {
	/** @param {import("../store.js").Store} store @param {(call: number) => void} look shows the conversation as it was sent at a call, from 1 */
	constructor(store, look) {
		this.store = store;
		this.look = look;
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
		/** @type {"calls"|"time"} */
		this.by = "calls";
		/** Whether the picture shows an older state. */
		this.stale = false;
		/** Whether both replays of the shown state are known. */
		this.complete = false;
		this.timer = 0;
		this.table = new CallTable((call) => this.open(call - 1));
		this.zoom = new Zoom(store);
		store.watch(["zoom"], () => this.draw());
		store.watch(["call"], ({ call }) => call > 0 && call - 1 !== this.at && this.put(call - 1, false));
		/** Of each call, from 0 to 1. @type {number[]} */
		this.places = [];
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
		brush(this.handle, this.zoom, ({ clientX }) => this.placeAt(clientX));
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
		for (const [id, step] of /** @type {[string, () => void][]} */ ([
			["zoom-in", () => this.zoom.step(1, this.place())],
			["zoom-out", () => this.zoom.step(-1, this.place())],
			["zoom-whole", () => this.zoom.whole()],
		]))
			byId(id).addEventListener("click", step);
		new ResizeObserver(() => this.draw()).observe(this.plot);
	}

	/** Call for a new session, before its replays. */
	wait() {
		this.shown = this.base = this.report = null;
		this.at = 0;
		this.state("waiting");
		this.say("The session is being read.");
		this.clear();
	}

	/**
	 * Shows the state of the replays.
	 * @param {Shown} shown
	 * @returns {(() => void)[]} the pieces that draw it; the last ones may be dropped if a newer state follows
	 */
	show(shown) {
		return [
			() => this.take(shown),
			() => this.stale && this.drawPicture(),
			() => {
				if (this.stale) this.drawTexts();
				if (this.complete) this.state("ready");
			},
		];
	}

	/** @param {Shown} shown */
	take(shown) {
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
			const { call } = this.store.state;
			this.at = call > 0 ? Math.min(call - 1, last) : last;
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
		this.complete = known !== null && report !== null;
		if (!this.complete) this.state("computing");
		if (!known) this.say(progressOf(base, "the session as it is"));
		else this.say(report ? "" : progressOf(chosen, shown.title));
		this.stale ||= fresh;
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
		this.stale = this.complete = false;
		this.xs = [];
		fill(this.picture);
		// An empty figure has the height of the later ones: nothing below it moves.
		const empty = h("div.course-figure", h("dt", "\u00a0"), h("dd", h("strong", "\u00a0")));
		empty.setAttribute("aria-hidden", "true");
		fill(byId("timeline-figures"), empty);
		fill(byId("timeline-call"));
		byId("timeline-look").disabled = true;
		this.handle.hidden = true;
		this.tip.hidden = true;
		this.table.show(null, null);
	}

	draw() {
		this.drawPicture();
		this.drawTexts();
	}

	drawPicture() {
		const { base, report, shown } = this;
		const { clientWidth: width, clientHeight: height } = this.plot;
		if (!base || !shown || base.calls.length === 0 || width < 80) return;
		const timed = hasTimes(base.calls);
		for (const input of this.switches) {
			input.disabled = input.value === "time" && !timed;
			input.checked = input.value === (timed ? this.by : "calls");
		}
		const by = timed ? this.by : "calls";
		const inner = width - SPACE.left - SPACE.right;
		this.places = places(base.calls, by);
		this.zoom.least = Math.min(1, LEAST / base.calls.length);
		const { from, to } = this.zoom.range;
		this.xs = this.places.map((place) => SPACE.left + ((place - from) / (to - from)) * inner);
		fill(this.picture, picture({ base, report, xs: this.xs, by, range: this.zoom.range, width, height }));
		this.picture.firstElementChild?.setAttribute("aria-label", summary(base, report, shown.title));
	}

	/** What is around the picture, and the selected call in it. */
	drawTexts() {
		this.stale = false;
		const { base, report } = this;
		if (!base || this.xs.length !== base.calls.length || base.calls.length === 0) return;
		this.figures(base, report);
		this.buttons(base.calls.length);
		showLegend(report ?? base, base);
		byId("legend-base").textContent = byId("timeline-base").textContent = sentence(without(base));
		this.handle.hidden = false;
		this.handle.setAttribute("aria-valuemax", String(base.calls.length));
		byId("timeline-look").disabled = false;
		byId("timeline-legend").dataset.api = String(base.totals.apiCalls > 0);
		this.table.show(base, report);
		this.put(Math.min(this.at, base.calls.length - 1), false);
	}

	/** @param {number} at */
	isShown(at) {
		const { from, to } = this.zoom.range;
		return this.places[at] >= from && this.places[at] <= to;
	}

	/** The place of the selected call, or the middle if it is not shown: there the keys zoom. */
	place() {
		const { from, to } = this.zoom.range;
		return this.isShown(this.at) ? this.places[this.at] : (from + to) / 2;
	}

	/** The place of the session at a position of the screen. @param {number} x */
	placeAt(x) {
		const { left, width } = this.plot.getBoundingClientRect();
		const { from, to } = this.zoom.range;
		const share = (x - left - SPACE.left) / Math.max(1, width - SPACE.left - SPACE.right);
		return from + Math.max(0, Math.min(1, share)) * (to - from);
	}

	/** @param {number} calls */
	buttons(calls) {
		const { from, to } = this.zoom.range;
		const shown = this.places.filter((place) => place >= from && place <= to);
		byId("zoom-in").disabled = to - from <= this.zoom.least;
		byId("zoom-out").disabled = byId("zoom-whole").disabled = this.zoom.isWhole;
		const first = this.places.findIndex((place) => place >= from) + 1;
		byId("zoom-range").textContent = this.zoom.isWhole
			? ""
			: shown.length === 0
				? "no call in this part"
				: `calls ${number(first)}–${number(first + shown.length - 1)} of ${number(calls)}`;
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
				"div.course-figure",
				h("dt", cap),
				h(
					"dd",
					{ "data-figure": hook, "data-value": is ?? "" },
					h("strong", is === was ? number(was) : `${number(was)} → ${is === undefined ? "…" : number(is)}`),
					h("span.hint", is === undefined || is === was ? "" : ` ${change(is, was)}${ofIt(base)}`),
				),
			);
		const { totals } = report ?? {};
		fill(
			byId("timeline-figures"),
			pair("Largest request", base.totals.peak, totals?.peak, "peak"),
			pair("Sent in all", base.totals.sent, totals?.sent, "sent"),
			h(
				"div.course-figure",
				h("dt", "Compactions"),
				h(
					"dd",
					{ "data-figure": "compactions", "data-value": totals?.compactions ?? "" },
					h("strong", totals ? number(totals.compactions) : "…"),
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
		cursor?.setAttribute("visibility", this.isShown(at) ? "visible" : "hidden");
		cursor?.setAttribute("transform", `translate(${Math.round(this.xs[at] * 10) / 10} 0)`);
		const words = `${number(call.sent)} tokens sent${report ? "" : ` ${without(base)}`}`;
		this.handle.setAttribute("aria-valuenow", String(at + 1));
		this.handle.setAttribute(
			"aria-valuetext",
			`Call ${number(at + 1)} of ${number(base.calls.length)}: ${words}${call.freed ? `, ${sayFreed(call)}` : ""}`,
		);
		fill(
			byId("timeline-call"),
			h("p.call-head", h("strong", `Call ${number(at + 1)}`), h("span.hint", timeOf(call))),
			...sayCall(base.calls[at], report?.calls[at] ?? null, report?.price ?? base.price, without(base)).map(
				({ name, value, kind }) =>
					h("dl.call-value", { "data-kind": kind }, h("dt", name), h("dd", ...unbroken(value))),
			),
			h(
				"p.call-note",
				{ "data-kind": call.error ? "error" : call.freed ? "freed" : "none" },
				call.error
					? `Not compacted: ${call.error}.`
					: call.freed
						? sayFreed(call, true)
						: report && !report.calls.slice(0, at).some(({ freed = 0 }) => freed > 0)
							? "Nothing was compacted up to this call."
							: "",
			),
			call.api?.missReason
				? h(
						"p.call-note",
						{ "data-kind": "break" },
						`The provider says of its cache: ${call.api.missReason.replaceAll("_", " ")}, ${number(call.api.missed ?? 0)} tokens missed.`,
					)
				: null,
			...(call.breaks ?? []).map((one) => h("p.call-note", { "data-kind": "break" }, sayBreak(one))),
		);
		this.tip.hidden = !tip;
		if (!tip) return;
		fill(
			this.tip,
			h("strong", `Call ${number(at + 1)}: ${short(call.sent)} tokens`),
			call.freed ? h("span", sayFreed(call)) : null,
		);
		const width = this.plot.clientWidth;
		this.tip.style.insetInlineStart = `${Math.max(4, Math.min(width - this.tip.offsetWidth - 4, this.xs[at] - this.tip.offsetWidth / 2))}px`;
	}

	/** Call when the user selected a call. */
	select() {
		this.store.put({ call: this.at + 1 });
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const last = this.xs.length - 1;
		/** @type {Record<string, () => void>} */
		const zooms = {
			"+": () => this.zoom.step(1, this.place()),
			"=": () => this.zoom.step(1, this.place()),
			"-": () => this.zoom.step(-1, this.place()),
			0: () => this.zoom.whole(),
		};
		if (zooms[event.key]) {
			event.preventDefault();
			event.stopPropagation(); // 0 is also a key of the page
			return zooms[event.key]();
		}
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
		const to = Math.max(0, Math.min(last, move()));
		this.zoom.reach(this.places[to]);
		this.put(to, true);
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
		this.zoom.reach(this.places[at]);
		this.put(at, false);
		this.look(at + 1);
	}
}
