// This file keeps texts for this tab (sessionStorage) or for this browser (localStorage). Both may be forbidden or full:
// what is kept then lasts as long as the page.

/** @typedef {"sessionStorage" | "localStorage"} Area */

/** What is kept under a name; null if there is nothing. @param {string} key @param {Area} [area] */
export function keptIn(key, area = "sessionStorage") {
	try {
		return window[area].getItem(key);
	} catch {
		return null;
	}
}

/**
 * Keeps a text; "" forgets it.
 * @param {string} key
 * @param {string} text
 * @param {Area} [area]
 * @returns {boolean} whether storage allowed it
 */
export function keepIn(key, text, area = "sessionStorage") {
	try {
		if (text) window[area].setItem(key, text);
		else window[area].removeItem(key);
		return true;
	} catch {
		return false;
	}
}
