// This file draws the timeline as plain SVG: the size of the context, what compaction did, the cache and its breaks,
// and the subagents. Its height is that of its place, so that nothing moves when it is drawn.

import {
	areaOf,
	callTicks,
	lasts,
	lineOf,
	sawtooth,
	short,
	span,
	stretches,
	thin,
	ticks,
	timeTicks,
	topOf,
} from "./chart.js";
import { breakMarks, fixedBand, LANE, LANES, lanesOf, trackMarks } from "./bands.js";
import { svg } from "./svg.js";
import { number } from "../ui/words.js";

/** @import { Replay as Report } from "../../npm/wire.js" */

export const SPACE = { top: 12, rail: 20, breaks: 16, cache: 28, foot: 24, left: 54, right: 14 };

/**
 * The size of the parts of the picture. The main part gets what the others leave.
 * @param {number} lanes
 * @param {number} height
 */
function spaceOf(lanes, height) {
	const { top, rail, breaks, cache, foot } = SPACE;
	const tracks = lanes * LANE;
	return { ...SPACE, main: height - top - rail - breaks - cache - foot - tracks, tracks };
}

/**
 * @typedef {object} Drawing
 * @property {Report} base without compaction
 * @property {Report | null} report under the policy
 * @property {number[]} xs position of each call, in pixels; those outside of the plot are not shown
 * @property {"calls"|"time"} by
 * @property {import("./zoom.js").Range} range the part that is shown
 * @property {number} width
 * @property {number} height
 */

/** @param {Drawing} of */
export function picture(of) {
	const shown = visible(of);
	const { base, report, xs, by, range, width, height } = shown;
	const lanes = lanesOf(of.base, by);
	const space = spaceOf(Math.min(lanes.length, LANES), height);
	const { top, main, left, right } = space;
	const inner = width - left - right;
	const lines = [
		{ name: "window", at: report?.window ?? base.window },
		{ name: "hard", at: report?.hard ?? 0 },
		{ name: "soft", at: report?.soft ?? 0 },
	].filter(({ at }) => at > 0);
	const peak = [...base.calls, ...(report?.calls ?? [])].reduce(
		(most, { sent, freed = 0, api }) =>
			Math.max(most, sent + freed, api ? api.input + api.cacheRead + api.cacheWrite : 0),
		0,
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
		{ class: "course", role: "img", viewBox: `0 0 ${width} ${height}`, width, height },
		svg(
			"g",
			{ class: "grid" },
			...ticks(scale).flatMap((n) => [
				svg("line", { x1: left, x2: left + inner, y1: y(n), y2: y(n) }),
				svg("text", { x: left - 8, y: y(n) + 4, "text-anchor": "end" }, short(n)),
			]),
		),
		svg("clipPath", { id: "timeline-clip" }, svg("rect", { x: left, y: 0, width: inner, height })),
		svg(
			"g",
			{ "clip-path": "url(#timeline-clip)" },
			svg("path", { class: "base-area", d: areaOf(whole, floor) }),
			fixedBand(report ?? base, xs, y, left, inner),
			svg("path", { class: "base-line", d: lineOf(whole) }),
			...seen.map(({ name, at }) =>
				svg("line", { class: `limit limit-${name}`, x1: left, x2: left + inner, y1: y(at), y2: y(at) }),
			),
			report ? svg("path", { class: "policy-line", d: lineOf(thin(sawtooth(report.calls, xs, y))) }) : null,
			svg("path", { class: "api-dots", d: dots(base, xs, y) }),
			report ? rail(report, xs, floor) : null,
			breakMarks(report ?? base, xs, floor + space.rail, left + inner),
			cache(report ?? base, xs, by, space, of.base.calls.length, range, inner),
			trackMarks(lanes, range, { left, inner, top: height - space.foot - space.tracks }),
		),
		...labels(seen.map((line) => ({ ...line, y: y(line.at) }))).map(({ name, at, y }) =>
			svg("text", { class: `limit-name limit-${name}`, x: left + 6, y: y - 4 }, `${name} ${number(at)}`),
		),
		far.length > 0
			? svg(
					"text",
					{ class: "limit-name limit-far", x: left + inner - 6, y: top + 10, "text-anchor": "end" },
					`↑ ${far.map(({ name, at }) => `${name} ${number(at)}`).join(" · ")}`,
				)
			: null,
		...names(space, lanes.length > 0),
		foot(of.base, by, range, left, inner, height - 7),
		overview(range, left, inner),
		svg("g", { class: "cursor" }, svg("line", { x1: 0, x2: 0, y1: top, y2: height - space.foot })),
	);
}

/**
 * The calls within the range, with one more at each side, so that the lines reach the edges.
 * @param {Drawing} of
 * @returns {Drawing}
 */
function visible(of) {
	const { base, report, xs, width } = of;
	const first = Math.max(0, xs.findIndex((x) => x >= SPACE.left) - 1);
	const after = xs.findIndex((x) => x > width - SPACE.right);
	const end = after < 0 ? xs.length : after + 1;
	const cut = (/** @type {Report} */ r) => ({ ...r, calls: r.calls.slice(first, end) });
	return { ...of, base: cut(base), report: report && cut(report), xs: xs.slice(first, end) };
}

/** The names of the rows below the main part. @param {ReturnType<typeof spaceOf>} space @param {boolean} tracks */
function names(space, tracks) {
	const from = space.top + space.main;
	const name = (/** @type {string} */ text, /** @type {number} */ y) =>
		svg("text", { x: space.left - 8, y: y + 4, "text-anchor": "end" }, text);
	return [
		name("breaks", from + space.rail + space.breaks / 2),
		name("cache", from + space.rail + space.breaks + space.cache / 2),
		...(tracks ? [name("agents", from + space.rail + space.breaks + space.cache + space.tracks / 2)] : []),
	];
}

/**
 * The part of the session that is shown, as a bar.
 * @param {import("./zoom.js").Range} range
 * @param {number} left
 * @param {number} inner
 */
function overview({ from, to }, left, inner) {
	if (from === 0 && to === 1) return null;
	return svg(
		"g",
		{ class: "overview" },
		svg("rect", { class: "overview-whole", x: left, y: 0, width: inner, height: 5, rx: 2.5 }),
		svg("rect", {
			class: "overview-part",
			x: left + from * inner,
			y: 0,
			width: Math.max(6, (to - from) * inner),
			height: 5,
			rx: 2.5,
		}),
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
 * @param {ReturnType<typeof spaceOf>} space
 * @param {number} count of all calls
 * @param {import("./zoom.js").Range} range
 * @param {number} inner
 */
function cache({ calls }, xs, by, space, count, { from: start, to }, inner) {
	const top = space.top + space.main + space.rail + space.breaks;
	const height = space.cache;
	const slot = by === "calls" ? inner / (count * (to - start)) : 3;
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
		...Object.entries(parts).map(([name, d]) => svg("path", { class: `cache-${name}`, d })),
	);
}

/**
 * The names of calls or times below the picture.
 * @param {Report} base
 * @param {"calls"|"time"} by
 * @param {import("./zoom.js").Range} range
 * @param {number} left
 * @param {number} inner
 * @param {number} y
 */
function foot({ calls }, by, { from, to }, left, inner, y) {
	const room = Math.max(2, Math.floor(inner / 80));
	const whole = lasts(calls) || 1;
	const first = Math.max(0, Math.ceil(from * calls.length - 0.5)) + 1;
	const last = Math.max(first, Math.min(calls.length, Math.floor(to * calls.length + 0.5)));
	const all =
		by === "time"
			? timeTicks((to - from) * whole, room, from * whole).map((at) => ({
					place: at / whole,
					text: at === 0 ? "start" : span(at),
				}))
			: callTicks(last - first + 1, room, first).map((n, i) => ({
					place: (n - 0.5) / calls.length,
					text: i === 0 ? `call ${number(n)}` : number(n),
				}));
	const names = all.map(({ place, text }) => ({ x: (place - from) / (to - from), text }));
	return svg(
		"g",
		{ class: "grid" },
		...names.map(({ x, text }, i) =>
			svg(
				"text",
				{ x: left + x * inner, y, "text-anchor": i === 0 ? "start" : i === names.length - 1 ? "end" : "middle" },
				text,
			),
		),
	);
}
