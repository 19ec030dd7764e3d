// This file draws the result of an audit: the sum in a sentence, the ranked sessions, what was paid again and why, and
// totals by day and by project, which also filter the sessions.

import { fill, h } from "../ui/dom.js";
import { pagedList } from "../ui/pagedList.js";
import { cents, number, percent, plural, sentence } from "../ui/words.js";
import { dayOf, projectOf, reasonsOf } from "./rank.js";

/** @import { Ranked, Session, Total } from "./rank.js" */
/** @typedef {"day" | "project"} Kind of totals */

const PAGE = 50; // rows drawn at a time
const COLUMNS = ["Calls", "Cost", "Compacted", "Saved", "Names missed"];
const SHORT = 12; // of the small tables

/** What each cause of Audit means. @type {Record<string, [string, string]>} */
const CAUSES = {
	idle: ["Pause too long", "the cache had expired when the agent went on"],
	system: ["System prompt or tools changed", "so nothing after them could be read from the cache"],
	edit: ["An earlier message changed", "so everything after it was sent at full price"],
	compaction: ["The agent compacted", "so the cache began again"],
	two_sessions: ["Two sessions in turn", "a subagent or a second session between two calls"],
	evicted: ["Lost by the provider", "the request began as the one before, in time"],
	no_breakpoint: ["Not cached", "the agent had no cache breakpoint there"],
};

/** The calls that are not in the other figures. @type {[string, (session: Session) => {calls: number, cost: number}][]} */
const APART = [
	["Subagents in these logs", (session) => session.subagents],
	["Branches that were left", (session) => session.branches],
];

export class Report {
	/** @param {{open: (file: string) => void}} acts */
	constructor(acts) {
		this.acts = acts;
		/** @type {Ranked | null} */
		this.ranked = null;
		/** Which sessions are listed; null: all. @type {{kind: Kind, name: string} | null} */
		this.only = null;
		this.opened = "";
		this.answer = h("p.folder-answer", { "data-testid": "folder-answer" });
		this.figures = h("dl.folder-figures");
		this.note = h("p.hint");
		this.list = h("section.folder-sessions", { "aria-label": "Sessions" });
		this.side = h("div.folder-side");
		this.rest = h("section.folder-unread", { "aria-label": "Files that could not be read" });
		this.skipped = h("section.folder-skipped", { "aria-label": "Files left out" });
		this.root = h(
			"div.folder-report",
			{ "data-testid": "folder-report", hidden: true },
			h("div.folder-sum", this.answer, this.figures, this.note),
			h("div.folder-columns", this.list, this.side),
			this.rest,
			this.skipped,
		);
	}

	clear() {
		this.ranked = this.only = null;
		this.opened = "";
		this.root.hidden = true;
	}

	/** @param {Ranked} ranked @param {{name: string, others: number, last: boolean}} about others: files of other types; last: the audit has ended */
	show(ranked, { name, others, last }) {
		this.ranked = ranked;
		this.root.hidden = false;
		this.drawSum(name, others);
		// While it runs, the list stays as it is under the pointer: a click must not hit another session.
		if (!last && this.list.matches(":hover, :focus-within")) return;
		this.drawSessions();
		this.drawSide();
		this.drawUnread();
	}

	/** @param {string} name of the folder @param {number} others */
	drawSum(name, others) {
		if (!this.ranked) return;
		const { sessions, causes } = this.ranked;
		const sum = (/** @type {(session: Session) => number} */ of) => sessions.reduce((all, one) => all + of(one), 0);
		const [cost, saved] = [sum((s) => s.cost), sum((s) => s.saved)];
		const share = cost > 0 ? ` of ${cents(cost)} (${percent(Math.round((Math.abs(saved) * 1000) / cost))})` : "";
		this.answer.textContent =
			sessions.length === 0
				? `No session log was found in ${name}.`
				: saved >= 0
					? `Compaction would have saved ${cents(saved)}${share} in ${name}.`
					: `Compaction would have cost ${cents(-saved)} more${share ? `, on top${share}` : ""} in ${name}.`;
		fill(
			this.figures,
			...[
				["Sessions", number(sessions.length)],
				["Calls", number(sum((s) => s.calls))],
				["Cost", cents(cost)],
				["Paid again", cents(causes.reduce((all, one) => all + one.cost, 0))],
				["System prompts and tools", cents(sum((s) => s.fixedCost))],
				["Calls over the window", number(sum((s) => s.overWindow))],
				...APART.map(([title, of]) => [
					title,
					sum((s) => of(s).calls) > 0 ? `${cents(sum((s) => of(s).cost))} more` : "",
				]).filter(([, value]) => value),
			].map(([title, value]) => h("div", h("dt", title), h("dd", value))),
		);
		this.figures.hidden = sessions.length === 0;
		this.note.textContent = [
			sessions.some(({ priced }) => !priced) &&
				"* The log does not say which model it was, or its price is not known: the price of a mid-range model is assumed.",
			others > 0 && `${plural(others, "file")} of other types ${others === 1 ? "was" : "were"} skipped.`,
		]
			.filter(Boolean)
			.join(" ");
	}

	drawSessions() {
		if (!this.ranked) return;
		const { only } = this;
		const listed = this.ranked.sessions.filter(
			(one) => !only || (only.kind === "day" ? dayOf : projectOf)(one) === only.name,
		);
		if (this.ranked.sessions.length === 0) return fill(this.list);
		const rows = h("tbody");
		const holder = h("div.folder-box", {
			tabindex: "0",
			role: "group",
			"aria-label": "Sessions, the largest difference first",
		});
		const table = h(
			"table.figures-table.stacks",
			{ "data-testid": "folder-sessions" },
			head("Session", ...COLUMNS),
			rows,
		);
		holder.append(table);
		fill(
			this.list,
			h(
				"div.row",
				h("h2", "Sessions, the largest difference first"),
				only &&
					h("button.quiet", { on: { click: () => this.filter(only.kind, only.name) } }, `Only ${only.name} · Show all`),
			),
			holder,
		);
		pagedList(rows, listed, (session) => this.row(session), { step: PAGE, foot: holder });
	}

	/** @param {Session} session */
	row(session) {
		const { file, calls, cost, compacted, saved, misses, priced, project, start, model } = session;
		const parts = file.split("/");
		const about = [start ? dayOf(session) : "", project || parts.slice(0, -1).join("/"), model];
		const open = () => {
			this.opened = file;
			this.acts.open(file);
		};
		return h(
			"tr",
			h(
				"th",
				{ scope: "row" },
				h("button.link", { "data-file": file, title: file, on: { click: open } }, parts.at(-1)),
				priced ? "" : " *",
				h("span.hint", about.filter(Boolean).join(" · ")),
			),
			...cells(COLUMNS, number(calls), cents(cost), cents(compacted), gain(saved), missed(misses)),
		);
	}

	drawSide() {
		if (!this.ranked) return;
		const { causes, days, projects, servers, sessions } = this.ranked;
		if (sessions.length === 0) return fill(this.side);
		const fixed = sessions.reduce((all, one) => all + one.fixedCost, 0);
		const tools = servers.reduce((all, one) => all + one.cost, 0);
		fill(
			this.side,
			this.table(
				"Paid again, by cause",
				["Cause", "Calls", "Tokens", "Cost"],
				causes.map(({ cause, calls, tokens, cost }) => {
					const [title, why] = CAUSES[cause] ?? [sentence(cause.replaceAll("_", " ")), ""];
					return [h("span", title, h("span.hint", why)), number(calls), number(tokens), cents(cost)];
				}),
				"No log in this folder says what was read from the cache, so what was paid again is not known.",
			),
			this.table(
				"Sent with every call",
				["What", "Cost"],
				[
					...servers.map(({ name, cost }) => [`Tools of ${name}`, cents(cost)]),
					[servers.length > 0 ? "System prompt and other tools" : "System prompt and tools", cents(fixed - tools)],
				],
				"",
			),
			this.totals("day", "By day", days),
			this.totals(
				"project",
				"By project",
				[...projects].sort((a, b) => b.cost - a.cost),
			),
		);
	}

	/** @param {Kind} kind @param {string} title @param {Total[]} all */
	totals(kind, title, all) {
		const rows = all.map(({ name, sessions, cost, saved }) => [
			h(
				"button.link",
				{
					"aria-pressed": String(this.only?.kind === kind && this.only.name === name),
					title: name,
					"data-total": `${kind} ${name}`,
					on: { click: () => this.filter(kind, name) },
				},
				kind === "project" ? name.split("/").slice(-2).join("/") : name,
			),
			number(sessions),
			cents(cost),
			gain(saved),
		]);
		return this.table(title, [kind === "day" ? "Day (UTC)" : "Project", "Sessions", "Cost", "Saved"], rows, "");
	}

	/**
	 * A small table; its first column is a name.
	 * @param {string} title
	 * @param {string[]} columns
	 * @param {(Node | string)[][]} rows
	 * @param {string} none shown if there is no row
	 */
	table(title, columns, rows, none) {
		const body = h("tbody");
		const box = h("div.folder-box", h("table.figures-table", { "aria-label": title }, head(...columns), body));
		const draw = (/** @type {(Node | string)[]} */ [first, ...cells]) =>
			h("tr", h("th", { scope: "row" }, first), ...cells.map((cell) => h("td", cell)));
		pagedList(body, rows, draw, { step: SHORT, foot: box });
		return h("section", h("h2", title), rows.length > 0 || !none ? box : h("p.hint", none));
	}

	drawUnread() {
		const { unread = [], skipped = [] } = this.ranked ?? {};
		const { files, formats } = reasonsOf(unread);
		drawFiles(this.rest, files, "could not be read", formats && `Accepted formats: ${formats}.`);
		drawFiles(this.skipped, skipped, "left out", "");
	}

	/**
	 * Lists only the sessions of a day or a project, or all if it is listed alone.
	 * @param {Kind} kind
	 * @param {string} name
	 */
	filter(kind, name) {
		const same = this.only?.kind === kind && this.only.name === name;
		this.only = same ? null : { kind, name };
		this.drawSessions();
		this.drawSide();
		for (const button of this.side.querySelectorAll("button"))
			if (button.dataset.total === `${kind} ${name}`) button.focus({ preventScroll: true });
	}

	/** Focuses the session that was opened last. */
	focusOpened() {
		for (const button of this.list.querySelectorAll("button"))
			if (this.opened && button.dataset.file === this.opened) button.focus();
	}
}

/**
 * @param {HTMLElement} section
 * @param {import("./rank.js").Unread[]} files
 * @param {string} what became of them
 * @param {string} note
 */
function drawFiles(section, files, what, note) {
	section.hidden = files.length === 0;
	const list = h("ul");
	fill(section, h("h2", `${plural(files.length, "file")} ${what}`), list, note && h("p.hint", note));
	const line = (/** @type {import("./rank.js").Unread} */ { file, reason }) =>
		h("li", h("code", file), h("span", `${sentence(reason)}.`));
	pagedList(list, files, line, { step: SHORT, wrap: "li" });
}

/** Money that compaction saves; a loss has another color. @param {number} saved */
export function gain(saved) {
	return h("span.gain", { "data-sign": Math.abs(saved) < 5000 ? "0" : saved < 0 ? "-" : "+" }, cents(saved));
}

/** @param {Session["misses"]} misses */
const missed = ({ names, missed }) => (names > 0 ? `${number(missed)} of ${number(names)}` : "–");

/**
 * The cells of a row after the first. On a narrow screen each shows the name of its column.
 * @param {string[]} columns
 * @param {...(Node | string | (Node | string | false)[])} values
 */
export function cells(columns, ...values) {
	return values.map((value, i) => h("td", { "data-name": columns[i] }, h("div", ...[value].flat())));
}

/** @param {string[]} columns */
export function head(...columns) {
	return h("thead", h("tr", ...columns.map((column) => h("th", { scope: "col" }, column))));
}
