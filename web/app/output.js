// This file is what comes out: the packed session, each decision with its reason, and the archive of originals.

import { byId, fill, h } from "./dom.js";
import { LazyText } from "./lazytext.js";
import { toast } from "./toast.js";
import { actionName, bytes, fileName, number, plural, sentence } from "./words.js";

/** @typedef {import("./types.js").Action} Action */

const STEP = 200; // decisions drawn at a time

export class Output {
	/** @param {{jump: (path: string) => void}} acts */
	constructor(acts) {
		this.acts = acts;
		this.note = byId("output-note");
		this.result = new LazyText(byId("result"));
		this.archive = new LazyText(byId("archive"));
		this.decisions = byId("decisions");
		this.copy = byId("copy");
		this.download = byId("download");
		this.downloadArchive = byId("download-archive");
		/** @type {{result: Blob, archive: Blob, originals: number} | null} */
		this.have = null;
		this.source = "session";
		this.format = "";
		this.copy.addEventListener("click", () => this.toClipboard());
		this.download.addEventListener("click", () => this.have && save(this.have.result, fileName(this.source, this.format, "compacted")));
		this.downloadArchive.addEventListener("click", () => this.have && save(this.have.archive, fileName(this.source, this.format, "archive")));
		tabs(["result", "decisions", "archive"], (name) => {
			if (name === "archive" && this.have) this.archive.show(this.have.archive);
		});
	}

	/**
	 * @param {string} source
	 * @param {string} format
	 */
	name(source, format) {
		this.source = source;
		this.format = format;
	}

	/** What stands there belongs to the input before, until the new one is done: it stays to be read, but cannot be taken. */
	wait() {
		this.have = null;
		byId("result").setAttribute("aria-busy", "true");
		for (const button of [this.copy, this.download, this.downloadArchive]) button.disabled = true;
	}

	/** @param {Extract<import("./types.js").FromWorker, {type: "output"}>} output */
	show({ result, archive, originals, actions }) {
		this.have = { result, archive, originals };
		byId("result").setAttribute("aria-busy", "false");
		this.copy.disabled = this.download.disabled = false;
		this.downloadArchive.disabled = originals === 0;
		const saves = originals > 0 ? `${plural(originals, "original")} (${bytes(archive.size)}) in the archive: keep it, the packed session no longer holds them.` : "Nothing was taken out, so the archive is empty.";
		this.note.textContent = `${bytes(result.size)} in the format it came in. ${saves}`;
		this.result.show(result);
		if (byId("panel-archive").hidden) this.archive.forget();
		else this.archive.show(archive);
		byId("tab-decisions").textContent = `Decisions (${number(actions.length)})`;
		this.list(actions);
	}

	/** @param {import("./types.js").Failure} failure */
	fail(failure) {
		byId("result").setAttribute("aria-busy", "false");
		this.result.say("");
		this.note.textContent = `${sentence(failure.message)}${failure.path ? ` (at ${failure.path})` : ""}`;
	}

	/** @param {Action[]} actions */
	list(actions) {
		let drawn = 0;
		const more = h("button", { type: "button", class: "more", on: { click: () => draw() } });
		const draw = () => {
			const fresh = actions.slice(drawn, drawn + STEP).map((action) => this.decision(action));
			more.parentElement?.remove();
			this.decisions.append(...fresh);
			drawn += fresh.length;
			if (drawn < actions.length) {
				more.textContent = `Show ${number(Math.min(STEP, actions.length - drawn))} more`;
				this.decisions.append(h("li", {}, more));
			}
		};
		fill(this.decisions, actions.length === 0 ? h("li", { class: "hint" }, "No decision was needed.") : null);
		draw();
	}

	/** @param {Action} action */
	decision(action) {
		const what = `${actionName(action.kind)}${action.tool ? ` · ${action.tool}` : ""}`;
		const change = action.before !== action.after ? `${number(action.before)} → ${number(action.after)}` : "";
		return h(
			"li",
			{},
			action.path ? h("button", { type: "button", class: "link", on: { click: () => this.acts.jump(action.path) } }, what) : h("strong", {}, what),
			h("span", { class: "tokens" }, change),
			h("span", { class: "reason" }, sentence(action.reason)),
		);
	}

	async toClipboard() {
		if (!this.have) return;
		try {
			await navigator.clipboard.writeText(await this.have.result.text());
			toast("Copied the packed session.");
		} catch {
			toast("The browser did not allow copying. Download the session instead.");
		}
	}
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
	const url = URL.createObjectURL(blob);
	h("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser may still be writing a large one
}

/**
 * Tabs after the ARIA pattern: one tab stop, arrows move.
 * @param {string[]} names
 * @param {(name: string) => void} opened
 */
function tabs(names, opened) {
	const buttons = names.map((name) => byId(`tab-${name}`));
	const choose = (/** @type {number} */ at) => {
		buttons.forEach((button, i) => {
			button.setAttribute("aria-selected", String(i === at));
			button.tabIndex = i === at ? 0 : -1;
			byId(`panel-${names[i]}`).hidden = i !== at;
		});
		opened(names[at]);
	};
	buttons.forEach((button, i) => {
		button.addEventListener("click", () => choose(i));
		button.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
			const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
			if (!step) return;
			const to = (i + step + names.length) % names.length;
			choose(to);
			buttons[to].focus();
		});
	});
}
