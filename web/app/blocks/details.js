// This file shows the selected block: its kind, its fate and the reason.

import { byId, fill, h } from "../ui/dom.js";
import { FATES, kindName, number, plural, saved, sentence } from "../ui/words.js";

/** @typedef {import("./rows.js").Row} Row */

export class Details {
	/**
	 * @param {{jump: (path: string) => void, partner: (row: Row) => Row | null, preview: (row: Row) => HTMLElement}} acts
	 *   preview: the beginning of the text of the row
	 */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("details");
	}

	/** @param {Row | null} row */
	show(row) {
		if (!row)
			return fill(
				this.root,
				h(
					"p",
					{ class: "hint" },
					"No block is selected. Point at one to see its kind and its fate. If the list is empty, clear the filter.",
				),
			);
		const { block } = row;
		const fate = FATES[block.fate] ?? { name: block.fate, means: "" };
		const partner = this.acts.partner(row);
		fill(
			this.root,
			h("h3", {}, row.label),
			h(
				"p",
				{ class: "where" },
				row.turn > 0 ? `Turn ${row.turn} · ` : "",
				row.role,
				row.message >= 0 ? ` message ${row.message + 1}` : "",
				" · ",
				h("code", {}, block.path || "/"),
			),
			h(
				"p",
				{ class: "change" },
				h("strong", {}, number(block.tokens)),
				block.after !== block.tokens ? ` → ${number(block.after)}` : "",
				" tokens",
				block.after < block.tokens ? `, ${saved(block.tokens, block.after)} saved` : "",
				h("span", { class: "hint" }, ` · ${plural(block.chars, "character")}`),
			),
			h(
				"p",
				{ class: "fate" },
				h("span", { class: `swatch fate-${block.fate}`, "aria-hidden": "true" }),
				h("strong", {}, sentence(fate.name)),
				` – ${fate.means}`,
			),
			h("p", { class: "why" }, h("span", { class: "hint" }, "Why: "), sentence(block.why)),
			...row.problems.map((problem) =>
				h(
					"p",
					{ class: "trouble" },
					h("code", {}, problem.rule),
					" ",
					problem.message === block.why ? (problem.providerError ?? "") : problem.message,
				),
			),
			partner &&
				h(
					"p",
					{},
					h(
						"button",
						{ type: "button", class: "link", on: { click: () => this.acts.jump(partner.block.path) } },
						`Go to its ${kindName(partner.block.kind)}`,
					),
				),
			this.acts.preview(row),
		);
	}
}
