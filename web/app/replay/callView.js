// This file shows the conversation as the model saw it at one call: the sent messages, with marks for shortened and
// replaced ones. Escape goes back to the timeline, whose cursor follows from call to call.

import { DiffView } from "../output/diffView.js";
import { byId, fill, h } from "../ui/dom.js";
import { LazyText } from "../reading/lazyText.js";
import { pagedList } from "../ui/pagedList.js";
import { number, plural, sentence } from "../ui/words.js";

/** @import { Shown, View } from "../engine/types.js" */
/**
 * @typedef {Extract<View, {name: "diff"}>} Diff before: the session up to this call; after: the conversation as sent
 */
/** @typedef {{call: number, of: number, title: string, about: string}} Head */

const STEP = 80; // messages drawn at a time
const LATE = 150; // ms without an answer after which the page shows that it is computing

export class CallView {
	/**
	 * @param {{look: (call: number) => Promise<Diff>, head: (call: number) => Head, step: (call: number) => void, closed:
	 *   () => void}} acts
	 * step: go to another call; head: title and numbers of a call
	 */
	constructor(acts) {
		this.acts = acts;
		/** @type {HTMLDialogElement} */
		this.root = byId("moment");
		this.list = byId("moment-list");
		this.says = byId("moment-says");
		this.diff = new DiffView("moment-diff");
		this.call = 0;
		this.turn = 0;
		/** @type {Diff | null} */
		this.view = null;
		this.mode = "sent";
		this.modes = ["sent", "diff"].map((mode) => ({
			mode,
			button: byId(`moment-${mode === "sent" ? "sent" : "changes"}`),
		}));
		for (const { mode, button } of this.modes) button.addEventListener("click", () => this.choose(mode));
		byId("moment-before").addEventListener("click", () => this.acts.step(this.call - 1));
		byId("moment-next").addEventListener("click", () => this.acts.step(this.call + 1));
		byId("moment-close").addEventListener("click", () => this.root.close());
		this.root.addEventListener("close", () => this.onClosed());
		this.root.addEventListener(
			"click",
			(/** @type {MouseEvent} */ event) => event.target === this.root && this.root.close(),
		); // on the backdrop
		this.root.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
			if (event.ctrlKey || event.metaKey || event.altKey) return;
			const by = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
			if (by === 0) return;
			event.preventDefault();
			this.acts.step(this.call + by);
		});
	}

	/** @param {number} call from 1 */
	async show(call) {
		const { of, title, about } = this.acts.head(call);
		if (call < 1 || call > of) return;
		this.call = call;
		const turn = ++this.turn;
		if (!this.root.open) {
			this.root.showModal();
			this.list.focus({ preventScroll: true });
		}
		byId("moment-title").textContent = `What the model saw at call ${number(call)} of ${number(of)}`;
		byId("moment-about").textContent = about;
		byId("moment-before").disabled = call <= 1;
		byId("moment-next").disabled = call >= of;
		this.list.setAttribute("aria-busy", "true");
		const late = setTimeout(
			() => (this.says.textContent = `Going through the session with ${title} up to this call…`),
			LATE,
		);
		try {
			const view = await this.acts.look(call);
			if (turn !== this.turn) return;
			this.view = view;
			this.draw();
		} catch (cause) {
			if (turn !== this.turn || !cause) return;
			this.says.textContent = `This call cannot be shown: ${/** @type {{message?: string}} */ (cause).message ?? cause}.`;
			fill(this.list);
		} finally {
			clearTimeout(late);
			if (turn === this.turn) this.list.setAttribute("aria-busy", "false");
		}
	}

	onClosed() {
		this.turn++;
		this.view = null;
		fill(this.list);
		fill(this.diff.root);
		this.acts.closed();
	}

	/** @param {string} mode */
	choose(mode) {
		this.mode = mode;
		this.draw();
	}

	draw() {
		const { view, mode } = this;
		for (const one of this.modes) one.button.setAttribute("aria-pressed", String(one.mode === mode));
		this.list.hidden = mode !== "sent";
		this.diff.root.hidden = mode === "sent";
		if (!view) return;
		this.says.textContent = summaryOf(view);
		if (mode === "diff") return this.diff.show(view);
		fill(this.list);
		this.list.scrollTop = 0;
		pagedList(this.list, rowsOf(view), (row) => this.row(view, row), { step: STEP });
	}

	/** @param {Diff} view @param {{index: number, kind: string, mark: string}} row */
	row({ after, noun }, { index, kind, mark }) {
		if (index < 0) return h("p.moment-gone", mark);
		const message = after.messages[index];
		const pre = h("pre", { tabindex: "0", "aria-label": `${sentence(noun)} ${number(index + 1)}` });
		const lazy = new LazyText(pre);
		const box = h(
			"details.message",
			{ "data-kind": kind, on: { toggle: () => box.open && lazy.show(after.text.slice(message.from, message.to)) } },
			h(
				"summary",
				h(
					"span.who.title",
					h("strong", { class: `role-${message.role}` }, message.role),
					` ${number(index + 1)}`,
					message.label ? h("span.hint", ` ${message.label}`) : null,
				),
				mark ? h("span.moment-mark", mark) : null,
				h("span.head", message.head),
			),
			pre,
		);
		return box;
	}
}

/** A row for each sent message, in order, and for each place where messages were removed. @param {Diff} view */
function rowsOf({ segments, noun }) {
	/** @type {{index: number, kind: string, mark: string}[]} */
	const rows = [];
	for (const { kind, a, b } of segments) {
		const removed = a[1] - a[0];
		const mark =
			kind === "edit"
				? "shortened"
				: kind === "swap"
					? removed > 0
						? `in place of ${plural(removed, noun)}`
						: "added"
					: "";
		if (kind === "swap" && b[0] === b[1])
			rows.push({ index: -1, kind: "gone", mark: `${plural(removed, noun)} removed here` });
		for (let index = b[0]; index < b[1]; index++)
			rows.push({ index, kind, mark: kind === "swap" && index > b[0] ? "" : mark });
	}
	return rows;
}

/** @param {Diff} view */
function summaryOf({ segments, before, after, noun }) {
	const edits = segments.filter(({ kind }) => kind === "edit").length;
	const removed = segments.reduce((sum, { kind, a }) => sum + (kind === "swap" ? a[1] - a[0] : 0), 0);
	const added = segments.reduce((sum, { kind, b }) => sum + (kind === "swap" ? b[1] - b[0] : 0), 0);
	if (edits === 0 && removed === 0 && added === 0)
		return `${sentence(plural(after.messages.length, noun))}, all unchanged.`;
	const parts = [
		edits > 0 && `${number(edits)} had been shortened`,
		removed > 0 && `${number(removed)} had been ${added > 0 ? `replaced by ${number(added)}` : "removed"}`,
		removed === 0 && added > 0 && `${number(added)} had been added`,
	].filter(Boolean);
	return `Of ${plural(before.messages.length, noun)} so far, ${parts.join(" and ")}; ${number(after.messages.length)} were sent.`;
}
