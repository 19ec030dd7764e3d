// This file makes tabs after the ARIA pattern: one tab stop; arrows, Home and End move and open.

import { byId } from "./dom.js";

/**
 * @param {string[]} names of #tab-… and #panel-…
 * @param {(name: string) => void} opened
 * @returns {(name: string) => void} opens a tab; the focus stays
 */
export function tabs(names, opened) {
	const buttons = names.map((name) => byId(`tab-${name}`));
	const choose = (/** @type {number} */ at) => {
		buttons.forEach((button, i) => {
			button.setAttribute("aria-selected", String(i === at));
			button.tabIndex = i === at ? 0 : -1;
			byId(`panel-${names[i]}`).hidden = i !== at;
		});
		opened(names[at]);
	};
	buttons.forEach((button, i) => {
		button.addEventListener("click", () => choose(i));
		button.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
			const last = names.length - 1;
			/** @type {Record<string, number>} */
			const places = { ArrowRight: i === last ? 0 : i + 1, ArrowLeft: i === 0 ? last : i - 1, Home: 0, End: last };
			const to = places[event.key];
			if (to === undefined) return;
			event.preventDefault();
			choose(to);
			buttons[to].focus();
		});
	});
	return (name) => names.includes(name) && choose(names.indexOf(name));
}
