// This file ties together what a session was over time: the replays, the timeline, the comparison, and the look at one call.
// What is asked for: no compaction first, then the chosen policy, then the other presets that are compared, one after another.

import { Compare, MODELS, MOST } from "./compare.js";
import { keepCompared } from "../session/hash.js";
import { Moment } from "./callView.js";
import { nameOf, Replays } from "./replays.js";
import { Timeline } from "./timeline.js";
import { number } from "../ui/words.js";

/** @typedef {import("../policy/policy.js").PolicyForm} PolicyForm */
/** @typedef {import("./replays.js").Ask} Ask */
/** @typedef {import("./replays.js").Report} Report */
/** @typedef {import("../engine/types.js").Source} Source */

const PAUSE = 250; // ms after the last change of the policy: a slider on its way is not worth a replay
const USUAL = ["balanced", "hierarchical", "prune"]; // compared where nobody chose, beside the chosen one

export class SessionReplay {
	/** @param {PolicyForm} policy */
	constructor(policy) {
		this.policy = policy;
		/** @type {Source | null} */
		this.source = null;
		/** What someone chose to compare; null where nobody did. @type {string[] | null} */
		this.picked = null;
		this.model = "";
		/** @type {"" | "1h"} */
		this.ttl = "";
		this.own = "";
		/** @type {Pick<Ask, "counter" | "vocabularies">} */
		this.counter = {};
		this.timer = 0;
		this.frame = 0;
		this.judged = "";
		this.replays = new Replays(() => this.soon());
		this.timeline = new Timeline({ look: (call) => void this.moment.show(call) });
		this.compare = new Compare({
			pick: (names) => {
				this.picked = names;
				this.remember();
			},
			prefer: (name) => {
				this.picked = this.names();
				this.remember();
				this.policy.radio(name)?.click();
			},
			count: (model, ttl) => {
				this.model = model;
				this.ttl = ttl;
				this.remember();
			},
		});
		this.moment = new Moment({
			look: (call) => this.replays.look(this.chosen(), call),
			head: (call) => this.head(call),
			step: (call) => {
				void this.moment.show(call);
				this.timeline.put(Math.max(0, call - 1), false);
			},
			closed: () => this.timeline.handle.focus({ preventScroll: true }),
		});
		this.recall();
		addEventListener("hashchange", () => {
			this.recall();
			this.update();
		});
	}

	/** Another session takes the place of the one before, which is replayed no further. @param {Source} source */
	hold(source) {
		if (source.key === this.source?.key) return;
		this.source = source;
		clearTimeout(this.timer);
		this.replays.open(source);
		this.judged = "";
		if (this.moment.root.open) this.moment.root.close();
		this.timeline.wait();
		this.compare.verdict("");
	}

	/**
	 * What stands on the page is the last word: on it goes from there.
	 * @param {Source} source
	 * @param {{model?: string, counter: string, vocabularies: import("../engine/vocabulary.js").Vocabulary[]}} of model: its own; counter: what it was counted with
	 */
	show(source, { model = "", counter, vocabularies }) {
		this.hold(source);
		this.own = model;
		this.counter = counter === "estimate" ? {} : { counter, vocabularies };
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.update(), PAUSE);
	}

	/** The session is about to be another one: nothing is replayed until that stands on the page. */
	pause() {
		clearTimeout(this.timer);
		this.replays.want([]);
	}

	/** The presets to compare. */
	names() {
		const all = this.policy.presets.map(({ name }) => name);
		const some = this.picked ?? [...USUAL, this.policy.preset];
		return all.filter((name) => some.includes(name)).slice(0, MOST);
	}

	/** @param {string} preset @returns {Ask} */
	ask(preset) {
		return { preset, policy: this.policy.patch(preset), ...this.counting() };
	}

	/** @returns {Ask} */
	base() {
		return { compact: false, ...this.counting() };
	}

	chosen() {
		return this.ask(this.policy.preset);
	}

	/** @returns {Ask} */
	counting() {
		return { ...(this.model ? { model: this.model } : {}), ...(this.ttl ? { ttl: this.ttl } : {}), ...this.counter };
	}

	update() {
		if (!this.source || this.policy.presets.length === 0) return;
		this.replays.want([this.base(), this.chosen(), ...this.names().map((name) => this.ask(name))]);
		this.draw();
	}

	soon() {
		this.frame ||= requestAnimationFrame(() => {
			this.frame = 0;
			this.draw();
		});
	}

	draw() {
		if (!this.source) return;
		const { replays, policy } = this;
		const titles = new Map(policy.presets.map(({ name, title }) => [name, title]));
		const base = replays.standing(this.base());
		this.timeline.show({ title: titles.get(policy.preset) ?? policy.preset, base, chosen: replays.standing(this.chosen()) });
		const names = this.names();
		this.compare.offer(policy.presets, names);
		this.compare.settings(this.own, this.model, this.ttl);
		const columns = names.map((name) => ({ name, title: titles.get(name) ?? name, chosen: name === policy.preset, changed: Object.keys(policy.values(name)).length > 0, standing: replays.standing(this.ask(name)) }));
		this.compare.show([{ name: "none", title: "No compaction", chosen: false, changed: false, standing: base }, ...columns]);
		this.judge([base, ...columns.map(({ standing }) => standing)], JSON.stringify([this.source.key, nameOf(this.base()), ...names.map((name) => nameOf(this.ask(name)))]));
	}

	/** @param {import("./replays.js").Standing[]} standings @param {string} question */
	judge(standings, question) {
		if (question === this.judged) return;
		/** @type {Report[]} */
		const reports = standings.flatMap(({ settled }) => (settled && "report" in settled ? [settled.report] : []));
		if (reports.length < standings.length || reports[0].totals.calls === 0) return;
		this.judged = question;
		this.replays.ask(reports, (text) => this.judged === question && this.compare.verdict(text));
	}

	/** What is known of a call. @param {number} call */
	head(call) {
		const { base, report, shown } = this.timeline;
		const [was, is] = [base?.calls[call - 1], report?.calls[call - 1]];
		const title = shown?.title ?? "";
		const about = was ? `${is ? `${number(is.sent)} tokens with ${title}, ` : ""}${number(was.sent)} without compaction` : "";
		return { call, of: base?.calls.length ?? 0, title, about };
	}

	/** Takes from the address what is compared. Names that this version does not know are left out. */
	recall() {
		const query = new URLSearchParams(location.hash.slice(1));
		const names = query.get("compare")?.split(",").filter(Boolean);
		this.picked = names ?? null;
		const model = query.get("as") ?? "";
		this.model = MODELS.includes(model) ? model : "";
		this.ttl = query.get("ttl") === "1h" ? "1h" : "";
		this.keep();
	}

	keep() {
		keepCompared({ ...(this.picked ? { compare: this.picked.join(",") } : {}), ...(this.model ? { as: this.model } : {}), ...(this.ttl ? { ttl: this.ttl } : {}) });
	}

	remember() {
		this.keep();
		this.policy.write();
		this.update();
	}
}
