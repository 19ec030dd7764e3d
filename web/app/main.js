// This file is the page: it holds the state, hands jobs to the worker and answers to the parts that draw them.

import { Blocks } from "./blocks/blocks.js";
import { CounterChoice } from "./policy/counter.js";
import { byId } from "./ui/dom.js";
import { Details } from "./blocks/details.js";
import { Engine } from "./engine/engine.js";
import { withOutcome } from "./blocks/fates.js";
import { keepBeside } from "./session/hash.js";
import { History } from "./session/history.js";
import { Input } from "./session/input.js";
import { startKeys } from "./ui/keyList.js";
import { BadLink, sessionIn, unpack } from "./session/link.js";
import { Mending } from "./session/repairView.js";
import { Numbers } from "./blocks/numbers.js";
import { keepFiles } from "./session/offline.js";
import { Output } from "./output/output.js";
import { PolicyForm } from "./policy/policy.js";
import { Problems } from "./session/problems.js";
import { Progress } from "./ui/progress.js";
import { Recent } from "./session/recent.js";
import { Reading } from "./reading/reading.js";
import { SessionReplay } from "./replay/replay.js";
import { layOut } from "./blocks/rows.js";
import { Server } from "./output/server.js";
import { Share } from "./session/share.js";
import { Takeaway } from "./output/takeaway.js";
import { startTheme } from "./ui/theme.js";
import { toast } from "./ui/toast.js";
import { TokenPanel } from "./reading/tokenPanel.js";
import { Typing } from "./engine/typing.js";
import { plural } from "./ui/words.js";

/** @typedef {import("./engine/types.js").Source} Source */
/** @typedef {import("./engine/types.js").FromWorker} FromWorker */

const EDIT_PAUSE = 250; // ms without a keystroke before an edited text is packed again
const LONG = 200_000; // characters: to pack such a text while it is typed would hold up its count
const LONG_PAUSE = 700; // ms
const PARAM_PAUSE = 40; // ms: a slider moves more often than anyone can see
const ANSWER_PAUSE = 200; // ms without a keystroke before an answer typed by hand is put in

/** @type {Source | null} */
let source = null;
/** @type {import("./engine/types.js").Inspection | null} what the engine foresees */
let inspection = null;
let limit = 0; // tokens above which summaries are due
/** @type {import("./engine/types.js").Trigger | null} what the policy waits for, where the page went on as if it had fired */
let assumed = null;
let shown = 0; // key of the source whose blocks stand on the page
/** @type {Source | null} what the last repair was made of */
let unrepaired = null;
let mendAtOnce = true; // what the repair under way is for: to be put in place, else to be looked at
let pending = false; // the inspection waits for its summaries
let ready = false;
let timer = 0;
/** Who waits until all that was asked for stands on the page. @type {(() => void)[]} */
const patient = [];

const session = byId("session");
const progress = new Progress();
const reading = new Reading();
const details = new Details({ jump: (path) => blocks.jump(path), partner: (row) => blocks.partner(row), glance: (row) => tokens.beside(row, () => reading.glance.show(row)) });
const blocks = new Blocks((row) => {
	details.show(row);
	numbers.mark(row);
}, reading.acts);
reading.blocks = blocks;
const numbers = new Numbers({ choose: (index) => blocks.select(index, true), hover: (index) => blocks.hover(index), force: () => policy.compactNow(true) });
const problems = new Problems({ jump: (path) => blocks.jump(path), repair: () => repair(true) });
const mending = new Mending({ ask: () => repair(false), accept: mend, back: () => unrepaired && back(unrepaired, "repair taken back") });
const output = new Output({ jump: (path) => blocks.jump(path), answer, look, requests: () => void server.find() });
const server = new Server({ wish, take: serve });
const policy = new PolicyForm((what, merge) => {
	past.record(what, merge);
	later(PARAM_PAUSE);
});
const past = new History({ now: () => ({ source, chosen: { ...policy.chosen(), counter: counter.chosen }, answers: [...output.requests.answers] }), put, changed: tellHistory });
const input = new Input({ open, edit });
const recent = new Recent({ open: (name, blob) => open({ key: input.nextKey(), name, blob, origin: "recent" }) });
const takeaway = new Takeaway({ server: async () => (await server.find(), server.about !== null) });
const share = new Share({ query: () => policy.query() });
const counter = new CounterChoice({ changed: recount, ready: () => later(0) });
const replay = new SessionReplay(policy);
const engine = new Engine(hear);
const tokens = new TokenPanel({ counter, texts: reading.texts, engine });
const typing = new Typing({ counter, engine, show: sizeTyped });
startTheme(() => numbers.draw());

/** Replaces the session. @param {Source} next */
function open(next) {
	const before = source;
	take(next);
	past.record(next.origin === "repair" ? "repair" : `opened ${next.name}`);
	if (before && next.origin !== "repair") toast(`Opened ${next.name} in place of ${before.name}.`, { label: "Undo", act: () => back(before, `back to ${before.name}`) });
}

/** Takes the text of the same session as someone types it. @param {Source} next */
function edit(next) {
	source = next;
	beside(next);
	mending.forget();
	past.record("typing", "text");
	const text = input.text.value;
	replay.pause();
	later(text.length > LONG ? LONG_PAUSE : EDIT_PAUSE);
	typing.count(text, next.key);
}

/** The size of what is being typed, as long as it is the last word. @param {import("./engine/queries.js").Size} size @param {number} key */
function sizeTyped(size, key) {
	if (source?.origin !== "edit" || key <= shown) return;
	numbers.typed(size.total);
	counter.show(size, inspection?.model);
}

/** Someone chose another counter. */
function recount() {
	past.record(`counter ${counter.chosen}`);
	policy.write();
}

/** Goes back to a session that another one took the place of. @param {Source} to @param {string} label */
function back(to, label) {
	if (past.past.at(-1)?.state.source === to) return past.undo();
	take(to);
	past.record(label);
}

/** @param {import("./session/history.js").State} state */
function put({ source: next, chosen, answers }) {
	if (next && next !== source) hold(next);
	output.requests.answers = new Map(answers);
	counter.restore(chosen.counter ?? counter.chosen);
	policy.restore(chosen);
	later(0);
}

/** @param {string} undo @param {string} redo what each would do */
function tellHistory(undo, redo) {
	for (const [id, what] of [["undo", undo], ["redo", redo]]) {
		const button = byId(id);
		button.disabled = !what;
		button.title = what ? `${id === "undo" ? "Undo" : "Redo"}: ${what}` : "";
	}
}

function answer() {
	past.record("an answer", "answer");
	later(ANSWER_PAUSE);
}

/** @param {Source} next */
function take(next) {
	hold(next);
	pack();
}

/** @param {Source} next */
function hold(next) {
	source = next;
	server.forget();
	output.requests.forget();
	mending.forget();
	replay.hold(next);
	input.hold(next);
	byId("came").hidden = next.origin !== "link";
	beside(next);
}

/** The address holds the session of a link for as long as that one is open. @param {Source} of */
function beside({ name, link }) {
	keepBeside(link ? { name, session: link } : {});
	if (link || sessionIn(location.hash)) policy.write();
}

/** Opens the session that the address carries, if it does. */
async function openLink() {
	const found = sessionIn(location.hash);
	if (!found || found.text === source?.link) return;
	try {
		const blob = await unpack(found.text);
		open({ key: input.nextKey(), name: found.name, blob, origin: "link", link: found.text });
	} catch (cause) {
		const why = cause instanceof BadLink ? cause.message : "this browser cannot unpack it";
		input.warn({ code: "bad_link", path: "", message: `cannot open the session of this link: ${why}` });
	}
}

/** @param {number} pause */
function later(pause) {
	clearTimeout(timer);
	server.changed();
	timer = setTimeout(pack, pause);
	if (source && ready) progress.soon();
}

function pack() {
	clearTimeout(timer);
	timer = 0;
	if (!source || !ready) return;
	progress.begin(source);
	output.wait();
	engine.submit({ kind: "pack", source, preset: policy.preset, policy: policy.patch(), force: policy.force, focus: policy.focus, answers: output.requests.given(), ...counter.counting() });
}

/** Asks for what the open tab shows, once nothing more urgent is under way. */
function look() {
	const view = output.wants();
	if (!view || !source || timer || engine.running) return;
	progress.begin(source);
	engine.submit({ kind: "view", source, preset: policy.preset, policy: policy.patch(), view });
}

/** What a server is to compact: what stands on the page, once that is the last word. */
async function wish() {
	if (timer || engine.running) await new Promise((resolve) => patient.push(() => resolve(null)));
	if (!source) throw new Error("there is no session");
	return { conversation: await source.blob.text(), preset: policy.preset, policy: policy.patch(), force: policy.force === true || assumed !== null, focus: policy.focus };
}

/**
 * Packs anew with the answers of a server in.
 * @param {Map<string, import("./engine/types.js").Served>} served
 * @param {string} name
 */
function serve(served, name) {
	output.requests.serve(served, name);
	past.record("the summaries of the server");
	pack();
}

/** @param {boolean} atOnce else it is only shown */
function repair(atOnce) {
	if (!source) return;
	mendAtOnce = atOnce;
	if (atOnce && mending.mended?.key === source.key) return mend(mending.mended);
	progress.begin(source);
	engine.submit({ kind: "repair", source, preset: policy.preset, policy: {} });
}

/** @param {FromWorker} message */
function hear(message) {
	switch (message.type) {
		case "ready":
			ready = true;
			policy.offer(message.presets);
			if (!source) void openLink();
			void keepFiles();
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
			if (source && shown === source.key && session.dataset.stale === "false") replay.show(source, { model: inspection?.model, counter: counter.counted, vocabularies: counter.vocabularies.of(counter.counted) });
			for (const go of patient.splice(0)) go();
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
	server.settled(message.rounds);
	standing(inspection.format, message.rounds);
}

/**
 * @param {{trigger: import("./engine/types.js").Trigger, before: number, after: number}} seen
 * @param {number} [target]
 */
function tellTrigger({ trigger, before, after }, target = 0) {
	policy.trigger(trigger, { before, after, limit }, target);
	policy.assume(assumed !== null, assumed ?? trigger, { before, after: before, limit });
}

/** @param {import("./engine/types.js").Inspection} seen */
function show(seen) {
	if (!source) return;
	const laid = layOut(seen);
	input.accept(seen, laid.rows.length);
	session.hidden = false;
	session.dataset.stale = "false";
	shown = source.key;
	numbers.show(seen, laid.rows);
	counter.show({ ...seen, total: seen.before }, seen.model);
	problems.show(seen);
	mending.offer(seen.problems.some((problem) => problem.repair));
	recent.opened(source, seen.format);
	share.show(source);
	policy.accept(laid.rows);
	blocks.show(laid, source.key, reading.take(laid, source, seen.format));
	output.name(source.name, seen.format);
}

/** Tells what can be taken along. @param {string} format @param {import("./engine/types.js").Round[]} rounds */
function standing(format, rounds) {
	if (!source) return;
	const choice = { preset: policy.preset, policy: policy.patch(), force: policy.force === true || assumed !== null, focus: policy.focus, counter: inspection?.counter ?? "estimate" };
	const byHand = rounds.flatMap(({ requests }) => requests).filter(({ by }) => by !== "extract").length;
	takeaway.show({ choice, whole: policy.whole(), name: source.name, format, byHand });
}

/** @param {Extract<FromWorker, {type: "repaired"}>} message */
function repaired({ blob, problems: list, view }) {
	if (!source) return;
	const mended = { key: source.key, blob, problems: list, view };
	if (mendAtOnce) mend(mended);
	else mending.preview(mended);
}

/** Puts the repaired session in place. @param {import("./session/repairView.js").Mended} mended */
function mend(mended) {
	if (!source) return;
	const before = source;
	unrepaired = before;
	open({ key: input.nextKey(), name: before.name, blob: mended.blob, origin: "repair" });
	mending.accepted(mended);
	problems.report(mended.problems);
	toast(`Repaired ${plural(mended.problems.length, "problem")}.`, { label: "Undo", act: () => back(before, "repair taken back") });
}

/** @param {Extract<FromWorker, {type: "failed"}>} message */
function fail({ during, failure }) {
	if (during === "learning") {
		counter.refuse(failure.message);
		return later(0);
	}
	if (failure.code === "bad_policy") return policy.fail(failure);
	if (during === "packing") {
		if (pending && inspection) show(inspection);
		pending = false;
		server.settled([]);
		return output.fail(failure);
	}
	if (during === "viewing") return output.failLook(failure);
	if (during === "repairing") return problems.fail(failure);
	// While someone types, the last good view stays, dimmed; a new input that cannot be read must not stand above an old view.
	session.dataset.stale = "true";
	if (source?.origin !== "edit") session.hidden = true;
	input.fail(failure);
}

byId("undo").addEventListener("click", () => past.undo());
byId("redo").addEventListener("click", () => past.redo());
addEventListener("hashchange", () => void openLink());
startKeys({ undo: () => past.undo(), redo: () => past.redo(), jump: (path) => blocks.jump(path), policy });
