import type { Compactor, Engine } from "./index.js";

/**
 * A plugin of the agent opencode: compacts the messages before each request. opencode's storage keeps the original
 * messages.
 *
 * @example
 * // .opencode/plugins/tamp.js
 * export const Tamp = plugin(await compactor({ preset: "balanced", save }));
 */
export function plugin(tamp: Compactor): () => Promise<Record<"experimental.chat.messages.transform", (input: unknown, output: { messages: any[] }) => Promise<void>>>;

/**
 * The commands `/tamp-preview`, `/tamp-undo`, `/tamp-lost` and `/tamp-pin` of opencode, as a plugin of its own. What they
 * say is a message that the model does not get; opencode shows the end of the command as an error, since a command would
 * make a request otherwise. What is lost is what opencode's own compactions removed. A pin is written into the session again
 * after each of them, and is kept in the folder `tamp` of opencode's data. There is nothing to undo: {@link plugin} compacts
 * requests, and the session has all messages.
 *
 * @example
 * // .opencode/plugins/tamp-commands.js
 * export const TampCommands = commands(await load());
 */
export function commands(engine: Engine): (input: any) => Promise<Record<string, any>>;
