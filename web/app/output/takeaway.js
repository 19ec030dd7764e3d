// This file offers the code that does the same as the page, and the policy as JSON, to copy or download.

import { toClipboard } from "../ui/clipboard.js";
import { Clients, connection } from "./clients.js";
import { curl, filesOf, go, javascript } from "./code.js";
import { keptIn } from "../ui/storage.js";
import { choiceOf, wholeOf } from "../policy/chosen.js";
import { byId } from "../ui/dom.js";
import { save } from "./download.js";
import { openPane } from "../ui/panes.js";
import { tabs } from "../ui/tabs.js";

/** @typedef {"javascript"|"go"|"curl"|"policy"|"patch"|"gateway"} Kind */
/** @import { Choice } from "./code.js" */
/**
 * @typedef {{choice: Choice, whole: object, name: string, format: string, byHand: number}} Shown byHand: number of
 *   summaries that the code cannot reproduce
 */

/** @type {Record<Kind, {file: string, noun: string, says: string}>} */
const KINDS = {
	javascript: {
		file: "compact.mjs",
		noun: "the code",
		says: "Runs in Node 20 and later, with the package of wasm/npm installed as tamp.",
	},
	go: {
		file: "main.go",
		noun: "the code",
		says: "Runs with Go 1.26 and the module tamp; in go.mod, a replace directive names its folder.",
	},
	curl: {
		file: "compact.sh",
		noun: "the command",
		says: 'Calls a Tamp server, which stores the originals. A server with a token needs -H "authorization: Bearer …" as well.',
	},
	policy: {
		file: "policy.json",
		noun: "the policy",
		says: "Every value of the policy: the defaults of the preset and your changes. Every interface of Tamp accepts it.",
	},
	patch: {
		file: "policy.json",
		noun: "the changes",
		says: "Only the differences from the preset; all other values follow the preset, in later versions, too.",
	},
	gateway: {
		file: "gateway.sh",
		noun: "the commands",
		says: "Compacts a running agent: it sends its requests to the gateway, with this policy.",
	},
};

const LOCAL = "http://127.0.0.1:8787"; // where `make run` serves

export class Takeaway {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		this.session = session;
		this.note = byId("code-note");
		/** @type {Kind} */
		this.kind = "javascript";
		/** @type {Shown | null} */
		this.shown = null;
		this.clients = new Clients("code-clients", (client) => this.connection(client));
		const choose = tabs(Object.keys(KINDS), (name) => {
			this.kind = /** @type {Kind} */ (name);
			this.draw();
			if (name === "curl" || name === "gateway") void session.findServer();
		});
		byId("code-copy").addEventListener("click", () => toClipboard(new Blob([this.text()]), KINDS[this.kind].noun));
		byId("next-gateway").addEventListener("click", async () => {
			openPane(store, "packed");
			choose("gateway");
			await session.findServer();
			toClipboard(new Blob([this.text("gateway")]), KINDS.gateway.noun);
			byId("takeaway").scrollIntoView({ block: "nearest" });
		});
		byId("code-download").addEventListener("click", () =>
			save(new Blob([this.text()], { type: "text/plain;charset=utf-8" }), KINDS[this.kind].file),
		);
		store.watch(["about"], () => this.draw());
		store.watch(["policy"], () => this.ready(false)); // the code cannot be taken until it is that of the new policy
		store.watchInPieces("output", (state) => this.show(state));
	}

	/** The server of the page, or where `make run` serves. */
	get origin() {
		return this.store.state.about ? location.origin : LOCAL;
	}

	/** @param {boolean} is */
	ready(is) {
		byId("takeaway").setAttribute("aria-busy", String(!is));
		for (const name of ["code-copy", "code-download", "next-gateway"]) byId(name).disabled = !is;
	}

	/** @param {import("../store.js").State} state */
	show(state) {
		const { source, seen, output } = state;
		if (!source || !seen || output.is === "waiting") return;
		const rounds = output.is === "done" ? output.rounds : [];
		const byHand = rounds.flatMap(({ requests }) => requests).filter(({ by }) => by !== "extract").length;
		const choice = { ...choiceOf(state), counter: seen.counter };
		this.shown = { choice, whole: wholeOf(state), name: source.name, format: seen.format, byHand };
		this.ready(true);
		this.draw();
	}

	/** What puts a client behind the gateway with this policy. @param {string} client */
	connection(client) {
		if (!this.shown) return "";
		const { preset, policy } = this.shown.choice;
		const token = this.store.state.about?.token ? (keptIn("tamp-live-token") ?? "…") : "";
		const runs = this.origin === location.origin;
		return connection(client, { server: this.origin, policy: JSON.stringify({ preset, ...policy }), token }, runs);
	}

	/** @param {Kind} [kind] */
	text(kind = this.kind) {
		if (!this.shown) return "";
		const { choice, whole, name, format } = this.shown;
		const files = filesOf(name, format);
		switch (kind) {
			case "gateway":
				return this.connection(this.clients.now);
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
		if (!this.shown) return;
		if (this.kind === "gateway") this.clients.draw();
		else {
			const code = byId(`code-${this.kind}`);
			const text = this.text();
			if (code.textContent !== text) code.textContent = text;
		}
		const { byHand } = this.shown;
		const missing =
			byHand > 0 && !["gateway", "policy", "patch"].includes(this.kind)
				? " Summaries that you wrote or failed by hand, or that this server made, are not included."
				: "";
		this.note.textContent = KINDS[this.kind].says + missing;
	}
}
