// This file defines the figures of the comparison: the value of a replay, which direction is better, and its text.

import { money } from "./callText.js";
import { number, percent, plural, wholePercent } from "../ui/words.js";

/** @typedef {import("./replays.js").Report} Report */

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

/** @type {Figure[]} */
export const FIGURES = [
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
		name: "peak",
		title: "Largest request",
		about: "tokens",
		of: (r) => r.totals.peak,
		better: -1,
		text: (r) => number(r.totals.peak),
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
		name: "cost",
		title: "Cost",
		about: "requests, answers and summaries",
		of: (r) => r.totals.cost,
		better: -1,
		text: (r) => `${money(r.totals.cost)}${r.priced ? "" : " at an assumed price"}`,
		change: true,
	},
	{
		name: "withReads",
		title: "Cost with reading again",
		about: "and what the answers used and did not have, read once more",
		of: (r) => r.misses.cost,
		better: -1,
		text: (r) => money(r.misses.cost),
		change: true,
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
	{
		name: "names",
		title: "Names in the context",
		about: "of those that the agent used later",
		of: (r) => r.misses.permille,
		better: 1,
		text: (r) => (r.misses.names > 0 ? wholePercent(r.misses.permille) : "–"),
		also: (r) => (r.misses.missed > 0 ? `${number(r.misses.missed)} missed` : ""),
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
		name: "overWindow",
		title: "Over the window",
		about: "calls that would not fit",
		of: (r) => r.totals.overWindow,
		better: -1,
		text: (r) => (r.totals.overWindow === 0 ? "none" : plural(r.totals.overWindow, "call")),
	},
];

/**
 * The reports with the best value; none if all values are equal.
 * @param {Figure} figure
 * @param {(Report | null)[]} reports
 * @returns {Set<number>} indexes
 */
export function bestOf({ of, better }, reports) {
	const values = reports.map((report) => (report ? of(report) * better : null));
	const known = values.filter((value) => value !== null);
	const best = Math.max(...known);
	if (better === 0 || known.length < 2 || known.every((value) => value === best)) return new Set();
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
