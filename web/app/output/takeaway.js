// This file offers the code that does the same as the page, and the policy as JSON, to copy or download.

import { toClipboard } from "../ui/clipboard.js";
import { Clients, connection } from "./clients.js";
import { curl, filesOf, go, javascript } from "./code.js";
import { keptIn } from "../ui/storage.js";
import { byId } from "../ui/dom.js";
import { save } from "./download.js";
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
	/**
	 * @param {{server: () => Promise<import("./api.js").About | null>, open: () => void}} acts server: that of the page, null
	 *   if it is a static host; open: show the packed session, whose part this is
	 */
	constructor(acts) {
		this.acts = acts;
		this.note = byId("code-note");
		/** @type {Kind} */
		this.kind = "javascript";
		/** @type {Shown | null} */
		this.shown = null;
		this.origin = LOCAL;
		/** The question to the server while it is open. @type {Promise<import("./api.js").About | null> | null} */
		this.finding = null;
		/** Whether the server of the page has a token. */
		this.token = false;
		this.clients = new Clients("code-clients", (client) => this.connection(client));
		const choose = tabs(Object.keys(KINDS), (name) => {
			this.kind = /** @type {Kind} */ (name);
			this.draw();
			if (name === "curl" || name === "gateway") void this.find();
		});
		byId("code-copy").addEventListener("click", () => toClipboard(new Blob([this.text()]), KINDS[this.kind].noun));
		byId("next-gateway").addEventListener("click", async () => {
			acts.open();
			choose("gateway");
			await this.find();
			toClipboard(new Blob([this.text("gateway")]), KINDS.gateway.noun);
			byId("takeaway").scrollIntoView({ block: "nearest" });
		});
		byId("code-download").addEventListener("click", () =>
			save(new Blob([this.text()], { type: "text/plain;charset=utf-8" }), KINDS[this.kind].file),
		);
	}

	/** Call when the policy changed: the code cannot be taken until it is that of the new policy. */
	wait() {
		this.ready(false);
	}

	/** @param {boolean} is */
	ready(is) {
		byId("takeaway").setAttribute("aria-busy", String(!is));
		for (const name of ["code-copy", "code-download", "next-gateway"]) byId(name).disabled = !is;
	}

	/** @param {Shown} shown */
	show(shown) {
		this.shown = shown;
		this.ready(true);
		this.draw();
	}

	async find() {
		if (this.origin === location.origin) return;
		this.finding ??= this.acts.server();
		const server = await this.finding;
		this.finding = null;
		if (!server) return;
		this.origin = location.origin;
		this.token = server.token;
		this.draw();
	}

	/** What puts a client behind the gateway with this policy. @param {string} client */
	connection(client) {
		if (!this.shown) return "";
		const { preset, policy } = this.shown.choice;
		const token = this.token ? (keptIn("tamp-live-token") ?? "…") : "";
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
