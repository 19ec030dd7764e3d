// This file names the shapes that the page and its worker pass around. It holds no code: tsc reads it, the browser never loads it.

/**
 * A session as someone handed it over. The bytes stay in a Blob, so that 10 MB are never copied through the page's thread.
 * @typedef {object} Source
 * @property {number} key differs for each source, so that the worker reads a Blob once
 * @property {string} name what the downloads are named after
 * @property {Blob} blob
 * @property {"paste"|"file"|"example"|"edit"|"repair"|"link"|"recent"} origin
 * @property {string} [link] the session as the link has it that it came in
 */

/** @typedef {Record<string, Record<string, unknown>>} PolicyPatch only what differs from the preset, nested as the engine takes it */

/** @typedef {{text: string, err: string}} Served what a server answered to a request: a summary, or why there is none */

/**
 * How someone wants a summary request answered; a request that is not spoken of is the summarizer's.
 * @typedef {{by: "hand", text: string} | {by: "fail"} | ({by: "server"} & Served)} Answer
 */

/** @typedef {"diff"|"anchors"|"quality"} ViewName what is worked out only when someone looks at it */

/**
 * One job for the worker. `kind` "pack" shows the source under the policy, "repair" asks for a repaired source, "view" for one
 * more look at what the last "pack" made.
 * @typedef {object} Job
 * @property {"pack"|"repair"|"view"} kind
 * @property {Source} source
 * @property {string} preset
 * @property {PolicyPatch} policy
 * @property {string} [focus] what to preserve, in words
 * @property {import("../session/hash.js").Force} [force] compact now, whatever the trigger says; "auto": where the policy would do nothing yet
 * @property {Record<string, Answer>} [answers] by the request's id
 * @property {ViewName} [view]
 * @property {string} [counter] absent: the estimate
 * @property {import("./vocabulary.js").Vocabulary[]} [vocabularies] that the counter needs
 */

// What the engine answers is described where it is made; the server shows that file as npm/wire.d.ts beside the page.
/** @typedef {import("../../npm/wire.js").InspectedBlock} Block */
/** @typedef {import("../../npm/wire.js").Action} Action */
/** @typedef {import("../../npm/wire.js").Problem} Problem */
/** @typedef {import("../../npm/wire.js").Inspection} Inspection */
/** @typedef {import("../../npm/wire.js").Param} Param */
/** @typedef {import("../../npm/wire.js").Plan} Plan */
/** @typedef {import("../../npm/wire.js").Policy} Policy */
/** @typedef {import("../../npm/wire.js").Preset} Preset */
/** @typedef {import("../../npm/wire.js").Region} Region */
/** @typedef {import("../../npm/wire.js").Span} Span */
/** @typedef {import("../../npm/wire.js").Trigger} Trigger */

/**
 * A place in the input, cut out for people: one line, with the column to point at.
 * @typedef {{line?: number, column?: number, path?: string, text: string, caret?: number}} Excerpt
 */

/** @typedef {{code: string, path: string, message: string, excerpt?: Excerpt}} Failure */

/**
 * A summary request as the page shows it, with its answer. Prompts may hold the whole session, so they stay in Blobs.
 * @typedef {object} Asked
 * @property {string} id
 * @property {Span} span
 * @property {number} level
 * @property {number} tokens
 * @property {number} maxTokens
 * @property {Blob} system
 * @property {Blob} user
 * @property {"extract"|"server"|"hand"|"fail"} by
 * @property {string} text the answer; "" where it fails
 * @property {string} err why there is none
 * @property {number} used tokens of the answer
 */

/** @typedef {{region: Region, kind: string, after: number, reason: string}} Settled what became of a region: "summarize", "truncate", "failed", "keep" */

/**
 * One time round the loop: plan, answer, apply.
 * @typedef {object} Round
 * @property {Trigger} trigger
 * @property {number} target tokens
 * @property {number} length messages that the plan speaks of
 * @property {number} before
 * @property {number} after
 * @property {Asked[]} requests
 * @property {Settled[]} regions
 */

/** @typedef {{role: string, label: string, head: string, from: number, to: number}} Shown one message: where its text lies in the Blob of its side, in bytes */
/** @typedef {{kind: "same"|"edit"|"swap", a: [number, number], b: [number, number]}} Segment messages [from, to) of each side; an edit has one on each */

/** @typedef {import("../../npm/wire.js").Anchor} Anchor */
/** @typedef {import("../../npm/wire.js").Quality} QualityReport */

/**
 * @typedef {{name: "diff", noun: string, segments: Segment[], before: {messages: Shown[], text: Blob}, after: {messages: Shown[], text: Blob}}
 *   | {name: "anchors", anchors: Anchor[], note: string, request: Blob}
 *   | {name: "quality", report: QualityReport}} View
 */

/**
 * What the worker says. Every answer to a job carries the job's id; "done" closes it.
 * @typedef {{type: "ready", version: string, presets: Preset[]}
 *   | {type: "broken", message: string}
 *   | {type: "stage", id: number, stage: Stage, done?: number, total?: number}
 *   | {type: "inspection", id: number, inspection: Inspection, limit: number, waiting: Trigger | null, ms: number}
 *   | {type: "output", id: number, result: Blob, archive: Blob, originals: number, actions: Action[], after: number, rounds: Round[], ms: number}
 *   | {type: "view", id: number, view: View}
 *   | {type: "repaired", id: number, blob: Blob, problems: Problem[], view: Extract<View, {name: "diff"}>}
 *   | {type: "failed", id: number, during: Stage, failure: Failure}
 *   | {type: "answer", id: number, answer: import("./queries.js").Answer}
 *   | {type: "done", id: number}} FromWorker
 */

/** @typedef {"reading"|"learning"|"counting"|"packing"|"repairing"|"viewing"} Stage learning: the vocabulary of an exact counter */

/** @typedef {import("./queries.js").Question & import("./queries.js").Counting} Question */
/** @typedef {{type: "job", id: number, job: Job} | {type: "supersede", id: number} | {type: "ask", id: number, question: Question}} ToWorker */

export {};
