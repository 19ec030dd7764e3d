// This file makes the link that shares a policy, with the session only if the user adds it.

import { byId } from "../ui/dom.js";
import { policyQuery } from "./address.js";
import { MAX_HASH_LENGTH, pack } from "./link.js";
import { toast } from "../ui/toast.js";
import { bytes, number } from "../ui/words.js";

/** @import { Source } from "../engine/types.js" */

const WITHOUT = "Without it, people who open the link see this policy and open their own session.";

export class Share {
	/** @param {import("../store.js").Store} store */
	constructor(store) {
		this.store = store;
		this.root = byId("share");
		this.box = byId("share-session");
		this.says = byId("share-says");
		this.field = byId("share-link");
		this.copy = byId("share-copy");
		/** @type {Source | null} */
		this.source = null;
		/** The packed session and the key of its source. @type {{key: number, text: string} | null} */
		this.packed = null;
		this.box.addEventListener("change", () => void this.draw());
		this.field.addEventListener("focus", () => this.field.select());
		this.copy.addEventListener("click", () => void this.take());
		store.watchInPieces("shown", ({ shown }) => {
			// Consent is for one session: a new session is not put into the link until the user says so.
			if (this.source?.key !== shown?.source.key) this.box.checked = false;
			this.source = shown?.source ?? null;
			void this.draw();
		});
	}

	async draw() {
		const { source } = this;
		if (!source) return;
		if (!this.box.checked) return this.put("", "", WITHOUT);
		if (this.packed?.key !== source.key) {
			try {
				this.packed = { key: source.key, text: await pack(source.blob) };
			} catch {
				return this.refuse("This browser cannot pack a session into a link. Send the file instead.");
			}
			if (this.source !== source || !this.box.checked) return;
		}
		const { text } = this.packed;
		const length = text ? this.hash(text, source.name).length : Infinity;
		if (length > MAX_HASH_LENGTH) {
			const size = text ? `it has ${number(length)} characters` : `${bytes(source.blob.size)} before packing`;
			const maximum = `the maximum is ${number(MAX_HASH_LENGTH)}`;
			return this.refuse(`This session is too large for a link: ${size}, ${maximum}. Send the file instead.`);
		}
		this.put(
			text,
			source.name,
			`The session is in the link, complete and readable: ${number(length)} of at most ${number(MAX_HASH_LENGTH)} characters. No server sees it, but everyone who has the link has the session.`,
		);
	}

	/** @param {string} why */
	refuse(why) {
		this.box.checked = false;
		this.put("", "", why);
		this.root.dataset.state = "refused";
	}

	/** @param {string} text @param {string} name @param {string} says */
	put(text, name, says) {
		const link = new URL(this.hash(text, name), location.href).href;
		if (this.field.value !== link) this.field.value = link;
		if (this.says.textContent !== says) this.says.textContent = says;
		this.root.dataset.state = text ? "session" : "policy";
	}

	/** @param {string} text @param {string} name */
	hash(text, name) {
		const query = policyQuery(this.store.state);
		if (text) {
			query.set("name", name);
			query.set("session", text);
		}
		return `#${query}`;
	}

	async take() {
		await this.draw();
		try {
			await navigator.clipboard.writeText(this.field.value);
			toast(
				this.box.checked ? "Copied the link, with the session in it." : "Copied the link. It holds only the policy.",
			);
		} catch {
			this.field.focus();
			toast("The browser did not allow copying. The link is selected: copy it by hand.");
		}
	}
}
