// This file is the timeline as a table of numbers. It is drawn when it is opened.

import { timeOf } from "./callText.js";
import { byId, fill, h } from "../ui/dom.js";
import { number } from "../ui/words.js";

/** @import { Replay as Report } from "../../npm/wire.js" */

const STEP = 100; // rows drawn at a time

export class CallTable {
	/** @param {(call: number) => void} open */
	constructor(open) {
		this.open = open;
		this.box = byId("timeline-table");
		/** @type {Report | null} */
		this.base = null;
		/** @type {Report | null} */
		this.report = null;
		this.fresh = false;
		this.box.addEventListener("toggle", () => this.draw());
	}

	/** @param {Report | null} base @param {Report | null} report */
	show(base, report) {
		if (base === this.base && report === this.report) return;
		this.base = base;
		this.report = report;
		this.fresh = true;
		this.draw();
	}

	draw() {
		const { base, report } = this;
		const body = byId("timeline-rows");
		if (!this.box.open || !this.fresh) return;
		this.fresh = false;
		fill(body);
		let drawn = 0;
		const more = byId("timeline-more");
		const next = () => {
			const rows = (base?.calls ?? []).slice(drawn, drawn + STEP).map((was, i) => {
				const call = report?.calls[drawn + i];
				const one = call ?? was;
				const cell = (/** @type {number | string | undefined} */ n) =>
					h("td", typeof n === "number" ? number(n) : (n ?? ""));
				return h(
					"tr",
					{ "data-call": was.number },
					h(
						"th",
						{ scope: "row" },
						h(
							"button.link",
							{ title: `What the model saw${timeOf(was)}`, on: { click: () => this.open(was.number) } },
							number(was.number),
						),
					),
					cell(was.sent),
					cell(call?.sent ?? "…"),
					cell(one.cacheRead),
					cell(one.cacheWrite),
					cell(one.input),
					cell(call?.freed || ""),
					cell(call?.summaries || ""),
				);
			});
			body.append(...rows);
			drawn += rows.length;
			const left = (base?.calls.length ?? 0) - drawn;
			more.hidden = left <= 0;
			more.textContent = `Show ${number(Math.min(STEP, left))} more of ${number(left)}`;
		};
		more.onclick = next;
		next();
	}
}
