// This file draws what a preset does to a session, as an SVG: every block a bar of its size, before above and after
// below.

/** @typedef {import("../../wasm/npm/index.js").Inspection} Inspection */

const BAR = 30;
const GAP = 26;
const COLUMN = 170; // of the legend
const LINE = 20;

/** The fates, in the colors of the page; light, dark. @type {Record<string, [string, string, string]>} */
const FATES = {
	kept: ["kept word for word", "#3f7d83", "#4f9aa0"],
	pinned: ["pinned", "#3d4a7d", "#6f80c4"],
	summarized: ["summarized", "#8a3f8f", "#d08ad6"],
	cleared: ["cleared", "#b86a12", "#e2a04c"],
	truncated: ["cut short", "#b86a12", "#e2a04c"],
	dropped: ["dropped", "#8b7b6c", "#94867a"],
	broken: ["broken", "#bb2a22", "#ff7a6e"],
};

const number = new Intl.NumberFormat("en-US");

/**
 * @param {Inspection} inspection
 * @param {number} after tokens, once the summaries are written
 * @param {string} title
 * @param {number} width of the picture; letters keep their size, so a phone gets a narrow one
 */
export function draw(inspection, after, title, width) {
	const blocks = [...inspection.system, ...inspection.tools, ...inspection.messages.flatMap((m) => m.blocks)];
	const perToken = width / inspection.before;
	// What a summary really takes is known only once it is written: its blocks share it by their size.
	const settled = blocks.filter((b) => b.fate !== "summarized").reduce((sum, b) => sum + b.after, 0);
	const replaced = blocks.filter((b) => b.fate === "summarized").reduce((sum, b) => sum + b.tokens, 0);
	const written = Math.max(0, after - settled - (inspection.before - blocks.reduce((sum, b) => sum + b.tokens, 0)));
	const sizes = blocks.map((b) => (b.fate === "summarized" ? (written * b.tokens) / replaced : b.after));
	const seen = Object.keys(FATES).filter((fate) => blocks.some((b) => b.fate === fate));
	const share = Math.floor(((inspection.before - after) * 100) / inspection.before);
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${2 * BAR + GAP + 38 + LINE * Math.ceil(seen.length / perLine(width))}" role="img" aria-label="${title}: ${number.format(inspection.before)} tokens before, ${number.format(after)} after">`,
		`<style>text{font:14px system-ui,sans-serif;fill:#231a13}.soft{fill:#6b5d50}.line{stroke:#e2d9cc}${seen.map((f) => `.${f}{fill:${FATES[f]?.[1]}}`).join("")}`,
		`@media (prefers-color-scheme:dark){text{fill:#f1e9df}.soft{fill:#b3a597}.line{stroke:#3a322b}${seen.map((f) => `.${f}{fill:${FATES[f]?.[2]}}`).join("")}}</style>`,
		`<text x="0" y="14" class="soft">before</text><text x="${width}" y="14" text-anchor="end">${number.format(inspection.before)} tokens</text>`,
		...bars(
			blocks.map((b) => b.tokens),
			blocks,
			perToken,
			22,
		),
		`<line class="line" x1="0" x2="${width}" y1="${22 + 2 * BAR + GAP - 0.5}" y2="${22 + 2 * BAR + GAP - 0.5}"/>`,
		`<text x="0" y="${22 + BAR + GAP - 8}" class="soft">after</text><text x="${width}" y="${22 + BAR + GAP - 8}" text-anchor="end">${number.format(after)} tokens${share > 0 ? `, ${share} % saved` : ""}</text>`,
		...bars(sizes, blocks, perToken, 22 + BAR + GAP),
		...legend(seen, 2 * BAR + GAP + 48, width),
		"</svg>",
		"",
	].join("\n");
}

/**
 * Neighbors of one fate share a path, so that a picture of a thousand blocks stays small.
 * @param {number[]} sizes
 * @param {{fate: string}[]} blocks
 * @param {number} perToken
 * @param {number} y
 */
function bars(sizes, blocks, perToken, y) {
	/** @type {Map<string, string>} */
	const paths = new Map();
	let x = 0;
	for (const [i, block] of blocks.entries()) {
		const width = (sizes[i] ?? 0) * perToken;
		const seen = Math.max(0, width - (width > 1.5 ? 0.6 : 0));
		if (seen > 0.05)
			paths.set(
				block.fate,
				`${paths.get(block.fate) ?? ""}M${x.toFixed(1)} ${y}h${seen.toFixed(1)}v${BAR}h-${seen.toFixed(1)}z`,
			);
		x += width;
	}
	return [...paths].map(([fate, d]) => `<path class="${fate}" d="${d}"/>`);
}

/** @param {number} width */
function perLine(width) {
	return Math.max(1, Math.floor(width / COLUMN));
}

/** @param {string[]} fates @param {number} top @param {number} width */
function legend(fates, top, width) {
	return fates.map((fate, i) => {
		const x = (i % perLine(width)) * COLUMN;
		const y = top + Math.floor(i / perLine(width)) * LINE;
		return `<rect class="${fate}" x="${x}" y="${y - 10}" width="12" height="12" rx="2"/><text class="soft" x="${x + 18}" y="${y + 1}">${FATES[fate]?.[0]}</text>`;
	});
}
