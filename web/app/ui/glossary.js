// This file explains the terms of the page: an element with data-term shows its explanation as a tooltip, and a term that
// is a button shows it when it is pressed, for touch and keyboard.

import { h } from "./dom.js";
import { toast } from "./toast.js";

/** @type {Record<string, string>} */
export const TERMS = {
	window: "Context window: the maximum number of tokens that a model accepts in one request",
	tokens: "Tokens: the pieces of text that a model reads and that you pay for; about four characters of English each",
	cost: "Cost: what all requests of the session cost at the prices of the model, with its prompt cache; under a policy, with what the agent would have had to read again",
	names:
		"Missed by the answers: paths, identifiers, hashes and numbers that a later answer used and that its request no longer had; each call counts",
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
	quality: "Quality: the facts of the removed content that are still in the packed session",
};

/** Sets the tooltips. @param {ParentNode} root */
export function explain(root) {
	for (const element of root.querySelectorAll("[data-term]")) {
		const { term = "" } = /** @type {HTMLElement} */ (element).dataset;
		if (TERMS[term]) element.setAttribute("title", TERMS[term]);
		if (element.matches("button.term")) element.addEventListener("click", () => toast(TERMS[term]));
	}
}

/** A term as a button that explains it. @param {string} name @param {string} term */
export function termButton(name, term) {
	const on = { click: () => toast(TERMS[term]) };
	return h("button", { type: "button", class: "term", title: TERMS[term], on }, name);
}
