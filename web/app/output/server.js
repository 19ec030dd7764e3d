// This file is "Summarize with this server", for a page that a Tamp server serves. It is the only part of the page that
// sends a conversation. Its rules: nothing is sent unless the user presses the button; the text next to the button says
// what is sent and to whom; token and key are stored only in their fields. On a static host this part is hidden.

import { compact, Refused } from "./api.js";
import { byId, fill, h } from "../ui/dom.js";
import { explain } from "./refusals.js";
import { span } from "./requestCard.js";
import { bytes, number, plural, sentence } from "../ui/words.js";

/** @import { ServerEvent } from "./api.js" */
/** @import { Served } from "../engine/types.js" */

/** @type {Record<string, string>} */
const PROVIDERS = {
	anthropic: "Anthropic",
	openai: "OpenAI or a server that speaks its protocol",
	"workers-ai": "Workers AI",
};

const UNCHANGED = "Nothing on this page was changed.";
const UNSENT = "Nothing of this session has been sent.";

export class Server {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		this.session = session;
		this.root = byId("server");
		this.start = byId("server-start");
		this.stop = byId("server-stop");
		this.now = byId("server-now");
		this.bar = byId("server-bar");
		this.log = byId("server-log");
		this.error = byId("server-error");
		/** @type {{token: HTMLInputElement, key: HTMLInputElement}} */
		this.fields = { token: byId("server-token"), key: byId("server-key") };
		/** The server accepts no callers. */
		this.closed = false;
		this.requests = 0;
		/** Aborts the running compaction. @type {AbortController | null} */
		this.running = null;
		/** The answers, until the page has applied them. @type {Map<string, Served> | null} */
		this.taken = null;
		this.root.addEventListener("submit", (/** @type {Event} */ event) => {
			event.preventDefault();
			void this.run();
		});
		this.stop.addEventListener("click", () => this.cancel(`Canceled. ${UNCHANGED}`));
		store.watch(["about"], () => this.offer());
		store.watch(["source"], ({ source }) => source?.origin !== "edit" && this.forget());
		store.watch(["work"], ({ work }) => work.is === "soon" && this.changed());
		store.watchInPieces("output", ({ output }) => {
			if (output.is !== "waiting") this.settled(output.is === "done" ? output.rounds : []);
		});
	}

	get about() {
		return this.store.state.about;
	}

	/** Says what the server would get, and asks for what it needs. */
	offer() {
		if (!this.about) return;
		const { summarizer, token, key, store } = this.about;
		const vendor = summarizer.provider === "anthropic" || summarizer.provider === "openai";
		const asks = PROVIDERS[summarizer.provider] ?? summarizer.provider;
		const model =
			summarizer.provider === "extractive"
				? "whose built-in summarizer answers, without a model"
				: `which asks ${asks}${summarizer.model ? ` (${summarizer.model})` : ""}`;
		const originals = store ? "The server stores the originals of removed content." : "The server stores nothing.";
		const closed = summarizer.provider === "workers-ai" && !token;
		byId("server-says").textContent = closed
			? `This server uses ${asks} only for callers with its token, but it has no token set. Set TAMP_TOKEN on the server, then reload.`
			: `Sends this conversation to ${location.host}, ${model}. ${originals}`;
		byId("server-token-field").hidden = !token;
		byId("server-key-field").hidden = !vendor || (key && token);
		byId("server-key-label").textContent =
			key || summarizer.provider === "openai" ? "Your own key" : "Your own key for Anthropic";
		this.closed = closed;
		this.start.disabled = closed;
		byId("promise").textContent = "Nothing leaves this page unless you ask its server.";
		this.show(this.requests);
	}

	/** @param {number} requests of the page */
	show(requests) {
		this.requests = requests;
		this.root.hidden = !this.about || requests === 0;
	}

	forget() {
		this.cancel("");
		this.taken = null;
		this.turn("idle", UNSENT);
		fill(this.log);
		this.log.hidden = true;
		fill(this.error);
	}

	/** Call when the session or the policy changed: cancels a running compaction. */
	changed() {
		this.cancel("Canceled: the session or the policy has changed.");
		if (!this.taken) return;
		this.taken = null; // the next result belongs to another input
		this.turn("done", "Done.");
	}

	/** @param {string} why */
	cancel(why) {
		if (!this.running) return;
		this.running.abort();
		this.running = null;
		this.turn("canceled", why);
	}

	async run() {
		if (this.running || !this.about || this.closed) return;
		const mine = new AbortController();
		this.running = mine;
		const secrets = { token: this.fields.token.value.trim(), key: this.fields.key.value.trim() };
		for (const field of Object.values(this.fields)) field.removeAttribute("aria-invalid");
		fill(this.error);
		fill(this.log);
		this.log.hidden = true;
		this.bar.removeAttribute("value");
		this.turn("running", "Sending…");
		/** @type {Map<string, Served>} */
		const served = new Map();
		/** @type {Map<string, string>} */
		const names = new Map();
		try {
			const request = await this.session.compactionRequest();
			if (this.running !== mine) return;
			this.turn("running", `Sending ${bytes(new Blob([request.conversation]).size)}…`);
			for await (const event of compact(request, secrets, mine.signal)) {
				if (this.running !== mine) return;
				this.onEvent(event, served, names);
			}
			this.running = null;
			this.taken = served;
			this.turn("done", "Putting the summaries in…");
			this.session.takeServed(served, this.name());
		} catch (cause) {
			if (this.running !== mine) return;
			this.running = null;
			this.refuse(
				cause instanceof Refused ? cause : new Refused("internal", String(/** @type {Error} */ (cause).message)),
				secrets,
			);
		}
	}

	/**
	 * @param {ServerEvent} event
	 * @param {Map<string, Served>} served
	 * @param {Map<string, string>} names the name of each request
	 */
	onEvent(event, served, names) {
		switch (event.event) {
			case "plan": {
				const { round, plan } = event;
				for (const request of plan.requests) names.set(request.id, span(request));
				const says =
					plan.requests.length > 0
						? `${plural(plan.requests.length, "summary", "summaries")} for ${plural(plan.regions.length, "region")}`
						: "no more summaries";
				this.bar.removeAttribute("value");
				return this.add("plan", `Round ${number(round)}: ${says}`);
			}
			case "saved":
				return this.add(
					"saved",
					event.stored
						? `Originals kept by the server, ${bytes(event.bytes)}, as ${event.refs.join(", ")}`
						: `Originals not kept by the server, ${bytes(event.bytes)}: download the archive to keep them`,
				);
			case "summary": {
				const { id, done, of, cached, text, error = "" } = event;
				if (typeof text !== "string") throw new Refused("other_version", "");
				served.set(id, { text, err: error });
				this.bar.max = of;
				this.bar.value = done;
				this.turn("running", `${number(done)} of ${plural(of, "summary", "summaries")}`);
				const what = `${names.get(id) ?? id}, ${plural(event.tokens, "token")}`;
				return this.add(
					error ? "failed" : "summary",
					error ? `${what}: ${sentence(error)}` : `${what}${cached ? ", from the cache" : ""}`,
				);
			}
		}
	}

	/**
	 * Call for every result of the page; the first one after a run contains its answers.
	 * @param {import("../engine/types.js").Round[]} rounds
	 */
	settled(rounds) {
		const asked = rounds.flatMap(({ requests }) => requests);
		this.show(asked.length);
		const { taken } = this;
		if (!taken) return;
		this.taken = null;
		if (asked.some(({ by }) => by !== "server") || new Set(asked.map(({ id }) => id)).size < taken.size)
			return this.refuse(new Refused("other_version", ""), { token: "", key: "" });
		const failed = asked.filter(({ err }) => err).length;
		const succeeded = asked.length - failed;
		// Failed summaries stay visible, even if later ones succeeded.
		const [first] = this.log.querySelectorAll("[data-kind=failed]");
		if (first) this.log.scrollTop = first.offsetTop - this.log.offsetTop - 8;
		this.turn(
			"done",
			failed === 0
				? `Done: ${plural(succeeded, "summary is", "summaries are")} in.`
				: `Done: ${number(succeeded)} of ${plural(asked.length, "summary", "summaries")} are in, ${number(failed)} failed.`,
		);
	}

	/** @param {Refused} refused @param {{token: string, key: string}} secrets */
	refuse(refused, secrets) {
		if (!this.about) return;
		const { what, advice, field } = explain(refused, this.about, secrets);
		this.turn("failed", UNCHANGED);
		fill(this.error, h("p.what", what), h("p.advice", advice));
		if (!field) return;
		this.fields[field].setAttribute("aria-invalid", "true");
		this.fields[field].focus();
	}

	/** @param {"idle"|"running"|"done"|"failed"|"canceled"} state @param {string} says */
	turn(state, says) {
		this.root.dataset.state = state;
		this.now.textContent = says;
		const running = state === "running";
		const held = document.activeElement;
		this.start.disabled = this.stop.disabled = false;
		// The focus moves to the enabled button.
		if (running && held === this.start) this.stop.focus({ preventScroll: true });
		if (!running && held === this.stop) this.start.focus({ preventScroll: true });
		this.start.disabled = running || this.closed;
		this.stop.disabled = !running;
	}

	/** @param {string} kind @param {string} text */
	add(kind, text) {
		this.log.hidden = false;
		this.log.append(h("li", { "data-kind": kind }, text));
		this.log.scrollTop = this.log.scrollHeight;
	}

	/** The name of the server on the page. */
	name() {
		const model = this.about?.summarizer.model;
		return model ? `this server (${model})` : "this server";
	}
}
