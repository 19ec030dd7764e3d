// This file compares two texts line by line.

/** @typedef {{same: boolean, a: string[], b: string[]}} Hunk lines of each side; equal if same */

const MAX_CELLS = 400_000; // cells of the table of the exact comparison: takes a few milliseconds

/**
 * The shortest edit script in lines (longest common subsequence). Texts too long for the table only share their common
 * head and tail.
 * @param {string} before
 * @param {string} after
 * @returns {Hunk[]}
 */
export function hunksOf(before, after) {
	const [a, b] = [before.split("\n"), after.split("\n")];
	let head = 0;
	while (head < a.length && head < b.length && a[head] === b[head]) head++;
	let tail = 0;
	while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
	/** @type {Hunk[]} */
	const hunks = [];
	const put = (/** @type {boolean} */ same, /** @type {string[]} */ left, /** @type {string[]} */ right) => {
		const last = hunks.at(-1);
		if (left.length === 0 && right.length === 0) return;
		if (last?.same === same) {
			last.a = last.a.concat(left);
			last.b = last.b.concat(right);
		} else hunks.push({ same, a: left, b: right });
	};
	put(true, a.slice(0, head), b.slice(0, head));
	middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail), put);
	put(true, a.slice(a.length - tail), b.slice(b.length - tail));
	return hunks;
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @param {(same: boolean, left: string[], right: string[]) => void} put
 */
function middle(a, b, put) {
	if (a.length * b.length > MAX_CELLS) return put(false, a, b);
	const wide = b.length + 1;
	const longest = new Uint32Array((a.length + 1) * wide); // common lines of a[i..] and b[k..]
	for (let i = a.length - 1; i >= 0; i--) {
		for (let k = b.length - 1; k >= 0; k--) {
			longest[i * wide + k] =
				a[i] === b[k]
					? longest[(i + 1) * wide + k + 1] + 1
					: Math.max(longest[(i + 1) * wide + k], longest[i * wide + k + 1]);
		}
	}
	let [i, k] = [0, 0];
	while (i < a.length || k < b.length) {
		const [fromA, fromB] = [i, k];
		while (i < a.length && k < b.length && a[i] === b[k]) {
			i++;
			k++;
		}
		put(true, a.slice(fromA, i), b.slice(fromB, k));
		const [startA, startB] = [i, k];
		while ((i < a.length || k < b.length) && !(i < a.length && k < b.length && a[i] === b[k])) {
			if (k === b.length || (i < a.length && longest[(i + 1) * wide + k] >= longest[i * wide + k + 1])) i++;
			else k++;
		}
		put(false, a.slice(startA, i), b.slice(startB, k));
	}
}
