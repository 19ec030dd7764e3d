// This file declares the types of the messages between the page and engine.worker.js. It holds no code: the browser
// never loads it.

/**
 * A session as it was opened. The bytes stay in a Blob, so that 10 MB are never copied through the page's thread.
 * @typedef {object} Source
 * @property {number} key differs for each source, so that the worker reads a Blob once
 * @property {string} name the base of the names of downloads
 * @property {Blob} blob
 * @property {"paste"|"file"|"example"|"edit"|"repair"|"link"|"recent"|"tab"|"live"} origin
 * @property {string} [was] the text in which it was found: "a curl command"
 * @property {string} [example] its file, if it is an example
 * @property {string} [link] the packed session, if it was opened from a link
 */

/**
 * @typedef {Record<string, Record<string, unknown>>} PolicyPatch only what differs from the preset, nested as the
 *   engine takes it
 */

/** @typedef {{text: string, err: string}} Served the answer of a server to a request: a summary, or the error */

/**
 * Who answers a summary request. A request without an entry is answered by the built-in summarizer.
 * @typedef {{by: "hand", text: string} | {by: "fail"} | ({by: "server"} & Served)} Answer
 */

/** @typedef {"diff"|"anchors"|"quality"} ViewName computed only when its tab is open */

/**
 * One job for the worker. `kind` "pack" compacts the source under the policy, "repair" repairs it, "view" computes
 * a view of the result of the last "pack".
 * @typedef {object} Job
 * @property {"pack"|"repair"|"view"} kind
 * @property {Source} source
 * @property {string} preset
 * @property {PolicyPatch} policy
 * @property {string} [focus] what to preserve, in words
 * @property {import("../session/address.js").Thinking} [thinking] what becomes of bound thinking
 * @property {import("../session/address.js").Force} [force] compact now, whatever the trigger says; "auto": only if the
 *   policy would change nothing
 * @property {{keep?: Ref[], drop?: Ref[], summarize?: Ref[]}} [chosen] blocks that the user keeps, removes or summarizes
 * @property {Record<string, Answer>} [answers] by the request's id
 * @property {ViewName} [view]
 * @property {string} [counter] absent: the estimate
 * @property {import("./vocabulary.js").Vocabulary[]} [vocabularies] that the counter needs
 */

// The answers of the engine are declared in its npm package; the server serves that file as npm/wire.d.ts.
/** @typedef {import("../../npm/wire.js").Ref} Ref */
/**
 * @typedef {import("../../npm/wire.js").InspectedBlock & {replacement?: Ref}} Block replacement: the block of the packed
 *   session in its place, if it is changed
 */
/** @typedef {import("../../npm/wire.js").Action} Action */
/** @typedef {import("../../npm/wire.js").Problem} Problem */
/**
 * @typedef {Omit<import("../../npm/wire.js").Inspection, "messages"> & {messages:
 *   (Omit<import("../../npm/wire.js").InspectedMessage, "blocks"> & {blocks: Block[]})[]}} Inspection
 */
/** @typedef {import("../../npm/wire.js").Param} Param */
/** @typedef {import("../../npm/wire.js").BlockFate} BlockFate */
/** @typedef {import("../../npm/wire.js").MessageFate} MessageFate */
/** @typedef {import("../../npm/wire.js").Plan} Plan */
/** @typedef {import("../../npm/wire.js").Policy} Policy */
/** @typedef {import("../../npm/wire.js").Preset} Preset */
/** @typedef {import("../../npm/wire.js").Region} Region */
/** @typedef {import("../../npm/wire.js").Span} Span */
/** @typedef {import("../../npm/wire.js").Trigger} Trigger */

/**
 * A place in the input for display: one line, with the column of the caret.
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
 * @property {string} text the answer; "" if it failed
 * @property {string} err why there is no answer
 * @property {number} used tokens of the answer
 */

/**
 * @typedef {{region: Region, kind: string, after: number, reason: string}} Settled the outcome of a region:
 *   "summarize", "truncate", "failed", "keep"
 */

/**
 * One round of the loop: plan, answer, apply.
 * @typedef {object} Round
 * @property {Trigger} trigger
 * @property {number} target tokens
 * @property {number} length messages that the plan covers
 * @property {number} before
 * @property {number} after
 * @property {Asked[]} requests
 * @property {Settled[]} regions
 */

/**
 * @typedef {{role: string, label: string, head: string, from: number, to: number}} Shown one message; from, to: its
 *   text in the Blob of its side, in bytes
 */
/**
 * @typedef {{kind: "same"|"edit"|"swap", a: [number, number], b: [number, number]}} Segment messages [from, to) of each
 *   side; an edit has one on each
 */

/** @typedef {import("../../npm/wire.js").Anchor} Anchor */
/** @typedef {import("../../npm/wire.js").Quality} QualityReport */

/**
 * @typedef {{name: "diff", noun: string, segments: Segment[], before: {messages: Shown[], text: Blob}, after:
 *   {messages: Shown[], text: Blob}}
 *   | {name: "anchors", anchors: Anchor[], note: string, request: Blob}
 *   | {name: "quality", report: QualityReport}} View
 */

/**
 * The messages of the worker. Every answer to a job carries the job's id; "done" is the last one.
 * @typedef {{type: "ready", version: string, presets: Preset[]}
 *   | {type: "loading", bytes: number}
 *   | {type: "broken", message: string}
 *   | {type: "stage", id: number, stage: Stage, done?: number, total?: number, round?: number, tokens?: number}
 *   | {type: "inspection", id: number, inspection: Inspection, waiting: Trigger | null, ms: number}
 *   | {type: "output", id: number, result: Blob, archive: Blob, originals: number, actions: Action[], after: number,
 *      fates: MessageFate[], rounds: Round[], ms: number}
 *   | {type: "view", id: number, view: View}
 *   | {type: "repaired", id: number, blob: Blob, problems: Problem[], view: Extract<View, {name: "diff"}>}
 *   | {type: "failed", id: number, during: Stage, failure: Failure}
 *   | {type: "answer", id: number, answer: import("./queries.js").Answer}
 *   | {type: "done", id: number}} FromWorker
 */

/**
 * @typedef {"reading"|"learning"|"counting"|"packing"|"repairing"|"viewing"} Stage learning: the vocabulary of an exact
 *   counter
 */

/** @typedef {import("./queries.js").Question} Question */
/**
 * "drawn": the page has drawn the inspection of this job.
 * @typedef {{type: "job", id: number, job: Job} | {type: "supersede", id: number} | {type: "drawn", id: number} | {type:
 *   "ask", id: number, question: Question}} ToWorker
 */

export {};
