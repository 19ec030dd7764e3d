// This file is the order in which a session is drawn, in pieces: what the first screen shows comes first.

import { layOut } from "../blocks/rows.js";

/** @import { Source, Inspection } from "../engine/types.js" */

/**
 * What is drawn.
 * @typedef {object} Parts
 * @property {HTMLElement} session
 * @property {(key: number) => void} show notes the source whose blocks are on the page
 * @property {Inspection | null} counted the inspection in the tokens of the counter
 * @property {import("./input.js").Input} input
 * @property {import("../blocks/numbers.js").Numbers} numbers
 * @property {import("../replay/replay.js").SessionReplay} replay
 * @property {import("../output/output.js").Output} output
 * @property {import("../policy/counter.js").CounterChoice} counter
 * @property {import("./problems.js").Problems} problems
 * @property {import("./repairView.js").RepairView} repairView
 * @property {import("../policy/policy.js").PolicyForm} policy
 * @property {import("../reading/reading.js").Reading} reading
 * @property {import("../blocks/blocks.js").Blocks} blocks
 * @property {import("./opening.js").Opening} opening
 * @property {import("./recent.js").Recent} recent
 * @property {import("./share.js").Share} share
 */

/**
 * The pieces that draw an inspection.
 * @param {Parts} page
 * @param {Source} source
 * @param {Inspection} seen
 * @returns {import("../ui/pieces.js").Piece[]}
 */
export function piecesOf(page, source, seen) {
	const laid = layOut(seen);
	return [
		() => {
			// What gives the panes their height is filled before it shows.
			page.problems.show(seen);
			page.repairView.offer(seen.problems.some((problem) => problem.repair));
			page.input.accept(seen, laid.rows.length);
			page.session.hidden = false;
			page.show(source.key);
			page.numbers.show(seen, laid.rows);
			page.replay.summary.packed(seen);
			page.output.of(source, seen.format);
		},
		() => page.counter.show({ ...seen, total: (page.counted ?? seen).before }, seen.model),
		() => {
			page.policy.ofModel(seen);
			page.policy.accept(laid.rows);
		},
		() => page.reading.take(laid, source, seen.format),
		() => page.blocks.show(laid, source.key, page.reading.order),
		() => page.reading.takeTotals(),
		() => {
			page.opening.shown(source);
			page.recent.opened(source, seen.format);
			page.share.show(source);
		},
	];
}
