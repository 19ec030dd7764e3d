// This file shows a short note at the bottom of the page, with at most one action.

import { byId, h } from "./dom.js";

const STAYS = 8000; // ms: long enough to read it and to reach the button

/**
 * A new note replaces the previous one.
 * @param {string} text
 * @param {{label: string, act: () => void}} [action]
 */
export function toast(text, action) {
	const root = byId("toasts");
	const note = h("div", { class: "toast" }, h("span", {}, text));
	const dismiss = () => note.remove();
	if (action) {
		note.append(h("button", { type: "button", on: { click: () => (dismiss(), action.act()) } }, action.label));
	}
	root.replaceChildren(note);
	setTimeout(dismiss, STAYS);
}
