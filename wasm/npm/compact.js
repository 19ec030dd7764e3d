// This file is the whole loop around an engine: plan, save, summarize, apply, until nothing is left to do. It decides nothing
// about conversations; it only keeps the host's contract: the archive is saved before anything of it is used, and every
// request is answered, even with an error.

import { reason, TampError } from "./error.js";

/** @typedef {import("./index.js").Engine} Engine */
/** @typedef {import("./index.js").AsyncEngine} AsyncEngine */
/** @typedef {import("./index.js").Host} Host */
/** @typedef {import("./index.js").Input} Input */
/** @typedef {import("./index.js").Outcome} Outcome */
/** @typedef {import("./index.js").Plan} Plan */
/** @typedef {import("./index.js").Progress} Progress */
/** @typedef {import("./index.js").SummaryResult} SummaryResult */

/** How many requests are under way at once, where the host does not say: what providers let a small account do. */
const CONCURRENCY = 4;

/** HTTP statuses from 400 to 499 that may pass: a timeout, a conflict, too early, a rate limit. */
const PASSING = new Set([408, 409, 425, 429]);

/**
 * @param {Engine | AsyncEngine} engine
 * @param {Input} input
 * @param {Host} [host]
 * @returns {Promise<Outcome>}
 */
export async function compact(engine, input, host = {}) {
  const { save, summarize, concurrency = CONCURRENCY, onProgress } = host;
  const signal = host.signal ?? new AbortController().signal;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new TampError("bad_request", "", "cannot compact: concurrency must be a whole number of at least 1");
  }
  signal.throwIfAborted();
  /** @type {Plan | undefined} */
  let plan = await engine.plan(input);
  const original = input;
  /** @type {Outcome | undefined} */
  let done;
  let rounds = 0;
  while (plan) {
    const round = ++rounds;
    signal.throwIfAborted();
    onProgress?.({ type: "plan", round, plan });
    if (save && plan.archive.length > 0) {
      const jsonl = await engine.archive({ ...input, plan });
      await save(jsonl);
      signal.throwIfAborted();
      onProgress?.({ type: "saved", round, bytes: new TextEncoder().encode(jsonl).length });
    }
    const { requests } = plan;
    let answered = 0;
    /** @param {SummaryResult} result */
    const note = (result) => onProgress?.({ type: "summary", round, result, done: ++answered, of: requests.length });
    /** @type {SummaryResult[]} */
    let results = [];
    if (summarize) {
      results = await answerAll(plan, summarize, concurrency, signal, note);
    } else if (requests.length > 0) {
      results = await engine.summarize({ ...input, plan });
      results.forEach(note);
    }
    signal.throwIfAborted();
    /** @type {Outcome} */
    const { next, ...outcome } = await engine.apply({ ...input, plan, results });
    done = done ? { ...outcome, before: done.before, actions: [...done.actions, ...outcome.actions] } : outcome;
    // The usage of the last response counted a conversation that is no more.
    const { usage: _, ...rest } = input;
    input = { ...rest, conversation: outcome.conversation, state: outcome.state };
    plan = next;
  }
  const outcome = /** @type {Outcome} */ (done);
  if (rounds > 1) delete outcome.fates; // of the last round only
  if (rounds > 1 && outcome.quality) outcome.quality = await engine.quality(original, input); // of all rounds together
  onProgress?.({ type: "done", outcome });
  return outcome;
}

/**
 * Answers the requests of a plan, the first ones first, so many at a time. What summarize throws becomes an answer; an abort ends
 * all of it at once, whether summarize listens to the signal or not.
 * @param {Plan} plan
 * @param {NonNullable<Host["summarize"]>} summarize
 * @param {number} concurrency
 * @param {AbortSignal} signal
 * @param {(result: SummaryResult) => void} note
 * @returns {Promise<SummaryResult[]>}
 */
async function answerAll({ requests }, summarize, concurrency, signal, note) {
  /** @type {SummaryResult[]} */
  const results = [];
  let next = 0, ended = false;
  const work = async () => {
    while (next < requests.length && !signal.aborted) {
      const at = next++;
      const request = /** @type {Plan["requests"][number]} */ (requests[at]);
      const result = await answer(request, summarize, signal);
      if (signal.aborted || ended) return;
      results[at] = result;
      note(result);
    }
  };
  /** @type {() => void} */
  let stop = () => {};
  const aborted = new Promise((_, reject) => signal.addEventListener("abort", (stop = () => reject(signal.reason)), { once: true }));
  try {
    await Promise.race([aborted, Promise.all(Array.from({ length: Math.min(concurrency, requests.length) }, work))]);
  } catch (thrown) {
    next = requests.length; // whatever stopped us, nobody waits for further answers
    ended = true;
    throw thrown;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return results;
}

/**
 * @param {Plan["requests"][number]} request
 * @param {NonNullable<Host["summarize"]>} summarize
 * @param {AbortSignal} signal
 * @returns {Promise<SummaryResult>}
 */
async function answer(request, summarize, signal) {
  try {
    const text = await summarize(request, signal);
    return typeof text === "string" ? { id: request.id, text } : { id: request.id, err: `want a string from summarize, got ${typeof text}` };
  } catch (thrown) {
    if (isPermanent(thrown)) throw thrown;
    if (isBadHeader(thrown)) { // engines quote the value, which may be a key
      throw new TampError("bad_request", "", "cannot compact: summarize cannot send its request: a header, such as its key, has a character that no header may have");
    }
    return { id: request.id, err: reason(thrown) || "the call failed" };
  }
}

/**
 * Reports what the same request would meet again: the HTTP status of a wrong key, of an unknown model or of a refused request, in the
 * words of the vendors' clients (status) or of the AI SDK (statusCode), or an error of this package.
 * @param {unknown} thrown
 */
function isPermanent(thrown) {
  for (const error of causes(thrown)) {
    const status = error.status ?? error.statusCode;
    if (error instanceof TampError || error.code === "insufficient_quota") return true;
    if (Number.isInteger(status) && status >= 300) return status < 500 && !PASSING.has(status);
  }
  return false;
}

/** What engines throw for a header that cannot be sent. @param {unknown} thrown */
function isBadHeader(thrown) {
  return causes(thrown).some(({ name, code, message }) =>
    name === "TypeError" && (code === "ERR_INVALID_CHAR" || /header|ByteString|ISO-8859-1/i.test(message)));
}

/**
 * An error and what caused it, at most five of them; the AI SDK's cause after retries is lastError.
 * @param {any} thrown
 * @returns {any[]}
 */
function causes(thrown) {
  const list = [];
  for (let error = thrown; typeof error === "object" && error !== null && list.length < 5; error = error.lastError ?? error.cause) list.push(error);
  return list;
}
