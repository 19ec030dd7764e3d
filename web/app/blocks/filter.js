// This file is the filter of the blocks: chips for tools, roles, kinds and fates. Chips of one group are combined by
// OR, groups by AND.

import { byId, fill, h } from "../ui/dom.js";
import { FATES, kindName, number, plural, sentence, share } from "../ui/words.js";

/** @import { Row } from "./rows.js" */
/** @typedef {"tool"|"role"|"kind"|"fate"} Facet */

/** @type {Record<Facet, {title: string, of: (row: Row) => string, name: (value: string) => string}>} */
const FACETS = {
	tool: { title: "Tool", of: (row) => row.tool, name: (value) => value },
	role: { title: "Role", of: (row) => row.role, name: sentence },
	kind: {
		title: "Kind",
		of: (row) => (row.role === "tools" ? "definition" : row.block.kind),
		name: (value) => sentence(kindName(value)),
	},
	fate: { title: "Fate", of: (row) => row.block.fate, name: (value) => sentence(FATES[value]?.name ?? value) },
};
const NAMES = /** @type {Facet[]} */ (Object.keys(FACETS));

export class Filter {
	/** @param {() => void} changed */
	constructor(changed) {
		this.changed = changed;
		this.button = byId("filter-open");
		this.panel = byId("filter-panel");
		this.note = byId("filter-note");
		this.clearButton = byId("filter-clear");
		/** @type {Row[]} */
		this.rows = [];
		/** The chosen values by group; an empty group passes all rows. @type {Record<Facet, Set<string>>} */
		this.chosen = { tool: new Set(), role: new Set(), kind: new Set(), fate: new Set() };
		/**
		 * Rows that another part of the page selected, with their label.
		 * @type {{label: string, rows: Set<number>} | null}
		 */
		this.picked = null;
		this.button.addEventListener("click", () => this.toggle(this.panel.hidden));
		this.clearButton.addEventListener("click", () => {
			this.clear();
			this.button.focus();
		});
	}

	/** @param {boolean} open */
	toggle(open) {
		this.panel.hidden = !open;
		this.button.setAttribute("aria-expanded", String(open));
		if (open) this.chips();
	}

	/** @param {Row[]} rows */
	show(rows) {
		this.rows = rows;
		if (!this.panel.hidden) this.chips();
	}

	get active() {
		return this.picked !== null || NAMES.some((name) => this.chosen[name].size > 0);
	}

	/** The indexes of the rows that pass, ascending. */
	order() {
		const groups = NAMES.filter((name) => this.chosen[name].size > 0);
		const some = this.rows.filter(
			(row) =>
				(this.picked?.rows.has(row.index) ?? true) &&
				groups.every((name) => this.chosen[name].has(FACETS[name].of(row))),
		);
		this.updateNote(some);
		return some.map(({ index }) => index);
	}

	/** Says how many blocks are shown. @param {Row[]} shown */
	updateNote(shown) {
		const { active } = this;
		this.clearButton.disabled = !active;
		this.note.textContent = active
			? `${number(shown.length)} of ${plural(this.rows.length, "block")} · ${plural(
					shown.reduce((sum, { block }) => sum + block.tokens, 0),
					"token",
				)}`
			: "All blocks";
		this.button.textContent = active ? `Filter: ${this.words()}` : "Filter";
	}

	words() {
		return [
			...(this.picked ? [this.picked.label] : []),
			...NAMES.flatMap((name) => [...this.chosen[name]].map(FACETS[name].name)),
		].join(", ");
	}

	/** Shows only one tool; a second call shows everything. @param {string} tool */
	only(tool) {
		const off = this.isOnly(tool);
		this.drop();
		if (!off) this.chosen.tool.add(tool);
		this.update();
	}

	/** @param {string} tool */
	isOnly(tool) {
		return (
			this.picked === null &&
			this.chosen.tool.size === 1 &&
			this.chosen.tool.has(tool) &&
			NAMES.every((name) => name === "tool" || this.chosen[name].size === 0)
		);
	}

	/** Shows only these rows. @param {string} label @param {number[]} rows */
	pick(label, rows) {
		this.drop();
		this.picked = { label, rows: new Set(rows) };
		this.update();
	}

	/** Resets the choice without calling changed. */
	drop() {
		for (const name of NAMES) this.chosen[name].clear();
		this.picked = null;
	}

	clear() {
		if (!this.active) return;
		this.drop();
		this.update();
	}

	update() {
		if (!this.panel.hidden) this.chips();
		this.changed();
	}

	chips() {
		const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.chip : undefined;
		const total = this.rows.reduce((sum, { block }) => sum + block.tokens, 0);
		fill(this.panel, ...NAMES.map((name) => this.group(name, total)));
		if (focused)
			for (const chip of this.panel.querySelectorAll("[data-chip]"))
				if (chip.dataset.chip === focused) chip.focus({ preventScroll: true });
	}

	/** @param {Facet} name @param {number} total */
	group(name, total) {
		const { title, of, name: nameOf } = FACETS[name];
		/** @type {Map<string, {count: number, tokens: number}>} */
		const values = new Map();
		for (const value of this.chosen[name]) values.set(value, { count: 0, tokens: 0 });
		for (const row of this.rows) {
			const value = of(row);
			if (value === "") continue;
			const at = values.get(value) ?? { count: 0, tokens: 0 };
			values.set(value, { count: at.count + 1, tokens: at.tokens + row.block.tokens });
		}
		const chips = [...values]
			.sort((a, b) => b[1].tokens - a[1].tokens)
			.map(([value, { count, tokens }]) => {
				const label = nameOf(value);
				return h(
					"button.pick",
					{
						"aria-pressed": String(this.chosen[name].has(value)),
						"data-chip": `${name} ${value}`,
						title: `${plural(count, "block")}, ${plural(tokens, "token")}`,
						on: { click: () => this.choose(name, value) },
					},
					h("span", label),
					h("span.count", total > 0 ? ` ${share(tokens, total)}` : ""),
				);
			});
		return h(
			"div.facet",
			{ role: "group", "aria-label": `Filter by ${title.toLowerCase()}` },
			h("span.facet-title", { "aria-hidden": "true" }, title),
			h(
				"div.chips",
				...(chips.length ? chips : [h("span.facet-title", name === "tool" ? "No tool was called" : "None")]),
			),
		);
	}

	/** @param {Facet} name @param {string} value */
	choose(name, value) {
		if (!this.chosen[name].delete(value)) this.chosen[name].add(value);
		this.update();
	}
}
