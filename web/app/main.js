// This file is the page: it holds the state and sends jobs to the engine thread; answers.js draws the results.

import { Answers } from "./answers.js";
import { Blocks } from "./blocks/blocks.js";
import { Choices } from "./blocks/choices.js";
import { CounterChoice } from "./policy/counter.js";
import { byId } from "./ui/dom.js";
import { Details } from "./blocks/details.js";
import { Engine } from "./engine/engine.js";
import { showFaults } from "./session/failure.js";
import { keepInHash } from "./session/hash.js";
import { History, nameSteps } from "./session/history.js";
import { Input } from "./session/input.js";
import { startKeys } from "./ui/keyList.js";
import { sessionIn } from "./session/link.js";
import { Opening } from "./session/opening.js";
import { RepairView } from "./session/repairView.js";
import { Numbers } from "./blocks/numbers.js";
import { Output } from "./output/output.js";
import { Panes } from "./ui/panes.js";
import { Pieces } from "./ui/pieces.js";
import { Places } from "./places/places.js";
import { PolicyForm } from "./policy/policy.js";
import { Problems } from "./session/problems.js";
import { Progress } from "./ui/progress.js";
import { Recent } from "./session/recent.js";
import { Reading } from "./reading/reading.js";
import { SessionReplay } from "./replay/replay.js";
import { notionOf } from "./replay/summary.js";
import { Server } from "./output/server.js";
import { Share } from "./session/share.js";
import { startOver } from "./session/tabSession.js";
import { explain } from "./ui/glossary.js";
import { startLinks } from "./ui/links.js";
import { Takeaway } from "./output/takeaway.js";
import { startTheme } from "./ui/theme.js";
import { dismissAction, toast } from "./ui/toast.js";
import { TokenPanel } from "./reading/tokenPanel.js";
import { pauseAfter, Typing } from "./engine/typing.js";

/** @import { Source } from "./engine/types.js" */

const PARAM_PAUSE = 40; // ms: a slider fires more events than the screen can show
const ANSWER_PAUSE = 200; // ms without a keystroke before an answer typed by hand is applied

/** The page: its state, and what each event does to it. */
export class Page {
	/** @type {Source | null} */
	source = null;
	/** @type {import("./engine/types.js").Inspection | null} the result of the last inspection */
	inspection = null;
	/** @type {import("./engine/types.js").Inspection | null} the same in the tokens of the counter */
	counted = null;
	/**
	 * @type {import("./engine/types.js").Trigger | null} what the policy waits for, if the page continued as if it had
	 *   fired
	 */
	assumedTrigger = null;
	shownKey = 0; // key of the source whose blocks are on the page
	stale = true; // they are those of an older text, which stay while the user types
	/** @type {Source | null} the input of the last repair */
	unrepaired = null;
	acceptAtOnce = true; // whether the running repair replaces the session at once, or is only shown
	pending = false; // the inspection waits for its summaries
	ready = false;
	timer = 0;
	/** What the messages of the engine thread draw. */
	pieces = new Pieces();
	choices = new Choices();
	/** Called when no job is running or waiting. @type {(() => void)[]} */
	idleWaiters = [];

	constructor() {
		this.answers = new Answers(this);
		this.places = new Places(this);
		this.session = byId("session");
		this.panes = new Panes((pane) => {
			this.replay.summary.choose(notionOf(pane));
			this.policy.write();
		});
		this.progress = new Progress(() => this.cancel());
		this.reading = new Reading({ showBlocks: () => this.panes.open("blocks") });
		this.details = new Details({
			jump: (path) => this.jump(path),
			partner: (row) => this.blocks.partner(row),
			choice: (row) => this.choices.at(row),
			choose: (row, scope, choice) => this.chooseBlocks(row, scope, choice),
			replacement: (row) => this.replacementOf(row),
			preview: (row) => this.tokens.show(row, () => this.reading.preview.show(row)),
		});
		this.blocks = new Blocks(
			(row) => this.choices.at(row),
			(row) => {
				this.details.show(row);
				this.numbers.mark(row);
			},
			{ ...this.reading.listActs, selected: () => this.opening.moved() },
		);
		this.reading.blocks = this.blocks;
		this.numbers = new Numbers({
			choose: (index) => {
				this.panes.open("blocks");
				this.blocks.select(index, true);
			},
			hover: (index) => this.blocks.hover(index),
			force: () => this.policy.compactNow(true),
		});
		this.problems = new Problems({ jump: (path) => this.jump(path), repair: () => this.repair(true) });
		this.repairView = new RepairView({
			ask: () => this.repair(false),
			accept: (repaired) => this.answers.acceptRepair(repaired),
			back: () => this.unrepaired && this.backTo(this.unrepaired, "repair undone"),
		});
		this.output = new Output({
			jump: (path) => this.jump(path),
			answer: () => this.onAnswer(),
			look: () => this.requestView(),
			open: () => this.panes.open("packed"),
			requests: () => void this.server.find(),
			summarizes: () => !["", "none"].includes(this.policy.whole().summary?.strategy ?? ""),
			ask: (question) => this.engine.ask(question),
		});
		this.server = new Server({
			request: () => this.compactionRequest(),
			take: (served, name) => this.takeServed(served, name),
		});
		this.policy = new PolicyForm((what, merge) => {
			this.takeaway.wait();
			this.history.record(what, merge);
			this.packLater(PARAM_PAUSE);
		});
		this.history = new History({
			now: () => ({
				source: this.source,
				chosen: { ...this.policy.chosen(), counter: this.counter.chosen, blocks: [...this.choices.of] },
				answers: [...this.output.requests.answers],
			}),
			put: (state) => this.restore(state),
			changed: (undo, redo) => {
				dismissAction();
				nameSteps(undo, redo);
			},
		});
		this.input = new Input({
			open: (next) => this.open(next),
			edit: (next) => this.edit(next),
			found: (next) => {
				this.take(next);
				this.history.amend();
			},
			folder: (all) => void this.places.folder.take(all),
			example: () => this.panes.open("timeline"),
		});
		this.recent = new Recent({
			open: (name, blob) => this.open({ key: this.input.nextKey(), name, blob, origin: "recent" }),
		});
		this.takeaway = new Takeaway({
			server: async () => {
				await this.server.find();
				return this.server.about;
			},
			open: () => this.panes.open("packed"),
		});
		this.share = new Share({ query: () => this.policy.query() });
		this.counter = new CounterChoice({ changed: () => this.recount(), ready: () => this.packLater(0) });
		this.replay = new SessionReplay(this.policy, {
			window: (tokens) => this.numbers.limit(tokens),
			moved: () => this.opening.moved(),
			panes: this.panes,
			block: (message, block) => this.jump("", this.blocks.indexOf(message, block)),
		});
		this.engine = new Engine(this.pieces, (message) => this.answers.onMessage(message));
		this.tokens = new TokenPanel({ counter: this.counter, texts: this.reading.texts, engine: this.engine });
		this.typing = new Typing({
			counter: this.counter,
			engine: this.engine,
			show: (size, key) => this.showTypedSize(size, key),
		});
		this.opening = new Opening(this); // last: it opens in the other parts what the address names
	}

	/** Connects the page to the events of the window and starts its parts that need the others. */
	start() {
		startTheme(() => this.numbers.recolor());
		startLinks(startOver);
		addEventListener("hashchange", () => void this.opening.changed());
		void this.opening.first();
		this.pieces.add(
			() => startKeys({ history: this.history, policy: this.policy, panes: this.panes }),
			() => explain(document),
			() => this.numbers.prepare(),
			() => dispatchEvent(new Event("tamp-ready")), // what was clicked before is done now (early.js)
		);
	}

	/**
	 * Keeps, removes or summarizes blocks when the session is packed.
	 * @param {import("./blocks/rows.js").Row} row
	 * @param {import("./blocks/choices.js").Scope} scope
	 * @param {import("./blocks/choices.js").Choice | null} choice
	 */
	chooseBlocks(row, scope, choice) {
		if (this.choices.put(row, scope, this.blocks.laid.rows, choice) === 0)
			return toast(
				choice === "summarize"
					? "Instructions and the open tool round cannot be summarized."
					: "There is no block that this changes.",
			);
		this.history.record(choice === null ? "choice taken back" : choice === "drop" ? "remove" : choice);
		this.blocks.redraw();
		this.details.show(row);
		this.packLater(0);
	}

	/** @param {import("./blocks/rows.js").Row} row */
	async replacementOf({ block }) {
		if (!block.replacement) return "";
		const answer = await this.engine.ask({ kind: "replacement", ...block.replacement });
		return "text" in answer ? answer.text : "";
	}

	/** Shows the block at a path in the list. @param {string} path @param {number} [index] its row, if known */
	jump(path, index) {
		this.panes.open("blocks");
		this.blocks.jump(path, index);
	}

	/** Replaces the session. @param {Source} next */
	open(next) {
		const before = this.source;
		this.take(next);
		if (!this.opening.returning) this.places.go("session");
		this.history.record(next.origin === "repair" ? "repair" : `opened ${next.name}`);
		if (before && next.origin !== "repair")
			toast(`Opened ${next.name} in place of ${before.name}.`, {
				label: "Undo",
				act: () => this.backTo(before, `back to ${before.name}`),
			});
	}

	/** Takes the text of the session while the user types. @param {Source} next */
	edit(next) {
		this.source = next;
		this.updateLink(next);
		this.repairView.forget();
		this.history.record("typing", "text");
		const text = this.input.text.value;
		this.replay.pause();
		this.packLater(pauseAfter(text));
		this.typing.count(text, next.key);
	}

	/**
	 * Shows the size of the typed text unless a newer result is on the page.
	 * @param {import("./engine/queries.js").Size} size
	 * @param {number} key
	 */
	showTypedSize(size, key) {
		if (this.source?.origin !== "edit" || key <= this.shownKey) return;
		this.numbers.typed(size.total);
		this.counter.show(size, this.inspection?.model);
	}

	/** The user chose another counter. */
	recount() {
		this.history.record(`counter ${this.counter.chosen}`);
		this.policy.write();
	}

	/** Stops the work on the session: the page goes back to the session before, or to the first screen. */
	cancel() {
		const opened = this.source && this.shownKey !== this.source.key;
		clearTimeout(this.timer);
		this.timer = 0;
		this.engine.cancel();
		if (!opened) return toast("Stopped. Change the policy, or reload the page, to pack this session.");
		if (this.history.past.length > 0) return this.history.undo();
		this.source = null;
		this.history.begin(); // a later undo does not go back to it
		this.session.hidden = true;
		this.input.clear();
	}

	/** Goes back to a replaced session. @param {Source} to @param {string} label */
	backTo(to, label) {
		if (this.history.past.at(-1)?.state.source === to) return this.history.undo();
		this.take(to);
		this.history.record(label);
	}

	/** @param {import("./session/history.js").State} state */
	restore({ source: next, chosen, answers }) {
		if (next && next !== this.source) this.setSource(next);
		this.output.requests.answers = new Map(answers);
		this.counter.restore(chosen.counter ?? this.counter.chosen);
		this.choices.of = new Map(chosen.blocks);
		this.policy.restore(chosen);
		this.packLater(0);
	}

	onAnswer() {
		this.history.record("an answer", "answer");
		this.packLater(ANSWER_PAUSE);
	}

	/** Whether the blocks on the page are those of the open session. */
	get isShown() {
		return this.source?.key === this.shownKey && !this.stale;
	}

	/** Call when the blocks of a source are drawn. @param {number} key 0: those on the page are old */
	show(key) {
		this.stale = key === 0;
		if (!this.stale) this.shownKey = key;
		this.session.dataset.stale = String(this.stale);
	}

	/** @param {Source} next */
	take(next) {
		this.setSource(next);
		this.pack();
	}

	/** @param {Source} next */
	setSource(next) {
		this.source = next;
		this.choices.of.clear();
		if (this.opening.returning) this.choices.recall(next);
		this.server.forget();
		this.output.requests.forget();
		this.repairView.forget();
		this.replay.hold(next);
		this.input.hold(next);
		byId("came").hidden = next.origin !== "link";
		this.updateLink(next);
	}

	/** Keeps the session of a link in the address as long as that session is open. @param {Source} of */
	updateLink({ name, link }) {
		keepInHash(link ? { name, session: link } : {});
		if (link || sessionIn(location.hash)) this.policy.write();
	}

	/** @param {number} pause */
	packLater(pause) {
		clearTimeout(this.timer);
		this.server.changed();
		this.timer = setTimeout(() => this.pack(), pause);
		if (this.source) this.progress.soon();
	}

	pack() {
		clearTimeout(this.timer);
		this.timer = 0;
		if (!this.source) return;
		this.progress.begin(this.source);
		if (!this.ready) return;
		this.choices.keep(this.source);
		this.output.wait();
		this.engine.submit({
			kind: "pack",
			source: this.source,
			preset: this.policy.preset,
			policy: this.policy.patch(),
			force: this.policy.force,
			focus: this.policy.focus,
			thinking: this.policy.thinking,
			chosen: this.choices.given(),
			answers: this.output.requests.given(),
			...this.counter.counting(),
		});
	}

	/** Requests the data of the open tab if no other job is running or waiting. */
	requestView() {
		const view = this.output.pendingView();
		if (!view || !this.source || this.timer || this.engine.running) return;
		this.progress.begin(this.source);
		this.engine.submit({
			kind: "view",
			source: this.source,
			preset: this.policy.preset,
			policy: this.policy.patch(),
			view,
		});
	}

	/** How the session on the page is compacted. */
	choice() {
		return {
			preset: this.policy.preset,
			policy: this.policy.patch(),
			force: this.policy.force === true || this.assumedTrigger !== null,
			focus: this.policy.focus,
			...this.choices.given(),
			...(this.policy.thinking && this.inspection?.bindsThinking ? { thinking: this.policy.thinking } : {}),
		};
	}

	/** The request for a server to compact the session on the page, after all pending changes. */
	async compactionRequest() {
		if (this.timer || this.engine.running) await new Promise((resolve) => this.idleWaiters.push(() => resolve(null)));
		if (!this.source) throw new Error("there is no session");
		return { conversation: await this.source.blob.text(), ...this.choice() };
	}

	/**
	 * Compacts again with the answers of a server.
	 * @param {Map<string, import("./engine/types.js").Served>} served
	 * @param {string} name
	 */
	takeServed(served, name) {
		this.output.requests.serve(served, name);
		this.history.record("the summaries of the server");
		this.pack();
	}

	/** @param {boolean} atOnce replace the session at once; false: only show the repair */
	repair(atOnce) {
		if (!this.source) return;
		this.acceptAtOnce = atOnce;
		if (atOnce && this.repairView.repaired?.key === this.source.key)
			return this.answers.acceptRepair(this.repairView.repaired);
		this.progress.begin(this.source);
		this.engine.submit({ kind: "repair", source: this.source, preset: this.policy.preset, policy: {} });
	}
}

showFaults();
new Page().start();
