// This file decides which session is on the page when it is opened: that of the link, the example that the address
// names, or the one of this tab before a reload. Else the page asks for one.

import { byId } from "../ui/dom.js";
import { showFailure } from "./failure.js";
import { keepPlace, sessionHash } from "./hash.js";
import { stem } from "./input.js";
import { BadLink, sessionIn, unpack } from "./link.js";
import { Place } from "./place.js";
import { keepForTab, sessionOfTab } from "./tabSession.js";

/** @import { Source } from "../engine/types.js" */
/**
 * @typedef {import("./place.js").Parts & {input: import("./input.js").Input, policy:
 *   import("../policy/policy.js").PolicyForm, places: import("../places/places.js").Places, open: (source: Source) =>
 *   void}} Page
 */

const PAUSE = 300; // ms after the last selected block or call before the address names it

export class Opening {
	/** @param {Page} page */
	constructor(page) {
		this.page = page;
		this.place = new Place(page);
		this.shownKey = 0;
		this.timer = 0;
		/** Whether the session of before a reload is being opened: at any place, with the choices of its blocks. */
		this.returning = false;
		keepPlace(() => this.place.parts());
	}

	/** Opens the first session, and then shows the input in the place that it has with or without one. */
	async first() {
		this.returning = true;
		try {
			await this.openFirst();
		} finally {
			this.returning = false;
			byId("input").dataset.decided = "true";
		}
	}

	async openFirst() {
		const { page } = this;
		const example = exampleIn(sessionHash());
		await this.link();
		if (page.source) return;
		if (example) return page.input.openNamed(example);
		const kept = await sessionOfTab();
		if (page.source) return;
		if (kept) page.open({ key: page.input.nextKey(), ...kept, origin: "tab" });
	}

	/** Opens what a changed address names, such as the example that "back" returns to. */
	async changed() {
		const { page, place } = this;
		const example = exampleIn(location.hash);
		place.read();
		await this.link();
		if (example && example !== stem(page.source?.example ?? "")) await page.input.openNamed(example);
		else if (page.source?.key === this.shownKey) place.restore();
	}

	/** Opens the session in the address, if it has one. */
	async link() {
		const { page } = this;
		const found = sessionIn(sessionHash());
		if (!found || found.text === page.source?.link) return;
		try {
			const blob = await unpack(found.text);
			page.open({ key: page.input.nextKey(), name: found.name, blob, origin: "link", link: found.text });
		} catch (cause) {
			const why = cause instanceof BadLink ? cause.message : "this browser cannot unpack it";
			showFailure({ code: "bad_link", path: "", message: `cannot open the session of this link: ${why}` });
		}
	}

	/** Call when a session and its blocks are on the page; a second call does nothing. @param {Source} source */
	shown(source) {
		const { page } = this;
		if (source.key === this.shownKey) return;
		this.shownKey = source.key;
		page.places.nameSession(`${source.name} – Tamp`);
		void keepForTab(source);
		this.place.restore();
	}

	/** Call when another block or call is selected, or the timeline was zoomed. */
	moved() {
		clearTimeout(this.timer);
		this.timer = +setTimeout(() => this.page.policy.write(), PAUSE);
	}
}

/** The example that an address names. @param {string} hash */
function exampleIn(hash) {
	return new URLSearchParams(hash.slice(1)).get("example");
}
