// This file lists the keys of the page and what each does.

import { byId } from "./dom.js";
import { Keys } from "./keys.js";
import { openPane } from "./panes.js";

/** @import { Pane } from "./panes.js" */

/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
export function startKeys(store, session) {
	// In the other places the user does not see the change.
	const inSession = () => byId("place-session").checkVisibility();
	const undo = () => inSession() && session.history.undo();
	const redo = () => inSession() && session.history.redo();
	byId("undo").addEventListener("click", undo);
	byId("redo").addEventListener("click", redo);
	const press = (/** @type {string} */ id) => {
		const button = byId(id);
		if (!button.disabled && button.checkVisibility()) button.click();
	};
	/** Presses a button of the session that may be in a closed tab. */
	const use = (/** @type {string} */ id) => {
		const button = byId(id);
		if (!button.disabled && byId("session").checkVisibility()) button.click();
	};
	const step = (/** @type {1|-1} */ by) => {
		const names = store.state.presets.map(({ name }) => name);
		const next = names[(names.indexOf(store.state.policy.preset) + by + names.length) % names.length];
		if (byId("presets").checkVisibility()) session.choosePreset(next);
	};
	/** Focuses the heading of a part, so that Tab continues from there. */
	const go = (/** @type {Pane} */ pane, /** @type {string} */ id) => {
		openPane(store, pane);
		const part = byId(id);
		if (!part.checkVisibility()) return;
		if (part.tabIndex < 0) part.tabIndex = -1;
		part.focus({ preventScroll: true });
		part.scrollIntoView({ block: "start" });
	};
	const find = () => {
		openPane(store, "blocks");
		const field = byId("search-text");
		if (!field.checkVisibility()) return;
		field.focus();
		field.select();
	};
	const filter = () => {
		openPane(store, "blocks");
		press("filter-open");
		const panel = byId("filter-panel");
		const first = panel.querySelector("button, input, select");
		if (panel.hidden || !(first instanceof HTMLElement)) return byId("filter-open").focus();
		first.focus();
		panel.scrollIntoView({ block: "nearest" });
	};
	let problem = -1;
	const nextProblem = (/** @type {1|-1} */ by) => {
		const jumps = [...document.querySelectorAll("#problems-list .jump")].filter((button) => button.checkVisibility());
		if (jumps.length === 0) return;
		problem = (problem + by + jumps.length) % jumps.length;
		/** @type {HTMLElement} */ (jumps[problem]).click();
	};
	const tab = (/** @type {string} */ name) => () => {
		go("packed", "output-title");
		press(`tab-${name}`);
	};
	const keys = new Keys([
		{
			title: "Everywhere",
			keys: [
				{ keys: ["?"], does: "Show this list", act: () => keys.open() },
				{ keys: ["Mod+z"], does: "Undo the last change", act: undo },
				{ keys: ["Mod+Shift+z", "Mod+y"], does: "Redo the change", act: redo },
				{ keys: ["o"], does: "Open a file", act: () => byId("file").click() },
				{ keys: ["Mod+v"], does: "Open the session of the clipboard" },
				{ keys: ["e"], does: "Edit or show the input", act: () => press("edit") },
			],
		},
		{
			title: "Policy",
			keys: [
				{ keys: ["]"], does: "Next preset", act: () => step(1) },
				{ keys: ["["], does: "Preset before", act: () => step(-1) },
				{ keys: ["c"], does: "Compact now, on or off", act: () => press("force") },
				{ keys: ["0"], does: "Reset to defaults", act: () => press("defaults") },
			],
		},
		{
			title: "Session",
			keys: [
				{ keys: ["/"], does: "Search the session", act: () => find() },
				{ keys: ["F3", "Shift+F3"], does: "Next match, match before" },
				{ keys: ["f"], does: "Filter the blocks", act: () => filter() },
				{ keys: ["g"], does: "Go to the totals", act: () => go("totals", "survey-title") },
				{ keys: ["b"], does: "Go to the blocks", act: () => go("blocks", "list") },
				{ keys: ["t"], does: "Go to the timeline", act: () => go("timeline", "timeline-handle") },
				{ keys: ["+", "-"], does: "In the timeline: zoom in, zoom out; 0 shows all of it" },
				{ keys: ["a"], does: "Go to what is paid again", act: () => go("again", "again-title") },
				{ keys: ["m"], does: "Compare presets", act: () => go("compare", "compare-title") },
				{ keys: ["ArrowUp", "ArrowDown"], does: "Block before, next block" },
				{ keys: ["ArrowLeft", "ArrowRight"], does: "Turn before, next turn" },
				{ keys: ["Enter"], does: "Read the selected block" },
				{ keys: ["Home", "End"], does: "First block, last block" },
				{ keys: ["PageUp", "PageDown"], does: "A screenful of blocks" },
				{ keys: ["n"], does: "Next problem", act: () => nextProblem(1) },
				{ keys: ["Shift+n"], does: "Problem before", act: () => nextProblem(-1) },
				{ keys: ["r"], does: "Show the changes of a repair", act: () => press("repair-look") },
			],
		},
		{
			title: "Reading a block",
			keys: [
				{ keys: ["j", "k"], does: "Next block, block before" },
				{ keys: ["w"], does: "Wrap long lines, or not" },
				{ keys: ["Escape"], does: "Back to the list" },
			],
		},
		{
			title: "Output",
			keys: [
				{ keys: ["p"], does: "Packed session", act: tab("result") },
				{ keys: ["d"], does: "Diff", act: tab("diff") },
				{ keys: ["q"], does: "Quality", act: tab("quality") },
				{ keys: ["y"], does: "Copy the packed session", act: () => use("copy") },
				{ keys: ["s"], does: "Download the packed session", act: () => use("download") },
				{ keys: ["x"], does: "Code that does the same", act: () => go("packed", "takeaway-title") },
				{ keys: ["l"], does: "Copy a link to this policy", act: () => use("share-copy") },
			],
		},
	]);
}
