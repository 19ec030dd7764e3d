// This file lists what the calls of a session used and did not have with the chosen policy: the call, the name, and what
// became of the block that had it.

import { byId, fill, h } from "../ui/dom.js";
import { pagedList } from "../ui/pagedList.js";
import { number, plural } from "../ui/words.js";

/** @import { Replay as Report } from "../../npm/wire.js" */
/** @import { ReplayMiss as Miss } from "../../npm/index.js" */

const STEP = 50; // rows drawn at a time

export class Missing {
	/** @param {(call: number) => void} look */
	constructor(look) {
		this.look = look;
		this.box = byId("compare-missing");
		/** @type {Report | null} */
		this.report = null;
		this.fresh = false;
		this.box.addEventListener("toggle", () => this.draw());
	}

	/** @param {string} title @param {Report | null} report */
	show(title, report) {
		if (report === this.report) return;
		this.report = report;
		this.fresh = true;
		const calls = report?.misses.calls ?? 0;
		this.box.hidden = calls === 0;
		byId("compare-missing-title").textContent = `What ${plural(calls, "call")} missed with ${title}`;
		this.draw();
	}

	draw() {
		const { report, box } = this;
		if (!box.open || !this.fresh) return;
		this.fresh = false;
		const list = byId("compare-missing-list");
		fill(list);
		const rows = (report?.calls ?? []).flatMap(({ number, misses = [] }) => misses.map((miss) => ({ number, miss })));
		pagedList(list, rows, (row) => this.row(row.number, row.miss), { step: STEP, wrap: "li" });
	}

	/** @param {number} call @param {Miss} miss */
	row(call, { name, edit, tool, path, fate }) {
		const label = `Call ${number(call)}`;
		return h(
			"li",
			{ "data-call": call },
			h("button.link", { title: "What the model saw", on: { click: () => this.look(call) } }, label),
			" ",
			h("code", name),
			h(
				"span.hint",
				` ${edit ? "the old text of an edit, " : ""}last in ${tool ? `a result of ${tool}` : "a message"} at ${path}: ${fate}`,
			),
		);
	}
}
