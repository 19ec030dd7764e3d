// This file explains the terms of the page: an element with data-term shows its definition to mouse, touch and keyboard.

import { h } from "./dom.js";
import { FATES, sentence } from "./words.js";

/** @type {Record<string, string>} */
export const TERMS = {
	window: "Context window: the maximum number of tokens that a model accepts in one request",
	tokens: "Tokens: the pieces of text that a model reads and that you pay for; about four characters of English each",
	cost: "Cost: what all requests of the session cost at the prices of the model, with its prompt cache; under a policy, with what the agent would have had to read again",
	names:
		"Names missed: paths, identifiers, hashes and numbers that a later answer used and that its request no longer had; each call counts",
	peak: "Largest request: the most tokens that one request of the session has",
	sent: "Tokens sent: the tokens of all requests together. Each request sends the whole conversation again",
	over: "Over the window: requests that the model would refuse, because they are larger than its context window",
	again:
		"Paid again: each request sends the whole conversation, so every block is paid by all requests after its first",
	preset: "Preset: a ready set of rules for what to clear, to summarize and to keep",
	now: "Now: the last conversation, compacted once",
	start: "From the start: the whole session, compacted call by call as it grew",
	breakpoints: "Breakpoints: positions up to which the provider keeps the prompt in its cache (cache_control)",
	archive: "Archive: the originals of everything that was removed",
	requests: "Requests: the summaries that a model would write, or that the built-in summarizer wrote",
	decisions: "Decisions: what the policy did with each block, and why",
	counted:
		"As the provider counted: most logs do not contain the system prompt and the tools, which the provider counts",
	other: "Other: the boundaries of messages, and what the log does not show: mostly the system prompt and the tools",
	...Object.fromEntries(Object.entries(FATES).map(([fate, { name, means }]) => [fate, `${sentence(name)}: ${means}`])),
	quality: "Quality: the facts of the removed content that are still in the packed session",
};

const RESTS = 400; // ms: a mouse that rests on a term shows its definition, one that passes does not
const GAP = 6; // px between a term and its definition

/** Makes the terms below the root explain themselves. @param {ParentNode} root */
export function explain(root) {
	for (const element of root.querySelectorAll("[data-term]")) define(/** @type {HTMLElement} */ (element));
}

/** A term as a button that explains it. @param {string} name @param {string} term */
export function termButton(name, term) {
	const button = h("button.term", { "data-term": term }, name);
	define(button);
	return button;
}

/**
 * Shows the definition at its term: if a mouse rests there, on a touch, and with the focus of the keyboard. A button that
 * does nothing else opens and closes it. The browser closes it on Escape, on a press elsewhere, and when another opens.
 * @param {HTMLElement} element is a button, or contains one or a radio button
 */
function define(element) {
	const stop = /** @type {HTMLElement} */ (
		element.matches("button") ? element : element.querySelector("input, button")
	);
	const text = textOf(element.dataset.term ?? "");
	stop.setAttribute("aria-describedby", text.id);
	const only = element.matches(".term");
	if (only) stop.setAttribute("popovertarget", text.id);
	let timer = 0;
	const show = (/** @type {boolean} */ open) => {
		clearTimeout(timer);
		if (open && !element.isConnected) return;
		text.togglePopover(open);
		if (open) place(text, element);
	};
	const later = (/** @type {() => void} */ act) => {
		clearTimeout(timer);
		timer = setTimeout(act, RESTS);
	};
	const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listen) =>
		element.addEventListener(type, listen);
	on("pointerenter", ({ pointerType }) => pointerType === "mouse" && later(() => show(true)));
	on("pointerleave", ({ pointerType }) => {
		if (pointerType === "mouse") later(() => text.matches(":hover") || stop.matches(":focus-visible") || show(false));
	});
	on("focusin", () => stop.matches(":focus-visible") && show(true));
	on("focusout", () => show(false));
	on("click", ({ pointerType }) => {
		clearTimeout(timer);
		if (only)
			requestAnimationFrame(() => place(text, element)); // the browser opens or closes it after this event
		else if (pointerType === "touch") show(true);
		else if (pointerType === "mouse") show(false);
	});
}

/** The element with the definition of a term. @param {string} term */
function textOf(term) {
	const id = `term-${term}`;
	const known = document.getElementById(id);
	if (known) return known;
	const text = h("div.definition", { id, role: "tooltip", popover: "auto" }, TERMS[term]);
	document.body.append(text);
	return text;
}

/** Puts a definition below its term, within the window. @param {HTMLElement} text @param {HTMLElement} term */
function place(text, term) {
	const at = term.getBoundingClientRect();
	const { width, height } = text.getBoundingClientRect();
	const below = at.bottom + GAP;
	const left = Math.max(GAP, Math.min(at.left, innerWidth - width - GAP));
	const top = below + height <= innerHeight ? below : Math.max(GAP, at.top - GAP - height);
	Object.assign(text.style, { left: `${left}px`, top: `${top}px` });
}
