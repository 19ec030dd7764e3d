// This file defines the figures of the comparison: the value of a replay, which direction is better, and its text.

import { ofIt } from "./baseline.js";
import { money } from "./callText.js";
import { number, percent, plural, wholePercent } from "../ui/words.js";

/** @import { Replay as Report } from "../../npm/wire.js" */

/**
 * @typedef {object} Figure
 * @property {string} name of the number, for checks too
 * @property {string} title
 * @property {string} about
 * @property {(report: Report) => number} of
 * @property {-1|0|1} better -1: less is better; 0: neither
 * @property {(report: Report) => string} text
 * @property {(report: Report) => string} [also] shown below it
 * @property {boolean} [change] whether the difference from no compaction is shown
 */

/** @param {number} part @param {number} whole */
function share(part, whole) {
	return whole > 0 ? percent(Math.floor((part * 1000) / whole), 1) : "–";
}

/** @type {Figure[]} The first say what a preset costs, what it loses, and whether it fits. */
export const FIGURES = [
	{
		name: "cost",
		title: "Cost",
		about: "requests, answers, summaries, and what the answers missed, read once more",
		of: (r) => r.misses.cost,
		better: -1,
		text: (r) => `${money(r.misses.cost)}${r.priced ? "" : " at an assumed price"}`,
		change: true,
	},
	{
		name: "missed",
		title: "Names missed",
		about: "of those that the agent used later, not in the context",
		of: (r) => r.misses.missed,
		better: -1,
		text: (r) => (r.misses.names > 0 ? number(r.misses.missed) : "–"),
		also: (r) => (r.misses.names > 0 ? `of ${number(r.misses.names)}, ${missedShare(r)}` : ""),
	},
	{
		name: "overWindow",
		title: "Over the window",
		about: "calls that would not fit",
		of: (r) => r.totals.overWindow,
		better: -1,
		text: (r) => (r.totals.overWindow === 0 ? "none" : plural(r.totals.overWindow, "call")),
	},
	{
		name: "missing",
		title: "Calls that missed something",
		about: "a name, or the old text of an edit",
		of: (r) => r.misses.calls,
		better: -1,
		text: (r) => number(r.misses.calls),
	},
	{
		name: "lost",
		title: "Edits to read again",
		about: "whose old text was not in the context",
		of: (r) => r.misses.lost,
		better: -1,
		text: (r) => number(r.misses.lost),
	},
	{
		name: "peak",
		title: "Largest request",
		about: "tokens",
		of: (r) => r.totals.peak,
		better: -1,
		text: (r) => number(r.totals.peak),
		change: true,
	},
	{
		name: "sent",
		title: "Tokens sent",
		about: "all requests together",
		of: (r) => r.totals.sent,
		better: -1,
		text: (r) => number(r.totals.sent),
		change: true,
	},
	{
		name: "cacheRead",
		title: "Read from cache",
		about: "tokens, and their share of the requests",
		of: (r) => (r.totals.sent > 0 ? Math.floor((r.totals.cacheRead * 1000) / r.totals.sent) : 0),
		better: 1,
		text: (r) => number(r.totals.cacheRead),
		also: (r) => share(r.totals.cacheRead, r.totals.sent),
	},
	{
		name: "cacheWrite",
		title: "Written to cache",
		about: "tokens",
		of: (r) => r.totals.cacheWrite,
		better: -1,
		text: (r) => number(r.totals.cacheWrite),
		also: (r) => share(r.totals.cacheWrite, r.totals.sent),
	},
	{
		name: "input",
		title: "At the full price",
		about: "tokens",
		of: (r) => r.totals.input,
		better: -1,
		text: (r) => number(r.totals.input),
		also: (r) => share(r.totals.input, r.totals.sent),
	},
	{
		name: "summaries",
		title: "Summaries",
		about: "that a model would write",
		of: (r) => r.totals.summaries,
		better: -1,
		text: (r) => number(r.totals.summaries),
		also: (r) => (r.totals.summaryTokens > 0 ? `${number(r.totals.summaryTokens)} tokens` : ""),
	},
];

/** The share of the names that were missed: what the verdict's share of those in the context leaves. @param {Report} report */
const missedShare = ({ misses }) => `${100 - Number.parseInt(wholePercent(misses.permille), 10)} %`;

/**
 * What a preset does to the session, in a line: money, misses, and whether it fits; "" until it is known.
 * @param {Report | null} base
 * @param {Report | null} report
 */
export function resultOf(base, report) {
	if (!base || !report || base.totals.calls === 0) return "";
	const { totals, misses } = report;
	return [
		`cost ${change(misses.cost, base.misses.cost)}${misses.cost === base.misses.cost ? "" : ofIt(base)}`,
		misses.missed > 0 ? `misses ${plural(misses.missed, "name")}` : "misses nothing",
		totals.overWindow > 0 ? `over the window ${plural(totals.overWindow, "time")}` : "fits",
	].join(" · ");
}

/**
 * The reports with the best value, of those that the verdict ranks: they fit the window, if any does, and change
 * something, if any does. None if all values are equal.
 * @param {Figure} figure
 * @param {(Report | null)[]} reports
 * @returns {Set<number>} indexes
 */
export function bestOf({ of, better }, reports) {
	const known = reports.filter((report) => report !== null);
	const least = Math.min(...known.map(({ totals }) => totals.overWindow));
	const acts = known.some(({ totals }) => totals.compactions > 0);
	const values = reports.map((report) =>
		report && report.totals.overWindow === least && (!acts || report.totals.compactions > 0)
			? of(report) * better
			: null,
	);
	const ranked = values.filter((value) => value !== null);
	const best = Math.max(...ranked);
	if (better === 0 || ranked.length < 2 || ranked.every((value) => value === best)) return new Set();
	return new Set(values.flatMap((value, i) => (value === best ? [i] : [])));
}

/** The difference of a value from that without compaction, in percent. @param {number} value @param {number} base */
export function change(value, base) {
	if (value === base) return "the same";
	if (base === 0) return "";
	const permille = Math.abs(((value - base) * 1000) / base);
	const size = permille < 100 ? percent(Math.max(permille, 1), 1) : percent(Math.round(permille / 10) * 10);
	return `${value > base ? "+" : "−"}${size}`;
}
