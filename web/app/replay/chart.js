// This file is the geometry of the charts: scales, ticks, and lines reduced to the available pixels. It draws nothing.

/** @import { ReplayCall as Call } from "../../npm/wire.js" */
/** @typedef {[number, number]} Point */

/**
 * The position of each call from left to right, 0 to 1. By time it is the clock of the replay, which follows the times
 * of the log if it has any.
 * @param {Call[]} calls
 * @param {"calls"|"time"} by
 * @returns {number[]} ascending
 */
export function places(calls, by) {
	if (by === "time") {
		let clock = 0;
		const clocks = calls.map(({ idleSec }, i) => (clock += i === 0 ? 0 : idleSec));
		const whole = clock || 1;
		return clocks.map((at) => at / whole);
	}
	return calls.map((_, i) => (i + 0.5) / calls.length);
}

/** Seconds from the first call to the last. @param {Call[]} calls */
export function lasts(calls) {
	return calls.slice(1).reduce((sum, { idleSec }) => sum + idleSec, 0);
}

/** Whether the log says when most of its calls were made. @param {Call[]} calls */
export function hasTimes(calls) {
	return calls.length > 1 && calls.filter(({ time }) => time).length * 2 > calls.length && lasts(calls) > 0;
}

/**
 * The size of the context from call to call. At a call with compaction, the line first goes to the size before it.
 * @param {Call[]} calls
 * @param {number[]} xs
 * @param {(tokens: number) => number} y
 * @returns {Point[]}
 */
export function sawtooth(calls, xs, y) {
	return calls.flatMap(
		({ sent, freed = 0 }, i) =>
			/** @type {Point[]} */ (
				freed > 0
					? [
							[xs[i], y(sent + freed)],
							[xs[i], y(sent)],
						]
					: [[xs[i], y(sent)]]
			),
	);
}

/**
 * A line of any length as at most four points a pixel column: the first, the lowest, the highest, the last. Drawn, it
 * looks the same.
 * @param {Point[]} points from left to right
 */
export function thin(points) {
	/** @type {Point[]} */
	const out = [];
	for (let i = 0; i < points.length; ) {
		const column = Math.floor(points[i][0]);
		let [low, high, end] = [i, i, i];
		for (; end < points.length && Math.floor(points[end][0]) === column; end++) {
			if (points[end][1] < points[low][1]) low = end;
			if (points[end][1] > points[high][1]) high = end;
		}
		for (const k of [...new Set([i, low, high, end - 1])].sort((a, b) => a - b)) out.push(points[k]);
		i = end;
	}
	return out;
}

/** @param {Point[]} points */
export function lineOf(points) {
	return points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
}

/** The area between a line and a level. @param {Point[]} points @param {number} level */
export function areaOf(points, level) {
	if (points.length === 0) return "";
	return `${lineOf(points)}L${round(points[points.length - 1][0])} ${round(level)}L${round(points[0][0])} ${round(level)}Z`;
}

/**
 * Values that fall into the same stretch of pixels, added up.
 * @template T
 * @param {T[]} items
 * @param {number[]} xs position of each, ascending
 * @param {number} width of a stretch, in pixels
 * @returns {{from: number, items: T[]}[]} from: start of the stretch
 */
export function stretches(items, xs, width) {
	/** @type {{from: number, items: T[]}[]} */
	const out = [];
	items.forEach((item, i) => {
		const from = Math.floor(xs[i] / width) * width;
		const last = out.at(-1);
		if (last?.from === from) last.items.push(item);
		else out.push({ from, items: [item] });
	});
	return out;
}

/** The index of the call nearest to a position. @param {number[]} xs ascending @param {number} x */
export function nearest(xs, x) {
	let [low, high] = [0, xs.length - 1];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (xs[middle] < x) low = middle + 1;
		else high = middle;
	}
	return low > 0 && x - xs[low - 1] < xs[low] - x ? low - 1 : low;
}

/**
 * The top of the scale. Limits far above the peak are left out, so that the lines use the height of the chart.
 * @param {number} peak
 * @param {number[]} lines
 */
export function topOf(peak, lines) {
	const near = lines.filter((line) => line > 0 && line <= peak * 1.7);
	return Math.max(peak * 1.06, ...near.map((line) => line * 1.06), 1);
}

/** Round numbers up to the top, three to six of them. @param {number} top */
export function ticks(top) {
	const rough = top / 6;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = Math.max(1, ([1, 2, 5, 10].find((n) => n * power >= rough) ?? 10) * power);
	return Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
}

/**
 * Calls to name below the chart: the first, round ones, the last.
 * @param {number} count
 * @param {number} room how many fit
 * @param {number} [first]
 */
export function callTicks(count, room, first = 1) {
	if (count <= 1) return [first].slice(0, count);
	const rough = Math.max(1, count / Math.max(2, room - 1));
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = Math.max(1, Math.round(([1, 2, 5, 10].find((n) => n * power >= rough) ?? 10) * power));
	const last = first + count - 1;
	const start = Math.floor((first === 1 ? 1 : first + step / 2) / step) + 1;
	const inner = Array.from({ length: Math.max(0, Math.floor(last / step) - start + 1) }, (_, i) => (start + i) * step);
	return [first, ...inner.filter((n) => n > first && n <= last - step / 2), last];
}

/**
 * Times to name below the chart, in seconds from the first call.
 * @param {number} whole
 * @param {number} room how many fit
 * @param {number} [from]
 */
export function timeTicks(whole, room, from = 0) {
	const steps = [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400, 172_800, 604_800];
	const step = steps.find((n) => n * Math.max(1, room - 1) >= whole) ?? Math.ceil(whole / 5 / 604_800) * 604_800;
	const first = Math.ceil(from / step);
	return Array.from(
		{ length: Math.max(0, Math.floor((from + whole) / step) - first + 1) },
		(_, i) => (first + i) * step,
	);
}

/** Tokens in few characters: 48k, 1.5M. @param {number} n */
export function short(n) {
	if (n < 1000) return String(Math.round(n));
	if (n < 999_500) return `${trim(n / 1000)}k`;
	return `${trim(n / 1_000_000)}M`;
}

/** @param {number} n */
function trim(n) {
	return n < 10 ? n.toFixed(1).replace(/\.0$/, "") : String(Math.round(n));
}

/** A length of time in words: 40 s, 12 min, 3.5 h. @param {number} seconds */
export function span(seconds) {
	if (seconds < 100) return `${Math.round(seconds)} s`;
	if (seconds < 6000) return `${Math.round(seconds / 60)} min`;
	if (seconds < 172_800) return `${trim(seconds / 3600)} h`;
	return `${trim(seconds / 86_400)} days`;
}

/** @param {number} n */
function round(n) {
	return Math.round(n * 10) / 10;
}
