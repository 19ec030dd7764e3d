// This file is what the user does with the session: each act changes the state, and sends a job to the engine thread.

import { onMessage } from "../answers.js";
import { given, keep, recalled, withChoice } from "../blocks/choices.js";
import { Engine } from "../engine/engine.js";
import { pauseAfter, Typing } from "../engine/typing.js";
import { about } from "../output/api.js";
import { roundsOf, servedIn, withAnswers } from "../output/answers.js";
import { choiceOf, patchOf } from "../policy/chosen.js";
import { openPane } from "../ui/panes.js";
import { dismissAction, toast } from "../ui/toast.js";
import { History, nameSteps } from "./history.js";
import { Opener } from "./opener.js";

/** @import { Chosen, State, Store } from "../store.js" */
/** @import { Answer, Served, Source } from "../engine/types.js" */
/** @import { Choice, Scope } from "../blocks/choices.js" */

const PARAM_PAUSE = 40; // ms: a slider fires more events than the screen can show
const ANSWER_PAUSE = 200; // ms without a keystroke before an answer typed by hand is applied

export class Session {
	/** The input of the last repair. @type {Source | null} */
	unrepaired = null;
	/** The question to the server of the page. @type {ReturnType<typeof about> | null} */
	found = null;
	repairAtOnce = true; // whether the running repair replaces the session, or is only shown
	pending = false; // the inspection waits for its summaries
	ready = false;
	timer = 0;
	/** Whether the address is being read: the session opens at any place, with the choices of its blocks. */
	returning = false;
	/** Called when no job is running or waiting. @type {(() => void)[]} */
	idleWaiters = [];

	/** @param {Store} store */
	constructor(store) {
		this.store = store;
		this.opener = new Opener(this);
		this.history = new History({
			now: () => {
				const { source, policy, counter, blocks, answers } = this.state;
				return { source, chosen: { policy, counter, blocks }, answers: [...answers] };
			},
			put: ({ source, chosen, answers }) => {
				if (source && source !== this.state.source) this.setSource(source);
				this.store.put({ ...chosen, answers: new Map(answers) });
				this.packLater(0);
			},
			changed: (undo, redo) => {
				dismissAction();
				nameSteps(undo, redo);
			},
		});
		this.engine = new Engine(store.pieces, (message) => onMessage(this, message));
		this.typing = new Typing(this);
		store.watch(["look"], () => this.requestView());
	}

	/** @returns {State} */
	get state() {
		return this.store.state;
	}

	/** Opens what a changed address names, such as the example that "back" returns to, and takes its policy. */
	readAddress() {
		this.history.record("the policy of a link");
		this.packLater(PARAM_PAUSE);
		void this.opener.address(false);
	}

	/** Replaces the session. @param {Source} next */
	open(next) {
		const before = this.state.source;
		this.take(next);
		if (!this.returning) this.store.put({ place: "session" });
		this.history.record(next.origin === "repair" ? "repair" : `opened ${next.name}`);
		if (before && next.origin !== "repair")
			toast(`Opened ${next.name} in place of ${before.name}.`, {
				label: "Undo",
				act: () => this.backTo(before, `back to ${before.name}`),
			});
	}

	/** Takes the text of the session while the user types. @param {Source} next @param {string} text */
	edit(next, text) {
		this.store.put({ source: next, example: "", repair: null, settled: false, size: null });
		this.history.record("typing", "text");
		this.packLater(pauseAfter(text));
		this.typing.count(text, next.key);
	}

	/** @param {Source} next */
	take(next) {
		this.setSource(next);
		this.pack();
	}

	/** @param {Source} next */
	setSource(next) {
		const { returning } = this;
		this.store.put({
			source: next,
			example: next.example?.replace(/\..*$/, "") ?? "",
			blocks: returning ? recalled(next) : {},
			...(returning ? {} : { call: 0, block: "", zoom: { from: 0, to: 1 } }),
			answers: new Map(),
			served: new Map(),
			shown: null,
			repair: null,
			unread: null,
			settled: false,
			size: null,
			row: null,
		});
	}

	/** Stops the work on the session: the page goes back to the session before, or to the first screen. */
	cancel() {
		if (this.opener.loading) return this.opener.loading.abort();
		const opened = this.state.source && !this.isShown;
		clearTimeout(this.timer);
		this.timer = 0;
		this.opener.nextKey();
		this.engine.cancel();
		if (!opened) return toast("Stopped. Change the policy, or reload the page, to pack this session.");
		if (this.history.past.length > 0) return this.history.undo();
		this.store.put({ source: null, example: "", shown: null });
		this.history.begin(); // a later undo does not go back to it
	}

	/** Goes back to a replaced session. @param {Source} to @param {string} label */
	backTo(to, label) {
		if (this.history.past.at(-1)?.state.source === to) return this.history.undo();
		this.take(to);
		this.history.record(label);
	}

	/**
	 * Changes the policy.
	 * @param {Partial<Chosen>} change
	 * @param {string} what the change, in words
	 * @param {string} [merge] successive changes of this name are one step
	 */
	choose(change, what, merge) {
		this.store.put({ policy: { ...this.state.policy, ...change } });
		this.history.record(what, merge);
		this.packLater(PARAM_PAUSE);
	}

	/** @param {string} preset */
	choosePreset(preset) {
		const { presets, policy } = this.state;
		const found = presets.find(({ name }) => name === preset);
		if (found && preset !== policy.preset) this.choose({ preset }, `preset ${found.title}`, "preset");
	}

	/** @param {boolean} on */
	compactNow(on) {
		this.choose({ force: on }, `compact now ${on ? "on" : "off"}`);
	}

	/** @param {string} counter */
	count(counter) {
		if (counter === this.state.counter) return;
		this.store.put({ counter });
		this.history.record(`counter ${counter}`);
	}

	/**
	 * Keeps, removes or summarizes blocks when the session is packed.
	 * @param {import("../blocks/rows.js").Row} row
	 * @param {Scope} scope
	 * @param {Choice | null} choice
	 */
	chooseBlocks(row, scope, choice) {
		const { blocks, shown } = this.state;
		const next = withChoice(blocks, row, scope, shown?.laid.rows ?? [], choice);
		if (next === blocks)
			return toast(
				choice === "summarize"
					? "Instructions and the open tool round cannot be summarized."
					: "There is no block that this changes.",
			);
		this.store.put({ blocks: next });
		this.history.record(choice === null ? "choice taken back" : choice === "drop" ? "remove" : choice);
		this.packLater(0);
	}

	/** Shows a block in the list. @param {string} path @param {number} [index] its row, if known @param {boolean} [quiet] without the focus */
	jump(path, index, quiet) {
		openPane(this.store, "blocks");
		this.store.put({ jump: { path, index, quiet } });
	}

	/** Answers requests; null is the answer of the summarizer. @param {string[]} ids @param {Answer | null} answer @param {number} min see withAnswers */
	answer(ids, answer, min) {
		this.store.put({
			answers: withAnswers(
				this.state.answers,
				ids.map((id) => [id, answer]),
				min,
			),
		});
		this.history.record("an answer", "answer");
		this.packLater(ANSWER_PAUSE);
	}

	/**
	 * Compacts again with the answers of a server.
	 * @param {Map<string, Served>} all
	 * @param {string} name
	 */
	takeServed(all, name) {
		this.store.put({ server: name, ...servedIn(this.state, roundsOf(this.state), all) });
		this.history.record("the summaries of the server");
		this.pack();
	}

	/** Whether the blocks on the page are those of the open session. */
	get isShown() {
		const { source, shown, stale } = this.state;
		return source !== null && shown?.source === source && !stale;
	}

	/** @param {number} pause */
	packLater(pause) {
		clearTimeout(this.timer);
		this.timer = +setTimeout(() => this.pack(), pause);
		if (this.state.source) this.store.put({ work: { ...this.state.work, is: "soon" } });
	}

	pack() {
		clearTimeout(this.timer);
		this.timer = 0;
		const { source, policy, blocks, answers } = this.state;
		if (!source) return;
		this.work();
		if (!this.ready) return;
		keep(source, blocks);
		this.store.put({ output: { is: "waiting" }, look: null, settled: false });
		this.engine.submit({
			...this.job(source),
			kind: "pack",
			force: policy.force,
			focus: policy.focus,
			thinking: policy.thinking,
			chosen: given(blocks),
			answers: Object.fromEntries(answers),
			...this.state.count.counting,
		});
	}

	/** @param {Source} source */
	job(source) {
		const { policy } = this.state;
		return { source, preset: policy.preset, policy: patchOf(policy) };
	}

	work() {
		const size = this.state.source?.blob.size ?? 0;
		this.store.put({ work: { is: "running", size } });
	}

	/** Requests the data of the open tab if no other job is running or waiting. */
	requestView() {
		const { look, source } = this.state;
		if (!look || !source || this.timer || this.engine.running) return;
		this.work();
		this.engine.submit({ ...this.job(source), kind: "view", view: look });
	}

	/** The request for a server to compact the session on the page, after all pending changes. */
	async compactionRequest() {
		if (this.timer || this.engine.running) await new Promise((resolve) => this.idleWaiters.push(() => resolve(null)));
		const { source } = this.state;
		if (!source) throw new Error("there is no session");
		return { conversation: await source.blob.text(), ...choiceOf(this.state) };
	}

	/** Asks the page's own origin once: a static host answers with an error in the console. */
	async findServer() {
		this.found ??= about();
		this.store.put({ about: await this.found });
	}

	/** @param {boolean} atOnce replace the session at once; false: only show the repair */
	repair(atOnce) {
		const { source, repair } = this.state;
		if (!source) return;
		this.repairAtOnce = atOnce;
		if (atOnce && repair?.is === "preview") return this.acceptRepair(repair);
		this.work();
		this.engine.submit({ kind: "repair", source, preset: this.state.policy.preset, policy: {} });
	}

	/** Puts the repaired session in place. @param {import("./repairView.js").Repaired} repaired */
	acceptRepair({ blob, problems, view }) {
		const before = this.state.source;
		if (!before) return;
		this.open({ key: this.opener.nextKey(), name: before.name, blob, origin: "repair" });
		this.store.put({ repair: { is: "accepted", blob, problems, view } });
		this.unrepaired = before;
		const n = problems.length;
		toast(`Repaired ${n} problem${n === 1 ? "" : "s"}.`, { label: "Undo", act: () => this.undoRepair() });
	}

	undoRepair() {
		if (this.unrepaired) this.backTo(this.unrepaired, "repair undone");
	}
}
