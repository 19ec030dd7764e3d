// This file draws the parts of a block into an element: formatted prose, monospaced code, folded JSON, small pictures.
// It draws for a few milliseconds at a time, and hidden parts are not laid out, so a block of any length opens at once.

import { h } from "../ui/dom.js";
import { chunksOf } from "./chunks.js";
import { clean } from "./sanitize.js";
import { jsonTree } from "./jsonTree.js";
import { markdown } from "./markdown.js";
import { textsOf } from "./parts.js";
import { bytes } from "../ui/words.js";

/** @import { Part } from "./parts.js" */
/** @typedef {"read"|"plain"|"source"} Mode */

const SLICE = 12; // ms of drawing between two frames
const SET = 256 * 1024; // characters: longer prose is not formatted
const FOLDED = 2 * 1024 * 1024; // characters: longer JSON is not folded
const FIELD = 90; // characters: a longer field is shown below its name

export class PartView {
	/** @param {HTMLElement} root is scrollable or inside a scrollable element */
	constructor(root) {
		this.root = root;
		this.turn = 0;
	}

	/**
	 * Replaces the content. The first nodes are drawn at once, the others in slices, so that the page stays responsive.
	 * @param {Generator<HTMLElement>} nodes
	 * @returns {Promise<boolean>} whether it was drawn completely; false if another call replaced it
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

/** The formatted parts. @param {Part[]} parts @returns {Generator<HTMLElement>} */
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
				yield h("p.hint", part.text);
		}
	}
}

/** The texts without formatting, one below the other. @param {Part[]} parts @returns {Generator<HTMLElement>} */
export function* plainParts(parts) {
	for (const part of parts) {
		if (part.kind === "image") yield picture(part);
		else if (part.kind === "note") yield h("p.hint", part.text);
		else for (const text of textsOf(part)) yield* plain(text);
	}
}

/** The text, monospaced. @param {string} text @returns {Generator<HTMLElement>} */
export function* plain(text) {
	// At most 16 chunks per element: one element with all chunks would be drawn in one task.
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
	if (title) yield h("p.part-title", { "data-t": true }, title);
}

/** @param {string} name @param {string} text @returns {Generator<HTMLElement>} */
function* field(name, text) {
	if (text.length <= FIELD && !text.includes("\n"))
		return yield h(
			"p.field",
			h("span.key", { "data-t": true }, name),
			" ",
			h("code", { "data-t": true }, text || "“ ” empty"),
		);
	yield h("p.part-title", { "data-t": true }, name);
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
	const holder = h(
		"button.picture",
		{ "aria-pressed": "false", title: "Click to show it in its original size", on: { click: large } },
		image,
		h("span.hint", name),
	);
	image.addEventListener("error", () => image.replaceWith(h("span.hint", "The data of this image is damaged.")), {
		once: true,
	});
	return holder;
}
