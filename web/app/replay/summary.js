// This file is the bar above the panes: the two ways to read a policy. "Now" compacts the last conversation once, "From
// the start" replays the whole session. Below the figures is the sentence of the engine about both replays.

import { money } from "./callText.js";
import { change } from "./metrics.js";
import { byId, fill, h } from "../ui/dom.js";
import { TERMS } from "../ui/glossary.js";
import { unbroken } from "../ui/unbroken.js";
import { number, plural, share, wholePercent } from "../ui/words.js";

/** @typedef {import("./replays.js").Report} Report */
/** @typedef {"now"|"start"} Notion */

const LONG_ANSWER = 150; // characters: two lines of the usual size, next to the buttons

export class Summary {
	/**
	 * @param {{chosen: (notion: Notion) => void, window: (tokens: number) => void}} acts chosen: the user chose the other
	 *   one; window: its size is known, or 0
	 */
	constructor(acts) {
		this.acts = acts;
		/** @type {Notion} */
		this.notion = "now";
		this.after = 0;
		/** Tokens; 0 until it is known. */
		this.window = 0;
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
			input.addEventListener("change", () => {
				this.choose(input.value === "start" ? "start" : "now");
				acts.chosen(this.notion);
			});
		this.choose("now");
	}

	/** @param {Notion} notion */
	choose(notion) {
		this.notion = notion;
		for (const input of this.switches) input.checked = input.value === notion;
		byId("now-figures").hidden = notion !== "now";
		byId("start-figures").hidden = notion !== "start";
		this.draw();
	}

	/** Call for a new session: its replays are not known yet. */
	wait() {
		this.base = this.report = null;
		this.setWindow(0);
		this.answer("");
		this.draw();
	}

	/** @param {number} after tokens of the last conversation, compacted once */
	packed(after) {
		this.after = after;
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
		this.setWindow((report ?? base)?.window ?? 0);
		this.draw();
	}

	/** @param {number} tokens */
	setWindow(tokens) {
		this.window = tokens;
		this.acts.window(tokens);
	}

	/** @param {string} text of the engine */
	answer(text) {
		const answer = byId("answer");
		fill(answer, ...unbroken(text));
		answer.classList.toggle("long", text.length > LONG_ANSWER);
	}

	draw() {
		if (this.notion === "now") this.fits(this.after, "");
		else this.fits(this.report?.totals.peak ?? 0, " at its largest request");
		this.figures();
	}

	/** @param {number} tokens 0 if not known @param {string} when */
	fits(tokens, when) {
		const root = byId("fits");
		const { window } = this;
		if (window === 0 || tokens === 0) return fill(root);
		const fits = tokens <= window;
		root.dataset.fits = String(fits);
		fill(
			root,
			h("strong", {}, fits ? "Fits" : "Does not fit"),
			`${when}: ${share(tokens, window)} of the context window of ${number(window)} tokens.`,
		);
	}

	figures() {
		const { base, report } = this;
		const figure = (
			/** @type {string} */ name,
			/** @type {string} */ term,
			/** @type {string} */ value,
			/** @type {string} */ note,
		) =>
			h(
				"div",
				{ title: TERMS[term] },
				h("dt", { class: "term" }, name),
				h("dd", {}, h("strong", {}, ...unbroken(value)), " ", ...unbroken(note)),
			);
		const pair = (/** @type {number | undefined} */ was, /** @type {number | undefined} */ is) =>
			was === undefined || is === undefined ? "" : `of ${number(was)}, ${change(is, was)}`;
		const [was, is] = [base?.totals, report?.totals];
		const priced = base?.priced && report?.priced;
		const root = byId("start-figures");
		root.dataset.state = report ? "ready" : "waiting";
		fill(
			root,
			figure("Largest request", "peak", is ? number(is.peak) : "…", pair(was?.peak, is?.peak)),
			figure("Tokens sent", "sent", is ? number(is.sent) : "…", pair(was?.sent, is?.sent)),
			priced && was && is
				? figure("Cost", "cost", money(is.cost), `of ${money(was.cost)}, ${change(is.cost, was.cost)}`)
				: null,
			was && is && was.overWindow > 0
				? figure(
						"Over the window",
						"over",
						is.overWindow === 0 ? "none" : plural(is.overWindow, "call"),
						`of ${number(was.overWindow)}`,
					)
				: null,
			report && report.misses.names > 0
				? figure(
						"Names in the context",
						"names",
						wholePercent(report.misses.permille),
						`of ${number(report.misses.names)}`,
					)
				: null,
		);
	}
}
