// This file lists the cache breakpoints of the packed session: each candidate with its value, and why it was chosen or
// not.

import { toClipboard } from "../ui/clipboard.js";
import { byId, fill, h } from "../ui/dom.js";
import { number, percent, plural, sentence } from "../ui/words.js";

/** @import { Anchor } from "../engine/types.js" */

/** @type {Record<string, string>} */
const KINDS = {
	tools_end: "End of the tools",
	system_end: "End of the system prompt",
	stable_boundary: "Stable boundary",
	milestone: "Milestone",
	previous_end: "End of the previous request",
	before_prompt: "Before the newest prompt",
	request_end: "End of the request",
	present: "Existing breakpoint",
};

export class AnchorsView {
	constructor() {
		this.note = byId("anchors-note");
		this.list = byId("anchors");
		this.copy = byId("copy-anchored");
		/** @type {Blob | null} */
		this.request = null;
		this.copy.addEventListener(
			"click",
			() => this.request && toClipboard(this.request, "the request with its cache breakpoints"),
		);
	}

	wait() {
		this.request = null;
		this.copy.disabled = true;
	}

	/** @param {string} why */
	fail(why) {
		this.wait();
		this.note.textContent = why;
		fill(this.list);
	}

	/** @param {{anchors: Anchor[], note: string, request: Blob}} view */
	show({ anchors, note, request }) {
		const chosen = anchors.filter((anchor) => anchor.chosen);
		this.request = request;
		this.copy.disabled = chosen.length === 0;
		this.note.textContent = note
			? `${sentence(note)}.`
			: anchors.length === 0
				? "No block can hold a cache breakpoint."
				: `cache_control is set at ${number(chosen.length)} of ${plural(anchors.length, "candidate")}. The value of a breakpoint is the number of tokens before it, times the chance that the next request reads them from the cache.`;
		fill(
			this.list,
			anchors.length > 0 &&
				h(
					"thead",
					h(
						"tr",
						...["Place", "Tokens before", "Hit rate", "Value", "Why"].map((title, i) =>
							h("th", { scope: "col", class: i > 0 && i < 4 ? "number" : null }, title),
						),
					),
				),
			h("tbody", ...anchors.map((anchor) => this.row(anchor))),
		);
	}

	/** @param {Anchor} anchor */
	row({ path, kind, tokensBefore, hitPermille, value, chosen, reason, ttl }) {
		return h(
			"tr",
			{ "data-chosen": String(chosen), "data-kind": kind },
			h(
				"th",
				{ scope: "row" },
				h("span.mark", { "aria-hidden": "true" }, chosen ? "✓" : "–"),
				h("span.hidden", chosen ? "chosen: " : "not chosen: "),
				KINDS[kind] ?? kind,
				" ",
				h("code", path || "/"),
			),
			h("td.number", { "data-title": "tokens before" }, number(tokensBefore)),
			h("td.number", { "data-title": "hit rate" }, percent(hitPermille)),
			h("td.number", { "data-title": "value" }, number(value)),
			h("td.reason", sentence(reason), ttl ? ` (${ttl})` : ""),
		);
	}
}
