// This file draws the parts of a block into an element: prose set, code in columns, JSON folded, pictures small. It draws for a few
// milliseconds at a time, and what is out of sight is not laid out, so no block is too long to open.

import { h } from "../ui/dom.js";
import { chunksOf } from "./chunks.js";
import { clean } from "./sanitize.js";
import { jsonTree } from "./jsonTree.js";
import { markdown } from "./markdown.js";
import { textsOf } from "./parts.js";
import { bytes } from "../ui/words.js";

/** @typedef {import("./parts.js").Part} Part */
/** @typedef {"read"|"plain"|"source"} Mode */

const SLICE = 12; // ms of drawing between two frames
const SET = 256 * 1024; // characters of prose that are set; more is shown as it is
const FOLDED = 2 * 1024 * 1024; // characters of JSON that are folded; more is shown as it is
const FIELD = 90; // characters of a field that stands beside its name

export class PartView {
	/** @param {HTMLElement} root scrolls by itself or stands in what scrolls */
	constructor(root) {
		this.root = root;
		this.turn = 0;
	}

	/**
	 * Draws in place of what was there. What is in sight comes at once, the rest while the page stays free.
	 * @param {Generator<HTMLElement>} nodes
	 * @returns {Promise<boolean>} whether it was drawn to its end; false where something else took its place
	 */
	async show(nodes) {
		const turn = ++this.turn;
		let first = true;
		for (;;) {
			const fresh = document.createDocumentFragment();
			const start = performance.now();
			let done = false;
			while (!done && performance.now() - start < SLICE) {
				const { value, done: end } = nodes.next();
				if (end) done = true;
				else fresh.append(value);
			}
			if (first) this.root.replaceChildren(fresh);
			else this.root.append(fresh);
			first = false;
			if (done) return true;
			await new Promise((resolve) => setTimeout(resolve, 0));
			if (turn !== this.turn) return false;
		}
	}

	clear() {
		this.turn++;
		this.root.replaceChildren();
	}
}

/** What people read. @param {Part[]} parts @returns {Generator<HTMLElement>} */
export function* setParts(parts) {
	for (const part of parts) {
		switch (part.kind) {
			case "prose":
				if (part.text.length <= SET) yield* markdown(part.text);
				else yield* plain(part.text);
				break;
			case "field":
				yield* field(part.name, part.text);
				break;
			case "code":
				yield* titled(part);
				yield* plain(part.text);
				break;
			case "json": {
				yield* titled(part);
				const tree = part.text.length <= FOLDED ? jsonTree(part.text) : null;
				if (tree) yield tree;
				else yield* plain(clean(part.text));
				break;
			}
			case "image":
				yield picture(part);
				break;
			case "note":
				yield h("p", { class: "hint" }, part.text);
		}
	}
}

/** The same texts as they are, one below the other. @param {Part[]} parts @returns {Generator<HTMLElement>} */
export function* plainParts(parts) {
	for (const part of parts) {
		if (part.kind === "image") yield picture(part);
		else if (part.kind === "note") yield h("p", { class: "hint" }, part.text);
		else for (const text of textsOf(part)) yield* plain(text);
	}
}

/** Monospaced, as it is. @param {string} text @returns {Generator<HTMLElement>} */
export function* plain(text) {
	// Some chunks to an element: one for all of them would be drawn in one go.
	let holder = /** @type {HTMLElement | null} */ (null);
	let more = false;
	for (const chunk of chunksOf(text)) {
		if (holder && holder.childElementCount >= 16) {
			yield holder;
			holder = null;
			more = true;
		}
		holder ??= h("pre", { class: `text${more ? " more" : ""}` });
		holder.append(chunk);
	}
	if (holder) yield holder;
}

/** @param {{title?: string}} part @returns {Generator<HTMLElement>} */
function* titled({ title }) {
	if (title) yield h("p", { class: "part-title", "data-t": true }, title);
}

/** @param {string} name @param {string} text @returns {Generator<HTMLElement>} */
function* field(name, text) {
	if (text.length <= FIELD && !text.includes("\n")) return yield h("p", { class: "field" }, h("span", { class: "key", "data-t": true }, name), " ", h("code", { "data-t": true }, text || "“ ” empty"));
	yield h("p", { class: "part-title", "data-t": true }, name);
	yield* plain(text);
}

/** @param {{type: string, data: string}} part */
function picture({ type, data }) {
	const name = `${type.slice(6).toUpperCase()} image, ${bytes(Math.floor((data.length * 3) / 4))}`;
	const large = (/** @type {MouseEvent & {currentTarget: HTMLElement}} */ { currentTarget: button }) => {
		const open = button.getAttribute("aria-pressed") !== "true";
		button.setAttribute("aria-pressed", String(open));
	};
	const image = h("img", { src: `data:${type};base64,${data.replace(/\s+/g, "")}`, alt: name, decoding: "async" });
	const holder = h("button", { type: "button", class: "picture", "aria-pressed": "false", title: "Shown small: click for its own size", on: { click: large } }, image, h("span", { class: "hint" }, name));
	image.addEventListener("error", () => image.replaceWith(h("span", { class: "hint" }, "The data of this image is damaged.")), { once: true });
	return holder;
}
