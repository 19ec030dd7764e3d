// This file is the bar above the panes: the two ways to read a policy. "Now" compacts the last conversation once, "From
// the start" replays the whole session. Below the figures is the sentence of the engine about both replays.

import { money } from "./callText.js";
import { byId, fill, h } from "../ui/dom.js";
import { termButton } from "../ui/glossary.js";
import { unbroken } from "../ui/unbroken.js";
import { number } from "../ui/words.js";

/** @import { Replay as Report } from "../../npm/wire.js" */
/** Where the size of a window is from, next to it. @type {Record<string, string>} */
export const SOURCES = {
	policy: " (set)",
	log: " (of the log)",
	compaction: " (the agent compacts in it)",
	assumed: " (assumed)",
};

export class Summary {
	/** @param {import("../store.js").Store} store */
	constructor(store) {
		this.store = store;
		this.before = this.after = 0;
		/** Where the size of the window is from. */
		this.from = "";
		/** @type {Report | null} */
		this.base = null;
		/** @type {Report | null} */
		this.report = null;
		this.title = "";
		/** @type {HTMLInputElement[]} */
		this.switches = [...document.querySelectorAll("input[name=notion]")].map(
			(input) => /** @type {HTMLInputElement} */ (input),
		);
		for (const input of this.switches)
			input.addEventListener("change", () => store.put({ notion: input.value === "start" ? "start" : "now" }));
		store.watch(["notion"], () => this.choose());
		store.watch(["shown"], ({ shown }) => shown && this.packed(shown.seen));
		this.choose();
	}

	choose() {
		const { notion } = this.store.state;
		for (const input of this.switches) input.checked = input.value === notion;
		byId("session").dataset.notion = notion;
		byId("now-figures").hidden = notion !== "now";
		byId("start-figures").hidden = notion !== "start";
		this.draw();
	}

	/** Call for a new session: its replays are not known yet. */
	wait() {
		this.base = this.report = null;
		this.setWindow(0, "");
		this.draw();
	}

	/**
	 * @param {{before: number, after: number, window: number, windowSource: string}} of the last conversation, and compacted
	 *   once
	 */
	packed({ before, after, window, windowSource }) {
		this.before = before;
		this.after = after;
		if (this.store.state.window === 0) this.setWindow(window, windowSource);
		this.draw();
	}

	/**
	 * @param {Report | null} base without compaction
	 * @param {Report | null} report under the chosen policy
	 * @param {string} title of the preset
	 */
	replayed(base, report, title) {
		if (base === this.base && report === this.report && title === this.title) return;
		this.base = base;
		this.report = report;
		this.title = title;
		const { window = 0, windowSource = "" } = report ?? base ?? {};
		if (window > 0) this.setWindow(window, windowSource);
		this.draw();
	}

	/** @param {number} tokens @param {string} from */
	setWindow(tokens, from) {
		this.from = SOURCES[from] ?? "";
		this.store.put({ window: tokens });
	}

	draw() {
		if (this.store.state.notion === "now") this.fits(this.before, this.after);
		else this.fits(this.base?.totals.peak ?? 0, this.report?.totals.peak ?? 0);
		this.figures();
	}

	/**
	 * Says first whether the session fits, and whether it does under the policy.
	 * @param {number} before tokens; 0 if not known @param {number} after
	 */
	fits(before, after) {
		const root = byId("fits");
		const { window } = this.store.state;
		if (window === 0 || before === 0 || after === 0) return fill(root);
		const fits = after <= window;
		root.dataset.fits = String(fits);
		const says = before <= window ? "Fits" : fits ? "Fits only packed" : "Does not fit";
		const size = ` ${number(window)}${this.from}`;
		if (root.textContent === `${says}, window${size}`) return; // the focus stays on its term
		fill(root, h("strong", says), ", ", termButton("window", "window"), size);
	}

	figures() {
		const { base, report } = this;
		const pair = (/** @type {string | undefined} */ before, /** @type {string | undefined} */ after) =>
			before === undefined || after === undefined ? "…" : before === after ? after : `${before} → ${after}`;
		const [was, is] = [base?.totals, report?.totals];
		const priced = base?.priced && report?.priced;
		const root = byId("start-figures");
		root.dataset.state = report ? "ready" : "waiting";
		/** @type {[string, string, string][]} name, term and value */
		const all = [["Largest request", "peak", pair(was && number(was.peak), is && number(is.peak))]];
		if (priced && was && is)
			all.push(["Cost", "cost", pair(base && money(base.misses.cost), money(report.misses.cost))]);
		else all.push(["Tokens sent", "sent", pair(was && number(was.sent), is && number(is.sent))]);
		if (was && is && was.overWindow > 0)
			all.push(["Requests over the window", "over", pair(number(was.overWindow), number(is.overWindow))]);
		if (report && report.misses.names > 0)
			all.push(["Names missed", "names", `${number(report.misses.missed)} of ${number(report.misses.names)}`]);
		if (root.textContent === all.map(([name, , value]) => name + value).join("")) return; // the focus stays
		fill(
			root,
			...all.map(([name, term, value]) =>
				h("div", h("dt", termButton(name, term)), h("dd", h("strong", ...unbroken(value)))),
			),
		);
	}
}
