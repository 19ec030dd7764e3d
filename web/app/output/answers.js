// This file computes the answers to summary requests: which the user gave by hand or let fail, and those of a server.

/** @import { Answer, Round, Served } from "../engine/types.js" */
/** @import { State } from "../store.js" */

const KEPT = 400; // answers kept for requests of earlier policies, in case the policy is changed back

/** The rounds that ask for a summary. @param {State} state @returns {Round[]} */
export const roundsOf = ({ output }) =>
	output.is === "done" ? output.rounds.filter(({ requests }) => requests.length > 0) : [];

/** @param {Round[]} rounds */
export const idsOf = (rounds) => rounds.flatMap(({ requests }) => requests.map(({ id }) => id));

/**
 * The answers with others for some requests, without the oldest if they are many.
 * @template A
 * @param {Map<string, A>} answers
 * @param {[string, A | null][]} changed null for the summarizer's
 * @param {number} min number of the newest answers that always stay
 */
export function withAnswers(answers, changed, min) {
	const next = new Map(answers);
	for (const [id, answer] of changed) {
		next.delete(id);
		if (answer) next.set(id, answer);
	}
	return new Map([...next].slice(-Math.max(KEPT, min)));
}

/**
 * The answers of a server instead of all others. Requests of later rounds depend on earlier answers, so it is all or none.
 * @param {State} state
 * @param {Round[]} rounds of the last result
 * @param {Map<string, Served>} all by the request's id
 */
export function servedIn({ answers, served }, rounds, all) {
	/** @type {[string, Answer | null][]} */
	const none = idsOf(rounds).map((id) => [id, null]);
	/** @type {[string, Answer][]} */
	const of = [...all].map(([id, answer]) => [id, { by: "server", ...answer }]);
	return { answers: withAnswers(answers, [...none, ...of], all.size), served: withAnswers(served, [...all], all.size) };
}
