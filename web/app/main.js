// This file is the page: it holds the state, hands jobs to the worker and answers to the parts that draw them.

import { Blocks } from "./blocks.js";
import { byId } from "./dom.js";
import { Details } from "./details.js";
import { Engine } from "./engine.js";
import { withOutcome } from "./fates.js";
import { Input } from "./input.js";
import { Numbers } from "./numbers.js";
import { Output } from "./output.js";
import { PolicyForm } from "./policy.js";
import { Problems } from "./problems.js";
import { Progress } from "./progress.js";
import { layOut } from "./rows.js";
import { startTheme } from "./theme.js";
import { toast } from "./toast.js";
import { plural } from "./words.js";

/** @typedef {import("./types.js").Source} Source */
/** @typedef {import("./types.js").FromWorker} FromWorker */

const EDIT_PAUSE = 250; // ms without a keystroke before an edited text is packed again
const PARAM_PAUSE = 40; // ms: a slider moves more often than anyone can see
const ANSWER_PAUSE = 200; // ms without a keystroke before an answer typed by hand is put in
const UNDO_DEPTH = 10;

/** @type {Source | null} */
let source = null;
/** @type {Source[]} */
const past = [];
/** @type {import("./types.js").Inspection | null} what the engine foresees */
let inspection = null;
let limit = 0; // tokens above which summaries are due
/** @type {import("./types.js").Trigger | null} what the policy waits for, where the page went on as if it had fired */
let assumed = null;
let shown = 0; // key of the source whose blocks stand on the page
let pending = false; // the inspection waits for its summaries
let ready = false;
let timer = 0;

const session = byId("session");
const progress = new Progress();
const details = new Details({ jump: (path) => blocks.jump(path), partner: (row) => blocks.partner(row) });
const blocks = new Blocks((row) => {
	details.show(row);
	numbers.mark(row);
});
const numbers = new Numbers({ choose: (index) => blocks.select(index, true), hover: (index) => blocks.hover(index), force: () => policy.compactNow(true) });
const problems = new Problems({ jump: (path) => blocks.jump(path), repair });
const output = new Output({ jump: (path) => blocks.jump(path), answer: () => later(ANSWER_PAUSE), look });
const policy = new PolicyForm(() => later(PARAM_PAUSE));
const input = new Input({ open, edit, undo });
const engine = new Engine(hear);
startTheme(() => numbers.draw());

/** Replaces the session. @param {Source} next */
function open(next) {
	if (source) {
		past.push(source);
		if (past.length > UNDO_DEPTH) past.shift();
		if (next.origin !== "repair") toast(`Opened ${next.name} in place of ${source.name}.`, { label: "Undo", act: undo });
	}
	take(next);
}

/** Takes the text of the same session as someone types it. @param {Source} next */
function edit(next) {
	source = next;
	later(EDIT_PAUSE);
}

function undo() {
	const back = past.pop();
	if (back) take(back);
}

/** @param {Source} next */
function take(next) {
	source = next;
	output.requests.forget();
	input.hold(next, past.length > 0);
	pack();
}

/** @param {number} pause */
function later(pause) {
	clearTimeout(timer);
	timer = setTimeout(pack, pause);
	if (source && ready) progress.soon();
}

function pack() {
	clearTimeout(timer);
	timer = 0;
	if (!source || !ready) return;
	progress.begin(source);
	output.wait();
	engine.submit({ kind: "pack", source, preset: policy.preset, policy: policy.patch(), force: policy.force, answers: output.requests.given() });
}

/** Asks for what the open tab shows, once nothing more urgent is under way. */
function look() {
	const view = output.wants();
	if (!view || !source || timer || engine.running) return;
	progress.begin(source);
	engine.submit({ kind: "view", source, preset: policy.preset, policy: policy.patch(), view });
}

function repair() {
	if (!source) return;
	progress.begin(source);
	engine.submit({ kind: "repair", source, preset: policy.preset, policy: {} });
}

/** @param {FromWorker} message */
function hear(message) {
	switch (message.type) {
		case "ready":
			ready = true;
			policy.offer(message.presets);
			return pack();
		case "broken":
			return input.fail({ code: "internal", path: "", message: `cannot start the engine: ${message.message}` });
		case "stage":
			return progress.stage(message);
		case "inspection":
			return foresee(message);
		case "output":
			return conclude(message);
		case "view":
			return output.look(message.view);
		case "repaired":
			return repaired(message);
		case "failed":
			return fail(message);
		case "done":
			if (timer) return progress.soon();
			progress.end();
			return look();
	}
}

/** @param {Extract<FromWorker, {type: "inspection"}>} message */
function foresee({ inspection: seen, limit: above, waiting }) {
	if (!source) return;
	inspection = seen;
	limit = above;
	assumed = waiting;
	tellTrigger(seen);
	// Summaries make the foreseen size an upper bound. A new session shows it at once; a changed policy waits for the true one,
	// so that the numbers change once.
	pending = source.key === shown && session.dataset.stale === "false" && seen.messages.some((m) => m.blocks.some((block) => block.fate === "summarized"));
	if (!pending) show(seen);
}

/** @param {Extract<FromWorker, {type: "output"}>} message */
function conclude(message) {
	if (!inspection) return;
	if (pending || message.rounds.some(({ regions }) => regions.length > 0)) show(withOutcome(inspection, message));
	pending = false;
	const [first] = message.rounds;
	tellTrigger({ ...inspection, after: message.after }, first?.regions.length > 0 ? first.target : 0);
	numbers.explain({ ...inspection, after: message.after }, message.actions);
	output.show(message);
}

/**
 * @param {{trigger: import("./types.js").Trigger, before: number, after: number}} seen
 * @param {number} [target]
 */
function tellTrigger({ trigger, before, after }, target = 0) {
	policy.trigger(trigger, { before, after, limit }, target);
	policy.assume(assumed !== null, assumed ?? trigger, { before, after: before, limit });
}

/** @param {import("./types.js").Inspection} seen */
function show(seen) {
	if (!source) return;
	const laid = layOut(seen);
	input.accept(seen, laid.rows.length);
	session.hidden = false;
	session.dataset.stale = "false";
	shown = source.key;
	numbers.show(seen, laid.rows);
	problems.show(seen);
	policy.accept(laid.rows);
	blocks.show(laid, source.key);
	output.name(source.name, seen.format);
}

/** @param {Extract<FromWorker, {type: "repaired"}>} message */
function repaired({ blob, problems: mended }) {
	if (!source) return;
	const base = source.name;
	open({ key: input.nextKey(), name: base, blob, origin: "repair" });
	problems.report(mended);
	toast(`Repaired ${plural(mended.length, "problem")}.`, { label: "Undo", act: undo });
}

/** @param {Extract<FromWorker, {type: "failed"}>} message */
function fail({ during, failure }) {
	if (failure.code === "bad_policy") return policy.fail(failure);
	if (during === "packing") {
		if (pending && inspection) show(inspection);
		pending = false;
		return output.fail(failure);
	}
	if (during === "viewing") return output.failLook(failure);
	if (during === "repairing") return problems.fail(failure);
	// While someone types, the last good view stays, dimmed; a new input that cannot be read must not stand above an old view.
	session.dataset.stale = "true";
	if (source?.origin !== "edit") session.hidden = true;
	input.fail(failure);
}

document.addEventListener("keydown", (event) => {
	const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
	if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === "z" && !typing && past.length > 0) {
		event.preventDefault();
		undo();
	}
});
