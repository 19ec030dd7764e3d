// This file shows the summary requests, round by round, and takes the answers: the summarizer's, one typed by hand, or
// none. A card is made once for a request and then changed in place, so that a field keeps its cursor while the outcome
// changes.

import { byId, fill, h } from "../ui/dom.js";
import { pagedList } from "../ui/pagedList.js";
import { RequestCard } from "./requestCard.js";
import { fromTo, grouped, number, plural } from "../ui/words.js";

/** @import { Answer, Round, Served } from "../engine/types.js" */

const STEP = 25; // cards drawn at a time: each holds a prompt
const KEPT = 400; // answers kept for requests of earlier policies, in case the policy is changed back

export class Requests {
	/** @param {() => void} changed an answer changed */
	constructor(changed) {
		this.changed = changed;
		this.root = byId("requests");
		this.note = byId("requests-note");
		this.all = byId("answer-all");
		/** @type {Map<string, Answer>} */
		this.answers = new Map();
		/** Answers of a server, used or not. @type {Map<string, Served>} */
		this.served = new Map();
		this.server = "";
		/** @type {Round[]} */
		this.rounds = [];
		/** @type {{ids: string, section: HTMLElement, head: HTMLElement, cards: Map<string, RequestCard>}[]} */
		this.drawn = [];
		byId("all-extract").addEventListener("click", () => this.answerAll(null));
		byId("all-fail").addEventListener("click", () => this.answerAll({ by: "fail" }));
	}

	/** @returns {Record<string, Answer>} */
	given() {
		return Object.fromEntries(this.answers);
	}

	/** Forgets the answers: another session has other requests. */
	forget() {
		this.answers.clear();
		this.served.clear();
	}

	/**
	 * Uses the answers of a server instead of all others. Requests of later rounds depend on earlier answers, so it is
	 * all or none.
	 * @param {Map<string, Served>} served by the request's id
	 * @param {string} server its name on the page
	 */
	serve(served, server) {
		this.server = server;
		for (const { requests } of this.rounds) for (const { id } of requests) this.put(id, null);
		for (const [id, answer] of served) {
			this.served.delete(id);
			this.served.set(id, answer);
			this.answers.delete(id);
			this.answers.set(id, { by: "server", ...answer });
		}
		this.trim(served.size);
	}

	/** @param {Answer | null} answer null for the summarizer's */
	answerAll(answer) {
		for (const { requests } of this.rounds) for (const { id } of requests) this.put(id, answer);
		this.changed();
	}

	/** @param {string} id @param {Answer | null} answer */
	put(id, answer) {
		this.answers.delete(id);
		if (answer) this.answers.set(id, answer);
		this.trim(this.rounds.reduce((sum, { requests }) => sum + requests.length, 0));
	}

	/** Removes the oldest answers. @param {number} min number of the newest answers that always stay */
	trim(min) {
		for (const map of [this.answers, this.served]) {
			for (const id of map.keys()) {
				if (map.size <= Math.max(KEPT, min)) break;
				map.delete(id);
			}
		}
	}

	/** @param {Round[]} rounds @param {string} why no summary is asked for, if none is */
	show(rounds, why) {
		this.rounds = rounds.filter(({ requests }) => requests.length > 0);
		const count = this.rounds.reduce((sum, { requests }) => sum + requests.length, 0);
		byId("tab-requests").textContent = `Requests (${number(count)})`;
		this.all.hidden = count === 0;
		this.note.textContent =
			count === 0
				? `No summary is asked for: ${why}.`
				: `${plural(count, "request")} for a summary. ${this.who()} Answer by hand, or let one fail, to see the effect.`;
		for (const [i, round] of this.rounds.entries()) this.round(round, i);
		for (const { section } of this.drawn.splice(this.rounds.length)) section.remove();
	}

	/** A sentence on who answered the requests. */
	who() {
		const by = this.rounds.flatMap(({ requests }) =>
			requests.map((asked) => (asked.by === "server" && asked.err ? "failed" : asked.by)),
		);
		const of = (/** @type {string} */ who) => by.filter((one) => one === who).length;
		if (of("server") + of("failed") === 0)
			return "In production your model answers them; here the built-in summarizer does, which needs no model.";
		const parts = /** @type {const} */ ([
			["server", `answered by ${this.server}`],
			["failed", of("server") > 0 ? "failed there" : `failed at ${this.server}`],
			["extract", "answered by the built-in summarizer"],
			["hand", "answered by hand"],
			["fail", "failed by hand"],
		]);
		return `${parts
			.filter(([who]) => of(who) > 0)
			.map(([who, says]) => `${number(of(who))} ${says}`)
			.join(", ")}.`;
	}

	/** @param {Round} round @param {number} i */
	round(round, i) {
		const ids = round.requests.map(({ id }) => id).join();
		let at = this.drawn[i];
		if (at?.ids !== ids) {
			const head = h("h3");
			const list = h("ul");
			at?.section.remove();
			at = { ids, head, section: h("section.round", { "data-round": i + 1 }, head, list), cards: new Map() };
			const { cards } = at;
			pagedList(
				list,
				round.requests,
				(request, n) => {
					const card = new RequestCard(request, `${i + 1}-${n + 1}`, (answer) => {
						this.put(request.id, answer);
						this.changed();
					});
					cards.set(request.id, card);
					// The card may be drawn after the round has changed: it shows the present state.
					const now = this.rounds[i] ?? round;
					card.show(now.requests[n], regionOf(now, request.id), this.served.get(request.id));
					return card.root;
				},
				{ step: STEP, wrap: "li" },
			);
			this.drawn[i] = at;
			this.root.insertBefore(at.section, this.drawn[i + 1]?.section ?? null);
		}
		const aims = round.target > 0 && round.target < round.before && round.trigger.kind !== "manual";
		const target = aims ? `, target ${number(round.target)}` : "";
		const size = ` ${fromTo(round.before, round.after)} tokens${target}`;
		fill(at.head, `Round ${i + 1}`, h("span.hint", size));
		for (const request of round.requests)
			at.cards.get(request.id)?.show(request, regionOf(round, request.id), this.served.get(request.id));
	}
}

/** @param {Round} round @param {string} id */
function regionOf(round, id) {
	return round.regions.find(({ region }) => region.requests?.includes(id));
}

/**
 * Why a policy asks for no summary.
 * @param {boolean} summarizes whether it ever does
 * @param {Round[]} rounds
 * @param {import("../engine/types.js").Action[]} actions
 */
export function whyNone(summarizes, rounds, actions) {
	if (!summarizes) return "this policy clears and shortens, and never summarizes";
	const none = actions.find(({ kind }) => kind === "none")?.reason;
	if (none) return grouped(none);
	const [first] = rounds;
	if (!first || first.trigger.kind === "none") return "the session is below the size from which the policy summarizes";
	return "what was cleared and shortened is enough";
}
