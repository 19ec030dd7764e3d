// This file offers what stands on the page as something to take along: code that does the same, and the policy as JSON.

import { toClipboard } from "../ui/clipboard.js";
import { curl, filesOf, go, javascript } from "./code.js";
import { byId } from "../ui/dom.js";
import { save } from "./output.js";
import { tabs } from "../ui/tabs.js";

/** @typedef {"javascript"|"go"|"curl"|"policy"|"patch"} Kind */
/** @typedef {import("./code.js").Choice} Choice */
/** @typedef {{choice: Choice, whole: object, name: string, format: string, byHand: number}} Standing byHand: summaries that no code can make again */

/** @type {Record<Kind, {file: string, noun: string, says: string}>} */
const KINDS = {
	javascript: { file: "compact.mjs", noun: "the code", says: "Runs in Node 20 and later, with the package of wasm/npm installed as tamp." },
	go: { file: "main.go", noun: "the code", says: "Runs with Go 1.26 and the module tamp; in go.mod, a replace directive names its folder." },
	curl: { file: "compact.sh", noun: "the command", says: "Asks a server of Tamp, which keeps the originals. A server with a token wants -H \"authorization: Bearer …\" as well." },
	policy: { file: "policy.json", noun: "the policy", says: "Every value that holds, the preset’s and yours. Anything that takes a policy takes it." },
	patch: { file: "policy.json", noun: "the changes", says: "Only what differs from the preset; the rest follows the preset, in later versions too." },
};

const LOCAL = "http://127.0.0.1:8787"; // where `make run` serves

export class Takeaway {
	/** @param {{server: () => Promise<boolean>}} acts server: whether the page came from one of Tamp */
	constructor(acts) {
		this.acts = acts;
		this.note = byId("code-note");
		/** @type {Kind} */
		this.kind = "javascript";
		/** @type {Standing | null} */
		this.standing = null;
		this.origin = LOCAL;
		tabs(Object.keys(KINDS), (name) => {
			this.kind = /** @type {Kind} */ (name);
			this.draw();
			if (name === "curl") void this.find();
		});
		byId("code-copy").addEventListener("click", () => toClipboard(new Blob([this.text()]), KINDS[this.kind].noun));
		byId("code-download").addEventListener("click", () => save(new Blob([this.text()], { type: "text/plain;charset=utf-8" }), KINDS[this.kind].file));
	}

	/** @param {Standing} standing */
	show(standing) {
		this.standing = standing;
		this.draw();
	}

	async find() {
		if (this.origin === location.origin || !(await this.acts.server())) return;
		this.origin = location.origin;
		this.draw();
	}

	text() {
		if (!this.standing) return "";
		const { choice, whole, name, format } = this.standing;
		const files = filesOf(name, format);
		switch (this.kind) {
			case "javascript":
				return javascript(choice, files);
			case "go":
				return go(choice, files);
			case "curl":
				return curl(choice, files, this.origin);
			case "policy":
				return `${JSON.stringify(whole, null, 2)}\n`;
			case "patch":
				return `${JSON.stringify(choice.policy, null, 2)}\n`;
		}
	}

	draw() {
		if (!this.standing) return;
		const code = byId(`code-${this.kind}`);
		const text = this.text();
		if (code.textContent !== text) code.textContent = text;
		const { byHand } = this.standing;
		const missing = byHand > 0 && this.kind !== "policy" && this.kind !== "patch" ? " Summaries that you wrote or failed by hand, or that this server made, are not in it." : "";
		this.note.textContent = KINDS[this.kind].says + missing;
	}
}
