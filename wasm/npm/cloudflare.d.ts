import type { AsyncEngine, Engine, Host, PlanSettings } from "./index.js";

/** The settings of all compactions of a session. */
export interface CompactionOptions extends PlanSettings, Omit<Host, "signal" | "onWarning"> {
  engine: Engine | AsyncEngine;
}

/** A range of messages, and the text that a session shows in its place. */
export interface CompactionRange {
  fromMessageId: string;
  toMessageId: string;
  summary: string;
}

/**
 * The function that compacts a `Session` of Cloudflare's Agents SDK (`agents/sessions`), in place of `createCompactFunction`:
 * one summary replaces the messages between the first prompt and the newest ones. It is null if no whole message would be
 * replaced. Default of `preset`: `turns`. The session calls it when its history is long, and keeps the original messages.
 *
 * For an agent with `streamText` use `middleware` or `prepareStep` of `tamp/ai-sdk`, which compact each request.
 *
 * @example
 * const session = sessions.session().onCompaction(compaction({ engine: await load(), save })).compactAfter(100_000);
 */
export function compaction(options: CompactionOptions): (messages: any[]) => Promise<CompactionRange | null>;
