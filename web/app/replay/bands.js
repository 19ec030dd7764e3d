// This file draws what belongs to the timeline besides the size of the context: the fixed tokens of each request by
// owner, the breaks of the cache with their cause, and the subagents.

import { lasts, short } from "./chart.js";
import { svg } from "./svg.js";
import { ownerName } from "./owners.js";
import { number } from "../ui/words.js";

/** @import { Replay as Report, ReplayTrack as Track } from "../../npm/wire.js" */
/** @typedef {{track: Track, from: number, to: number, xs: number[]}} Placed places from 0 to 1 */

/** The height of a lane of subagents, in pixels, and the most lanes that are drawn apart. */
export const LANE = 12;
export const LANES = 4;
const CAUSE = 84; // pixels of the longest name of a cause

/** The causes of a cache break. @type {Record<string, {name: string, means: string}>} */
export const CAUSES = {
	idle: { name: "pause", means: "the cached prefix expired before the call" },
	system: { name: "system prompt", means: "nothing was read without a pause: system prompt or tools changed" },
	edit: { name: "edit", means: "an earlier message changed" },
	compaction: { name: "compaction", means: "compaction changed an earlier message" },
	two_sessions: { name: "two sessions", means: "another session or subagent took turns with this one" },
	evicted: { name: "evicted", means: "the request began as the one before: the provider had lost the entry" },
	no_breakpoint: { name: "not cached", means: "tokens of the call before were never written to the cache" },
	lookback: { name: "lookback", means: "too many blocks since the last cached prefix: the provider looks back 20" },
	model: { name: "model", means: "another model has a cache of its own" },
};

/** @param {string} cause */
export function causeName(cause) {
	return CAUSES[cause]?.name ?? cause;
}

/**
 * The layers of the fixed band, from below. The notes are not fixed: they grow with the conversation.
 * @param {Report} report
 * @returns {{kind: string, name: string, tokens: number}[]}
 */
export function layersOf({ fixed = [], calls }) {
	const notes = calls.reduce((most, { notes = 0 }) => Math.max(most, notes), 0);
	return [
		...fixed.map(({ owner, name = "", tokens }) => ({ kind: owner, name: ownerName(owner, name), tokens })),
		...(notes > 0 ? [{ kind: "notes", name: ownerName("notes", ""), tokens: notes }] : []),
	];
}

/**
 * What each request has before its messages, by owner, and the notes in them.
 * @param {Report} report
 * @param {number[]} xs
 * @param {(tokens: number) => number} y
 * @param {number} left
 * @param {number} inner
 */
export function fixedBand(report, xs, y, left, inner) {
	let below = 0;
	const layers = (report.fixed ?? []).map(({ owner, name = "", tokens }) => {
		const [bottom, top] = [y(below), y(below + tokens)];
		below += tokens;
		return svg(
			"path",
			{ class: `fixed fixed-${owner}`, d: `M${left} ${bottom}h${inner}V${top}h${-inner}z` },
			svg("title", {}, `${ownerName(owner, name)}: ${number(tokens)} tokens of each request`),
		);
	});
	const floor = below;
	const line = report.calls.map(({ notes = 0 }, i) => `${xs[i].toFixed(1)} ${y(floor + notes).toFixed(1)}`);
	const some = report.calls.some(({ notes = 0 }) => notes > 0);
	const edge = (/** @type {number} */ i) => `${xs[i].toFixed(1)} ${y(floor).toFixed(1)}`;
	return svg(
		"g",
		{ class: "fixed-band" },
		...layers,
		some
			? svg("path", { class: "fixed fixed-notes", d: `M${edge(0)}L${line.join("L")}L${edge(line.length - 1)}z` })
			: null,
	);
}

/**
 * The calls that paid again: a triangle, with the cause if there is room.
 * @param {Report} report
 * @param {number[]} xs
 * @param {number} top
 * @param {number} end the right edge
 */
export function breakMarks({ calls }, xs, top, end) {
	const at = calls.flatMap(({ breaks = [] }, i) => (breaks.length > 0 ? [{ x: xs[i], cause: breaks[0].cause }] : []));
	const y = top + 4;
	let drawn = -Infinity;
	const marks = at.filter(({ x }) => {
		const apart = x - drawn >= 2;
		if (apart) drawn = x;
		return apart;
	});
	const named = marks.filter(({ x }, i) => (marks[i + 1]?.x ?? end) - x > CAUSE);
	return svg(
		"g",
		{ class: "breaks" },
		svg("path", { class: "break", d: marks.map(({ x }) => `M${(x - 4).toFixed(1)} ${y}h8l-4 7z`).join("") }),
		...named.map(({ x, cause }) => svg("text", { class: "break-cause", x: x + 7, y: y + 8 }, causeName(cause))),
	);
}

/**
 * The subagents and left branches in lanes: those that do not overlap share one.
 * @param {Report} base
 * @param {"calls"|"time"} by
 * @returns {Placed[][]}
 */
export function lanesOf({ calls, others }, by) {
	const whole = lasts(calls) || 1;
	const start = calls.find(({ time }) => time)?.time ?? 0;
	const place = (/** @type {import("../../npm/wire.js").ReplayTrackCall} */ { after, time = 0 }) =>
		by === "time" && time > 0 && start > 0 ? (time - start) / 1000 / whole : after / Math.max(1, calls.length);
	const placed = (others?.tracks ?? [])
		.map((track) => {
			const xs = track.calls.map((call) => Math.max(0, Math.min(1, place(call))));
			return { track, xs, from: xs[0] ?? 0, to: xs.reduce((a, b) => Math.max(a, b), 0) };
		})
		.sort((a, b) => a.from - b.from);
	/** @type {Placed[][]} */
	const lanes = [];
	for (const one of placed) {
		let lane = lanes.find((all) => (all.at(-1)?.to ?? 0) < one.from);
		if (!lane) {
			lane = lanes.length < LANES ? [] : lanes[LANES - 1];
			if (lane.length === 0) lanes.push(lane);
		}
		lane.push(one);
	}
	return lanes;
}

/**
 * @param {Placed[][]} lanes
 * @param {import("./zoom.js").Range} range
 * @param {{left: number, inner: number, top: number}} room
 */
export function trackMarks(lanes, { from, to }, { left, inner, top }) {
	const x = (/** @type {number} */ place) => left + ((place - from) / (to - from)) * inner;
	return svg(
		"g",
		{ class: "tracks" },
		...lanes.flatMap((lane, i) =>
			lane.map(({ track, from: start, to: end }) => {
				const wide = Math.max(5, x(end) - x(start));
				return svg(
					"rect",
					{
						class: track.subagent ? "track" : "track track-branch",
						x: x(start) - 2,
						y: top + i * LANE + 2,
						width: wide,
						height: LANE - 4,
						rx: 3,
					},
					svg("title", {}, trackWords(track)),
				);
			}),
		),
	);
}

/** @param {Track} track */
export function trackWords({ subagent, calls }) {
	const sent = calls.reduce((all, call) => all + call.sent, 0);
	return `${subagent ? "Subagent" : "Branch that was left"}: ${number(calls.length)} calls, ${short(sent)} tokens sent`;
}
