// This file is the place Folder: it audits all session logs below a folder and shows them ranked. Nothing is uploaded:
// the files are read in this tab, one at a time in each worker.

import { rank } from "./rank.js";
import { AssumedFields, select } from "../replay/assumptions.js";
import { byId, fill, h } from "../ui/dom.js";
import { number, plural } from "../ui/words.js";
import { auditAll } from "./auditor.js";
import { logsIn } from "./files.js";
import { Report } from "./report.js";

/** @import { Found } from "./files.js" */
/** @import { Audited } from "./rank.js" */
/** @import { Preset } from "../../npm/wire.js" */

const DRAW_INTERVAL = 700; // ms between two drawings of an unfinished audit

/** Where agents keep their logs. */
const AGENTS = [
	["Claude Code", "~/.claude/projects"],
	["Codex", "~/.codex/sessions"],
];

export class Folder {
	/** @param {import("../store.js").Store} store @param {(file: File) => void} show opens a session */
	constructor(store, show) {
		this.store = store;
		this.openFile = show;
		store.watch(["presets"], ({ presets }) => this.offer(presets));
		this.root = byId("place-folder");
		/** Stops the running audit. @type {AbortController | null} */
		this.running = null;
		/** Ends the audit with what is read so far. @type {((says: string) => void) | null} */
		this.finish = null;
		/** What the last audit found, once it has. @type {Found | null} */
		this.found = null;
		this.chooser = h("input", { type: "file", id: "folder-file", multiple: true, "aria-label": "Choose a folder" });
		this.chooser.webkitdirectory = true;
		this.chooser.addEventListener("change", () => {
			const files = [...(this.chooser.files ?? [])];
			this.chooser.value = ""; // choosing the same folder again is a change, too
			if (files.length > 0) void this.take(files);
		});
		this.preset = select("folder-preset", [["", "Balanced"]]);
		this.preset.addEventListener("change", () => void this.again());
		const fields = h("div.assumed", h("label", "Preset ", this.preset));
		this.assumed = new AssumedFields(fields, "folder", () => void this.again());
		this.bar = h("progress", { max: "1", "aria-label": "Files read" });
		this.says = h("p.folder-says", { role: "status" });
		this.stop = h("button", { on: { click: () => this.cancel() } }, "Cancel");
		this.report = new Report({ open: (file) => void this.open(file) });
		fill(
			this.root,
			h(
				"section.folder-head",
				{ "aria-labelledby": "folder-title" },
				h("h1", { id: "folder-title" }, "What your sessions cost, and what compaction would have saved"),
				h(
					"p.lede",
					"Drop the folder with your agent’s logs on this page, or choose it. Each session in it is replayed with and without compaction, with the preset Balanced or the one that you choose below. ",
					h("strong", "Nothing is uploaded:"),
					" this tab reads the files, and forgets them when it closes.",
				),
				h(
					"div.folder-choose",
					h("label.button.primary.file", this.chooser, h("span", "Choose a folder")),
					h("dl.folder-agents", ...AGENTS.map(([agent, path]) => h("div", h("dt", agent), h("dd", h("code", path))))),
				),
				h(
					"details.folder-assumed",
					h("summary", "Count with another preset, cache, hidden tokens or prices"),
					fields,
					h("p.hint", "For all sessions alike. Empty fields are each session’s own; prices count if both are given."),
				),
				h(
					"p.hint.folder-hint",
					"Your browser may call this an upload when it asks you; it is none. File dialogs hide folders whose names begin with a dot: Ctrl+H shows them on Linux, ⌘⇧. on a Mac.",
				),
			),
			h("div.folder-run", { hidden: true, "data-testid": "folder-run" }, this.says, this.bar, this.stop),
			this.report.root,
		);
		this.run = /** @type {HTMLElement} */ (this.stop.parentElement);
		this.root.dataset.state = "empty";
	}

	/** Audits what was dropped or chosen, in place of what is audited now. @param {(File | FileSystemEntry)[]} all */
	async take(all) {
		this.found = null;
		this.store.put({ place: "folder" });
		await this.begin(async (signal) => {
			const found = await logsIn(all, signal, (n) => this.say(`Looking for session logs: ${number(n)} found…`));
			signal.throwIfAborted();
			this.found = found;
			return found;
		});
	}

	/** Offers the presets; the engine's own default is chosen. @param {Preset[]} presets */
	offer(presets) {
		const { value } = this.preset;
		fill(
			this.preset,
			...presets.map(({ name, title }) => h("option", { value: name === "balanced" ? "" : name }, title)),
		);
		this.preset.value = value;
	}

	/** Audits the same logs with the current fields. */
	async again() {
		const { found } = this;
		this.assumed.read(); // marks wrong fields, also before the first audit
		if (found) await this.begin(async () => found);
	}

	/** @param {(signal: AbortSignal) => Promise<Found>} find */
	async begin(find) {
		this.running?.abort();
		const mine = new AbortController();
		this.running = mine;
		this.finish = null;
		this.report.clear();
		this.turn("running", "Looking for session logs…");
		this.bar.removeAttribute("value");
		try {
			await this.audit(await find(mine.signal), mine.signal);
		} catch (thrown) {
			if (!mine.signal.aborted) throw thrown;
		}
	}

	/** @param {Found} found @param {AbortSignal} signal */
	async audit({ name, logs, skipped, unread: unreadFolders }, signal) {
		/** @type {Audited[]} */
		const sessions = [];
		const unread = [...unreadFolders];
		let done = 0;
		let drawn = performance.now();
		const draw = (/** @type {boolean} */ last) =>
			this.report.show(rank([...sessions], [...unread], skipped), { name, others: skipped.length, last });
		this.finish = (/** @type {string} */ says) => {
			this.running = null;
			draw(true);
			this.turn("done", says);
		};
		this.progress(0, logs.length);
		const preset = this.preset.value;
		await auditAll(logs, { ...this.assumed.read(), ...(preset ? { preset } : {}) }, signal, ({ path }, result) => {
			if ("audit" in result) sessions.push({ file: path, ...result.audit });
			else unread.push({ file: path, reason: result.reason });
			this.progress(++done, logs.length);
			if (performance.now() - drawn < DRAW_INTERVAL) return;
			draw(false);
			drawn = performance.now();
		});
		if (!signal.aborted) this.finish("");
	}

	/** Stops the audit; what is read stays. */
	cancel() {
		if (!this.running) return;
		this.running.abort();
		const says = `Stopped: ${this.says.textContent ?? ""}`.replace(/…$/, " were read.");
		if (this.finish) this.finish(says);
		else this.turn("empty", "");
		this.chooser.focus({ preventScroll: true });
	}

	/** @param {number} done @param {number} of */
	progress(done, of) {
		this.bar.value = of === 0 ? 1 : done / of;
		this.say(`${number(done)} of ${plural(of, "file")}…`);
	}

	/** @param {string} text */
	say(text) {
		this.says.textContent = text;
	}

	/** @param {"empty" | "running" | "done"} state @param {string} says */
	turn(state, says) {
		this.root.dataset.state = state;
		this.say(says);
		this.run.hidden = says === "";
		this.stop.hidden = this.bar.hidden = state !== "running";
	}

	/** @param {string} path */
	async open(path) {
		try {
			const file = await this.found?.logs.find((log) => log.path === path)?.file();
			if (file) this.openFile(file);
		} catch {
			this.turn("done", `${path} cannot be read any more. Choose the folder again.`);
		}
	}

	/** Call when the place is shown: the focus returns to the session that was opened from it. */
	entered() {
		this.report.focusOpened();
	}
}
