// This file runs the compaction loop for the worker: plan, save the originals, answer every request, apply, until no
// plan is left.

/** @import { Engine, Input } from "../../npm/index.js" */
/** @import { Action, Answer, Asked, MessageFate, Plan, Round, Settled } from "./types.js" */

/**
 * @typedef {{conversation: unknown, archive: string[], actions: Action[], before: number, after: number, fates:
 *   MessageFate[], rounds: Round[]}} Packed
 */

/**
 * The input for another conversation: chosen blocks are positions in one.
 * @template {Input} T
 * @param {T} input
 * @returns {Omit<T, "keep" | "drop" | "summarize">}
 */
export function withoutChosen({ keep: _keep, drop: _drop, summarize: _summarize, ...rest }) {
	return rest;
}

const MAX_ROUNDS = 10; // the engine ends by itself; the limit prevents an endless loop

/**
 * The answers of the summarizer, and the prompts as Blobs, by the request's id. Equal ids mean equal requests, so a
 * changed answer by hand does not compute the other answers again.
 */
export class Memory {
	constructor() {
		/** @type {Map<string, {text?: string, err?: string}>} */
		this.extracts = new Map();
		/** @type {Map<string, {system: Blob, user: Blob}>} */
		this.prompts = new Map();
	}
}

/**
 * @param {Engine} engine
 * @param {Input} input
 * @param {Plan} plan the first round's
 * @param {Record<string, Answer>} answers
 * @param {Memory} memory
 * @param {(round: number, tokens: number) => Promise<boolean>} shouldContinue gets the round, from 1, and the tokens
 *   that the rounds before it left; false if the job is superseded
 * @returns {Promise<Packed | null>} null if the job is superseded
 */
export async function pack(engine, input, plan, answers, memory, shouldContinue) {
	/** @type {Packed} */
	const packed = {
		conversation: input.conversation,
		archive: [],
		actions: [],
		before: plan.before,
		after: plan.before,
		fates: [],
		rounds: [],
	};
	/** @type {Plan | undefined} */
	let next = plan;
	const later = withoutChosen(input); // the positions are those of the first round
	let given = input;
	const goOn = () => shouldContinue(packed.rounds.length + 1, packed.after);
	while (next && packed.rounds.length < MAX_ROUNDS) {
		/** @type {Input & {plan: Plan}} */
		const now = { ...given, plan: next };
		const requests = ask(engine, now, answers, memory);
		if (!(await goOn())) return null;
		// The order is the engine's contract: the originals are saved before anything is removed.
		packed.archive.push(engine.archive(now));
		if (!(await goOn())) return null;
		const results = requests.map(({ id, text, err }) => (err ? { id, err } : { id, text }));
		const earlier = packed.rounds.length > 0 ? { fates: packed.fates } : {};
		/** @type {import("../../npm/wire.js").Outcome} */
		const outcome = engine.apply({ ...now, results, ...earlier });
		packed.rounds.push({
			trigger: next.trigger,
			target: next.target,
			length: next.length,
			before: outcome.before,
			after: outcome.after,
			requests,
			regions: settled(next, outcome.actions),
		});
		// Paths of a later round point into the outcome of the round before, for which the page has no blocks.
		packed.actions.push(
			...(packed.rounds.length === 1
				? outcome.actions
				: outcome.actions.filter((a) => a.before !== a.after).map((a) => ({ ...a, path: "" }))),
		);
		packed.conversation = outcome.conversation;
		packed.after = outcome.after;
		packed.fates = outcome.fates ?? [];
		given = { ...later, conversation: outcome.conversation, state: outcome.state };
		next = outcome.next;
		if (next && !(await goOn())) return null;
	}
	return packed;
}

/**
 * @param {Engine} engine
 * @param {Input & {plan: Plan}} input
 * @param {Record<string, Answer>} answers
 * @param {Memory} memory
 * @returns {Asked[]}
 */
function ask(engine, input, answers, memory) {
	const { requests } = input.plan;
	const unanswered = requests.filter((request) => !memory.extracts.has(request.id));
	if (unanswered.length > 0) for (const result of engine.summarize(input)) memory.extracts.set(result.id, result);
	return requests.map(({ id, span, level, tokens, maxTokens, system, user }) => {
		const prompts = memory.prompts.get(id) ?? { system: new Blob([system]), user: new Blob([user]) };
		memory.prompts.set(id, prompts);
		const answer = answers[id];
		/** @type {Asked["by"]} */
		const by = answer ? answer.by : "extract";
		/** @type {{text?: string, err?: string}} */
		const said = answer?.by === "fail" ? { err: "failed by hand" } : (answer ?? memory.extracts.get(id) ?? {});
		const { text = "", err = "" } = said;
		return {
			id,
			span,
			level,
			tokens,
			maxTokens,
			...prompts,
			by,
			text,
			err,
			used: engine.countText(text, input.counter),
		};
	});
}

/**
 * The outcome of each region, from its actions. A region that failed and was then truncated has two: the last one is
 * its outcome.
 * @param {Plan} plan
 * @param {Action[]} actions
 * @returns {Settled[]}
 */
function settled(plan, actions) {
	/** @type {Action[][]} */
	const own = plan.regions.map(() => []);
	for (const action of actions) if (action.region !== undefined) own[action.region].push(action);
	const nothing = actions.find(({ kind }) => kind === "none");
	return plan.regions.map((region, i) => {
		const last = own[i].at(-1);
		if (!last) return { region, kind: "keep", after: region.tokens, reason: nothing?.reason ?? "it stays unchanged" };
		return { region, kind: last.kind, after: last.after, reason: own[i].map(({ reason }) => reason).join(": ") };
	});
}
