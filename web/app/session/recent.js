// This file lists recent sessions. It is off until the user turns it on; while it is off, nothing is stored.

import { byId, fill, h } from "../ui/dom.js";
import { keepIn, keptIn } from "../ui/storage.js";
import { MAX_SESSION_BYTES, openSessionStore } from "./sessionStore.js";
import { bytes, formatName, plural } from "../ui/words.js";

/** @import { Kept, SessionStore } from "./sessionStore.js" */

const FLAG = "tamp-recent";
/** @type {Intl.DateTimeFormat | undefined} made on first use: that takes 20 ms */
let dates;

/** Origins of sessions to keep. Examples are always available, and a typed text changes with each key. */
const KEPT_ORIGINS = ["paste", "file", "link", "recent"];

export class Recent {
	/** @param {import("../store.js").Store} state @param {(name: string, blob: Blob) => void} reopen */
	constructor(state, reopen) {
		this.reopen = reopen;
		this.root = byId("recent");
		this.box = byId("recent-on");
		this.says = byId("recent-says");
		this.list = byId("recent-list");
		this.eraser = byId("recent-erase");
		/** @type {SessionStore | null} */
		this.store = null;
		/** The open session, to be kept when the user turns this on. @type {import("../store.js").Shown | null} */
		this.open = null;
		this.keptKey = 0;
		this.box.checked = keptIn(FLAG, "localStorage") === "on";
		this.box.addEventListener("change", () => void this.onToggle());
		this.eraser.addEventListener(
			"click",
			() => void this.guarded("Erased: no session is kept now.", (store) => store.erase()),
		);
		if (this.box.checked) void this.guarded("", async () => {});
		state.watchInPieces("shown", ({ shown }) => {
			this.open = shown;
			if (this.box.checked) void this.keep();
		});
	}

	async onToggle() {
		const on = this.box.checked;
		if (!keepIn(FLAG, on ? "on" : "", "localStorage") && on) {
			this.box.checked = false;
			return this.say("This browser does not allow the page to store anything; private windows often do not.", true);
		}
		if (on) {
			this.keptKey = 0;
			if (await this.guarded("On: sessions that you open are kept in this browser.", async () => {})) await this.keep();
		} else
			await this.guarded("Off: no further sessions are kept. Those below stay until you erase them.", async () => {});
	}

	async keep() {
		const { open } = this;
		if (!open || open.source.key === this.keptKey || !KEPT_ORIGINS.includes(open.source.origin)) return;
		const { source, seen } = open;
		this.keptKey = source.key;
		if (source.blob.size > MAX_SESSION_BYTES)
			return this.say(
				`${source.name} is too large to be kept: ${bytes(source.blob.size)}, the maximum is ${bytes(MAX_SESSION_BYTES)}.`,
			);
		await this.guarded("", (store) =>
			store.put({ name: source.name, format: seen.format, bytes: source.blob.size, at: Date.now() }, source.blob),
		);
	}

	/**
	 * Runs an action on the store, and shows the list afterwards.
	 * @param {string} says
	 * @param {(store: SessionStore) => Promise<void>} act
	 * @returns {Promise<boolean>} false if the browser refused
	 */
	async guarded(says, act) {
		try {
			this.store ??= await openSessionStore();
			await act(this.store);
			this.draw(await this.store.list());
			if (says) this.say(says);
			return true;
		} catch (cause) {
			this.store = null; // the next try opens it again
			const full = cause instanceof DOMException && cause.name === "QuotaExceededError";
			if (!full) {
				this.box.checked = false;
				keepIn(FLAG, "", "localStorage");
			}
			this.say(
				full
					? "The browser has no space for this session. Erase some sessions first."
					: "This browser does not allow the page to store anything; private windows often do not. Nothing was kept.",
				true,
			);
			return false;
		}
	}

	/** @param {Kept[]} all */
	draw(all) {
		byId("recent-count").textContent =
			this.box.checked || all.length > 0 ? ` ${all.length === 0 ? "none yet" : plural(all.length, "session")}` : "";
		this.eraser.hidden = all.length === 0;
		fill(this.list, ...all.map((kept) => this.item(kept)));
	}

	/** @param {Kept} kept */
	item({ id, name, format, bytes: size, at }) {
		const reopen = async () => {
			const blob = await this.store?.read(id).catch(() => null);
			if (blob) return this.reopen(name, blob);
			await this.guarded("", async () => {});
			this.say(`${name} is no longer kept.`, true);
		};
		return h(
			"li",
			h("button.link", { on: { click: () => void reopen() } }, name),
			h("span.hint", `${formatName(format)} · ${bytes(size)} · ${day(at)}`),
			h(
				"button.quiet",
				{
					"aria-label": `Forget ${name}`,
					on: { click: () => void this.guarded(`${name} is forgotten.`, (store) => store.remove(id)) },
				},
				"Forget",
			),
		);
	}

	/** @param {string} text @param {boolean} [trouble] */
	say(text, trouble = false) {
		this.says.textContent = text;
		this.says.dataset.trouble = String(trouble);
	}
}

/** @param {number} at */
function day(at) {
	dates ??= new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });
	return dates.format(at);
}
