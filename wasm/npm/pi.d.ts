import type { Compactor } from "./index.js";

/**
 * An extension of the coding agent pi: compacts the body of each request. The session file of pi keeps the original
 * messages. pi compacts by itself only if the compacted requests come near the end of the window, or by `/compact`. An
 * error of the compactor is shown by pi, which then sends the original request.
 *
 * @example
 * // ~/.pi/agent/extensions/tamp.js
 * export default extension(await compactor({ preset: "balanced", save }));
 */
export function extension(tamp: Compactor): (pi: any) => void;
