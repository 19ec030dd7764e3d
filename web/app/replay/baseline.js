// This file names the replay without a policy: it is no compaction, unless the client of the session compacted it itself.

/** @import { Replay as Report } from "../../npm/wire.js" */

/** @param {Report | null} base */
const isAgents = (base) => (base?.segments ?? 1) > 1;

/** The name of its column. @param {Report | null} base */
export const titleOf = (base) => (isAgents(base) ? "The agent’s own compaction" : "No compaction");

/** @param {Report | null} base */
export const without = (base) => (isAgents(base) ? "with the agent’s own compaction" : "without compaction");

/** What a percentage is of, after it. @param {Report | null} base */
export const ofIt = (base) => (isAgents(base) ? " of the agent’s own" : "");
