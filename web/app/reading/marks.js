// This file highlights the matches of a search without changing the DOM: the browser paints ranges (CSS highlights). Of
// very many matches only those around the selected one are painted.

/**
 * @typedef {{element: HTMLElement, start: number, end: number}} Match a range in the text of an element and the
 *   elements joined to it
 */

const PAINTED = 400; // matches on each side of the selected one
const SLICE = 15; // ms of search between two frames

/** Without highlights the search still counts and moves from match to match. */
const can = typeof Highlight !== "undefined" && typeof CSS !== "undefined" && "highlights" in CSS;

export class Marks {
	/**
	 * @param {HTMLElement} root
	 * @param {string} name of the highlight in reader.css; that of the selected match ends in "-here"
	 */
	constructor(root, name) {
		this.root = root;
		this.name = name;
		/** @type {Match[]} */
		this.matches = [];
		this.turn = 0;
	}

	clear() {
		this.turn++;
		this.matches = [];
		if (!can) return;
		CSS.highlights.delete(this.name);
		CSS.highlights.delete(`${this.name}-here`);
	}

	/**
	 * Finds all matches in the drawn text.
	 * @param {RegExp} pattern
	 * @returns {Promise<number>} the number of matches; -1 if another search replaced this one
	 */
	async find(pattern) {
		this.clear();
		const turn = this.turn;
		let start = performance.now();
		const elements = /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-t]:not([data-joined])"));
		for (const element of elements) {
			const text = joined(element)
				.map((one) => one.textContent)
				.join("");
			pattern.lastIndex = 0;
			for (let match = pattern.exec(text); match; match = pattern.exec(text))
				this.matches.push({ element, start: match.index, end: match.index + match[0].length });
			if (performance.now() - start < SLICE) continue;
			await new Promise((resolve) => setTimeout(resolve, 0));
			if (turn !== this.turn) return -1;
			start = performance.now();
		}
		this.paint(-1);
		return this.matches.length;
	}

	/** @param {number} here the selected match; -1 for none */
	paint(here) {
		if (!can) return;
		const from = Math.max(0, here - PAINTED);
		const ranges = rangesOf(this.matches.slice(from, from + 2 * PAINTED));
		const one = here < 0 ? undefined : ranges[here - from];
		CSS.highlights.set(this.name, new Highlight(...ranges));
		if (one) CSS.highlights.set(`${this.name}-here`, Object.assign(new Highlight(one), { priority: 1 }));
		else CSS.highlights.delete(`${this.name}-here`);
	}

	/**
	 * Paints a match as the selected one, opens the folds around it and scrolls to it.
	 * @param {number} here
	 */
	reveal(here) {
		const match = this.matches[here];
		if (!match) return;
		for (let at = match.element.parentElement?.closest("details"); at; at = at.parentElement?.closest("details"))
			at.open = true;
		this.paint(here);
		const [range] = rangesOf([match]);
		const place = range.startContainer.parentElement ?? match.element;
		place.scrollIntoView({ block: "nearest" });
		// The chunk is laid out only now, so the position of the match is known only now.
		requestAnimationFrame(() => {
			const box = range.getBoundingClientRect();
			const view = this.root.getBoundingClientRect();
			if (box.top < view.top + 30 || box.bottom > view.bottom - 30)
				this.root.scrollTop += box.top - view.top - view.height / 3;
			if (box.left < view.left || box.right > view.right) this.root.scrollLeft += box.left - view.left - view.width / 3;
		});
	}
}

/** An element and those that continue its line. @param {HTMLElement} element */
function joined(element) {
	const all = [element];
	for (let next = after(element); next?.hasAttribute("data-joined"); next = after(next)) all.push(next);
	return all;
}

/** The next chunk, in this holder or the next. @param {HTMLElement} chunk @returns {HTMLElement | null} */
function after(chunk) {
	if (!chunk.classList.contains("chunk")) return null;
	const next = chunk.nextElementSibling ?? chunk.parentElement?.nextElementSibling?.firstElementChild ?? null;
	return next instanceof HTMLElement ? next : null;
}

/** @param {Match[]} matches in order @returns {Range[]} */
function rangesOf(matches) {
	/** @type {Range[]} */
	const ranges = [];
	/** @type {HTMLElement | null} */
	let element = null;
	/** @type {{node: Text, from: number}[]} */
	let nodes = [];
	let at = 0;
	for (const match of matches) {
		if (match.element !== element) {
			element = match.element;
			nodes = textNodes(element);
			at = 0;
		}
		const place = (/** @type {number} */ offset) => {
			while (at + 1 < nodes.length && nodes[at + 1].from <= offset) at++;
			return nodes[at];
		};
		const range = new Range();
		const first = place(match.start);
		if (!first) continue;
		range.setStart(first.node, Math.min(first.node.length, match.start - first.from));
		const last = place(match.end - 1);
		range.setEnd(last.node, Math.min(last.node.length, match.end - last.from));
		ranges.push(range);
	}
	return ranges;
}

/** @param {HTMLElement} element */
function textNodes(element) {
	/** @type {{node: Text, from: number}[]} */
	const nodes = [];
	let from = 0;
	for (const one of joined(element)) {
		const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
		for (let node = walk.nextNode(); node; node = walk.nextNode()) {
			nodes.push({ node: /** @type {Text} */ (node), from });
			from += /** @type {Text} */ (node).length;
		}
	}
	return nodes;
}
