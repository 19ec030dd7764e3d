// This file keeps a number and its percent sign on one line.

import { h } from "./dom.js";

/** The text, with its percentages in elements that do not break. @param {string} text @returns {(string | HTMLElement)[]} */
export function unbroken(text) {
	return text.split(/([+−]?[\d.,]+ %)/).map((part, i) => (i % 2 === 1 ? h("span.unbroken", part) : part));
}
