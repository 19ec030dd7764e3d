import type { Compactor } from "./index.js";

/**
 * A plugin of the agent opencode: compacts the messages before each request. opencode's storage keeps the original
 * messages.
 *
 * @example
 * // .opencode/plugins/tamp.js
 * export const Tamp = plugin(await compactor({ preset: "balanced", save }));
 */
export function plugin(tamp: Compactor): () => Promise<Record<"experimental.chat.messages.transform", (input: unknown, output: { messages: any[] }) => Promise<void>>>;
