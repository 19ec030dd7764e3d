// This file shows the changes of a repair, message by message, before and after it is accepted.

import { DiffView } from "../output/diffView.js";
import { byId } from "../ui/dom.js";

/** @import { Problem } from "../engine/types.js" */
/** @typedef {Extract<import("../engine/types.js").View, {name: "diff"}>} Diff */
/** @typedef {{key: number, blob: Blob, problems: Problem[], view: Diff}} Repaired key: of the source that it repairs */

export class RepairView {
	/**
	 * @param {{ask: () => void, accept: (repaired: Repaired) => void, back: () => void}} acts ask: compute the repair;
	 *   back: undo an accepted repair
	 */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("repair-view");
		this.title = byId("repair-view-title");
		this.opener = byId("repair-look");
		this.accept = byId("repair-view-accept");
		this.back = byId("repair-view-back");
		this.diff = new DiffView("repair-view-diff");
		/** @type {Repaired | null} */
		this.repaired = null;
		this.done = false; // accepted: the page shows the repaired session
		this.opener.addEventListener("click", () =>
			this.root.hidden ? (this.repaired ? this.open() : acts.ask()) : this.close(),
		);
		this.accept.addEventListener("click", () =>
			this.done ? this.close() : this.repaired && acts.accept(this.repaired),
		);
		this.back.addEventListener("click", () => {
			this.close();
			if (this.done) acts.back();
		});
	}

	/** Shows the button that opens this view, if there is something to repair. @param {boolean} possible */
	offer(possible) {
		if (!this.done) {
			this.opener.hidden = !possible;
			this.opener.textContent = "See the changes first";
		}
	}

	/** Call when another session is opened. */
	forget() {
		this.repaired = null;
		this.done = false;
		this.root.hidden = true;
		this.opener.hidden = true;
		this.opener.setAttribute("aria-expanded", "false");
	}

	/** Shows the changes before the user accepts them. @param {Repaired} repaired */
	preview(repaired) {
		this.repaired = repaired;
		this.done = false;
		this.open();
	}

	/** Call when the repair is accepted: its changes can still be seen and undone. @param {Repaired} repaired */
	accepted(repaired) {
		this.repaired = repaired;
		this.done = true;
		this.opener.hidden = false;
		this.opener.textContent = "See the changes again";
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
