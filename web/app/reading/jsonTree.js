// This file shows JSON as a tree: small values are open; large values show their size and are drawn when they are
// opened. Arrow keys as in a tree: up and down move, right opens, left closes or moves to the parent.

import { h } from "../ui/dom.js";
import { chunksOf } from "./chunks.js";
import { clean } from "./sanitize.js";
import { number, plural } from "../ui/words.js";

const GROUP = 100; // members under one fold
const OPEN = 40; // lines that may be open at the start
const SHORT = 160; // characters of a string that is shown on the line of its key

/** The source text of a number that JavaScript cannot represent exactly. */
class Lexeme {
	/** @param {string} source */
	constructor(source) {
		this.source = source;
	}
}

/**
 * @param {string} text
 * @returns {HTMLElement | null} null if it is not JSON, or nested too deeply
 */
export function jsonTree(text) {
	/** @type {any} */
	let value;
	try {
		value = JSON.parse(text, (_, one, /** @type {{source?: string} | undefined} */ context = undefined) =>
			typeof one === "number" && context?.source !== undefined && String(one) !== context.source
				? new Lexeme(context.source)
				: one,
		);
	} catch {
		return null;
	}
	const room = { left: OPEN };
	const root = h(
		"div.tree",
		{
			role: "group",
			"aria-label": "JSON, folded",
			on: { keydown: (/** @type {KeyboardEvent} */ event) => press(root, event) },
		},
		node("", value, room),
	);
	return root;
}

/**
 * @param {string} key
 * @param {any} value
 * @param {{left: number}} room lines that may still be open
 */
function node(key, value, room) {
	room.left--;
	const name = key === "" ? [] : [h("span.key", { "data-t": true }, clean(key)), ": "];
	if (typeof value === "string") return string(name, clean(value));
	if (typeof value !== "object" || value === null || value instanceof Lexeme) {
		const says = value instanceof Lexeme ? value.source : String(value);
		return h("div.leaf", ...name, h("span.atom", { "data-t": true }, says));
	}
	const list = Array.isArray(value);
	const keys = list ? null : Object.keys(value);
	const size = keys ? keys.length : value.length;
	if (size === 0) return h("div.leaf", ...name, h("span.atom", list ? "[ ] empty" : "{ } empty"));
	const head = list
		? [h("span.brace", "[ ]"), ` ${plural(size, "item")}`]
		: [h("span.brace", "{ }"), ` ${plural(size, "key")}`];
	const member = (/** @type {number} */ i) =>
		keys ? node(keys[i], value[keys[i]], room) : node(String(i), value[i], room);
	return fold(
		[...name, ...head],
		() => members(0, size, member),
		room.left > 0 && size <= OPEN && (key === "" || size <= room.left),
	);
}

/**
 * The members of a range; a long range is divided into folds.
 * @param {number} from
 * @param {number} to
 * @param {(i: number) => HTMLElement} member
 * @returns {HTMLElement[]}
 */
function members(from, to, member) {
	/** @type {HTMLElement[]} */
	const out = [];
	if (to - from <= GROUP) {
		for (let i = from; i < to; i++) out.push(member(i));
		return out;
	}
	let step = GROUP;
	while (step * GROUP < to - from) step *= GROUP;
	for (let at = from; at < to; at += step) {
		const end = Math.min(to, at + step);
		out.push(fold([`${number(at)} – ${number(end - 1)}`], () => members(at, end, member), false));
	}
	return out;
}

/** @param {(Node | string)[]} name @param {string} value */
function string(name, value) {
	if (value.length <= SHORT && !value.includes("\n"))
		return h("div.leaf", ...name, h("span.string", { "data-t": true }, value === "" ? "“ ” empty" : value));
	const head = value.slice(0, 80).replace(/\s+/g, " ");
	return fold(
		[...name, h("span.string", `${head}…`), ` ${plural(value.length, "character")}`],
		() => [h("pre.text", ...chunksOf(value))],
		false,
	);
}

/**
 * Draws the inside of a fold. Needed because the browser sends "toggle" asynchronously.
 * @type {WeakMap<Element, () => unknown>}
 */
const fills = new WeakMap();

/** @param {(Node | string)[]} head @param {() => HTMLElement[]} draw @param {boolean} open */
function fold(head, draw, open) {
	const body = h("div.inside");
	const element = h("details", h("summary", ...head), body);
	const fill = () => body.firstChild || body.append(...draw());
	fills.set(element, fill);
	element.addEventListener("toggle", () => element.open && fill());
	if (open) {
		element.open = true;
		fill();
	}
	return element;
}

/** @param {HTMLElement} root @param {KeyboardEvent} event */
function press(root, event) {
	const at = event.target;
	if (!(at instanceof HTMLElement) || at.tagName !== "SUMMARY" || event.ctrlKey || event.metaKey || event.altKey)
		return;
	const element = /** @type {HTMLDetailsElement} */ (at.parentElement);
	const seen = () => [...root.querySelectorAll("summary")].filter((summary) => summary.checkVisibility());
	/** @type {Record<string, () => HTMLElement | null | undefined>} */
	const moves = {
		ArrowDown: () => seen()[seen().indexOf(at) + 1],
		ArrowUp: () => seen()[seen().indexOf(at) - 1],
		ArrowRight: () => {
			if (element.open) return element.querySelector(":scope > .inside summary");
			element.open = true;
			fills.get(element)?.();
			return at;
		},
		ArrowLeft: () => {
			if (!element.open) return element.parentElement?.closest("details")?.querySelector("summary");
			element.open = false;
			return at;
		},
	};
	if (!Object.hasOwn(moves, event.key)) return;
	event.preventDefault();
	event.stopPropagation();
	moves[event.key]()?.focus();
}
