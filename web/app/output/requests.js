// This file shows the summary requests, round by round, and takes the answers: the summarizer's, one typed by hand, or
// none. A card is made once for a request and then changed in place, so that a field keeps its cursor while the outcome
// changes.

import { byId, fill, h } from "../ui/dom.js";
import { idsOf, roundsOf } from "./answers.js";
import { pagedList } from "../ui/pagedList.js";
import { RequestCard } from "./requestCard.js";
import { fromTo, grouped, number, plural } from "../ui/words.js";

/** @import { Answer, Round } from "../engine/types.js" */

const STEP = 25; // cards drawn at a time: each holds a prompt

export class Requests {
	/** @param {import("../store.js").Store} store @param {import("../session/session.js").Session} session */
	constructor(store, session) {
		this.store = store;
		this.session = session;
		this.root = byId("requests");
		this.note = byId("requests-note");
		this.all = byId("answer-all");
		/** @type {Round[]} */
		this.rounds = [];
		/** @type {{ids: string, section: HTMLElement, head: HTMLElement, cards: Map<string, RequestCard>}[]} */
		this.drawn = [];
		byId("all-extract").addEventListener("click", () => this.answer(null));
		byId("all-fail").addEventListener("click", () => this.answer({ by: "fail" }));
	}

	/** @param {Answer | null} answer null for the summarizer's @param {string[]} [ids] of the requests */
	answer(answer, ids = idsOf(this.rounds)) {
		this.session.answer(ids, answer, idsOf(this.rounds).length);
	}

	/** @param {string} why no summary is asked for, if none is */
	show(why) {
		this.rounds = roundsOf(this.store.state);
		const count = idsOf(this.rounds).length;
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
			["server", `answered by ${this.store.state.server}`],
			["failed", of("server") > 0 ? "failed there" : `failed at ${this.store.state.server}`],
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
					const card = new RequestCard(request, `${i + 1}-${n + 1}`, (answer) => this.answer(answer, [request.id]));
					cards.set(request.id, card);
					// The card may be drawn after the round has changed: it shows the present state.
					const now = this.rounds[i] ?? round;
					card.show(now.requests[n], regionOf(now, request.id), this.store.state.served.get(request.id));
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
			at.cards.get(request.id)?.show(request, regionOf(round, request.id), this.store.state.served.get(request.id));
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
