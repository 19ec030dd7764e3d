// This file takes the input: a session that is pasted, dropped, opened, typed, or one of the examples.
// A large text is not put into the textarea, where it would freeze the page: only its head is shown.

import { byId, fill, h } from "../ui/dom.js";
import { dropped } from "../folder/files.js";
import { showFailure } from "./failure.js";
import { bytes, formatName, plural, sentence } from "../ui/words.js";

/** @import { Source } from "../engine/types.js" */
/** @import { Shown, Store } from "../store.js" */
/** @import { Example } from "./opener.js" */

const EDITABLE = 200_000; // bytes: a textarea of one long line is slow beyond this
const EDITABLE_LINES = 1_200_000; // bytes, if no line is long
const LINE = 20_000; // characters
const HEAD = 2000; // bytes of a large text that are shown

export class Input {
	/**
	 * @param {Store} store
	 * @param {import("./session.js").Session} session
	 * @param {(all: (File | FileSystemEntry)[]) => void} folder several files, or folders, were dropped
	 */
	constructor(store, session, folder) {
		this.store = store;
		this.session = session;
		this.opener = session.opener;
		this.folder = folder;
		this.root = byId("input");
		this.text = byId("text");
		this.held = byId("held");
		this.chip = byId("chip");
		this.error = byId("error");
		this.editButton = byId("edit");
		this.editing = false;
		this.mode = "empty";
		this.others = false;
		this.editButton.addEventListener("click", () => this.toggle(!this.editing));
		const others = byId("others");
		others.addEventListener("click", () => this.showOthers(!this.others));
		const see = byId("see-example");
		see.addEventListener("click", async () => {
			see.setAttribute("aria-busy", "true");
			await this.opener.firstExample();
			see.removeAttribute("aria-busy");
		});
		this.text.addEventListener("input", () => this.typed());
		const chooser = byId("file");
		chooser.addEventListener("change", () => {
			const file = chooser.files?.[0];
			if (file) void this.opener.file(file);
			chooser.value = ""; // choosing the same file again is a change, too
		});
		document.addEventListener("paste", (event) => this.pasted(event));
		this.dropping();
		void this.examples();
		store.watch(["source"], ({ source }) => source?.origin !== "edit" && this.hold(source));
		store.watch(["shown"], ({ shown }) => shown && this.accept(shown));
		store.watch(["unread"], ({ unread }) => (unread ? this.fail(unread) : fill(this.error)));
	}

	/** @param {ClipboardEvent} event */
	pasted(event) {
		const elsewhere =
			event.target instanceof HTMLElement && event.target !== this.text && event.target.matches("input, textarea");
		if (elsewhere || !event.clipboardData) return;
		const file = event.clipboardData.files[0];
		const text = event.clipboardData.getData("text/plain");
		// In a text that is being edited, a small paste is an ordinary edit.
		const whole = this.text.selectionStart === 0 && this.text.selectionEnd === this.text.value.length;
		if (!file && event.target === this.text && !whole && text.length <= EDITABLE) return;
		if (!file && text === "") return;
		event.preventDefault();
		if (file) void this.opener.file(file);
		else void this.opener.text("pasted session", text);
	}

	typed() {
		const { source } = this.store.state;
		const text = this.text.value;
		if (!source && text.trim() === "") return fill(this.error);
		this.session.edit(typedSource(this.opener.nextKey(), source?.name ?? "typed session", text), text);
	}

	dropping() {
		const veil = byId("dropping");
		const carries = (/** @type {DragEvent} */ event) =>
			[...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
		document.addEventListener("dragover", (event) => {
			if (!carries(event)) return;
			event.preventDefault();
			veil.hidden = false;
		});
		document.addEventListener("dragleave", (event) => {
			if (event.relatedTarget === null) veil.hidden = true;
		});
		document.addEventListener("drop", (event) => {
			veil.hidden = true;
			if (!carries(event)) return;
			event.preventDefault();
			const all = event.dataTransfer ? dropped(event.dataTransfer) : [];
			const text = event.dataTransfer?.getData("text/plain");
			if (all.length === 1 && all[0] instanceof File) void this.opener.file(all[0]);
			else if (all.length > 0) this.folder(all);
			else if (text) void this.opener.text("dropped session", text);
		});
	}

	async examples() {
		const examples = await this.opener.examples;
		fill(
			byId("examples"),
			...examples.map((example) => h("li", this.example(example))),
			examples.length === 0 && h("li.hint", "The examples could not be loaded. Reload the page to try again."),
		);
	}

	/** @param {Example} example */
	example(example) {
		const open = () => {
			this.showOthers(false);
			void this.opener.example(example.file);
		};
		return h(
			"button.example",
			{ "data-file": example.file, title: example.description, on: { click: open } },
			h("strong", example.title),
			h("span.about", firstSentence(example.description)),
			h("span.meta", `${formatName(example.format)} · ${bytes(example.bytes)}`),
		);
	}

	/** Shows a source that was opened, not typed; without one, the first screen. @param {Source | null} source */
	hold(source) {
		fill(this.error);
		byId("came").hidden = source?.origin !== "link";
		this.text.value = "";
		this.showField(!source || source.blob.size <= EDITABLE);
		if (!source) return this.turn("empty");
		this.chip.textContent = `${source.name} · ${bytes(source.blob.size)}`;
		if (this.mode === "empty") this.turn("waiting");
		void this.head(source);
	}

	/** @param {"empty" | "waiting" | "open" | "failed"} mode */
	turn(mode) {
		this.mode = this.root.dataset.mode = mode;
	}

	/** Shows the examples and the recent sessions next to an open session. @param {boolean} open */
	showOthers(open) {
		this.others = open;
		byId("others").setAttribute("aria-expanded", String(open));
		this.root.dataset.others = String(open);
	}

	/** Shows the textarea, or the head of a large text. @param {boolean} small */
	showField(small) {
		this.text.hidden = !small;
		this.held.hidden = small;
		this.toggle(this.editing); // the button names what it opens
	}

	/** @param {Source} source */
	async head(source) {
		const { size } = source.blob;
		const whole = size <= EDITABLE_LINES;
		const text = await (whole ? source.blob : source.blob.slice(0, HEAD)).text().catch(() => null);
		if (this.store.state.source !== source || text === null) return; // the engine says why it cannot be read
		const small = size <= EDITABLE || (whole && !hasLongLine(text));
		this.showField(small);
		if (small) this.text.value = text;
		else {
			byId("held-note").textContent =
				`${source.name}, ${bytes(source.blob.size)}, is too long to edit here. It begins:`;
			byId("held-head").textContent = `${text.slice(0, HEAD)}…`;
		}
	}

	/** Shows the name, format and size of the session that the engine has read. @param {Shown} shown */
	accept({ source, seen: inspection, laid }) {
		fill(this.error);
		const turns = inspection.messages.reduce((max, m) => Math.max(max, m.turn), 0);
		fill(
			this.chip,
			h("strong.name", { "data-source": source.name }, source.name),
			h("span.format", { "data-testid": "format" }, formatName(inspection.format)),
			h(
				"span.counts",
				{
					title: [plural(inspection.messages.length, "message"), plural(turns, "turn"), bytes(source.blob.size)].join(
						", ",
					),
				},
				[plural(laid.rows.length, "block"), ...(source.was ? [`read from ${source.was}`] : [])].join(" · "),
			),
		);
		// While the user types, the field stays open.
		const typing = document.activeElement === this.text && source.origin === "edit";
		this.turn("open");
		if (source.origin !== "edit") this.toggle(false);
		else if (typing) this.toggle(true);
	}

	/** @param {boolean} open */
	toggle(open) {
		this.editing = open;
		this.root.dataset.editing = String(open);
		this.editButton.setAttribute("aria-expanded", String(open));
		this.editButton.textContent = open ? "Hide input" : this.text.hidden ? "Show input" : "Edit input";
	}

	/** @param {import("../engine/types.js").Failure} failure */
	fail(failure) {
		showFailure(failure);
		const { source } = this.store.state;
		if (!source) return;
		this.chip.textContent = `${source.name} · ${bytes(source.blob.size)} · cannot be read`;
		this.turn("failed");
		this.toggle(true);
	}
}

/**
 * The Blob is made on first use: for a megabyte that takes longer than a key press may take.
 * @param {number} key
 * @param {string} name
 * @param {string} text
 * @returns {Source}
 */
function typedSource(key, name, text) {
	/** @type {Blob | null} */
	let blob = null;
	return {
		key,
		name,
		get blob() {
			blob ??= new Blob([text]);
			return blob;
		},
		origin: "edit",
	};
}

/** @param {string} text */
function hasLongLine(text) {
	let from = 0;
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
		if (at - from > LINE) return true;
		from = at + 1;
	}
	return text.length - from > LINE;
}

/**
 * The first sentence of a description, without its lead: a card has room for one. The title holds the whole text.
 * @param {string} text
 */
function firstSentence(text) {
	const [first] = text.split(/(?<=\.)\s/, 1);
	return sentence(first.slice(first.indexOf(": ") + 1).trim());
}
