// This file aligns two lists of messages: equal messages, messages edited in place, and messages replaced by others.

/** @import { Entry } from "./messages.js" */
/** @import { Segment } from "../engine/types.js" */

/**
 * Kept messages are equal and in the same order on both sides, so the earliest equal message is the right match. The
 * messages between two matches are paired by their call ids. The cost is linear.
 * @param {Entry[]} a
 * @param {Entry[]} b
 * @returns {Segment[]} in order; together they cover both sides
 */
export function align(a, b) {
	/** @type {Segment[]} */
	const segments = [];
	const same = (/** @type {number} */ i, /** @type {number} */ k, /** @type {number} */ n) => {
		const last = segments.at(-1);
		if (n === 0) return;
		if (last?.kind === "same") {
			last.a[1] += n;
			last.b[1] += n;
		} else segments.push({ kind: "same", a: [i, i + n], b: [k, k + n] });
	};

	let head = 0;
	while (head < a.length && head < b.length && a[head].key === b[head].key) head++;
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail].key === b[b.length - 1 - tail].key)
		tail++;
	const [endA, endB] = [a.length - tail, b.length - tail];

	/** @type {Map<string, number[]>} */
	const places = new Map();
	for (let i = endA - 1; i >= head; i--) {
		const list = places.get(a[i].key);
		if (list) list.push(i);
		else places.set(a[i].key, [i]);
	}
	same(0, 0, head);
	let [i, k] = [head, head];
	for (let n = head; n < endB; n++) {
		const list = places.get(b[n].key) ?? [];
		while (list.length > 0 && /** @type {number} */ (list.at(-1)) < i) list.pop();
		const found = list.pop();
		if (found === undefined) continue;
		gap(a, b, [i, found], [k, n], segments);
		same(found, n, 1);
		[i, k] = [found + 1, n + 1];
	}
	gap(a, b, [i, endA], [k, endB], segments);
	same(endA, endB, tail);
	return segments;
}

/**
 * @param {Entry[]} a
 * @param {Entry[]} b
 * @param {[number, number]} inA
 * @param {[number, number]} inB
 * @param {Segment[]} segments
 */
function gap(a, b, [i, endA], [k, endB], segments) {
	const swap = (/** @type {number} */ toA, /** @type {number} */ toB) => {
		if (i < toA || k < toB) segments.push({ kind: "swap", a: [i, toA], b: [k, toB] });
	};
	const inPlace = endA - i === endB - k && a.slice(i, endA).every((entry, n) => entry.role === b[k + n].role);
	const home = new Map(
		inPlace ? [] : a.slice(i, endA).flatMap((entry, n) => entry.ids.map((id) => [`${entry.role} ${id}`, i + n])),
	);
	for (let n = k; n < endB; n++) {
		const found = inPlace
			? i
			: b[n].ids.map((id) => home.get(`${b[n].role} ${id}`)).find((at) => at !== undefined && at >= i);
		if (found === undefined) continue;
		swap(found, n);
		segments.push({ kind: "edit", a: [found, found + 1], b: [n, n + 1] });
		[i, k] = [found + 1, n + 1];
	}
	swap(endA, endB);
}
