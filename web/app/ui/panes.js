// This file is the middle of the workbench: its tabs, of which one is open, and the details that belong to it. The
// address keeps the open tab.

import { byId } from "./dom.js";
import { tabs } from "./tabs.js";

/** @typedef {"blocks"|"timeline"|"again"|"compare"|"packed"|"totals"} Pane */

/** @type {Pane[]} */
export const PANES = ["blocks", "timeline", "again", "compare", "packed", "totals"];

export class Panes {
	/** @param {(pane: Pane) => void} opened the first of the listeners */
	constructor(opened) {
		/** @type {Pane} */
		this.now = "blocks";
		/** Called with the open tab when it changed. */
		this.listeners = [opened];
		this.choose = tabs(PANES, (name) => {
			const changed = name !== this.now;
			this.now = /** @type {Pane} */ (name);
			byId("workspace").dataset.pane = name;
			byId("details").hidden = name === "timeline";
			byId("call-details").hidden = name !== "timeline";
			if (changed) for (const listen of this.listeners) listen(this.now);
		});
	}

	/** @param {Pane} pane */
	open(pane) {
		if (pane !== this.now) this.choose(pane);
	}
}
