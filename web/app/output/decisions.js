// This file lists every decision with its reason, including the decision to do nothing.

import { byId, h } from "../ui/dom.js";
import { pagedList } from "../ui/pagedList.js";
import { actionName, number, sentence } from "../ui/words.js";

/** @typedef {import("../engine/types.js").Action} Action */

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
		if (actions.length === 0) this.list.append(h("li", { class: "hint" }, "No decision was needed."));
		pagedList(this.list, actions, (action) => this.decision(action), { step: STEP, wrap: "li" });
	}

	/** @param {Action} action */
	decision(action) {
		const what = `${actionName(action.kind)}${action.tool ? ` · ${action.tool}` : ""}`;
		const change = action.before !== action.after ? `${number(action.before)} → ${number(action.after)}` : "";
		return h(
			"li",
			{},
			action.path ? h("button", { type: "button", class: "link", on: { click: () => this.acts.jump(action.path) } }, what) : h("strong", {}, what),
			h("span", { class: "tokens" }, change),
			h("span", { class: "reason" }, sentence(action.reason)),
		);
	}
}
