// This file shows the changes of a repair, message by message, before and after it is accepted.

import { DiffView } from "../output/diffView.js";
import { byId } from "../ui/dom.js";

/** @import { Problem } from "../engine/types.js" */
/** @typedef {Extract<import("../engine/types.js").View, {name: "diff"}>} Diff */
/** @typedef {{blob: Blob, problems: Problem[], view: Diff}} Repaired */

export class RepairView {
	/** @param {import("../store.js").Store} store @param {import("./session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		this.root = byId("repair-view");
		this.title = byId("repair-view-title");
		this.opener = byId("repair-look");
		this.accept = byId("repair-view-accept");
		this.back = byId("repair-view-back");
		this.diff = new DiffView("repair-view-diff");
		this.opener.addEventListener("click", () =>
			this.root.hidden ? (this.repaired ? this.open() : session.repair(false)) : this.close(),
		);
		this.accept.addEventListener("click", () =>
			this.done ? this.close() : this.repaired && session.acceptRepair(this.repaired),
		);
		this.back.addEventListener("click", () => {
			this.close();
			if (this.done) session.undoRepair();
		});
		store.watch(["repair", "shown"], () => this.draw());
		store.watch(["repair"], ({ repair }) => {
			if (repair === null) this.root.hidden = true;
			if (repair?.is === "preview") this.open();
		});
	}

	get repaired() {
		const { repair } = this.store.state;
		return repair && repair.is !== "failed" ? repair : null;
	}

	/** Whether it is accepted: the page shows the repaired session. */
	get done() {
		return this.store.state.repair?.is === "accepted";
	}

	/** Shows the button that opens this view, if there is something to repair, or to see again. */
	draw() {
		const { shown } = this.store.state;
		this.opener.hidden = !this.done && !shown?.seen.problems.some(({ repair }) => repair);
		this.opener.textContent = this.done ? "See the changes again" : "See the changes first";
		this.opener.setAttribute("aria-expanded", String(!this.root.hidden));
	}

	open() {
		if (!this.repaired) return;
		this.root.hidden = false;
		this.opener.setAttribute("aria-expanded", "true");
		this.title.textContent = this.done ? "What the repair changed" : "What the repair changes";
		this.accept.textContent = this.done ? "Keep the repair" : "Accept the repair";
		this.back.textContent = this.done ? "Undo the repair" : "Discard the repair";
		this.diff.show(this.repaired.view);
		this.title.focus({ preventScroll: true });
		this.root.scrollIntoView({ block: "nearest" });
	}

	close() {
		if (this.root.hidden) return;
		const inside = this.root.contains(document.activeElement);
		this.root.hidden = true;
		this.opener.setAttribute("aria-expanded", "false");
		if (inside && !this.opener.hidden) this.opener.focus();
	}
}
