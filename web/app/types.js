// This file names the shapes that the page and its worker pass around. It holds no code: tsc reads it, the browser never loads it.

/**
 * A session as someone handed it over. The bytes stay in a Blob, so that 10 MB are never copied through the page's thread.
 * @typedef {object} Source
 * @property {number} key differs for each source, so that the worker reads a Blob once
 * @property {string} name what the downloads are named after
 * @property {Blob} blob
 * @property {"paste"|"file"|"example"|"edit"|"repair"} origin
 */

/** @typedef {Record<string, Record<string, unknown>>} PolicyPatch only what differs from the preset, nested as the engine takes it */

/**
 * One job for the worker. `kind` "pack" shows the source under the policy, "repair" asks for a repaired source.
 * @typedef {object} Job
 * @property {"pack"|"repair"} kind
 * @property {Source} source
 * @property {string} preset
 * @property {PolicyPatch} policy
 */

/** @typedef {"kept"|"pinned"|"cleared"|"dropped"|"broken"|"summarized"|"truncated"} Fate */

/**
 * @typedef {object} Block
 * @property {string} path JSON Pointer into the session as given
 * @property {string} kind
 * @property {string} [tool]
 * @property {string} [id] joins a call and its result
 * @property {number} tokens
 * @property {number} after
 * @property {Fate} fate
 * @property {string} why
 * @property {string} preview
 * @property {number} chars
 */

/** @typedef {{index: number, role: string, path: string, turn: number, tokens: number, after: number, blocks: Block[]}} Message */
/** @typedef {{kind: string, path: string, tool?: string, before: number, after: number, reason: string}} Action */
/** @typedef {{rule: string, severity: "error"|"warning", path: string, message: string, providerError?: string, repair?: string}} Problem */
/** @typedef {{code: string, path?: string, message: string}} Warning */

/**
 * @typedef {object} Inspection
 * @property {string} format
 * @property {string} [model]
 * @property {string} counter
 * @property {Message[]} messages
 * @property {Block[]} system
 * @property {Block[]} tools
 * @property {number} before
 * @property {number} after
 * @property {Action[]} actions
 * @property {Problem[]} problems
 * @property {Warning[]} warnings
 */

/** @typedef {{path: string, label: string, description: string, type: "int"|"bool"|"string"|"strings", min?: number, max?: number, unit?: string}} Param */
/** @typedef {{name: string, title: string, description: string, policy: PolicyPatch, params: Param[]}} Preset */

/**
 * A place in the input, cut out for people: one line, with the column to point at.
 * @typedef {{line?: number, column?: number, path?: string, text: string, caret?: number}} Excerpt
 */

/** @typedef {{code: string, path: string, message: string, excerpt?: Excerpt}} Failure */

/**
 * What the worker says. Every answer to a job carries the job's id; "done" closes it.
 * @typedef {{type: "ready", version: string, presets: Preset[]}
 *   | {type: "broken", message: string}
 *   | {type: "stage", id: number, stage: Stage, done?: number, total?: number}
 *   | {type: "inspection", id: number, inspection: Inspection, ms: number}
 *   | {type: "output", id: number, result: Blob, archive: Blob, originals: number, actions: Action[], ms: number}
 *   | {type: "repaired", id: number, blob: Blob, problems: Problem[]}
 *   | {type: "failed", id: number, during: Stage, failure: Failure}
 *   | {type: "done", id: number}} FromWorker
 */

/** @typedef {"reading"|"counting"|"packing"|"repairing"} Stage */

/** @typedef {{type: "job", id: number, job: Job} | {type: "supersede", id: number}} ToWorker */

export {};
