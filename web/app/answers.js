// This file puts what the engine thread answers into the state: the inspection, the packed session, a repair, or the
// failure.

import { withOutcome } from "./blocks/fates.js";
import { layOut } from "./blocks/rows.js";
import { calibrated, calibratedOutput } from "./engine/calibrated.js";
import { known } from "./policy/chosen.js";
import { keepFiles } from "./session/offline.js";

/** @import { FromWorker, Inspection, Source } from "./engine/types.js" */
/** @import { Session } from "./session/session.js" */

/** Whether counts are those of the provider: not if the user has chosen another counter. @param {Session} session */
const asProvider = ({ state }) => ["estimate", "auto"].includes(state.counter);

/** @param {Session} session @param {FromWorker} message */
export function onMessage(session, message) {
	const { store, state } = session;
	switch (message.type) {
		case "ready":
			if (session.ready) return; // a worker in the place of one that was stopped
			session.ready = true;
			store.put({ loads: {}, presets: message.presets, policy: known(state.policy, message.presets) });
			if (state.source) session.history.begin();
			void keepFiles();
			return session.pack();
		case "loading":
			if (session.ready) return;
			return store.put({ loads: { ...state.loads, engine: { ...state.loads.engine, bytes: message.bytes } } });
		case "broken":
			store.put({ work: { is: "idle", size: 0 } });
			return void session.opener.refuse({
				code: "internal",
				path: "",
				message: `cannot start the engine: ${message.message}`,
			});
		case "stage":
			return store.put({ work: { ...state.work, at: message } });
		case "inspection":
			return onInspection(session, message);
		case "output":
			return onOutput(session, message);
		case "view":
			return store.put({ viewed: { view: message.view }, look: null });
		case "repaired": {
			const { blob, problems, view } = message;
			if (session.repairAtOnce) return session.acceptRepair({ blob, problems, view });
			return store.put({ repair: { is: "preview", blob, problems, view } });
		}
		case "failed":
			return onFailure(session, message);
		case "done":
			if (session.timer) return store.put({ work: { ...state.work, is: "soon" } });
			store.put({ work: { is: "idle", size: 0 }, settled: session.isShown });
			for (const go of session.idleWaiters.splice(0)) go();
			return session.requestView();
	}
}

/** @param {Session} session @param {Extract<FromWorker, {type: "inspection"}>} message */
function onInspection(session, { inspection, waiting }) {
	const { store, state } = session;
	if (!state.source) return;
	const seen = asProvider(session) ? calibrated(inspection) : inspection;
	store.put({ counted: inspection, seen, waiting, trigger: seen.trigger });
	// With summaries the inspected size is an upper bound. A new session shows it at once; a changed policy waits for the
	// final one, so that the numbers change once.
	session.pending = session.isShown && seen.messages.some((m) => m.blocks.some((block) => block.fate === "summarized"));
	if (!session.pending) show(session, state.source, seen);
}

/** @param {Session} session @param {Extract<FromWorker, {type: "output"}>} message in the tokens of the counter */
function onOutput(session, message) {
	const { store, state } = session;
	const { seen, counted, source } = state;
	if (!seen || !counted || !source) return;
	const output = asProvider(session) ? calibratedOutput(message, counted) : message;
	const after = withOutcome(seen, output);
	const summarized = output.rounds.some(({ regions }) => regions.length > 0);
	if (session.pending || summarized || output.after !== seen.after) show(session, source, after);
	else
		for (const { block, message: at, position } of state.shown?.laid.rows ?? [])
			if (at >= 0) block.replacement = after.messages[at]?.blocks[position]?.replacement;
	session.pending = false;
	store.put({ seen: { ...seen, after: output.after }, output: { ...output, is: "done" } });
}

/** @param {Session} session @param {Source} source @param {Inspection} seen */
function show({ store }, source, seen) {
	store.put({ shown: { source, seen, laid: layOut(seen) }, stale: false, refused: null, unread: null, size: null });
}

/** @param {Session} session @param {Extract<FromWorker, {type: "failed"}>} message */
function onFailure(session, { during, failure }) {
	const { store, state } = session;
	if (during === "learning") {
		store.put({ unlearned: failure });
		return session.packLater(0);
	}
	if (failure.code === "bad_policy") {
		if (!state.shown) void session.opener.refuse(failure); // else its fields are on the page
		return store.put({ refused: failure });
	}
	if (during === "packing") {
		if (session.pending && state.seen && state.source) show(session, state.source, state.seen);
		session.pending = false;
		return store.put({ output: { is: "failed", failure } });
	}
	if (during === "viewing") return store.put({ viewed: { failure }, look: null });
	if (during === "repairing") return store.put({ repair: { is: "failed", failure } });
	// While the user types, the last good view stays, dimmed. Any other input that cannot be read hides the view of the
	// old session.
	store.put({ stale: true, ...(state.source?.origin === "edit" ? {} : { shown: null }) });
	void session.opener.refuse(failure);
}
