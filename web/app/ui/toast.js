// This file shows a short note at the foot of the page, with one thing to do about it.

import { byId, h } from "./dom.js";

const STAYS = 8000; // ms: long enough to read it and to reach the button

/**
 * The newest note takes the place of the one before.
 * @param {string} text
 * @param {{label: string, act: () => void}} [action]
 */
export function toast(text, action) {
	const root = byId("toasts");
	const note = h("div", { class: "toast" }, h("span", {}, text));
	const gone = () => note.remove();
	if (action) {
		note.append(h("button", { type: "button", on: { click: () => (gone(), action.act()) } }, action.label));
	}
	root.replaceChildren(note);
	setTimeout(gone, STAYS);
}
