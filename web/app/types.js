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

// What the engine answers is described where it is made; the server shows that file as npm/wire.d.ts beside the page.
/** @typedef {import("../npm/wire.js").InspectedBlock} Block */
/** @typedef {import("../npm/wire.js").Action} Action */
/** @typedef {import("../npm/wire.js").Problem} Problem */
/** @typedef {import("../npm/wire.js").Inspection} Inspection */
/** @typedef {import("../npm/wire.js").Param} Param */
/** @typedef {import("../npm/wire.js").Preset} Preset */

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
