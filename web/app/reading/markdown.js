// This file formats markdown. It makes nodes and never markup; nothing in it can be clicked or fetched: a link is shown
// as its text and its target, an image as its description. Unknown syntax stays as it was written. Its cost is linear
// for any text: each line is read once, and the end of each kind of mark is searched once.

import { h } from "../ui/dom.js";
import { chunksOf } from "./chunks.js";

const FENCE = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?=\S)/;
const RULE = /^ {0,3}(?:(?:- ?){3,}|(?:\* ?){3,}|(?:_ ?){3,})$/;
const ALIGN = /^[\s:|-]+$/;
const LINK = /!?\[([^[\]\n]{0,300})\]\(([^()\s]{1,1000})\)/y;
const LONG = 20_000; // characters: a longer paragraph is not formatted
const WIDE = 5000; // characters: a longer line is no table row
const DEEP = 4;

/**
 * @param {string} text
 * @param {number} [depth]
 * @returns {Generator<HTMLElement>} the parts of the text from top to bottom
 */
export function* markdown(text, depth = 0) {
	const lines = text.split("\n");
	for (let i = 0; i < lines.length; ) {
		const line = lines[i];
		const fence = FENCE.exec(line);
		if (line.trim() === "") i++;
		else if (fence) {
			const end = closing(lines, i + 1, fence[1]);
			yield h(
				"figure.fence",
				fence[2] ? h("figcaption", fence[2]) : null,
				h("pre.text", ...chunksOf(lines.slice(i + 1, end).join("\n"), fence[2])),
			);
			i = end + 1;
		} else if (/^#{1,6}\s/.test(line) && line.length < 500) {
			yield h(
				"p",
				{
					class: `heading heading-${line.indexOf(" ") > 2 ? 3 : Math.max(1, line.search(/[^#]/))}`,
					"data-t": true,
					role: "heading",
					"aria-level": 4,
				},
				...inline(line.replace(/^#+/, "").trim()),
			);
			i++;
		} else if (line.length < 100 && RULE.test(line.trimEnd())) {
			yield h("hr");
			i++;
		} else if (isRow(line) && isRow(lines[i + 1]) && ALIGN.test(lines[i + 1]) && lines[i + 1].includes("-")) {
			let end = i + 2;
			while (isRow(lines[end])) end++;
			yield table(lines.slice(i, end));
			i = end;
		} else if (line.startsWith(">") && depth < DEEP) {
			let end = i;
			while (lines[end]?.startsWith(">")) end++;
			yield h(
				"blockquote",
				...markdown(
					lines
						.slice(i, end)
						.map((one) => one.replace(/^> ?/, ""))
						.join("\n"),
					depth + 1,
				),
			);
			i = end;
		} else if (ITEM.test(line)) {
			const { items, end } = list(lines, i);
			yield h("ul.items", { role: "list" }, ...items);
			i = end;
		} else {
			let end = i + 1;
			while (end < lines.length && !opens(lines[end])) end++;
			yield h("p", { "data-t": true }, ...inline(lines.slice(i, end).join("\n")));
			i = end;
		}
	}
}

/** Whether a line ends the paragraph before it. @param {string} line */
function opens(line) {
	return (
		line.trim() === "" ||
		FENCE.test(line) ||
		/^#{1,6}\s/.test(line) ||
		line.startsWith(">") ||
		ITEM.test(line) ||
		isRow(line)
	);
}

/** @param {string[]} lines @param {number} from @param {string} fence */
function closing(lines, from, fence) {
	for (let i = from; i < lines.length; i++) {
		const line = lines[i].trim();
		if (line.startsWith(fence) && line.length < 80 && line.replaceAll(fence[0], "") === "") return i;
	}
	return lines.length;
}

/** @param {string | undefined} line */
function isRow(line) {
	return line !== undefined && line.length < WIDE && line.includes("|") && /^\s*\|/.test(line);
}

/** @param {string[]} lines */
function table(lines) {
	const cells = (/** @type {string} */ line) =>
		line
			.trim()
			.replace(/^\||\|$/g, "")
			.split(/(?<!\\)\|/)
			.map((cell) => cell.trim());
	const row = (/** @type {string} */ line, /** @type {"td"|"th"} */ tag) =>
		h("tr", ...cells(line).map((cell) => h(tag, { "data-t": true }, ...inline(cell))));
	return h(
		"div.table",
		{ tabindex: "0", role: "group", "aria-label": "Table" },
		h("table", h("thead", row(lines[0], "th")), h("tbody", ...lines.slice(2).map((line) => row(line, "td")))),
	);
}

/** @param {string[]} lines @param {number} from */
function list(lines, from) {
	/** @type {HTMLElement[]} */
	const items = [];
	/** @type {number[]} */
	const depths = [];
	let end = from;
	while (end < lines.length) {
		const item = ITEM.exec(lines[end]);
		if (!item) break;
		const indent = item[1].replaceAll("\t", "    ").length;
		while (depths.length > 0 && indent < /** @type {number} */ (depths.at(-1))) depths.pop();
		if (depths.length === 0 || indent > /** @type {number} */ (depths.at(-1))) depths.push(indent);
		const text = [lines[end].slice(item[0].length)];
		end++;
		while (end < lines.length && /^\s/.test(lines[end]) && !opens(lines[end])) text.push(lines[end++].trim());
		const mark = /\d/.test(item[2]) ? item[2] : "•";
		items.push(
			h(
				"li",
				{ class: `depth-${Math.min(5, depths.length)}` },
				h("span.mark", { "aria-hidden": "true" }, mark),
				h("span", { "data-t": true }, ...inline(text.join("\n"))),
			),
		);
		// A blank line between two items does not end the list.
		if (lines[end]?.trim() === "" && ITEM.test(lines[end + 1] ?? "")) end++;
	}
	return { items, end };
}

/**
 * @param {string} text
 * @param {number} [depth]
 * @returns {(Node | string)[]}
 */
export function inline(text, depth = 0) {
	if (text.length > LONG || depth > DEEP) return [text];
	/** @type {(Node | string)[]} */
	const out = [];
	/** Marks without an end in this text. */
	const endless = new Set();
	let from = 0;
	const put = (/** @type {number} */ at, /** @type {number} */ end, /** @type {(Node | string)[]} */ ...nodes) => {
		if (at > from) out.push(text.slice(from, at));
		out.push(...nodes);
		from = end;
		return end;
	};
	const find = (/** @type {string} */ mark, /** @type {number} */ at) => {
		if (endless.has(mark)) return -1;
		const end = text.indexOf(mark, at);
		if (end < 0) endless.add(mark);
		return end;
	};
	const special = /[`*_~[!]/g;
	for (let match = special.exec(text); match; match = special.exec(text)) {
		const at = match.index;
		const mark = run(text, at);
		let next = at + mark.length;
		if (text[at] === "`") {
			const end = find(mark, next);
			if (end > next) next = put(at, end + mark.length, h("code", text.slice(next, end)));
		} else if (text[at] === "[" || text[at] === "!") {
			LINK.lastIndex = at;
			const link = LINK.exec(text);
			next = link ? put(at, LINK.lastIndex, ...target(link[1], link[2])) : at + 1;
		} else if (
			mark.length <= 3 &&
			/\S/.test(text[next] ?? "") &&
			!(text[at] === "_" && /\w/.test(text[at - 1] ?? ""))
		) {
			const end = mark === "~" ? -1 : find(mark, next);
			const fits =
				end > next &&
				/\S/.test(text[end - 1]) &&
				text[end + mark.length] !== mark[0] &&
				!(mark[0] === "_" && /\w/.test(text[end + mark.length] ?? ""));
			if (fits)
				next = put(
					at,
					end + mark.length,
					h(mark === "~~" ? "s" : mark.length === 1 ? "em" : "strong", {}, ...inline(text.slice(next, end), depth + 1)),
				);
		}
		special.lastIndex = next;
	}
	if (from < text.length) out.push(text.slice(from));
	return out;
}

/** A run of equal mark characters. @param {string} text @param {number} at */
function run(text, at) {
	let end = at + 1;
	while (text[end] === text[at] && text[at] !== "[" && text[at] !== "!") end++;
	return text.slice(at, end);
}

/** @param {string} text @param {string} url */
function target(text, url) {
	return text === url ? [text] : [text, h("span.target", ` (${url})`)];
}
