// This file takes the input: a session that is pasted, dropped, opened, typed, or one of the examples.
// A large text is not put into the textarea, where it would freeze the page: only its head is shown.

import { MAX_FILE } from "../../npm/rank.js";
import { isPacked, unpacked } from "../../npm/unpack.js";
import { ROOT } from "../root.js";
import { byId, fill, h } from "../ui/dom.js";
import { dropped } from "../folder/files.js";
import { showFailure, told } from "./failure.js";
import { nameExample } from "./hash.js";
import { sessionWithin } from "./pasted.js";
import { encoded } from "../ui/encoded.js";
import { toast } from "../ui/toast.js";
import { bytes, formatName, plural, sentence } from "../ui/words.js";

/** @import { Source, Failure } from "../engine/types.js" */
/** @typedef {{file: string, title: string, description: string, format: string, bytes: number}} Example */

const EDITABLE = 200_000; // bytes: a textarea of one long line is slow beyond this
const EDITABLE_LINES = 1_200_000; // bytes, if no line is long
const LINE = 20_000; // characters
const SEARCHED = 50_000_000; // bytes of a text in which a session is looked for
const HEAD = 2000; // bytes of a large text that are shown
const FIRST_EXAMPLE = "tour"; // long enough to cross the context window

export class Input {
	/**
	 * @param {{open: (source: Source) => void, edit: (source: Source) => void, found: (source: Source) => void,
	 *   folder: (all: (File | FileSystemEntry)[]) => void, example: () => void}} acts found: the session within what was
	 *   opened; folder: several files, or folders, were dropped; example: the long example is about to open
	 */
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
		const others = byId("others");
		others.addEventListener("click", () => {
			const open = others.getAttribute("aria-expanded") !== "true";
			others.setAttribute("aria-expanded", String(open));
			this.root.dataset.others = String(open);
		});
		byId("see-example").addEventListener("click", () => {
			this.acts.example();
			void this.openNamed(FIRST_EXAMPLE);
		});
		this.text.addEventListener("input", () => this.typed());
		const chooser = byId("file");
		chooser.addEventListener("change", () => {
			const file = chooser.files?.[0];
			if (file) this.openFile(file);
			chooser.value = ""; // choosing the same file again is a change, too
		});
		document.addEventListener("paste", (event) => this.pasted(event));
		this.dropping();
		/** The examples, once their list is loaded. @type {Promise<Example[]>} */
		this.known = this.examples();
	}

	nextKey() {
		return ++this.key;
	}

	/** Opens a file; one that its agent has compressed is unpacked here. @param {File} file */
	async openFile(file) {
		const [key, name] = [this.nextKey(), file.name || "session"];
		/** @type {Source} */
		const source = { key, name, blob: file, origin: "file" };
		const head = await file
			.slice(0, 4)
			.arrayBuffer()
			.catch(() => new ArrayBuffer(0)); // the engine says the reason
		try {
			if (isPacked(new Uint8Array(head))) {
				const content = await unpacked(new Uint8Array(await file.arrayBuffer()), MAX_FILE);
				source.blob = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (content)]);
				source.name = name.replace(/\.zst$/, "");
			}
		} catch (thrown) {
			this.hold(source);
			return this.searchOrFail({ code: "packed", path: "", message: /** @type {Error} */ (thrown).message });
		}
		if (key === this.key) this.acts.open(source);
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
		if (file) this.openFile(file);
		else void this.openText("pasted session", text);
	}

	/** @param {string} name @param {string} text */
	async openText(name, text) {
		const key = this.nextKey();
		const blob = await encoded(text);
		if (key === this.key) this.acts.open({ key, name, blob, origin: "paste" });
		else toast(`The ${name} was not opened, since you opened or typed another one.`);
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
			if (all.length === 1 && all[0] instanceof File) this.openFile(all[0]);
			else if (all.length > 0) this.acts.folder(all);
			else if (text) void this.openText("dropped session", text);
		});
	}

	async examples() {
		const list = byId("examples");
		try {
			const response = await fetch(new URL("examples/index.json", ROOT));
			if (!response.ok) throw new Error(String(response.status));
			/** @type {Example[]} */
			const examples = await response.json();
			fill(list, ...examples.map((example) => h("li", this.example(example))));
			return examples;
		} catch {
			fill(list, h("li.hint", "The examples could not be loaded. Reload the page to try again."));
			return [];
		}
	}

	/** Opens the example that a link names, if there is one. @param {string} name of its file, without the extension */
	async openNamed(name) {
		const known = await this.known;
		const found = known.find(({ file }) => stem(file) === name);
		if (found) return this.openExample(found.file);
		if (known.length > 0)
			toast(`There is no example “${name.slice(0, 40)}”. The link may be old: choose one of the list.`);
	}

	/**
	 * Opens an example. A packed one is unpacked here, since the server sends it as it is.
	 * @param {string} file of the folder of the examples
	 */
	async openExample(file) {
		nameExample(stem(file));
		const button = byId("see-example");
		button.setAttribute("aria-busy", "true");
		try {
			const response = await fetch(new URL(`examples/${file}`, ROOT));
			if (!response.ok || !response.body) throw new Error(`the server answered ${response.status}`);
			const packed = file.endsWith(".gz");
			const body = packed ? response.body.pipeThrough(new DecompressionStream("gzip")) : response.body;
			const blob = await new Response(body).blob();
			this.acts.open({ key: this.nextKey(), name: file.replace(/\.gz$/, ""), blob, origin: "example", example: file });
		} catch (cause) {
			const { message } = /** @type {Error} */ (cause);
			this.searchOrFail({ code: "offline", path: "", message: `cannot load ${file}: ${message}` });
		} finally {
			button.removeAttribute("aria-busy");
		}
	}

	/** @param {Example} example */
	example(example) {
		const open = () => {
			this.closeOthers();
			void this.openExample(example.file);
		};
		return h(
			"button.example",
			{ "data-file": example.file, title: example.description, on: { click: open } },
			h("strong", example.title),
			h("span.about", firstSentence(example.description)),
			h("span.meta", `${formatName(example.format)} · ${bytes(example.bytes)}`),
		);
	}

	/**
	 * Shows a source that was opened, not typed.
	 * @param {Source} source
	 */
	hold(source) {
		this.source = source;
		fill(this.error);
		this.chip.textContent = `${source.name} · ${bytes(source.blob.size)}`;
		this.showField(source.blob.size <= EDITABLE);
		this.text.value = "";
		if (this.root.dataset.mode === "empty") this.root.dataset.mode = "waiting";
		void this.head(source);
	}

	/** Hides the examples and the recent sessions, of which one is about to open. */
	closeOthers() {
		byId("others").setAttribute("aria-expanded", "false");
		this.root.dataset.others = "false";
	}

	/** Goes back to the first screen. */
	clear() {
		this.source = null;
		this.key++;
		this.text.value = "";
		this.showField(true);
		fill(this.error);
		this.root.dataset.mode = "empty";
	}

	/** Shows the textarea, or the head of a large text. @param {boolean} small */
	showField(small) {
		this.text.hidden = !small;
		this.held.hidden = small;
		this.toggle(this.root.dataset.editing === "true"); // the button names what it opens
	}

	/** @param {Source} source */
	async head(source) {
		const { size } = source.blob;
		const whole = size <= EDITABLE_LINES;
		const text = await (whole ? source.blob : source.blob.slice(0, HEAD)).text().catch(() => null);
		if (this.source !== source || text === null) return; // the engine says why it cannot be read
		const small = size <= EDITABLE || (whole && !hasLongLine(text));
		this.showField(small);
		if (small) this.text.value = text;
		else {
			byId("held-note").textContent =
				`${source.name}, ${bytes(source.blob.size)}, is too long to edit here. It begins:`;
			byId("held-head").textContent = `${text.slice(0, HEAD)}…`;
		}
	}

	/**
	 * Shows the name, format and size of the session that the engine has read.
	 * @param {import("../engine/types.js").Inspection} inspection
	 * @param {number} blocks
	 */
	accept(inspection, blocks) {
		const { source } = this;
		if (!source) return;
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
				[plural(blocks, "block"), ...(source.was ? [`read from ${source.was}`] : [])].join(" · "),
			),
		);
		// While the user types, the field stays open.
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

	/** Opens the session within the text, if one is found; else the failure is shown. @param {Failure} failure */
	async searchOrFail(failure) {
		const { source } = this;
		if (source && canSearch(source, failure)) {
			const found = sessionWithin(await source.blob.text());
			if (this.source !== source) return;
			if (found) {
				const { name, origin } = source;
				return this.acts.found({ key: this.nextKey(), name, blob: new Blob([found.text]), origin, was: found.was });
			}
		}
		const start = await source?.blob
			.slice(0, 64)
			.arrayBuffer()
			.catch(() => undefined);
		if (this.source !== source) return;
		showFailure(told(failure, String.fromCharCode(...new Uint8Array(start ?? []))));
		if (!this.source) return;
		this.chip.textContent = `${this.source.name} · ${bytes(this.source.blob.size)} · cannot be read`;
		this.root.dataset.mode = "failed";
		this.toggle(true);
	}
}

/** @param {Source} source @param {Failure} failure */
function canSearch({ origin, was, blob }, { code }) {
	const unread = code === "bad_json" || code === "unknown_format" || code === "bad_message";
	return unread && !was && (origin === "paste" || origin === "file") && blob.size <= SEARCHED;
}

/** The name of an example in links. @param {string} file */
export function stem(file) {
	return file.replace(/\..*$/, "");
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
