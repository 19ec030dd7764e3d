// This file shows what a repair changes, message by message, before it is accepted and after.

import { DiffView } from "../output/diffView.js";
import { byId } from "../ui/dom.js";

/** @typedef {import("../engine/types.js").Problem} Problem */
/** @typedef {Extract<import("../engine/types.js").View, {name: "diff"}>} Diff */
/** @typedef {{key: number, blob: Blob, problems: Problem[], view: Diff}} Mended key: of the source that it repairs */

export class Mending {
	/** @param {{ask: () => void, accept: (mended: Mended) => void, back: () => void}} acts ask: have the repair worked out; back: take an accepted one back */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("mending");
		this.title = byId("mending-title");
		this.opener = byId("repair-look");
		this.accept = byId("mending-accept");
		this.back = byId("mending-back");
		this.diff = new DiffView("mending-diff");
		/** @type {Mended | null} */
		this.mended = null;
		this.done = false; // it was accepted: what stands on the page is the repaired session
		this.opener.addEventListener("click", () => (this.root.hidden ? (this.mended ? this.open() : acts.ask()) : this.close()));
		this.accept.addEventListener("click", () => (this.done ? this.close() : this.mended && acts.accept(this.mended)));
		this.back.addEventListener("click", () => {
			this.close();
			if (this.done) acts.back();
		});
	}

	/** Offers to show it where there is something to repair. @param {boolean} can */
	offer(can) {
		if (!this.done) {
			this.opener.hidden = !can;
			this.opener.textContent = "See the repair first";
		}
	}

	/** Another session is on the page. */
	forget() {
		this.mended = null;
		this.done = false;
		this.root.hidden = true;
		this.opener.hidden = true;
		this.opener.setAttribute("aria-expanded", "false");
	}

	/** Shows what would be changed. @param {Mended} mended */
	preview(mended) {
		this.mended = mended;
		this.done = false;
		this.open();
	}

	/** It is in place: what was changed can still be looked at, and taken back. @param {Mended} mended */
	accepted(mended) {
		this.mended = mended;
		this.done = true;
		this.opener.hidden = false;
		this.opener.textContent = "See what was changed";
	}

	open() {
		if (!this.mended) return;
		this.root.hidden = false;
		this.opener.setAttribute("aria-expanded", "true");
		this.title.textContent = this.done ? "What the repair changed" : "What the repair changes";
		this.accept.textContent = this.done ? "Keep it" : "Accept the repair";
		this.back.textContent = this.done ? "Take it back" : "Leave it as it is";
		this.diff.show(this.mended.view);
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
