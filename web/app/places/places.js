// This file is the three places of the page: Session, Folder and Live. The address names the place, so that links and
// the back button work: #place=folder; without a place it is the session's. Live needs the sessions of a gateway.

import { byId } from "../ui/dom.js";
import { Folder } from "../folder/folder.js";
import { Live } from "../live/live.js";
import { openPane } from "../ui/panes.js";
import { placeIn } from "../session/address.js";

/** @import { PlaceName } from "../session/address.js" */

/** @type {PlaceName[]} */
const PLACES = ["session", "folder", "live"];

export class Places {
	/**
	 * @param {import("../store.js").Store} store
	 * @param {import("../session/session.js").Session} session
	 * @param {import("../session/address.js").Address} address
	 */
	constructor(store, session, address) {
		this.store = store;
		this.address = address;
		this.title = document.title;
		this.arrived = true; // the address has the place already
		this.hasLive = "gateway" in document.documentElement.dataset;
		this.folder = new Folder(store, (file) => void session.opener.file(file));
		this.live = new Live((name, blob) => {
			session.open({ key: session.opener.nextKey(), name, blob, origin: "live" });
			openPane(store, "timeline");
		});
		byId("to-live").hidden = !this.hasLive;
		for (const place of PLACES)
			byId(`to-${place}`).addEventListener("click", (/** @type {Event} */ event) => {
				event.preventDefault();
				store.put({ place });
			});
		byId("skip").addEventListener("click", (/** @type {Event} */ event) => {
			event.preventDefault();
			byId(`place-${store.state.place}`).focus();
		});
		addEventListener("hashchange", () => {
			this.arrived = true;
			store.put({ place: this.named() });
			this.arrived = false;
			if (store.state.place !== "session") return;
			address.read();
			session.readAddress();
		});
		store.watch(["place"], () => this.go());
		store.watch(["place", "shown"], () => this.name());
		store.put({ place: this.named() });
		this.arrived = false;
		this.show();
	}

	/** The place that the address names. */
	named() {
		const place = placeIn(location.hash);
		return place === "live" && !this.hasLive ? "session" : place;
	}

	/** Goes to the place; "back" returns from it. */
	go() {
		const { place } = this.store.state;
		if (!this.arrived && placeIn(location.hash) !== place) {
			history.pushState(null, "", place === "session" ? this.address.hash : `#place=${place}`);
			scrollTo(0, 0);
		}
		this.show();
	}

	show() {
		const { place } = this.store.state;
		document.body.dataset.place = place;
		for (const name of PLACES) {
			byId(`place-${name}`).hidden = name !== place;
			if (name === place) byId(`to-${name}`).setAttribute("aria-current", "page");
			else byId(`to-${name}`).removeAttribute("aria-current");
		}
		this.live.run(place === "live");
		if (place === "folder") this.folder.entered();
	}

	/** The title of the window is that of the place, and of the session. */
	name() {
		const { place, shown } = this.store.state;
		this.title = shown ? `${shown.source.name} – Tamp` : this.title;
		document.title = place === "session" ? this.title : `${place === "folder" ? "Folder" : "Live"} – Tamp`;
	}
}
