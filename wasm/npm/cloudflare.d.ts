import type { AsyncEngine, Engine, Host, PlanSettings } from "./index.js";

/** Keeps the state of a compaction until the next one: the storage of a Durable Object, for example. */
export interface CompactionStorage {
  get(key: string): Promise<any>;
  put(key: string, value: any): Promise<unknown>;
}

/** The settings of all compactions of a session. */
export interface CompactionOptions extends PlanSettings, Omit<Host, "signal" | "onWarning"> {
  engine: Engine | AsyncEngine;
  /**
   * `ctx.storage` of the Durable Object of the session; one session of an object (`sessions.session(id)`) needs keys of its own.
   * Absent: the state is kept in memory, and the first compaction after the object was evicted summarizes the summary before
   * as if it were an answer, so that words of the user may be lost.
   */
  storage?: CompactionStorage | undefined;
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
 * replaced. Default of `preset`: `turns`. A session replaces whole messages, so presets that clear results inside of messages
 * have less effect here; where one leaves more than half of the history, `turns` is applied, so that the session does not
 * grow past its limit. The session calls it when its history is long, and keeps the original messages.
 *
 * For an agent with `streamText` use `middleware` or `prepareStep` of `tamp/ai-sdk`, which compact each request.
 *
 * @example
 * const session = sessions.session().onCompaction(compaction({ engine: await load(), save, storage: ctx.storage })).compactAfter(100_000);
 */
export function compaction(options: CompactionOptions): (messages: any[]) => Promise<CompactionRange | null>;
