// This file is the place on the page that a link names: the example, the open tab, the figures of the bar, and the
// selected call or block. The selection is in the address of examples only: for another session it means nothing to the
// person who opens the link.

import { readPlace } from "./hash.js";
import { stem } from "./input.js";
import { notionOf } from "../replay/summary.js";
import { PANES } from "../ui/panes.js";

/** @import { Source } from "../engine/types.js" */
/** @import { Pane } from "../ui/panes.js" */

/**
 * What the place reads and sets.
 * @typedef {object} Parts
 * @property {Source | null} source
 * @property {import("../ui/panes.js").Panes} panes
 * @property {import("../blocks/blocks.js").Blocks} blocks
 * @property {import("../replay/replay.js").SessionReplay} replay
 */

export class Place {
	/** @param {Parts} page */
	constructor(page) {
		this.page = page;
		/** What the address names, until its session is shown. @type {ReturnType<typeof readPlace>} */
		this.wanted = {};
		this.read();
	}

	/** Reads the address, and opens the tab and the figures that it names. */
	read() {
		this.wanted = readPlace();
		const { tab, show } = this.wanted;
		if (PANES.includes(/** @type {Pane} */ (tab))) this.page.panes.open(/** @type {Pane} */ (tab));
		if (show === "start" || show === "now") this.page.replay.summary.choose(show);
	}

	/** Selects the call or the block that the address names. */
	restore() {
		const { call, block, zoom } = this.wanted;
		const [from, to] = (zoom ?? "").split("-").map(Number);
		if (from >= 0 && from < to && to <= 1) this.page.replay.timeline.zoom.range = { from, to };
		this.wanted = {};
		if (/^\d{1,6}$/.test(call ?? "")) this.page.replay.timeline.wanted = Math.max(0, Number(call) - 1);
		if (block) this.page.blocks.jump(block);
	}

	/** The place as parts of the address. @returns {Record<string, string>} */
	parts() {
		const { source, panes, blocks, replay } = this.page;
		const row = blocks.current();
		const { zoom } = replay.timeline;
		return {
			...(source?.example ? { example: stem(source.example) } : {}),
			...(panes.now === "blocks" ? {} : { tab: panes.now }),
			...(replay.summary.notion === notionOf(panes.now) ? {} : { show: replay.summary.notion }),
			...(panes.now === "timeline" && !zoom.isWhole
				? { zoom: [zoom.range.from, zoom.range.to].map((at) => at.toFixed(4)).join("-") }
				: {}),
			...(source?.example && panes.now === "timeline" && replay.timeline.chosen
				? { call: String(replay.timeline.at + 1) }
				: {}),
			...(source?.example && panes.now === "blocks" && row && row.index > 0 ? { block: row.block.path } : {}),
		};
	}
}
