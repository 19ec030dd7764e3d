// This file shows the totals of the session: the tools by tokens, the ten largest blocks, and the repeats.

import { byId, fill, h } from "../ui/dom.js";
import { pagedList } from "../ui/pagedList.js";
import { totalsOf } from "./totals.js";
import { number, plural, share } from "../ui/words.js";

/** @import { Repeat } from "./repeats.js" */
/** @import { Row } from "./rows.js" */
/** @import { Facts } from "../reading/texts.js" */

const STEP = 40; // repeats drawn at a time
const TAIL = 31; // characters of a path that fit its column

export class Overview {
	/**
	 * @param {{tool: (tool: string) => void, row: (index: number) => void, pick: (label: string, rows: number[], index:
	 *   number) => void, isOnly: (tool: string) => boolean}} acts
	 */
	constructor(acts) {
		this.acts = acts;
		this.says = byId("survey-says");
		this.tools = byId("tools");
		this.largest = byId("largest");
		this.repeats = byId("repeats");
		this.repeatsNote = byId("repeats-note");
		/** @type {Row[]} */
		this.rows = [];
		/** @type {Facts | null | undefined} null: the texts cannot be read; undefined: not known yet */
		this.facts = undefined;
		this.hasErrorFlags = true;
	}

	/**
	 * @param {Row[]} rows
	 * @param {Facts | null | undefined} facts
	 * @param {boolean} hasErrorFlags whether the format says which results are errors
	 */
	show(rows, facts, hasErrorFlags) {
		this.rows = rows;
		this.facts = facts;
		this.hasErrorFlags = hasErrorFlags;
		const totals = totalsOf(rows, new Set(facts?.failed));
		const [first] = totals.tools;
		const repeated = facts?.repeats.tokens ?? 0;
		const largest = first
			? `${first.tool} fills ${share(first.tokens, totals.total)} of this session`
			: "No tool was called in this session";
		const repeats =
			repeated > 0 ? `; ${plural(repeated, "token")} (${share(repeated, totals.total)}) went into repeats` : "";
		this.says.textContent = `${largest}${repeats}.`;
		this.drawTools(totals);
		fill(this.largest, ...totals.largest.map((row) => h("li", this.rowButton(row))));
		this.drawRepeats();
	}

	/** Call when the filter changed: marks the tool that it shows. */
	mark() {
		for (const button of this.tools.querySelectorAll("[data-tool]"))
			button.setAttribute("aria-pressed", String(this.acts.isOnly(button.dataset.tool ?? "")));
	}

	/** @param {ReturnType<typeof totalsOf>} totals */
	drawTools({ tools, rest, total }) {
		const head = h(
			"tr",
			...["Tool", "Share", "Tokens", "Calls", "Errors", "Largest"].map((title, i) =>
				h("th", { scope: "col", class: i > 1 ? "number" : null }, title),
			),
		);
		const rows = tools.map((tool) => {
			const bar = h("span");
			bar.style.width = `${(tool.tokens * 100) / Math.max(1, total)}%`;
			return h(
				"tr",
				{ "data-tool-row": tool.tool },
				h(
					"th",
					{ scope: "row" },
					h(
						"button.link",
						{
							"aria-pressed": "false",
							"data-tool": tool.tool,
							title: "Show only this tool's blocks",
							on: { click: () => this.acts.tool(tool.tool) },
						},
						tool.tool,
					),
				),
				h("td.part", h("span.share", { "aria-hidden": "true" }, bar), h("span", share(tool.tokens, total))),
				h(
					"td.number",
					{ title: `${plural(tool.callTokens, "token")} of calls, ${number(tool.resultTokens)} of results` },
					number(tool.tokens),
					h("span.hidden", `: ${number(tool.callTokens)} in calls, ${number(tool.resultTokens)} in results`),
				),
				h("td.number", number(tool.calls)),
				h(
					"td",
					{ class: `number${tool.failed > 0 ? " failed" : ""}` },
					!this.hasErrorFlags && tool.failed === 0
						? h("span", { title: "This format does not say which results are errors" }, "–")
						: number(tool.failed),
				),
				h(
					"td.number",
					h(
						"button.link",
						{
							"aria-label": `Largest of ${tool.tool}, ${plural(tool.largest.block.tokens, "token")}`,
							on: { click: () => this.acts.row(tool.largest.index) },
						},
						number(tool.largest.block.tokens),
					),
				),
			);
		});
		const bar = h("span");
		bar.style.width = `${(rest * 100) / Math.max(1, total)}%`;
		const others = h(
			"tr.rest",
			h("th", { scope: "row" }, "Everything else"),
			h("td.part", h("span.share", { "aria-hidden": "true" }, bar), h("span", share(rest, total))),
			h("td.number", number(rest)),
			h("td", { colspan: 3 }, "words, thinking, tools"),
		);
		fill(this.tools, h("thead", head), h("tbody", ...rows, others));
		this.mark();
	}

	/** @param {Row} row */
	rowButton(row) {
		return h(
			"button.entry",
			{ "data-index": row.index, on: { click: () => this.acts.row(row.index) } },
			h("span.amount", number(row.block.tokens)),
			h("span.what", h("strong", row.label), ` ${row.turn > 0 ? `turn ${row.turn}` : row.role}`),
			h("span.text", row.block.preview.slice(0, 160).replace(/\s+/g, " ")),
		);
	}

	drawRepeats() {
		const { facts } = this;
		if (!facts) {
			this.repeatsNote.textContent =
				facts === null
					? "The texts of this session could not be read, so repeats are not known. Take a part of it, or open it again."
					: "Looking for repeats…";
			return fill(this.repeats);
		}
		const { groups } = facts.repeats;
		this.repeatsNote.textContent =
			groups.length === 0
				? "Nothing twice: no call was repeated with the same input, and no file was read again."
				: `${plural(facts.repeats.tokens, "token")} after the first time. A click shows all of them in the list of blocks; the next click goes to the next one.`;
		fill(this.repeats);
		pagedList(this.repeats, groups, (group) => this.repeat(group), { step: STEP, wrap: "li" });
	}

	/** @param {Repeat} group */
	repeat(group) {
		let at = -1;
		const times = number(group.at.length);
		const says = {
			call: group.same ? `${times} × same call and result` : `${times} × same call`,
			file: `read ${times} times`,
			result: `${times} × same result`,
		}[group.kind];
		const place = h("span.step", { role: "status" });
		const go = () => {
			at = (at + 1) % group.at.length;
			place.textContent = `${at + 1} of ${group.at.length}`;
			this.acts.pick(`${group.what || group.tool}, ${group.at.length} times`, group.rows, group.at[at]);
		};
		return h(
			"li",
			{ "data-kind": group.kind },
			h(
				"button.entry",
				{ on: { click: go } },
				h("span.amount", number(group.tokens)),
				h("span.what", h("strong", group.kind === "file" ? "File" : group.tool), ` ${says}`),
				h("span.text", { title: group.what }, group.kind === "file" ? tail(group.what) : group.what),
				place,
			),
		);
	}
}

/** The end of a path, which distinguishes files. @param {string} path */
function tail(path) {
	return path.length > TAIL ? `…${path.slice(-TAIL)}` : path;
}
