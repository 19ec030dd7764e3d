// This file handles the keyboard shortcuts, and shows them in one list. Keys inside lists, tabs and fields are handled
// there. A single key without Ctrl can be pressed by accident or by speech input, so single keys can be turned off.

import { byId, fill, h } from "./dom.js";
import { keepIn, keptIn } from "./storage.js";

/**
 * @typedef {object} Key
 * @property {string[]} keys values of event.key; Mod is Ctrl or ⌘, as in "Mod+z"; several mean the same
 * @property {string} does
 * @property {() => void} [act] absent: a part of the page handles the key, it is only listed
 */

/** @typedef {{title: string, keys: Key[]}} Group */

const FLAG = "tamp-single-keys";
const MAC = /mac|iphone|ipad/i.test(navigator.platform);

/** @type {Record<string, string>} */
const SIGNS = {
	Mod: MAC ? "⌘" : "Ctrl",
	ArrowUp: "↑",
	ArrowDown: "↓",
	ArrowLeft: "←",
	ArrowRight: "→",
	Escape: "Esc",
	PageUp: "Page up",
	PageDown: "Page down",
};

export class Keys {
	/** @param {Group[]} groups */
	constructor(groups) {
		this.dialog = byId("keys");
		this.single = byId("keys-single");
		this.single.checked = keptIn(FLAG, "localStorage") !== "off";
		this.single.addEventListener("change", () => keepIn(FLAG, this.single.checked ? "" : "off", "localStorage"));
		/** @type {Map<string, () => void>} */
		this.acts = new Map();
		for (const { keys, act } of groups.flatMap((group) => group.keys))
			if (act) for (const key of keys) this.acts.set(key, act);
		fill(byId("keys-list"), ...groups.map(section));
		byId("keys-open").addEventListener("click", () => this.open());
		byId("keys-close").addEventListener("click", () => this.dialog.close());
		// A click on the backdrop has the dialog as its target.
		this.dialog.addEventListener(
			"click",
			(/** @type {MouseEvent} */ event) => event.target === this.dialog && this.dialog.close(),
		);
		document.addEventListener("keydown", (event) => this.press(event));
	}

	open() {
		if (!this.dialog.open) this.dialog.showModal();
	}

	/** @param {KeyboardEvent} event */
	press(event) {
		if (event.defaultPrevented || event.isComposing || event.altKey || this.dialog.open || takesText(event.target))
			return;
		const mod = event.ctrlKey || event.metaKey;
		if (!mod && event.key !== "?" && !this.single.checked) return;
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const act = this.acts.get(`${mod ? "Mod+" : ""}${event.shiftKey && /^[a-z]$/.test(key) ? "Shift+" : ""}${key}`);
		if (!act) return;
		event.preventDefault();
		act();
	}
}

/** Whether the element takes typed text. @param {EventTarget | null} target */
function takesText(target) {
	if (!(target instanceof HTMLElement)) return false;
	if (target.isContentEditable || target.matches("textarea, select")) return true;
	return (
		target.matches("input:not([type=radio], [type=checkbox], [type=range], [type=button], [type=file])") &&
		!target.hasAttribute("readonly")
	);
}

/** @param {Group} group */
function section({ title, keys }) {
	return h(
		"section",
		h("h3", title),
		h(
			"dl",
			...keys.map(({ keys, does }) =>
				h("div", h("dt", ...keys.flatMap((key, i) => [i > 0 ? " or " : "", ...signs(key)])), h("dd", does)),
			),
		),
	);
}

/** @param {string} key */
function signs(key) {
	return key.split(/\+(?=.)/).map((part) => h("kbd", SIGNS[part] ?? (part.length === 1 ? part.toUpperCase() : part)));
}
