import type { Compactor, Engine } from "./index.js";

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

/**
 * The commands `/tamp-preview`, `/tamp-undo`, `/tamp-lost` and `/tamp-pin` of pi, as an extension of its own. What is lost is
 * what pi's own compactions removed from its session file. A pin is written into the session again after each of them. There
 * is nothing to undo: {@link extension} compacts requests, and the session has all messages.
 *
 * @example
 * // ~/.pi/agent/extensions/tamp-commands.js
 * export default commands(await load());
 */
export function commands(engine: Engine): (pi: any) => void;
