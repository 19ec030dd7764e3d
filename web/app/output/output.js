// This file shows the output: the packed session to copy or download, and the tabs with its views.
// The views of the tabs Diff, Breakpoints and Quality are computed only when their tab is open.

import { RESUMABLE, resumable } from "../../npm/resume.js";
import { AnchorsView } from "./anchors.js";
import { toClipboard } from "../ui/clipboard.js";
import { Decisions } from "./decisions.js";
import { save } from "./download.js";
import { DiffView } from "./diffView.js";
import { byId, fill, h } from "../ui/dom.js";
import { wholeOf } from "../policy/chosen.js";
import { openPane } from "../ui/panes.js";
import { LazyText } from "../reading/lazyText.js";
import { QualityView } from "./quality.js";
import { Requests, whyNone } from "./requests.js";
import { SaveAs } from "./saveAs.js";
import { tabs } from "../ui/tabs.js";
import { baseOf, bytes, fileName, plural, sentence } from "../ui/words.js";

/** @import { View, ViewName } from "../engine/types.js" */
/** @typedef {{fail: (why: string) => void, wait: () => void}} Panel */

/** Where an agent looks for a session. @type {Record<string, string>} */
const FOLDERS = {
	"claude-code": "next to the original, below ~/.claude/projects",
	codex: "next to the original, below ~/.codex/sessions",
	pi: "next to the original, below ~/.pi/agent/sessions, go there",
};

export class Output {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		const acts = {
			jump: (/** @type {string} */ path) => session.jump(path),
			ask: (/** @type {import("../engine/types.js").Question} */ question) => session.engine.ask(question),
		};
		this.note = byId("output-note");
		this.result = new LazyText(byId("result"));
		this.archive = new LazyText(byId("archive"));
		this.decisions = new Decisions(acts);
		this.requests = new Requests(store, session);
		this.diff = new DiffView();
		this.anchors = new AnchorsView();
		this.quality = new QualityView(acts);
		this.saveAs = new SaveAs(acts);
		/** @type {Record<ViewName, Panel>} */
		this.panels = { diff: this.diff, anchors: this.anchors, quality: this.quality };
		/** The views of the present output that are computed or failed. @type {Set<string>} */
		this.seen = new Set();
		this.tab = "result";
		this.copy = byId("copy");
		this.download = byId("download");
		/** @type {{result: Blob, archive: Blob, originals: number} | null} */
		this.have = null;
		this.copy.addEventListener("click", () => this.have && toClipboard(this.have.result, "the packed session"));
		this.saveNow = byId("next-save"); // the same in the bar
		this.download.addEventListener("click", () => void this.save());
		this.saveNow.addEventListener("click", () => {
			openPane(store, "packed");
			void this.save();
		});
		tabs(["result", "diff", "requests", "anchors", "quality", "decisions", "archive"], (name) => {
			this.tab = name;
			if (name === "archive" && this.have) this.archive.show(this.have.archive);
			if (name === "requests") void session.findServer();
			store.put({ look: this.pendingView() });
		});
		store.watch(["output"], ({ output }) => output.is === "waiting" && this.wait());
		store.watchInPieces(
			"output",
			({ output }) => output.is === "failed" && this.fail(output.failure),
			({ output }) => output.is === "done" && this.showResult(output),
			({ output }) => output.is === "done" && this.decisions.show(output.actions),
			(state) => this.showRequests(state),
		);
		store.watch(["viewed"], ({ viewed }) => {
			if (viewed) "view" in viewed ? this.showView(viewed.view) : this.failView(viewed.failure);
		});
	}

	get source() {
		return this.store.state.shown?.source;
	}

	get format() {
		return this.store.state.shown?.seen.format ?? "";
	}

	/** @param {import("../store.js").State} state */
	showRequests(state) {
		if (state.output.is !== "done") return;
		const { rounds, actions } = state.output;
		const summarizes = !["", "none"].includes(wholeOf(state).summary?.strategy ?? "");
		this.requests.show(whyNone(summarizes, rounds, actions));
	}

	/** The view that the open tab waits for, or null. @returns {ViewName | null} */
	pendingView() {
		return this.have && this.tab in this.panels && !this.seen.has(this.tab) ? /** @type {ViewName} */ (this.tab) : null;
	}

	/** @param {"compacted"|"archive"} part */
	fileName(part) {
		return fileName(this.source?.name ?? "session", this.format, part);
	}

	/**
	 * Saves the session and the archive, without which its originals are lost, and says what the files are for. The
	 * packed log of an agent gets an id of its own, so that it is a session next to the original.
	 */
	async save() {
		const { have } = this;
		if (!have) return;
		let name = this.fileName("compacted");
		let session = have.result;
		/** @type {(string | HTMLElement)[]} */
		let advice =
			have.originals > 0 ? ["Send its messages in place of yours. "] : [`Saved ${name}: nothing was removed.`];
		if (have.originals > 0 && RESUMABLE.includes(this.format)) {
			try {
				const own = resumable(this.format, baseOf(this.source?.name ?? "session"), await have.result.text());
				if (have !== this.have) return;
				name = own.name;
				session = new Blob([own.text]);
				const folder = FOLDERS[this.format] ?? "in your folder";
				advice = [`Put ${name} ${folder}, then run `, h("code", own.command), ". The original session stays. "];
			} catch (thrown) {
				advice = [`${sentence(/** @type {Error} */ (thrown).message)}. `];
			}
		}
		save(session, name);
		if (have.originals > 0) {
			save(have.archive, this.fileName("archive"));
			advice.push(`${this.fileName("archive")} has what ${name} left out; keep the two together.`);
		}
		fill(byId("download-note"), ...advice);
	}

	/** Call when a new result is being computed: the old one stays visible, but cannot be copied or downloaded. */
	wait() {
		this.have = null;
		this.seen.clear();
		this.saveAs.wait();
		for (const panel of Object.values(this.panels)) panel.wait();
		byId("result").setAttribute("aria-busy", "true");
		for (const button of [this.copy, this.download, this.saveNow]) button.disabled = true;
		fill(byId("download-note"));
	}

	/** @param {{result: Blob, archive: Blob, originals: number}} output */
	showResult({ result, archive, originals }) {
		this.have = { result, archive, originals };
		if (this.source)
			this.saveAs.show({ name: this.source.name, format: this.format, packed: result, original: this.source.blob });
		byId("result").setAttribute("aria-busy", "false");
		this.copy.disabled = this.download.disabled = this.saveNow.disabled = false;
		this.download.textContent = this.saveNow.textContent =
			originals > 0 ? "Download session and archive" : "Download session";
		const saves =
			originals > 0
				? `${plural(originals, "original")} (${bytes(archive.size)}) in the archive: keep it, because the packed session no longer holds them.`
				: "Nothing was removed, so the archive is empty.";
		this.note.textContent = `${bytes(result.size)} in the format of the input. ${saves}`;
		this.result.show(result);
		if (byId("panel-archive").hidden) this.archive.forget();
		else this.archive.show(archive);
		this.store.put({ look: this.pendingView() });
	}

	/** @param {View} view */
	showView(view) {
		this.seen.add(view.name);
		if (view.name === "diff") this.diff.show(view);
		else if (view.name === "anchors") this.anchors.show(view);
		else this.quality.show(view);
	}

	/** @param {import("../engine/types.js").Failure} failure */
	failView(failure) {
		const name = this.pendingView();
		if (!name) return;
		this.seen.add(name);
		this.panels[name].fail(sentence(failure.message));
	}

	/** @param {import("../engine/types.js").Failure} failure */
	fail(failure) {
		byId("result").setAttribute("aria-busy", "false");
		this.result.say("");
		this.decisions.show([]);
		this.requests.show("the session could not be packed");
		const why = `${sentence(failure.message)}${failure.path ? ` (at ${failure.path})` : ""}`;
		for (const panel of Object.values(this.panels)) panel.fail(why);
		this.note.textContent = why;
	}
}
