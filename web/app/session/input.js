// This file is how a session comes in: pasted, dropped, opened, typed, or one of the examples.
// A large text never enters the textarea, where it would freeze the page: it is held as it came, and its head is shown.

import { byId, fill, h } from "../ui/dom.js";
import { bytes, formatName, plural, sentence } from "../ui/words.js";

/** @typedef {import("../engine/types.js").Source} Source */
/** @typedef {import("../engine/types.js").Failure} Failure */
/** @typedef {{file: string, title: string, description: string, format: string, bytes: number}} Example */

const EDITABLE = 200_000; // bytes: a textarea of one long line is slow beyond this
const EDITABLE_LINES = 1_200_000; // bytes: of lines that are not long it stays quick
const LINE = 20_000; // characters
const HEAD = 2000; // bytes of a held text that are shown

export class Input {
	/** @param {{open: (source: Source) => void, edit: (source: Source) => void}} acts */
	constructor(acts) {
		this.acts = acts;
		this.root = byId("input");
		this.text = byId("text");
		this.held = byId("held");
		this.chip = byId("chip");
		this.error = byId("error");
		this.editButton = byId("edit");
		this.key = 0;
		/** @type {Source | null} */
		this.source = null;
		this.editButton.addEventListener("click", () => this.toggle(this.root.dataset.editing !== "true"));
		this.text.addEventListener("input", () => this.typed());
		const chooser = byId("file");
		chooser.addEventListener("change", () => {
			const file = chooser.files?.[0];
			if (file) this.openFile(file);
			chooser.value = ""; // the same file again is a new wish
		});
		document.addEventListener("paste", (event) => this.pasted(event));
		this.dropping();
		void this.examples();
	}

	nextKey() {
		return ++this.key;
	}

	/** @param {File} file */
	openFile(file) {
		this.acts.open({ key: this.nextKey(), name: file.name || "session", blob: file, origin: "file" });
	}

	/** @param {ClipboardEvent} event */
	pasted(event) {
		const elsewhere = event.target instanceof HTMLElement && event.target !== this.text && event.target.matches("input, textarea");
		if (elsewhere || !event.clipboardData) return;
		const file = event.clipboardData.files[0];
		const text = event.clipboardData.getData("text/plain");
		// Within a text that someone is editing, a small paste is an edit like any other.
		const whole = this.text.selectionStart === 0 && this.text.selectionEnd === this.text.value.length;
		if (!file && event.target === this.text && !whole && text.length <= EDITABLE) return;
		if (!file && text === "") return;
		event.preventDefault();
		if (file) this.openFile(file);
		else this.acts.open({ key: this.nextKey(), name: "pasted session", blob: new Blob([text]), origin: "paste" });
	}

	typed() {
		const name = this.source?.name ?? "typed session";
		const text = this.text.value;
		if (!this.source && text.trim() === "") return fill(this.error);
		this.source = typedSource(this.nextKey(), name, text);
		this.acts.edit(this.source);
	}

	dropping() {
		const veil = byId("dropping");
		const carries = (/** @type {DragEvent} */ event) => [...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
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
			const file = event.dataTransfer?.files[0];
			const text = event.dataTransfer?.getData("text/plain");
			if (file) this.openFile(file);
			else if (text) this.acts.open({ key: this.nextKey(), name: "dropped session", blob: new Blob([text]), origin: "paste" });
		});
	}

	async examples() {
		const list = byId("examples");
		try {
			const response = await fetch(new URL("../../examples/index.json", import.meta.url));
			if (!response.ok) throw new Error(String(response.status));
			/** @type {Example[]} */
			const examples = await response.json();
			fill(list, ...examples.map((example) => h("li", {}, this.example(example))));
		} catch {
			fill(list, h("li", { class: "hint" }, "The examples could not be loaded. Reload the page to try again."));
		}
	}

	/** @param {Example} example */
	example(example) {
		const open = async () => {
			try {
				const response = await fetch(new URL(`../../examples/${example.file}`, import.meta.url));
				if (!response.ok) throw new Error(`the server answered ${response.status}`);
				this.acts.open({ key: this.nextKey(), name: example.file, blob: await response.blob(), origin: "example" });
			} catch (cause) {
				this.fail({ code: "internal", path: "", message: `cannot load ${example.file}: ${/** @type {Error} */ (cause).message}` });
			}
		};
		return h(
			"button",
			{ type: "button", class: "example", "data-file": example.file, title: example.description, on: { click: open } },
			h("strong", {}, example.title),
			h("span", { class: "about" }, firstSentence(example.description)),
			h("span", { class: "meta" }, `${formatName(example.format)} · ${bytes(example.bytes)}`),
		);
	}

	/**
	 * Takes a source that someone handed over whole.
	 * @param {Source} source
	 */
	hold(source) {
		this.source = source;
		fill(this.error);
		this.chip.textContent = `${source.name} · ${bytes(source.blob.size)}`;
		this.room(source.blob.size <= EDITABLE);
		this.text.value = "";
		byId("examples-title").textContent = "Examples";
		if (this.root.dataset.mode === "empty") this.root.dataset.mode = "waiting";
		void this.head(source);
	}

	/** Shows the field, or what stands in for it. @param {boolean} small */
	room(small) {
		this.text.hidden = !small;
		this.held.hidden = small;
	}

	/** @param {Source} source */
	async head(source) {
		const { size } = source.blob;
		const whole = size <= EDITABLE_LINES;
		const text = await (whole ? source.blob : source.blob.slice(0, HEAD)).text();
		if (this.source !== source) return;
		const small = size <= EDITABLE || (whole && !hasLongLine(text));
		this.room(small);
		if (small) this.text.value = text;
		else {
			byId("held-note").textContent = `${sentence(source.name)}, ${bytes(source.blob.size)}: too long to edit here. It begins:`;
			byId("held-head").textContent = `${text.slice(0, HEAD)}…`;
		}
	}

	/**
	 * Names the session that the engine has read.
	 * @param {import("../engine/types.js").Inspection} inspection
	 * @param {number} blocks
	 */
	accept(inspection, blocks) {
		const { source } = this;
		if (!source) return;
		fill(this.error);
		const turns = inspection.messages.reduce((most, m) => Math.max(most, m.turn), 0);
		fill(
			this.chip,
			h("strong", { class: "name", "data-source": source.name }, source.name),
			h("span", { class: "format", "data-testid": "format" }, formatName(inspection.format)),
			h("span", { class: "counts" }, [plural(inspection.messages.length, "message"), plural(turns, "turn"), plural(blocks, "block"), bytes(source.blob.size)].join(" · ")),
		);
		// Someone who types keeps the field under the hands.
		const typing = document.activeElement === this.text && source.origin === "edit";
		this.root.dataset.mode = "open";
		if (source.origin !== "edit") this.toggle(false);
		else if (typing) this.toggle(true);
	}

	/** @param {boolean} open */
	toggle(open) {
		this.root.dataset.editing = String(open);
		this.editButton.setAttribute("aria-expanded", String(open));
		this.editButton.textContent = open ? "Hide input" : this.text.hidden ? "Show input" : "Edit input";
	}

	/** @param {Failure} failure */
	fail(failure) {
		this.warn(failure);
		if (!this.source) return;
		this.chip.textContent = `${this.source.name} · ${bytes(this.source.blob.size)} · cannot be read`;
		this.root.dataset.mode = "failed";
		this.toggle(true);
	}

	/** Says what is wrong, whatever is open stays. @param {Failure} failure */
	warn(failure) {
		const { excerpt } = failure;
		const place = [excerpt?.line ? `line ${excerpt.line}` : "", excerpt?.column ? `column ${excerpt.column}` : "", failure.path ? `at ${failure.path}` : ""].filter(Boolean).join(", ");
		fill(
			this.error,
			h("p", { class: "what" }, sentence(failure.message), "."),
			excerpt ? h("pre", { class: "excerpt", tabindex: "0", "aria-label": `The input around ${place}` }, excerpt.text, excerpt.caret === undefined ? "" : `\n${" ".repeat(excerpt.caret)}^`) : null,
			place && !failure.message.includes("line ") ? h("p", { class: "place" }, sentence(place)) : null,
			h("p", { class: "advice" }, advice(failure)),
		);
	}
}

/**
 * A Blob of a megabyte takes longer to make than a key may wait: it is made once somebody wants it.
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
			return (blob ??= new Blob([text]));
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

/** What a card has room for: what the first sentence lists. The whole text is in the card's title. @param {string} text */
function firstSentence(text) {
	const [first] = text.split(/(?<=\.)\s/, 1);
	return sentence(first.slice(first.indexOf(": ") + 1).trim());
}

/** What to do about it. @param {Failure} failure */
function advice({ code, message }) {
	if (message.includes("empty")) return "Paste or open a session: a JSON body with messages, an array of messages, or a Claude Code log.";
	if (message.includes("binary")) return "Open the session as JSON or JSONL text. A packed archive has to be unpacked first.";
	switch (code) {
		case "bad_json":
			return "Check that the whole text was copied: a session cut short is the usual cause. The place above is where it stops being JSON.";
		case "unreadable":
			return "The file may have changed or moved since it was chosen. Open it again.";
		case "unknown_format":
			return "Tamp reads Anthropic messages, OpenAI chat messages and Claude Code logs.";
		case "bad_message":
			return "Mend this message in the text below or in your editor, then paste it again.";
		case "bad_link":
			return "Ask whoever sent it for a new link, or for the session as a file. The policy of the link holds.";
		case "too_large":
			return "Take a part of the session, or pack it with the tamp package in Node.";
		default:
			return "This is a bug of Tamp rather than of your session. The page still works: try another input.";
	}
}
