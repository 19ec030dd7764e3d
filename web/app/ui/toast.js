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
	const note = h("div.toast", { "data-action": Boolean(action) }, h("span", text));
	const dismiss = () => note.remove();
	if (action) {
		const click = () => {
			dismiss();
			action.act();
		};
		note.append(h("button", { on: { click } }, action.label));
	}
	root.replaceChildren(note);
	setTimeout(dismiss, STAYS);
}

/** Removes a note whose action refers to a state that has passed. */
export function dismissAction() {
	byId("toasts").querySelector("[data-action]")?.remove();
}
