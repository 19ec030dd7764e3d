// This file turns an inspection into rows: one row per block, in the order in which the model reads them, and finds the
// row of a path.

import { kindName } from "../ui/words.js";

/** @import { Block, Inspection, Problem } from "../engine/types.js" */

/**
 * @typedef {object} Row
 * @property {number} index
 * @property {Block} block
 * @property {string} role
 * @property {number} turn 0 before the first turn
 * @property {number} message index of the message; -1 for system and tools
 * @property {number} position of the block in its message
 * @property {boolean} open a part of the tool round that is still open
 * @property {boolean} opensTurn
 * @property {boolean} opensMessage
 * @property {string} label its kind, in a word or two
 * @property {string} tool the tool of a call or result; "" for other blocks
 * @property {Problem[]} problems
 */

/** @typedef {{rows: Row[], find: (path: string) => number, largest: number, total: number}} Laid tokens of the largest block and of all */

/**
 * @param {Inspection} inspection
 * @returns {Laid}
 */
export function layOut(inspection) {
	/** @type {Row[]} */
	const rows = [];
	/** @type {Map<string, number>} */
	const at = new Map();
	/** The tool of each call id: not every result names its tool. @type {Map<string, string>} */
	const called = new Map();
	let largest = 1;
	let total = 0;

	/** @param {Block[]} blocks @param {{role: string, turn: number, message: number, path: string, open?: boolean}} of */
	const add = (blocks, of) => {
		const before = rows.at(-1);
		if (of.path && !at.has(of.path)) at.set(of.path, rows.length);
		blocks.forEach((block, i) => {
			const opensTurn = i === 0 && before?.turn !== of.turn;
			if (!at.has(block.path)) at.set(block.path, rows.length);
			largest = Math.max(largest, block.tokens);
			total += block.tokens;
			rows.push({
				index: rows.length,
				block,
				role: of.role,
				turn: of.turn,
				message: of.message,
				position: i,
				open: of.open === true,
				opensTurn,
				opensMessage: i === 0,
				label: label(block, of.role),
				tool: toolOf(block, of.role),
				problems: [],
			});
		});
	};

	const toolOf = (/** @type {Block} */ block, /** @type {string} */ role) => {
		if (role === "tools" || (block.kind !== "tool_use" && block.kind !== "tool_result")) return "";
		if (block.kind === "tool_use" && block.id && block.tool) called.set(block.id, block.tool);
		return block.tool || called.get(block.id ?? "") || "unknown tool";
	};

	add(inspection.tools ?? [], { role: "tools", turn: 0, message: -1, path: "/tools" });
	add(inspection.system ?? [], { role: "system", turn: 0, message: -1, path: "/system" });
	for (const m of inspection.messages)
		add(m.blocks, { role: m.role, turn: m.turn, message: m.index, path: m.path, open: m.open });

	const find = (/** @type {string} */ path) => {
		for (let p = path; ; p = p.slice(0, p.lastIndexOf("/"))) {
			const index = at.get(p);
			if (index !== undefined) return Math.min(index, rows.length - 1);
			if (!p.includes("/")) return -1;
		}
	};
	for (const problem of inspection.problems) rows[find(problem.path)]?.problems.push(problem);
	return { rows, find, largest, total };
}

/**
 * @param {Block} block
 * @param {string} role
 */
function label(block, role) {
	if (role === "tools") return block.tool ?? "tool";
	if (!block.tool) return kindName(block.kind);
	return `${block.tool} ${kindName(block.kind)}`;
}
