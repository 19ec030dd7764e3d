// This file is the place Live: the sessions that pass through the gateway now. It asks the server only while it is
// shown.

import { about, Refused } from "../output/api.js";
import { Clients, connection } from "../output/clients.js";
import { cells, gain, head } from "../folder/report.js";
import { byId, fill, h } from "../ui/dom.js";
import { keepIn, keptIn } from "../ui/storage.js";
import { toast } from "../ui/toast.js";
import { number, plural, share } from "../ui/words.js";
import { lastRequest, liveSessions } from "./sessions.js";

/** @import { LiveSession } from "./sessions.js" */

const COLUMNS = ["Context window", "Saved", "From the cache", "Calls", "Last call"];
const TOKEN = "tamp-live-token"; // in sessionStorage, which ends with the tab
const RETRIES = [1000, 2000, 5000, 15_000]; // ms before the next try after a lost connection
/** @type {Intl.DateTimeFormat | undefined} made on first use: that takes 20 ms */
let clock;

export class Live {
	/** @param {(name: string, blob: Blob) => void} show opens a session */
	constructor(show) {
		this.openSession = show;
		/** @type {AbortController | null} */
		this.running = null;
		/** Read when it is needed: the first use of the storage takes longer than all else here. @type {string | null} */
		this.token = null;
		this.shown = "";
		this.failed = 0;
		this.says = h("p.live-says", { role: "status" });
		this.field = h("input", { id: "live-token", type: "password", autocomplete: "off", spellcheck: "false" });
		this.wrong = h("p.error", { role: "alert" });
		this.form = h(
			"form.live-token",
			{ hidden: true, on: { submit: (/** @type {Event} */ event) => this.submit(event) } },
			h("label", { for: "live-token" }, "Token of this server (TAMP_TOKEN)"),
			h("div.live-field", this.field, h("button.primary", { type: "submit" }, "Show the sessions")),
			h("p.hint", "It is kept for this tab only, and sent to no one but this server."),
			this.wrong,
		);
		this.list = h("div.live-list");
		this.root = byId("place-live");
		fill(
			this.root,
			h(
				"section.live-head",
				{ "aria-labelledby": "live-title" },
				h("h1", { id: "live-title" }, "Sessions that run through this server"),
				this.says,
			),
			this.form,
			this.list,
			h(
				"section.live-connect",
				{ "aria-labelledby": "live-connect" },
				h("h2", { id: "live-connect" }, "Put an agent behind this server"),
				h("div", { id: "live-clients" }),
			),
		);
		this.hasToken = false;
		this.clients = new Clients("live-clients", (client) =>
			connection(client, { server: location.origin, policy: "", token: this.hasToken ? this.token || "…" : "" }, true),
		);
	}

	/** Follows the sessions, or stops. @param {boolean} on the place is shown */
	run(on) {
		if (on === (this.running !== null)) return;
		this.running?.abort();
		this.running = on ? new AbortController() : null;
		if (this.running) void this.follow(this.running.signal);
	}

	/** @param {AbortSignal} signal */
	async follow(signal) {
		this.turn("connecting", "Connecting…");
		this.token ??= keptIn(TOKEN) ?? "";
		const { token } = this;
		// Asked first, because a refused stream would be an error in the console.
		const server = await about();
		if (signal.aborted) return;
		this.hasToken = server?.token === true;
		this.clients.draw();
		if (server?.token && !token) return this.ask("");
		this.form.hidden = true;
		while (!signal.aborted) {
			try {
				for await (const sessions of liveSessions(token, signal)) {
					this.failed = 0;
					this.show(sessions);
				}
			} catch (cause) {
				if (signal.aborted) return;
				if (cause instanceof Refused) return this.refuse(cause);
			}
			if (signal.aborted) return;
			this.turn("lost", "The server does not answer. Trying again…");
			await pause(RETRIES[Math.min(this.failed++, RETRIES.length - 1)], signal);
		}
	}

	/** @param {Refused} refused */
	refuse(refused) {
		if (refused.code !== "unauthorized") return this.turn("lost", `The server refused: ${refused.message}.`);
		const had = Boolean(this.token);
		this.remember("");
		this.ask(had ? "The server refused this token." : "");
	}

	/** Asks for the token of the server. @param {string} wrong why the last one was refused, or "" */
	ask(wrong) {
		this.turn("token", "This server has a token. Enter it to see the sessions.");
		this.form.hidden = false;
		this.shown = "";
		fill(this.list);
		fill(this.wrong, wrong);
		if (wrong) this.field.setAttribute("aria-invalid", "true");
		this.field.focus();
	}

	/** @param {Event} event */
	submit(event) {
		event.preventDefault();
		const token = this.field.value.trim();
		// A header holds only ASCII.
		if (!/^[\x20-\x7e]+$/.test(token)) return this.ask("A token has only letters, digits and signs of ASCII.");
		this.field.value = "";
		this.field.removeAttribute("aria-invalid");
		fill(this.wrong);
		this.remember(token);
		this.run(false);
		this.run(true);
	}

	/** @param {string} token */
	remember(token) {
		this.token = token;
		keepIn(TOKEN, token);
	}

	/** @param {"connecting" | "token" | "lost" | "open"} state @param {string} says */
	turn(state, says) {
		this.root.dataset.state = state;
		if (this.says.textContent !== says) this.says.textContent = says;
	}

	/** @param {LiveSession[]} sessions */
	show(sessions) {
		this.turn(
			"open",
			"The list follows each call. The sessions are in the memory of this server, and gone when it stops.",
		);
		const text = JSON.stringify(sessions);
		if (text === this.shown) return;
		this.shown = text;
		const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.session : undefined;
		fill(this.list, sessions.length === 0 ? empty() : this.table(sessions));
		for (const button of this.list.querySelectorAll("button"))
			if (focused && button.dataset.session === focused) button.focus({ preventScroll: true });
	}

	/** @param {LiveSession[]} sessions */
	table(sessions) {
		return h(
			"div.folder-box",
			{ tabindex: "0", role: "group", "aria-label": "Live sessions, the last used first" },
			h(
				"table.figures-table.stacks.live-table",
				{ "data-testid": "live-sessions" },
				head("Session", ...COLUMNS),
				h("tbody", ...sessions.map((session) => this.row(session))),
			),
		);
	}

	/** @param {LiveSession} session */
	row(session) {
		const {
			id,
			client,
			model,
			calls,
			errors,
			compactions,
			summaryFailed,
			openRoundCut,
			thinkingLost,
			readAgain,
			cacheMisses,
			usage,
			saved,
			priced,
			last,
			request,
			reason,
		} = session;
		const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
		const name = nameOf(client);
		const notes = [
			compactions.length > 0 && plural(compactions.length, "compaction"),
			summaryFailed > 0 && `${plural(summaryFailed, "summary", "summaries")} failed, built-in ones are used`,
			openRoundCut > 0 && `unread results cut in ${plural(openRoundCut, "compaction")}`,
			thinkingLost > 0 && `${plural(thinkingLost, "thinking block")} lost`,
			readAgain > 0 && `${plural(readAgain, "result")} read again`,
			...Object.entries(cacheMisses ?? {}).map(
				([reason, calls]) => `cache missed in ${plural(calls, "call")}: ${reason.replaceAll("_", " ")}`,
			),
			errors > 0 && plural(errors, "error"),
			reason && `passed unchanged: ${reason.replaceAll("_", " ")}`,
		].filter(Boolean);
		const open = () => void this.open(session);
		return h(
			"tr",
			h(
				"th",
				{ scope: "row" },
				request
					? h("button.link", { "data-session": id, title: client, on: { click: open } }, name)
					: h("span", { title: client }, name),
				h(
					"span.hint",
					request ? model : `${model || "unknown model"} · its request is not kept, so it cannot be opened`,
				),
			),
			...cells(
				COLUMNS,
				session.before > 0 ? gauge(session) : "not read",
				priced ? gain(saved) : "price unknown",
				prompt > 0 ? share(usage.cacheRead, prompt) : "not reported",
				[number(calls), notes.length > 0 && h("span.hint", notes.join(", "))],
				timeOfDay(last),
			),
		);
	}

	/** @param {LiveSession} session */
	async open({ id, client, last }) {
		try {
			this.openSession(`${nameOf(client)}, ${timeOfDay(last)}`, await lastRequest(id, this.token ?? ""));
		} catch (cause) {
			toast(
				cause instanceof Refused
					? "The server no longer keeps the request of this session."
					: "The server does not answer, so the session could not be opened.",
			);
		}
	}
}

/** How full the context window is: what was sent, and what would have been sent. @param {LiveSession} session */
function gauge({ before, after, window }) {
	const bar = h("meter", { min: "0", max: String(window), value: String(after), "aria-label": "Context window" });
	return h(
		"div.live-gauge",
		bar,
		before > after ? `${number(before)} → ${number(after)}` : number(after),
		h("span.hint", `window ${number(window)}`),
	);
}

/** @param {string} client a user agent */
function nameOf(client) {
	return client.split(" ")[0].replace("/", " ") || "an unnamed client";
}

function empty() {
	return h(
		"p.live-empty",
		"No agent has called this server since it started. Its history is compacted on the way to the provider, and nothing else changes.",
	);
}

/** @param {number} ms @param {AbortSignal} signal */
function pause(ms, signal) {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, ms);
		signal.addEventListener("abort", () => {
			clearTimeout(timer);
			resolve(null);
		});
	});
}

/** @param {number | string | Date} at */
function timeOfDay(at) {
	clock ??= new Intl.DateTimeFormat("en-US", { timeStyle: "medium", hour12: false });
	return clock.format(/** @type {any} */ (at));
}
