// This file connects the replays, the timeline, the comparison, and the view of one call.
// Order of the replays: no compaction first, then the chosen policy, then the other compared presets.

import { Assumptions } from "./assumptions.js";
import { Compare, MAX_PRESETS } from "./compare.js";
import { Again } from "./again.js";
import { CallView } from "./callView.js";
import { titleOf, without } from "./baseline.js";
import { resultOf } from "./metrics.js";
import { nameOf, Replays } from "./replays.js";
import { Summary } from "./summary.js";
import { Timeline } from "./timeline.js";
import { patchOf, valuesOf } from "../policy/chosen.js";
import { RECOMMENDED } from "../policy/policy.js";
import { Pieces } from "../ui/pieces.js";
import { number } from "../ui/words.js";

/** @import { Ask, ReplayStatus } from "./replays.js" */
/** @import { Replay as Report, Compared as Verdict } from "../../npm/wire.js" */
/** @import { Source } from "../engine/types.js" */

/** @type {Verdict} */
const NOTHING = { advised: "", text: "" };
const PAUSE = 250; // ms after the last change of the policy, so that a moving slider starts no replays

export class SessionReplay {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		this.timer = 0;
		this.frame = 0;
		this.pieces = new Pieces();
		this.verdictKey = "";
		this.verdict = NOTHING;
		/** @type {Source | null} */
		this.source = null;
		const look = (/** @type {number} */ call) => void this.callView.show(call);
		this.replays = new Replays(() => this.soon());
		this.summary = new Summary(store);
		this.again = new Again((message, block) =>
			session.jump("", (store.state.shown?.laid.rows.findIndex((row) => row.message === message) ?? -1) + block),
		);
		this.timeline = new Timeline(store, look);
		this.compare = new Compare(store, session, look);
		this.assumptions = new Assumptions((assumed) => store.put({ assumed }));
		this.callView = new CallView({
			look: (call) => this.replays.look(this.chosen(), call),
			head: (call) => this.head(call),
			step: (call) => {
				look(call);
				this.timeline.put(Math.max(0, call - 1), false);
			},
			closed: () => this.timeline.handle.focus({ preventScroll: true }),
		});
		store.watch(["source"], ({ source }) => source?.origin !== "edit" && this.hold(source));
		store.watch(["settled"], ({ settled, source }) => {
			clearTimeout(this.timer);
			if (settled) this.hold(source);
			if (settled) this.timer = setTimeout(() => this.update(), PAUSE);
			else if (source?.origin === "edit") this.replays.want([]); // until it is settled again
		});
		store.watch(["pane", "picked", "assumed"], () => this.update());
	}

	get policy() {
		return this.store.state.policy;
	}

	/** Replaces the session and stops its replays. @param {Source | null} source */
	hold(source) {
		if (source?.key === this.source?.key) return;
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

	/** The presets to compare. */
	names() {
		const all = this.store.state.presets.map(({ name }) => name);
		const wanted = this.store.state.picked ?? [...RECOMMENDED, this.policy.preset];
		return all.filter((name) => wanted.includes(name)).slice(0, MAX_PRESETS);
	}

	/** @param {string} preset @returns {Ask} */
	ask(preset) {
		const { thinking } = this.policy;
		return { preset, policy: patchOf(this.policy, preset), ...(thinking ? { thinking } : {}), ...this.counting() };
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
		const { assumed, count } = this.store.state;
		const { counted: counter, learned: vocabularies } = count;
		return { ...assumed, ...(counter === "estimate" ? {} : { counter, vocabularies }) };
	}

	update() {
		if (!this.source || this.store.state.presets.length === 0 || !this.store.state.settled) return;
		const again = this.store.state.pane === "again" ? [this.resent()] : [];
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
		const { replays, policy, store } = this;
		const base = replays.status(this.base());
		const title = this.titles().get(policy.preset) ?? policy.preset;
		const chosen = replays.status(this.chosen());
		this.pieces.drop();
		this.pieces.add(
			() => {
				this.summary.replayed(reportOf(base), reportOf(chosen), title);
				const result = (/** @type {string} */ name) =>
					resultOf(reportOf(base), reportOf(replays.status(this.ask(name))));
				store.put({ results: new Map(RECOMMENDED.map((name) => [name, result(name)])) });
			},
			...this.timeline.show({ title, base, chosen }),
			() => {
				if (this.store.state.pane === "again") this.again.show(title, replays.status(this.resent()), reportOf(base));
			},
			() => this.drawCompare(base),
			() => this.drawAdvice(),
		);
	}

	/** The titles of the presets by name. */
	titles() {
		return new Map(this.store.state.presets.map(({ name, title }) => [name, title]));
	}

	/** @param {ReplayStatus} base */
	drawCompare(base) {
		const { replays, policy } = this;
		if (!this.source) return;
		const titles = this.titles();
		const names = this.names();
		this.compare.offer(this.store.state.presets, names);
		this.assumptions.show(this.store.state.seen?.model ?? "", this.store.state.assumed, reportOf(base));
		const columns = names.map((name) => ({
			name,
			title: titles.get(name) ?? name,
			chosen: name === policy.preset,
			changed: Object.keys(valuesOf(policy, name)).length > 0,
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
		this.compare.verdict(verdict.text);
		this.drawAdvice();
	}

	drawAdvice() {
		const { advised } = this.verdict;
		const [base, report] = [this.base(), this.ask(advised)].map((ask) => reportOf(this.replays.status(ask)));
		const title = advised === "none" ? titleOf(base) : (this.titles().get(advised) ?? "");
		const why = advised === "none" ? "the session fits, and no preset costs less" : resultOf(base, report);
		const { name, title: now, why: was } = this.store.state.advised;
		if (name !== advised || now !== title || was !== why)
			this.store.put({ advised: { name: advised, title, why: advised && why } });
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
}

/** @param {ReplayStatus} status @returns {Report | null} null until it is known, and if it failed */
function reportOf({ settled }) {
	return settled && "report" in settled ? settled.report : null;
}
