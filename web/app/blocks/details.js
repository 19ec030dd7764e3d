// This file shows the selected block: its kind, its fate and the reason.

import { keyOf, SCOPES } from "./choices.js";
import { byId, fill, h } from "../ui/dom.js";
import { FATES, kindName, number, saved, sentence } from "../ui/words.js";

/** @import { Row } from "./rows.js" */

export class Details {
	/**
	 * @param {import("../session/session.js").Session} session
	 * @param {{partner: (row: Row) => Row | null, preview: (row: Row) => HTMLElement}} acts preview: the beginning of its text
	 */
	constructor(session, acts) {
		this.session = session;
		this.acts = acts;
		this.root = byId("details");
		this.scope = h(
			"select",
			{ "aria-label": "What to edit" },
			...SCOPES.map(({ scope, name }) => h("option", { value: scope }, name)),
		);
		/** @type {Row | null} */
		this.row = null;
	}

	/** @param {Row | null} row */
	show(row) {
		this.row = row;
		if (!row)
			return fill(
				this.root,
				h(
					"p.hint",
					"No block is selected. Point at one to see its kind and its fate. If the list is empty, clear the filter.",
				),
			);
		const { block } = row;
		const fate = FATES[block.fate] ?? { name: block.fate, means: "" };
		const partner = this.acts.partner(row);
		fill(
			this.root,
			h("h3", row.label),
			h("p.where", { title: block.path }, row.turn > 0 ? `Turn ${row.turn} · ` : "", row.role),
			h(
				"p.change",
				h("strong", number(block.tokens)),
				block.after !== block.tokens ? ` → ${number(block.after)}` : "",
				" tokens",
				block.after < block.tokens ? `, ${saved(block.tokens, block.after)} saved` : "",
			),
			h(
				"p.fate",
				h("span", { class: `swatch fate-${block.fate}`, "aria-hidden": "true" }),
				h("strong", sentence(fate.name)),
				` – ${fate.means}`,
			),
			h("p.why", h("span.hint", "Why: "), sentence(block.why)),
			...row.problems.map((problem) =>
				h(
					"p.trouble",
					problem.message === block.why ? (problem.providerError ?? "") : sentence(problem.message),
					" ",
					h("code", problem.rule),
				),
			),
			partner &&
				h(
					"p",
					h(
						"button.link",
						{ on: { click: () => this.session.jump(partner.block.path) } },
						`Go to its ${kindName(partner.block.kind)}`,
					),
				),
			row.message >= 0 ? this.choices(row) : null,
			this.replaced(row),
			this.acts.preview(row),
		);
	}

	/** @param {Row} row */
	choices(row) {
		const now = this.session.state.blocks[keyOf(row)];
		const button = (/** @type {import("./choices.js").Choice} */ choice, /** @type {string} */ name) =>
			h(
				"button",
				{
					"aria-pressed": String(now === choice),
					"data-choice": choice,
					on: {
						click: () =>
							this.session.chooseBlocks(
								row,
								/** @type {import("./choices.js").Scope} */ (this.scope.value),
								now === choice ? null : choice,
							),
					},
				},
				name,
			);
		return h(
			"div.choices",
			{ role: "group", "aria-label": "Edit, then pack" },
			button("drop", "Remove"),
			button("summarize", "Summarize"),
			button("keep", "Keep"),
			this.scope,
		);
	}

	/** What the packed session has in the place of a changed block. @param {Row} row */
	replaced(row) {
		if (!row.block.replacement) return null;
		const text = h("pre.replacement", { tabindex: "0", "data-testid": "replacement" }, "…");
		void this.session.engine.ask({ kind: "replacement", ...row.block.replacement }).then((answer) => {
			text.textContent = "text" in answer ? answer.text : "";
		});
		return h("div.replaced", h("p.hint", "In its place"), text);
	}
}
