// This file is the middle of the workbench: its tabs, of which one is open, and the details that belong to it.

import { byId } from "./dom.js";
import { tabs } from "./tabs.js";

/** @import { State, Store } from "../store.js" */
/** @typedef {"blocks"|"timeline"|"again"|"compare"|"packed"|"totals"} Pane */
/** @typedef {"now"|"start"} Notion the last conversation, compacted once; or the whole session, call by call */

/** @type {Pane[]} */
export const PANES = ["blocks", "timeline", "again", "compare", "packed", "totals"];

/** What a tab shows: the replays are from the start, the blocks and what is packed are of the last conversation. @param {Pane} pane @returns {Notion} */
export const notionOf = (pane) => (["timeline", "again", "compare"].includes(pane) ? "start" : "now");

/** Opens a tab. @param {Store} store @param {Pane} pane */
export function openPane(store, pane) {
	if (pane !== store.state.pane) store.put({ pane, notion: notionOf(pane) });
}

/** @param {Store} store */
export function startPanes(store) {
	const choose = tabs(PANES, (name) => openPane(store, /** @type {Pane} */ (name)));
	const draw = (/** @type {State} */ { pane }) => {
		choose(pane);
		byId("workspace").dataset.pane = pane;
		byId("details").hidden = pane === "timeline";
		byId("call-details").hidden = pane !== "timeline";
	};
	store.watch(["pane"], draw);
	draw(store.state);
}
