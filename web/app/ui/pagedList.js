// This file draws a long list in pages, with a button for the next page at its end.

import { h } from "./dom.js";
import { number } from "./words.js";

/**
 * @template T
 * @param {HTMLElement} parent
 * @param {T[]} items
 * @param {(item: T, index: number) => Node} draw
 * @param {{step: number, wrap?: "li"|"div", foot?: HTMLElement}} how foot: the element that ends with the button, if it
 *   is not the parent
 */
export function pagedList(parent, items, draw, { step, wrap = "div", foot = parent }) {
	let drawn = 0;
	const more = h("button.more", { on: { click: () => next(true) } });
	const holder = h(wrap, { class: "more-row" }, more);
	const next = (/** @type {boolean} */ byHand) => {
		holder.remove();
		const fresh = items.slice(drawn, drawn + step).map((item, i) => draw(item, drawn + i));
		parent.append(...fresh);
		drawn += fresh.length;
		if (drawn < items.length) {
			more.textContent = `Show ${number(Math.min(step, items.length - drawn))} more of ${number(items.length - drawn)}`;
			foot.append(holder);
			if (byHand) more.focus({ preventScroll: true });
		}
	};
	next(false);
}
