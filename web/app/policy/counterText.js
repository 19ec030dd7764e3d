// This file describes a count in words: its counter, its range, and how it compares with the counts of the API in the
// session.

import { number, plural } from "../ui/words.js";

/** @import { Size } from "../engine/queries.js" */

/** As they read after "counted with". @type {Record<string, string>} */
const NAMES = {
	estimate: "the estimate",
	chars4: "one token for four characters",
	chars3: "one token for three characters",
	cjk: "one token for four characters, one and a half for a Chinese one",
};

/** @param {string} counter */
function counterName(counter) {
	return NAMES[counter] ?? counter;
}

/**
 * The text after "counted with" and the name of the chosen counter.
 * @param {Size} size
 * @param {string} model of the session; "" if it names none
 * @param {string} chosen counter
 */
export function countText({ total, low, high, exact, counter, profile }, model, chosen) {
	const here = counter === chosen ? "" : `here ${counterName(counter)}, `;
	const whose =
		profile === "bare"
			? ""
			: `for ${model || (profile === "unknown" ? "a model that is not known" : "a model that the session does not name")}`;
	const range = exact
		? `exactly ${plural(total, "token")}`
		: `${plural(total, "token")}, between ${number(rounded(low, Math.floor))} and ${number(rounded(high, Math.ceil))}`;
	return whose ? `${here}${whose}: ${range}` : `${here}${range}`;
}

/** The meaning of the range, as a tooltip: 10th and 90th percentile. @param {Size} size */
export function rangeText({ exact }) {
	return exact
		? ""
		: "10th and 90th percentile: of ten sessions, one has less than the first number and one more than the second.";
}

/**
 * How the counts of the API in the session compare with ours; "" if it has none.
 * @param {Size} size
 */
export function usageText({ usage, total }) {
	if (!usage) return "";
	const { points, factor, hidden, total: real } = usage;
	// 1000 is also the value if there is too little to compare.
	const ratio = factor === 1000 ? "" : `counted ${(factor / 1000).toFixed(2)} × what we count`;
	const unseen = hidden > 0 ? `about ${number(rounded(hidden, Math.round))} tokens a request are not in this log` : "";
	const after = [ratio, unseen].filter(Boolean).join("; ") || "agrees with this count, as far as they can be compared";
	const corrected = real === total ? "" : ` By its count the session has ${plural(real, "token")} now.`;
	return `The API ${ratio ? "" : unseen ? "says: " : ""}${after} (${plural(points, "call")}).${corrected}`;
}

/** Rounds to two digits, the precision of the estimate. @param {number} n @param {(x: number) => number} to */
function rounded(n, to) {
	const step = n < 100 ? 1 : 10 ** (Math.floor(Math.log10(n)) - 1);
	return to(n / step) * step;
}
