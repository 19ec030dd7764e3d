// This file is the page: it holds the state, hands jobs to the worker and answers to the parts that draw them.

import { Blocks } from "./blocks.js";
import { byId } from "./dom.js";
import { Details } from "./details.js";
import { Engine } from "./engine.js";
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
const UNDO_DEPTH = 10;

/** @type {Source | null} */
let source = null;
/** @type {Source[]} */
const past = [];
/** @type {import("./types.js").Inspection | null} what stands on the page */
let inspection = null;
let ready = false;
let timer = 0;

const session = byId("session");
const progress = new Progress();
const details = new Details({ jump: (path) => blocks.jump(path), partner: (row) => blocks.partner(row) });
const blocks = new Blocks((row) => {
	details.show(row);
	numbers.mark(row);
});
const numbers = new Numbers({ choose: (index) => blocks.select(index, true), hover: (index) => blocks.hover(index) });
const problems = new Problems({ jump: (path) => blocks.jump(path), repair });
const output = new Output({ jump: (path) => blocks.jump(path) });
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
	engine.submit({ kind: "pack", source, preset: policy.preset, policy: policy.patch() });
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
			return show(message.inspection);
		case "output":
			if (inspection) numbers.explain(inspection, message.actions);
			return output.show(message);
		case "repaired":
			return repaired(message);
		case "failed":
			return fail(message);
		case "done":
			return timer ? progress.soon() : progress.end();
	}
}

/** @param {import("./types.js").Inspection} seen */
function show(seen) {
	if (!source) return;
	inspection = seen;
	const laid = layOut(inspection);
	input.accept(inspection, laid.rows.length);
	session.hidden = false;
	session.dataset.stale = "false";
	numbers.show(inspection, laid.rows);
	problems.show(inspection);
	policy.accept(laid.rows);
	blocks.show(laid, source.key);
	output.name(source.name, inspection.format);
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
	if (during === "packing") return output.fail(failure);
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
