// This file lists every decision with its reason, including the decision to do nothing.

import { byId, h } from "../ui/dom.js";
import { pagedList } from "../ui/pagedList.js";
import { actionName, fromTo, number, plural, sentence } from "../ui/words.js";

/** @import { Action } from "../engine/types.js" */

const STEP = 200; // decisions drawn at a time

export class Decisions {
	/** @param {{jump: (path: string) => void}} acts */
	constructor(acts) {
		this.acts = acts;
		this.list = byId("decisions");
	}

	/** @param {Action[]} actions */
	show(actions) {
		byId("tab-decisions").textContent = `Decisions (${number(actions.length)})`;
		this.list.replaceChildren();
		if (actions.length === 0) this.list.append(h("li.hint", "No decision was needed."));
		pagedList(this.list, actions, (action) => this.decision(action), { step: STEP, wrap: "li" });
	}

	/** @param {Action} action */
	decision(action) {
		const of = action.tool ?? (action.level ? `level ${action.level}` : "");
		const what = `${actionName(action.kind)}${of ? ` · ${of}` : ""}`;
		const size = action.before !== action.after ? fromTo(action.before, action.after) : "";
		return h(
			"li",
			action.path ? h("button.link", { on: { click: () => this.acts.jump(action.path) } }, what) : h("strong", what),
			h("span.tokens", size),
			h("span.reason", sentence(action.reason)),
			dropped(action),
		);
	}
}

/** The lines that a condensed summary does not have. @param {Action} action */
function dropped({ dropped: lines = [], droppedLines: count = 0 }) {
	if (count === 0) return null;
	return h(
		"details.fold.dropped",
		h("summary", `Dropped ${plural(count, "line")} of earlier summaries`),
		h(
			"ul",
			...lines.map((line) => h("li", line)),
			count > lines.length ? h("li.hint", `and ${plural(count - lines.length, "more", "more")}`) : null,
		),
	);
}
