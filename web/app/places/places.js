// This file is the three places of the page: Session, Folder and Live. The address names the place, so that links and
// the back button work: #place=folder; without a place it is the session's. Live needs the sessions of a gateway.

import { byId } from "../ui/dom.js";
import { Folder } from "../folder/folder.js";
import { Live } from "../live/live.js";
import { placeIn, sessionHash } from "../session/hash.js";

/** @import { PlaceName } from "../session/hash.js" */
/**
 * What the places need of the page.
 * @typedef {object} Page
 * @property {import("../session/input.js").Input} input
 * @property {import("../policy/policy.js").PolicyForm} policy
 * @property {import("../ui/panes.js").Panes} panes
 * @property {(source: import("../engine/types.js").Source) => void} open
 */

/** @type {PlaceName[]} */
const PLACES = ["session", "folder", "live"];

export class Places {
	/** @param {Page} page */
	constructor(page) {
		this.page = page;
		/** @type {PlaceName} */
		this.now = "session";
		this.title = document.title;
		this.hasLive = "gateway" in document.documentElement.dataset;
		this.folder = new Folder({
			open: (file) => page.input.openFile(file),
			taken: () => this.go("folder"),
		});
		this.live = new Live({
			open: (name, blob) => {
				page.open({ key: page.input.nextKey(), name, blob, origin: "live" });
				page.panes.open("timeline");
			},
		});
		byId("to-live").hidden = !this.hasLive;
		for (const place of PLACES)
			byId(`to-${place}`).addEventListener("click", (/** @type {Event} */ event) => {
				event.preventDefault();
				this.go(place);
			});
		byId("skip").addEventListener("click", (/** @type {Event} */ event) => {
			event.preventDefault();
			byId(`place-${this.now}`).focus();
		});
		// First of all listeners: the others read the policy from the address, and those of the other places have none.
		addEventListener("hashchange", (event) => {
			this.show(this.named());
			if (this.now !== "session") event.stopImmediatePropagation();
		});
		this.show(this.named());
	}

	/** The place that the address names. */
	named() {
		const place = placeIn(location.hash);
		return place === "live" && !this.hasLive ? "session" : place;
	}

	/** Goes to a place; "back" returns from it. @param {PlaceName} place */
	go(place) {
		if (place === this.now) return;
		history.pushState(null, "", place === "session" ? sessionHash() || "#" : `#place=${place}`);
		this.show(place);
		if (place === "session") this.page.policy.write();
		scrollTo(0, 0);
	}

	/** @param {PlaceName} place */
	show(place) {
		this.now = place;
		document.body.dataset.place = place;
		for (const name of PLACES) {
			byId(`place-${name}`).hidden = name !== place;
			if (name === place) byId(`to-${name}`).setAttribute("aria-current", "page");
			else byId(`to-${name}`).removeAttribute("aria-current");
		}
		document.title = place === "session" ? this.title : `${place === "folder" ? "Folder" : "Live"} – Tamp`;
		this.live.run(place === "live");
		if (place === "folder") this.folder.entered();
	}

	/** The title of the session's place. @param {string} title */
	nameSession(title) {
		this.title = title;
		if (this.now === "session") document.title = title;
	}
}
