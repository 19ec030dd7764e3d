// This file shows which facts of the removed content are still in the packed session: the share, and for each kind the
// lost and the kept facts.

import { byId, fill, h } from "../ui/dom.js";
import { pagedList } from "../ui/pagedList.js";
import { number, percent, plural } from "../ui/words.js";

/** @import { QualityReport as Report } from "../engine/types.js" */
/** @typedef {Report["kinds"][number]} Count */
/** @typedef {NonNullable<Report["statements"]>[number]} Statement */

const STEP = 100; // statements drawn at a time

/** @type {Record<string, {name: string, one: string}>} */
const KINDS = {
	words: { name: "Words", one: "sentences that the user typed" },
	errors: { name: "Errors", one: "lines of results that failed" },
	paths: { name: "Paths", one: "files and folders" },
	identifiers: { name: "Identifiers", one: "names of functions, types and variables" },
	numbers: { name: "Numbers", one: "with a unit, and versions" },
	hashes: { name: "Hashes", one: "commits and digests" },
	urls: { name: "URLs", one: "" },
};

export class QualityView {
	/** @param {{jump: (path: string) => void}} acts */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("quality");
	}

	wait() {
		this.root.setAttribute("aria-busy", "true");
	}

	/** @param {string} why */
	fail(why) {
		this.root.setAttribute("aria-busy", "false");
		fill(this.root, h("p.hint", why));
	}

	/** @param {{report: Report}} view */
	show({ report: { permille, kept, lost, kinds, statements = [] } }) {
		this.root.setAttribute("aria-busy", "false");
		if (kept + lost === 0)
			return fill(this.root, h("p.hint", "No fact was removed, so none is lost."), this.typed(statements));
		fill(
			this.root,
			h(
				"div.score",
				h(
					"p.figure",
					h("span.big", { "data-testid": "kept-permille", "data-value": permille }, percent(permille, 1)),
					h("span.cap", "of the removed content’s facts"),
				),
				h(
					"p.hint",
					`The removed content had ${plural(kept + lost, "fact")}: ${number(kept)} are still in the packed session, ${number(lost)} only in the archive. No model is used: a fact is kept if it appears word for word. Here all facts count; Compare counts the names that the session used later.`,
				),
			),
			this.typed(statements),
			h("ul.kinds", ...kinds.map((kind) => this.kind(kind))),
		);
	}

	/** The sentences that the user typed, with their places. @param {Statement[]} statements */
	typed(statements) {
		if (statements.length === 0) return null;
		const missing = statements.filter(({ kept }) => !kept).length;
		const present = missing === 0 ? "all are in the packed session" : `${number(missing)} only in the archive`;
		const list = h("ul");
		pagedList(list, statements, (statement) => this.statement(statement), { step: STEP, wrap: "li" });
		return h(
			"details.fold.typed",
			{ "data-testid": "typed", open: true },
			h("summary", `Typed by the user: ${plural(statements.length, "sentence")}, ${present}`),
			list,
		);
	}

	/** @param {Statement} statement */
	statement({ text, turn, path, kept }) {
		return h(
			"li",
			{ "data-kept": kept },
			h("q", text),
			h("span.hint", " said in "),
			h("button.link", { on: { click: () => this.acts.jump(path) } }, `turn ${turn}`),
			kept ? null : h("strong", " · only in the archive"),
		);
	}

	/** @param {Count} count */
	kind({ kind, kept, lost, keptFacts, lostFacts }) {
		const { name, one } = KINDS[kind] ?? { name: kind, one: "" };
		const bar = h("span.share", { "aria-hidden": "true" }, h("span"));
		/** @type {HTMLElement} */ (bar.firstChild).style.width = `${(kept * 100) / (kept + lost)}%`;
		return h(
			"li",
			{ "data-kind": kind },
			h(
				"div.kind-head",
				h("h3", name, one ? h("span.hint", ` ${one}`) : null),
				bar,
				h("span.counts", `${number(kept)} kept, ${number(lost)} lost`),
			),
			facts("Lost", lost, lostFacts, kind === "words"),
			facts("Kept", kept, keptFacts, false),
		);
	}
}

/**
 * @param {"Kept"|"Lost"} title
 * @param {number} count
 * @param {string[]} list
 * @param {boolean} open
 */
function facts(title, count, list, open) {
	if (count === 0) return null;
	return h(
		"details",
		{ class: `fold facts ${title.toLowerCase()}`, open },
		h("summary", `${title} (${number(count)})`),
		h(
			"ul",
			...list.map((fact) => h("li", h("code", fact))),
			count > list.length ? h("li.hint", `and ${plural(count - list.length, "more", "more")}`) : null,
		),
	);
}
