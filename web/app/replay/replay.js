// This file connects the replays, the timeline, the comparison, and the view of one call.
// Order of the replays: no compaction first, then the chosen policy, then the other compared presets.

import { assumedIn, assumedInHash, Assumptions } from "./assumptions.js";
import { Compare, MAX_PRESETS } from "./compare.js";
import { keepCompared, sessionHash } from "../session/hash.js";
import { Again } from "./again.js";
import { CallView } from "./callView.js";
import { titleOf, without } from "./baseline.js";
import { resultOf } from "./metrics.js";
import { nameOf, Replays } from "./replays.js";
import { Summary } from "./summary.js";
import { Timeline } from "./timeline.js";
import { RECOMMENDED } from "../policy/policy.js";
import { Pieces } from "../ui/pieces.js";
import { number } from "../ui/words.js";

/** @import { PolicyForm } from "../policy/policy.js" */
/** @import { Ask, ReplayStatus } from "./replays.js" */
/** @import { Replay as Report, Compared as Verdict } from "../../npm/wire.js" */
/** @import { Source } from "../engine/types.js" */

/** @type {Verdict} */
const NOTHING = { advised: "", text: "" };
const PAUSE = 250; // ms after the last change of the policy, so that a moving slider starts no replays

export class SessionReplay {
	/**
	 * @param {PolicyForm} policy
	 * @param {{window: (tokens: number) => void, moved: () => void, panes: import("../ui/panes.js").Panes, block:
	 *   (message: number, block: number) => void}} acts window: its size is known, or 0; moved: another call is selected;
	 *   block: show a block of the session
	 */
	constructor(policy, acts) {
		this.policy = policy;
		this.acts = acts;
		this.again = new Again({ block: acts.block });
		acts.panes.listeners.push(() => this.update());
		this.summary = new Summary({ chosen: () => this.policy.write(), window: (tokens) => acts.window(tokens) });
		/** @type {Source | null} */
		this.source = null;
		/** The presets that the user chose to compare; null for the default. @type {string[] | null} */
		this.picked = null;
		/** @type {import("./assumptions.js").Assumed} */
		this.assumed = {};
		this.own = "";
		/** @type {Pick<Ask, "counter" | "vocabularies">} */
		this.counter = {};
		this.timer = 0;
		this.frame = 0;
		this.pieces = new Pieces();
		this.verdictKey = "";
		this.verdict = NOTHING;
		this.replays = new Replays(() => this.soon());
		this.timeline = new Timeline({ look: (call) => void this.callView.show(call), moved: () => acts.moved() });
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
			look: (call) => void this.callView.show(call),
		});
		this.assumptions = new Assumptions((assumed) => {
			this.assumed = assumed;
			this.remember();
		});
		this.callView = new CallView({
			look: (call) => this.replays.look(this.chosen(), call),
			head: (call) => this.head(call),
			step: (call) => {
				void this.callView.show(call);
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

	/** Replaces the session and stops its replays. @param {Source} source */
	hold(source) {
		if (source.key === this.source?.key) return;
		this.source = source;
		clearTimeout(this.timer);
		this.pieces.drop();
		this.replays.open(source);
		this.verdictKey = "";
		this.summary.wait();
		if (this.callView.root.open) this.callView.root.close();
		this.timeline.wait();
		this.again.wait();
		this.take(NOTHING);
	}

	/**
	 * Starts the replays of the session, which is now on the page.
	 * @param {Source} source
	 * @param {{model?: string, counter: string, vocabularies: import("../engine/vocabulary.js").Vocabulary[]}} of model:
	 *   of the session; counter: in use
	 */
	show(source, { model = "", counter, vocabularies }) {
		this.hold(source);
		this.own = model;
		this.counter = counter === "estimate" ? {} : { counter, vocabularies };
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.update(), PAUSE);
	}

	/** Stops the replays until show is called, while the session is being edited. */
	pause() {
		clearTimeout(this.timer);
		this.replays.want([]);
	}

	/** The presets to compare. */
	names() {
		const all = this.policy.presets.map(({ name }) => name);
		const wanted = this.picked ?? [...RECOMMENDED, this.policy.preset];
		return all.filter((name) => wanted.includes(name)).slice(0, MAX_PRESETS);
	}

	/** @param {string} preset @returns {Ask} */
	ask(preset) {
		const { thinking } = this.policy;
		return { preset, policy: this.policy.patch(preset), ...(thinking ? { thinking } : {}), ...this.counting() };
	}

	/** @returns {Ask} */
	base() {
		return { compact: false, ...this.counting() };
	}

	chosen() {
		return this.ask(this.policy.preset);
	}

	/** What the session sends again under the chosen policy. @returns {Ask} */
	resent() {
		return { ...this.chosen(), resent: true };
	}

	/** @returns {Ask} */
	counting() {
		return { ...this.assumed, ...this.counter };
	}

	update() {
		if (!this.source || this.policy.presets.length === 0) return;
		const again = this.acts.panes.now === "again" ? [this.resent()] : [];
		this.replays.want([this.base(), this.chosen(), ...again, ...this.names().map((name) => this.ask(name))]);
		this.draw();
	}

	soon() {
		this.frame ||= requestAnimationFrame(() => {
			this.frame = 0;
			this.draw();
		});
	}

	/** Draws the state of the replays: each view in a piece of its own, and only the newest state. */
	draw() {
		if (!this.source) return;
		const { replays, policy } = this;
		const base = replays.status(this.base());
		const title = this.titles().get(policy.preset) ?? policy.preset;
		const chosen = replays.status(this.chosen());
		this.pieces.drop();
		this.pieces.add(
			() => {
				this.summary.replayed(reportOf(base), reportOf(chosen), title);
				policy.showResults(
					new Map(
						RECOMMENDED.map((name) => [name, resultOf(reportOf(base), reportOf(replays.status(this.ask(name))))]),
					),
				);
			},
			...this.timeline.show({ title, base, chosen }),
			() => {
				if (this.acts.panes.now === "again") this.again.show(title, replays.status(this.resent()), reportOf(base));
			},
			() => this.drawCompare(base),
			() => this.drawAdvice(),
		);
	}

	/** The titles of the presets by name. */
	titles() {
		return new Map(this.policy.presets.map(({ name, title }) => [name, title]));
	}

	/** @param {ReplayStatus} base */
	drawCompare(base) {
		const { replays, policy } = this;
		if (!this.source) return;
		const titles = this.titles();
		const names = this.names();
		this.compare.offer(policy.presets, names);
		this.assumptions.show(this.own, this.assumed, reportOf(base));
		const columns = names.map((name) => ({
			name,
			title: titles.get(name) ?? name,
			chosen: name === policy.preset,
			changed: Object.keys(policy.values(name)).length > 0,
			status: replays.status(this.ask(name)),
		}));
		this.compare.show([
			{ name: "none", title: titleOf(reportOf(base)), chosen: false, changed: false, status: base },
			...columns,
		]);
		this.requestVerdict(
			[base, ...columns.map(({ status }) => status)],
			JSON.stringify([this.source.key, nameOf(this.base()), ...names.map((name) => nameOf(this.ask(name)))]),
		);
	}

	/** @param {ReplayStatus[]} statuses @param {string} question */
	requestVerdict(statuses, question) {
		if (question === this.verdictKey) return;
		const reports = statuses.map(reportOf).filter((report) => report !== null);
		if (reports.length < statuses.length || reports[0].totals.calls === 0) return;
		this.verdictKey = question;
		this.replays.ask("verdict", reports, (verdict) => this.verdictKey === question && this.take(verdict));
	}

	/** Shows what is advised for the session, and why. @param {Verdict} verdict */
	take(verdict) {
		this.verdict = verdict;
		this.compare.verdict(verdict);
		this.drawAdvice();
	}

	drawAdvice() {
		const { advised } = this.verdict;
		const [base, report] = [this.base(), this.ask(advised)].map((ask) => reportOf(this.replays.status(ask)));
		this.policy.advise({
			name: advised,
			title: advised === "none" ? titleOf(base) : (this.titles().get(advised) ?? ""),
			why: advised === "none" ? "the session fits, and no preset costs less" : resultOf(base, report),
		});
	}

	/** Title and numbers of a call. @param {number} call */
	head(call) {
		const { base, report, shown } = this.timeline;
		const [was, is] = [base?.calls[call - 1], report?.calls[call - 1]];
		const title = shown?.title ?? "";
		const about = was
			? `${is ? `${number(is.sent)} tokens with ${title}, ` : ""}${number(was.sent)} ${without(base)}`
			: "";
		return { call, of: base?.calls.length ?? 0, title, about };
	}

	/** Reads the comparison from the address. Unknown values are ignored. */
	recall() {
		const query = new URLSearchParams(sessionHash().slice(1));
		const names = query.get("compare")?.split(",").filter(Boolean);
		this.picked = names ?? null;
		this.assumed = assumedIn(query);
		this.keep();
	}

	keep() {
		keepCompared({
			...(this.picked ? { compare: this.picked.join(",") } : {}),
			...assumedInHash(this.assumed),
		});
	}

	remember() {
		this.keep();
		this.policy.write();
		this.update();
	}
}

/** @param {ReplayStatus} status @returns {Report | null} null until it is known, and if it failed */
function reportOf({ settled }) {
	return settled && "report" in settled ? settled.report : null;
}
