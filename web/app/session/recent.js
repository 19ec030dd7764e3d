// This file lists the sessions of before, for people who want them kept. Off until somebody turns it on: then nothing is written.

import { byId, fill, h } from "../ui/dom.js";
import { LARGEST, openShelf } from "./sessionStore.js";
import { bytes, formatName, plural } from "../ui/words.js";

/** @typedef {import("./sessionStore.js").Kept} Kept */
/** @typedef {import("./sessionStore.js").Shelf} Shelf */
/** @typedef {import("../engine/types.js").Source} Source */

const FLAG = "tamp-recent";
const WHEN = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

/** Where a session comes from that is worth keeping: examples are always there, a text being typed is never done. */
const WORTH = ["paste", "file", "link", "recent"];

export class Recent {
	/** @param {{open: (name: string, blob: Blob) => void}} acts */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("recent");
		this.box = byId("recent-on");
		this.says = byId("recent-says");
		this.list = byId("recent-list");
		this.eraser = byId("recent-erase");
		/** @type {Shelf | null} */
		this.shelf = null;
		/** What is on the page, to be kept once somebody turns it on. @type {{source: Source, format: string} | null} */
		this.open = null;
		this.keptKey = 0;
		this.box.checked = flag();
		this.box.addEventListener("change", () => void this.turn());
		this.eraser.addEventListener("click", () => void this.guarded("Erased: none is kept any more.", (shelf) => shelf.erase()));
		if (this.box.checked) void this.guarded("", async () => {});
	}

	/** Hears of every session that the engine could read. @param {Source} source @param {string} format */
	opened(source, format) {
		this.open = { source, format };
		if (this.box.checked) void this.keep();
	}

	async turn() {
		const on = this.box.checked;
		if (!remember(on)) {
			this.box.checked = false;
			return this.say("This browser lets the page keep nothing here; private windows often do not.", true);
		}
		if (on) {
			this.keptKey = 0;
			if (await this.guarded("On: sessions that you open are kept here.", async () => {})) await this.keep();
		} else await this.guarded("Off: no more are kept. Those below stay until you erase them.", async () => {});
	}

	async keep() {
		const { open } = this;
		if (!open || open.source.key === this.keptKey || !WORTH.includes(open.source.origin)) return;
		const { source, format } = open;
		this.keptKey = source.key;
		if (source.blob.size > LARGEST) return this.say(`${source.name} is too large to be kept: ${bytes(source.blob.size)}, ${bytes(LARGEST)} is the most.`);
		await this.guarded("", (shelf) => shelf.put({ name: source.name, format, bytes: source.blob.size, at: Date.now() }, source.blob));
	}

	/**
	 * Does something with what is kept, and shows what is kept then.
	 * @param {string} says
	 * @param {(shelf: Shelf) => Promise<void>} act
	 * @returns {Promise<boolean>} whether the browser played along
	 */
	async guarded(says, act) {
		try {
			this.shelf ??= await openShelf();
			await act(this.shelf);
			this.draw(await this.shelf.list());
			if (says) this.say(says);
			return true;
		} catch (cause) {
			this.shelf = null; // the next try opens it anew
			const full = cause instanceof DOMException && cause.name === "QuotaExceededError";
			if (!full) {
				this.box.checked = false;
				remember(false);
			}
			this.say(full ? "The browser has no room for this session. Erase some to make room." : "This browser lets the page keep nothing here; private windows often do not. Nothing was kept.", true);
			return false;
		}
	}

	/** @param {Kept[]} all */
	draw(all) {
		byId("recent-count").textContent = this.box.checked || all.length > 0 ? ` ${all.length === 0 ? "none yet" : plural(all.length, "session")}` : "";
		this.eraser.hidden = all.length === 0;
		fill(this.list, ...all.map((kept) => this.item(kept)));
	}

	/** @param {Kept} kept */
	item({ id, name, format, bytes: size, at }) {
		const reopen = async () => {
			const blob = await this.shelf?.read(id).catch(() => null);
			if (blob) return this.acts.open(name, blob);
			await this.guarded("", async () => {});
			this.say(`${name} is no longer kept.`, true);
		};
		return h(
			"li",
			{},
			h("button", { type: "button", class: "link", on: { click: () => void reopen() } }, name),
			h("span", { class: "hint" }, `${formatName(format)} · ${bytes(size)} · ${WHEN.format(at)}`),
			h("button", { type: "button", class: "quiet", "aria-label": `Forget ${name}`, on: { click: () => void this.guarded(`${name} is forgotten.`, (shelf) => shelf.remove(id)) } }, "Forget"),
		);
	}

	/** @param {string} text @param {boolean} [trouble] */
	say(text, trouble = false) {
		this.says.textContent = text;
		this.says.dataset.trouble = String(trouble);
	}
}

function flag() {
	try {
		return localStorage.getItem(FLAG) === "on";
	} catch {
		return false;
	}
}

/** @param {boolean} on @returns {boolean} whether it will be remembered */
function remember(on) {
	try {
		if (on) localStorage.setItem(FLAG, "on");
		else localStorage.removeItem(FLAG);
		return true;
	} catch {
		return !on;
	}
}
