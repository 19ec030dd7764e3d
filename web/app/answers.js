// This file draws what the engine thread answers: the inspection, the packed session, a repair, or the failure.

import { withOutcome } from "./blocks/fates.js";
import { byId } from "./ui/dom.js";
import { calibrated, calibratedOutput } from "./engine/calibrated.js";
import { keepFiles } from "./session/offline.js";
import { piecesOf } from "./session/drawing.js";
import { toast } from "./ui/toast.js";
import { plural } from "./ui/words.js";

/** @import { FromWorker } from "./engine/types.js" */
/** @import { Page } from "./main.js" */

export class Answers {
	/** @param {Page} page */
	constructor(page) {
		this.page = page;
	}

	/** Whether counts are those of the provider: not if the user has chosen another counter. */
	get asProvider() {
		return ["estimate", "auto"].includes(this.page.counter.chosen);
	}

	/** @param {FromWorker} message */
	onMessage(message) {
		switch (message.type) {
			case "ready":
				if (this.page.ready) return; // a worker in the place of one that was stopped
				this.page.ready = true;
				this.page.policy.offer(message.presets);
				this.page.places.folder.offer(message.presets);
				if (this.page.source) this.page.history.begin();
				void keepFiles();
				return this.page.pack();
			case "loading":
				if (this.page.source && !this.page.ready) this.page.progress.loading(message.bytes);
				return;
			case "broken":
				this.page.progress.end();
				return void this.page.input.searchOrFail({
					code: "internal",
					path: "",
					message: `cannot start the engine: ${message.message}`,
				});
			case "stage":
				return this.page.progress.stage(message);
			case "inspection":
				return this.onInspection(message);
			case "output":
				return this.onOutput(message);
			case "view":
				return this.page.output.showView(message.view);
			case "repaired":
				return this.onRepaired(message);
			case "failed":
				return this.onFailure(message);
			case "done":
				if (this.page.timer) return this.page.progress.soon();
				this.page.progress.end();
				if (this.page.source && this.page.isShown)
					this.page.replay.show(this.page.source, {
						model: this.page.inspection?.model,
						counter: this.page.counter.counted,
						vocabularies: this.page.counter.vocabularies.of(this.page.counter.counted),
					});
				for (const go of this.page.idleWaiters.splice(0)) go();
				return this.page.requestView();
		}
	}

	/** @param {Extract<FromWorker, {type: "inspection"}>} message */
	onInspection({ inspection: raw, waiting }) {
		if (!this.page.source) return;
		this.page.counted = raw;
		const seen = this.asProvider ? calibrated(raw) : raw;
		this.page.inspection = seen;
		this.page.assumedTrigger = waiting;
		this.showTrigger(seen.trigger);
		// With summaries the inspected size is an upper bound. A new session shows it at once; a changed policy waits
		// for the final one, so that the numbers change once.
		this.page.pending =
			this.page.isShown && seen.messages.some((m) => m.blocks.some((block) => block.fate === "summarized"));
		if (!this.page.pending) this.show(seen);
	}

	/** @param {Extract<FromWorker, {type: "output"}>} counted in the tokens of the counter */
	onOutput(counted) {
		if (!this.page.inspection || !this.page.counted) return;
		const message = this.asProvider ? calibratedOutput(counted, this.page.counted) : counted;
		const summarized = message.rounds.some(({ regions }) => regions.length > 0);
		if (this.page.pending || summarized || message.after !== this.page.inspection.after)
			this.show(withOutcome(this.page.inspection, message));
		else this.page.blocks.replace(withOutcome(this.page.inspection, message));
		this.page.pending = false;
		this.showTrigger(this.page.inspection.trigger);
		const seen = { ...this.page.inspection, after: message.after };
		const pieces = [
			() => this.page.numbers.explain(seen, message.actions),
			...this.page.output.show(message),
			() => this.page.server.settled(message.rounds),
			() => this.updateTakeaway(seen.format, message.rounds),
		];
		// The result of a policy that has changed meanwhile must not be offered for download.
		this.page.pieces.add(...pieces.map((piece) => () => this.page.engine.isCurrent(message) && piece()));
	}

	/** @param {import("./engine/types.js").Trigger} trigger */
	showTrigger(trigger) {
		this.page.policy.trigger(trigger);
		byId("saved-cap").textContent = this.page.assumedTrigger ? "saved if compacted now" : "saved";
		byId("session").dataset.assumed = String(this.page.assumedTrigger !== null);
		this.page.policy.assume(this.page.assumedTrigger !== null, this.page.assumedTrigger ?? trigger);
	}

	/** @param {import("./engine/types.js").Inspection} seen */
	show(seen) {
		const { source } = this.page;
		if (!source) return;
		// A session that another one has replaced is not drawn further.
		const current = () => this.page.source === source || this.page.source?.origin === "edit";
		this.page.pieces.add(...piecesOf(this.page, source, seen).map((piece) => () => current() && piece()));
	}

	/**
	 * Updates the code and the policy that the user can copy.
	 * @param {string} format
	 * @param {import("./engine/types.js").Round[]} rounds
	 */
	updateTakeaway(format, rounds) {
		if (!this.page.source) return;
		const choice = { ...this.page.choice(), counter: this.page.inspection?.counter ?? "estimate" };
		const byHand = rounds.flatMap(({ requests }) => requests).filter(({ by }) => by !== "extract").length;
		this.page.takeaway.show({ choice, whole: this.page.policy.whole(), name: this.page.source.name, format, byHand });
	}

	/** @param {Extract<FromWorker, {type: "repaired"}>} message */
	onRepaired({ blob, problems: list, view }) {
		if (!this.page.source) return;
		const repaired = { key: this.page.source.key, blob, problems: list, view };
		if (this.page.acceptAtOnce) this.acceptRepair(repaired);
		else this.page.repairView.preview(repaired);
	}

	/** Puts the repaired session in place. @param {import("./session/repairView.js").Repaired} repaired */
	acceptRepair(repaired) {
		if (!this.page.source) return;
		const before = this.page.source;
		this.page.unrepaired = before;
		this.page.open({ key: this.page.input.nextKey(), name: before.name, blob: repaired.blob, origin: "repair" });
		this.page.repairView.accepted(repaired);
		this.page.problems.report(repaired.problems);
		toast(`Repaired ${plural(repaired.problems.length, "problem")}.`, {
			label: "Undo",
			act: () => this.page.backTo(before, "repair undone"),
		});
	}

	/** @param {Extract<FromWorker, {type: "failed"}>} message */
	onFailure({ during, failure }) {
		if (during === "learning") {
			this.page.counter.refuse(failure.message);
			return this.page.packLater(0);
		}
		if (failure.code === "bad_policy") {
			if (this.page.session.hidden) void this.page.input.searchOrFail(failure); // else its fields are on the page
			return this.page.policy.fail(failure);
		}
		if (during === "packing") {
			if (this.page.pending && this.page.inspection) this.show(this.page.inspection);
			this.page.pending = false;
			this.page.server.settled([]);
			if (this.page.inspection) {
				this.page.numbers.explain(this.page.inspection, this.page.inspection.actions);
				this.updateTakeaway(this.page.inspection.format, []);
			}
			return this.page.output.fail(failure);
		}
		if (during === "viewing") return this.page.output.failView(failure);
		if (during === "repairing") return this.page.problems.fail(failure);
		// While the user types, the last good view stays, dimmed. Any other input that cannot be read hides the view of
		// the old session.
		this.page.show(0);
		if (this.page.source?.origin !== "edit") this.page.session.hidden = true;
		void this.page.input.searchOrFail(failure);
	}
}
