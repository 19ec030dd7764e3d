/**
 * Tamp compacts the conversation of an LLM agent so that it fits the context window, stays valid for the provider's
 * API, and keeps what the agent still needs. The originals can be archived, so nothing is lost.
 *
 * The host's contract:
 *
 * **Save what Plan.Archive names BEFORE you use what Apply returns; answer every request, even with an error; keep State with the conversation.**
 *
 * In this package: save `engine.archive({ ...input, plan })` before you use
 * `engine.apply({ ...input, plan, results })`. Start with {@link load}, and with {@link compact}, which runs the whole
 * loop.
 */

import type {
  AnchorChoice, Anchored, AnyUsage, AppendReport, Assembled, AssembleRequest, Audit, Code, Compared, Converted, Count, Counter,
  Detection, Format, Inspection, MessageFate, Model, Observed, Outcome, Plan, PlanRequest, Preset, Quality,
  QualityOptions, QuestionAnswer, QuestionPrompt, QuestionScore, RecallPart, RecallQuery, Repair, Replay,
  LostQuery, PriceChoice, Removed, ReplayChoice, ReplaySeen, Report, Resends, Returned, State, SummaryRequest, SummaryResult, Tokens, Turn,
  TurnOptions, Used, Vocabulary, Warning,
} from "./wire.js";

export type {
  Action, Advice, Anchor, AnchorChoice, AnchorKind, Anchored, AnyUsage, AppendReport, Assembled, Audit, BlockFate,
  CacheBreak, CallBreak, Compared, Converted, Count, Counter, DeepPartial, Detection, Edit, FactKind, FixedTokens, Format,
  Injection, InspectedBlock, InspectedMessage, Inspection, LongPrice, Loss, MeasuredUsage, MessageFate, Metrics, Model,
  Observed, Outcome, Param, Placed, Plan, Policy, Preset, Price, PriceChoice, Problem, Quality, QualityCount, QualityOptions,
  QuestionAnswer, QuestionOutcome, QuestionPrompt, QuestionScore, RecallLine, RecallPart, RecallQuery, Ref, Region,
  Repair, Replay, ReplayBasis, ReplayCall, ReplayChoice, ReplayMiss, ReplayMisses, ReplayNote, ReplayOthers, ReplaySeen,
  LostQuery, Removed, RemovedPart, ReplaySimulated, ReplayTotals, ReplayTrack, ReplayTrackCall, Report, Resends, ResentBlock, ResentOwner, Returned,
  Span, State, Statement, SummaryRequest, SummaryResult, Tokens, ToolResult, ToolServer, Trigger, Turn, TurnOptions,
  Usage, Used, Vocabulary, Warning,
} from "./wire.js";

/** A global type, or a part of it if the program is compiled without the library that declares it (DOM, Node). */
type Global<Name extends string, Otherwise> = typeof globalThis extends Record<Name, { prototype: infer Type }> ? Type : Otherwise;

/** A URL, as in every browser and in Node. */
export type Url = Global<"URL", { readonly href: string; readonly protocol: string }>;
/** A response of `fetch`. */
export type HttpResponse = Global<
  "Response",
  { readonly ok: boolean; readonly status: number; readonly headers: { get(name: string): string | null }; arrayBuffer(): Promise<ArrayBuffer> }
>;
/** The signal of an AbortController. */
export type Signal = Global<"AbortSignal", { readonly aborted: boolean; readonly reason: any }>;
/** A compiled module. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Type } } } ? Type : object;

/**
 * The source of the wasm. A Response may have any content type; edge runtimes provide a Module; bytes may be compressed
 * with gzip, as those of `tamp inline`.
 */
export type Source = Url | HttpResponse | ArrayBufferView | ArrayBuffer | WasmModule;

/**
 * Loads the wasm once; later calls return the same engine and ignore their source. A failed load may be tried again.
 * Works in browsers, in Web Workers, in Node 20 and later, in Bun and Deno, on Cloudflare Workers and in Vercel's edge
 * runtime.
 *
 * @param source the wasm; absent: `tamp.wasm` in the folder of this file, from disk in Node, with `fetch` elsewhere. The
 * edge runtimes get `tamp.wasm` as a Module, through the conditions `workerd` and `edge-light` of this package. If a
 * bundler leaves the file behind, `tamp inline tamp-wasm.js` writes a module whose default export is a source.
 * @throws TampError with code `load_failed`, whose message has the line to write instead
 */
export function load(source?: Source): Promise<Engine>;

/**
 * Starts a worker (a Web Worker in browsers, a thread in Node) with its own engine, and returns the same methods as
 * promises. Each call starts another worker. In Node an idle worker does not keep the process alive. If no worker
 * starts, since the runtime has none or a Content-Security-Policy forbids it, the engine runs on this thread.
 *
 * @param source the wasm, as for {@link load}
 * @throws TampError with code `load_failed`
 */
export function loadInWorker(source?: Source, options?: WorkerOptions): Promise<AsyncEngine>;

export interface WorkerOptions {
  /** Called once if no worker starts, before `loadInWorker` returns. Calls then block the calling thread. */
  onWarning?: ((warning: TampError) => void) | undefined;
}

/** The only error this package throws. The engine stays usable after each, `internal` included. */
export class TampError extends Error {
  constructor(code: ErrorCode, path: string, message: string);
  readonly name: "TampError";
  /** Stable: switch on it. */
  readonly code: ErrorCode;
  /** JSON Pointer into the conversation or the input, such as `/messages/12/content/0`; `""` for the whole. */
  readonly path: string;
}

/**
 * - `bad_json` the conversation is not JSON, or cannot be written as JSON
 * - `unknown_format` the JSON is in no supported conversation format
 * - `bad_message` a message has the wrong shape
 * - `too_large` over the limits: 256 MiB (refused before it is copied into the engine's memory), depth 1,000, 250,000
 *   messages, 500,000 blocks, 500,000 lines of a log
 * - `bad_policy` unknown preset, or a policy field that does not exist or has a bad value
 * - `bad_plan` the plan or its results do not fit together
 * - `stale_plan` the plan was made for another conversation, or it changes the prefix of newer bound thinking: make a
 *   new plan
 * - `context_overflow` the conversation is over its hard limit, and nothing more may be removed: start a new session
 * - `too_much_work` a replay over the limit of a server; this package has no such limit
 * - `bad_request` the arguments have the wrong shape
 * - `invalid_outcome` a bug of the engine: the provider would refuse the outcome of a valid conversation, so it is not
 *   returned
 * - `internal` a bug of the engine, never of the input
 * - `load_failed` the wasm or the worker could not be loaded
 * - `terminated` the worker was terminated before it answered
 */
export type ErrorCode = Code | "load_failed" | "terminated";

/** The input of every method on a conversation. C is the type of the conversation, which results have, too. */
export interface Input<C = unknown> extends Omit<PlanRequest, "preset"> {
  /** Default: `balanced`. Any other string is `bad_policy`; the type allows it for names that a program reads. */
  preset?: PresetName | (string & {}) | undefined;
  /**
   * A conversation in one of the supported formats: parsed JSON, its text, or its bytes (UTF-8). It is a messages
   * array, a whole request body, or a session log.
   *
   * For text and bytes, results contain **text**, in which unchanged messages are byte for byte equal to the input:
   * numbers beyond 2^53, repeated keys and white space are preserved. (Half of a surrogate pair, which a JavaScript string may
   * contain and UTF-8 may not, becomes U+FFFD.) Anything else is written with `JSON.stringify`,
   * and results contain the parsed object. For large conversations text or bytes are faster.
   *
   * Values in it that JSON cannot hold (`Uint8Array`, `URL`, `Date`, `NaN`, functions of tools) come back as they are.
   * One that is a part of something changed is code `bad_json`, with its path; a {@link Session} leaves it out. In an
   * archive they are strings: base64 for bytes.
   */
  conversation: C;
}

/**
 * The parts of the next user message. Without a conversation, results keep their order; with one, all its pending calls
 * must have a result.
 */
export type AssembleParts = AssembleRequest;

/**
 * Receives the number of finished model calls of a replay, before each call and once at the end. If it returns false,
 * the replay ends and its report has `stopped`. If it throws, the replay ends and throws the same value.
 */
export type ReplayProgress = (done: number, of: number) => boolean | void;

/**
 * Every method is synchronous, and all but `loadVocabulary` and `session` are pure: equal arguments, equal result.
 * Errors are thrown as {@link TampError}.
 */
export interface Engine {
  /** Version of the engine. */
  readonly version: string;
  /** The format and the number of messages. */
  detect(input: Input): Detection;
  /** Tokens: total, and for each message and block. */
  count(input: Input): Count;
  /** The number of tokens of a plain text. */
  countText(text: string | Uint8Array | ArrayBuffer, counter?: Counter): number;
  /** The tokens of a plain text, by a loaded vocabulary: `text.slice(ends[i - 1] ?? 0, ends[i])` is token i. */
  tokens(text: string | Uint8Array | ArrayBuffer, counter: Vocabulary): Tokens;
  /**
   * Loads an exact counter from the bytes of `vocab/<name>.bin`, a file of this package. It stays loaded for the life
   * of the engine, even after a restart because of code `internal`. Truncated or changed bytes, or those of another
   * vocabulary, are refused.
   *
   * @example
   * tamp.loadVocabulary("o200k_base", await readFile(new URL(import.meta.resolve("tamp/vocab/o200k_base.bin"))));
   */
  loadVocabulary(name: Vocabulary, bytes: Uint8Array | ArrayBuffer): void;
  /**
   * Keeps a growing conversation in the engine, so that the cost of a turn depends only on the new messages. `input`
   * has its settings and first messages; the conversation may be `[]`.
   *
   * Close a session when it is done. A garbage collected session is closed too, at some later time. The memory of an
   * engine never shrinks: after it has grown past 512 MiB, the next call starts a new instance, but not while sessions
   * are open.
   */
  session<C>(input: Input<C>): Session<C>;
  /**
   * The problems that the provider's API would refuse, with the provider's message, and for each a proposed repair or
   * the reason why there is none. The list ends after 1,000 problems, errors before warnings; `omitted` counts the
   * others.
   */
  check(input: Input): Report;
  /**
   * Repairs the problems that can be repaired. A valid conversation is returned as the same bytes. `problems` lists the
   * repaired problems and `left` the others, each with its `reason`: the result is valid if no problem in `left` is an
   * error. Both lists end after 1,000; every repairable problem is repaired, listed or not.
   */
  repair<C>(input: Input<C>): Repair<C>;
  /**
   * The conversation as a request in another format, and what that format cannot hold: dropped, turned to text,
   * renamed. The log of an agent becomes the request that the agent would send next. Thinking and encrypted content
   * never cross providers. The bytes and the `URL` of an image or a file are written as base64 and text; any other value
   * that JSON cannot hold is `bad_json` with its place.
   *
   * @param input any of {@link Format}; `to` is `anthropic`, `openai-chat`, `openai-responses`, `gemini` or `ai-sdk`
   */
  convert(input: Input & { to: Format }): Converted;
  /** Reports for every block what the policy would do to it. Changes nothing. */
  inspect(input: Input): Inspection;
  /**
   * The changes that the policy makes to the conversation. Changes nothing; a plan may be stored, sent, and applied
   * later.
   */
  plan(input: Input): Plan;
  /** The compacted conversation, in the format of the input. Save {@link Engine.archive} before you use it. */
  apply<C>(input: Input<C> & { plan: Plan; results: SummaryResult[]; fates?: MessageFate[] | undefined }): Outcome<C>;
  /**
   * The originals that this plan removes: JSONL, one message a line, unchanged except that half of a surrogate pair is U+FFFD.
   */
  archive(input: Input & { plan: Plan }): string;
  /**
   * Answers the plan's requests without a model, with sentences and facts of the conversation: all of them, or those in
   * `ids`. A result has `err` set if there is nothing to extract.
   */
  summarize(input: Input & { plan: Plan; ids?: string[] | undefined }): SummaryResult[];
  /**
   * Sets `cache_control` at the positions with the highest benefit; the last step before a request is sent. If the
   * format has no breakpoints, `note` reports it and the conversation is unchanged.
   */
  anchors<C>(input: Input<C> & AnchorChoice): Anchored<C>;
  /**
   * The next user message: tool results, injections in their tags, and the user's text, in the order that providers
   * require.
   */
  assemble<C>(parts: AssembleParts & { conversation: C }): Assembled<C> & { conversation: Returned<C> };
  assemble(parts: AssembleParts): Assembled;
  /**
   * Records the usage of a response; call it after each model call. After three consecutive requests that missed the
   * prompt cache unexpectedly it returns a warning with the cause. `idleSec`: seconds since the previous call, if
   * neither apply nor anchors got it.
   */
  observe(state: State | undefined, usage: AnyUsage, idleSec?: number): Observed;
  /** The definitions of the tools `compact` and `recall`, in the provider's format. */
  tools(format: Format): unknown[];
  /**
   * Reads originals back: answers the tool `recall`. `originals` is what {@link Host.save} or {@link Engine.archive}
   * gave, one or several, in any order. The ref is one of a summary (`originals REF`, `Earlier originals: REF, REF`),
   * which names an archive as a whole, or of a placeholder, which names one text in it. Without a ref: the first
   * original.
   *
   * The answer is a page of `limit` characters from `offset` on (5,000 by default, at most 100,000), and `next` is
   * where the next one starts. With `text` it has the lines that contain this text, in any case, with their offsets,
   * instead of a page. An archive is shown as a transcript, not as JSON. Offsets count Unicode code points.
   *
   * @example
   * const { lines } = tamp.recall(saved, { ref: "5dd8e21c9a3b7f60", text: "port" });
   * const { text, next } = tamp.recall(saved, { ref: "5dd8e21c9a3b7f60", offset: lines[0].offset, limit: 2000 });
   * @throws TampError with code `bad_request` and path `/ref` if no original has this ref
   */
  recall(originals: Original | readonly Original[], query?: RecallQuery): RecallPart;
  /**
   * Compares two consecutive requests: the first position where the later one differs from the earlier one and is not
   * appended (the prompt cache reads nothing after it), and, on models that bind thinking to its prefix, the thinking
   * blocks that would be refused.
   */
  checkAppend(previous: Input, next: Input): AppendReport;
  /**
   * The facts of removed messages that are still present: paths, identifiers, numbers, errors, URLs, and sentences
   * that the user typed (`words`). With `statements`, also a list of these sentences, each with its turn, its `path` in the
   * original, and whether the compacted conversation has it.
   */
  quality(original: Input, compacted: Input, options?: QualityOptions): Quality;
  /**
   * Checks a compaction by questions. Returns two prompts, `original` and `compacted`: each asks your model the same
   * questions about one of the conversations, at most 1,000 questions of one line each. Answer both, then call {@link
   * Engine.gradeAnswers}.
   *
   * @example
   * const ask = (prompts) => Promise.all(prompts.map(async ({ id, system, user }) => ({ id, text: await callYourModel({ system, user }) })));
   * const answers = await ask(tamp.questions({ conversation }, outcome, list));
   * const grades = await ask(tamp.gradeAnswers(list, answers));
   * console.log(tamp.scoreAnswers(answers, grades).permille);
   */
  questions(original: Input, compacted: Input, questions: readonly string[]): QuestionPrompt[];
  /**
   * Prompts that ask your model whether two answers to a question say the same, one for each question that needs it. A
   * failed call is data: set `error` in its answer.
   */
  gradeAnswers(questions: readonly string[], answers: readonly QuestionAnswer[]): QuestionPrompt[];
  /** The score of a compaction, from the answers to the prompts of `questions` and of `gradeAnswers`. */
  scoreAnswers(answers: readonly QuestionAnswer[], grades: readonly QuestionAnswer[]): QuestionScore;
  /**
   * Simulates a whole session under the policy, call by call: tokens, reads and writes of the prompt cache, cost. It
   * may take seconds for a large session; `state`, `usage`, `force` and `focus` are ignored.
   *
   * @example
   * const before = tamp.replay({ conversation, compact: false });
   * const after = tamp.replay({ conversation, preset: "balanced" });
   * console.log(tamp.verdict([before, after]).text);
   */
  replay(input: Input & ReplayChoice, progress?: ReplayProgress): Replay;
  /**
   * What a session cost, what it paid again and why, and what compaction would have changed: for ranking many sessions.
   * It replays the session twice.
   */
  audit(input: Input & ReplayChoice, progress?: ReplayProgress): Audit;
  /**
   * What the calls of a session cost: the members of {@link Engine.audit} that need no policy. If a log has the usage of all its
   * calls, no token is counted, and it takes as long as reading the log; else the session is replayed once.
   */
  usage(input: Input & PriceChoice, progress?: ReplayProgress): Used;
  /**
   * What the requests of a session send again, by owner: tools, each tool server, notes, prompts, results by tool,
   * answers, thinking. Without compaction and under the policy; it replays the session twice.
   */
  resent(input: Input & ReplayChoice, progress?: ReplayProgress): Resends;
  /**
   * The blocks that the compactions of a log's own agent removed, the ones first that most later calls needed: calls that
   * use a name which their requests do not have. With words: those that have all of them. The formats are those that record
   * a compaction: Claude Code, Codex, pi, Qwen Code, Kimi CLI, aider.
   */
  lost(input: Pick<Input, "conversation" | "format"> & LostQuery): Removed;
  /** The conversation as sent in one call of {@link Engine.replay}; calls count from 1. */
  replayAt<C>(input: Input<C> & ReplayChoice & { call: number }): ReplaySeen<C>;
  /** Compares reports of one session: which preset to take, and why, in one sentence for people. */
  verdict(reports: Replay[]): Compared;
  /** The presets: name, description, every policy value, and the parameters that are worth changing. */
  presets(): Preset[];

  /** The models that the engine knows: window, minimum of a cached prefix, and price with its page and date. */
  models(): Model[];
}

/** Data that a host saved: the text or the bytes of an archive, or of one text. */
export type Original = string | Uint8Array | ArrayBuffer;

/** Messages to append: objects, or the text or bytes of a JSON array or of JSON Lines. For a session log: its lines. */
export type Messages = readonly unknown[] | string | Uint8Array | ArrayBuffer;

/**
 * A growing conversation in the engine. Every method returns the same as the engine's method of that name for the whole
 * conversation. A method that throws does not change the session.
 *
 * The cost of `append` and `turn` depends on the new messages only, except for session logs, which are read again as a
 * whole. The cost of `plan`, `count` and the others grows with the conversation: call `turn` to find out whether a plan
 * is due.
 *
 * Set the `format` if the first messages do not show it; otherwise the first call or result of a tool decides.
 *
 * @example
 * const session = tamp.session({ conversation: [{ role: "user", content: "Fix the build." }], preset: "balanced" });
 * // after each model call:
 * session.observe(response.usage);
 * if (session.turn([answer, results], { usage: response.usage }).due) {
 *   const plan = session.plan();
 *   await save(session.archive(plan));
 *   messages = session.apply(plan, session.summarize(plan)).conversation;
 * }
 */
export interface Session<C = unknown> {
  /**
   * Appends messages; they are checked like an input. The `path` of an error points into `messages`. A first message of
   * `UIMessage[]` or opencode with the id and the role of the last one replaces it: it has grown.
   */
  append(messages: Messages): Detection;
  /**
   * Appends messages, if there are any, and reports whether a plan is due. `options` apply to the following `plan` and
   * `apply`, until something else is appended.
   */
  turn(messages?: Messages, options?: TurnOptions): Turn;
  /** Tokens: total, and for each message and block. */
  count(): Count;
  /** The changes that the policy makes to the conversation now. Changes nothing. */
  plan(options?: TurnOptions): Plan;
  /**
   * Replaces the conversation and state by the compacted ones. Save {@link Session.archive} before you use the outcome.
   */
  apply(plan: Plan, results: SummaryResult[]): Outcome<C>;
  /**
   * The originals that this plan removes: JSONL, one message a line, unchanged except that half of a surrogate pair is U+FFFD.
   */
  archive(plan: Plan): string;
  /** Answers the plan's requests without a model: all of them, or those in `ids`. */
  summarize(plan: Plan, ids?: string[]): SummaryResult[];
  /** Records the usage of a response in the session's state; call it after each model call. */
  observe(usage: AnyUsage, idleSec?: number): Observed;
  /** The whole conversation: as text if the first input was text or bytes, else as an object. */
  conversation(): Returned<C>;
  /** Frees the memory of the session. Every later call throws. */
  close(): void;
}

/** Options for the transfer of an input to the worker. */
export interface CallOptions {
  /**
   * True transfers the memory of bytes to the worker instead of copying it: this is faster, and the array is empty
   * afterwards. A view of a part of a buffer is copied anyway.
   */
  transfer?: boolean | undefined;
}

type InWorker<M> = M extends (input: infer I) => infer R ? (input: I, options?: CallOptions) => Promise<R> : never;

/** A {@link Session} in the worker: the same methods as promises. Calls are answered in their order. */
export interface AsyncSession<C = unknown> {
  append(messages: Messages, options?: CallOptions): Promise<Detection>;
  turn(messages?: Messages, options?: TurnOptions, call?: CallOptions): Promise<Turn>;
  count(): Promise<Count>;
  plan(options?: TurnOptions): Promise<Plan>;
  apply(plan: Plan, results: SummaryResult[]): Promise<Outcome<C>>;
  archive(plan: Plan): Promise<string>;
  summarize(plan: Plan, ids?: string[]): Promise<SummaryResult[]>;
  observe(usage: AnyUsage, idleSec?: number): Promise<Observed>;
  conversation(): Promise<Returned<C>>;
  close(): Promise<void>;
}

/** The methods of {@link Engine} as promises; any number may be in flight. */
export interface AsyncEngine {
  readonly version: string;
  detect: InWorker<Engine["detect"]>;
  count: InWorker<Engine["count"]>;
  countText(text: string | Uint8Array | ArrayBuffer, counter?: Counter, options?: CallOptions): Promise<number>;
  tokens(text: string | Uint8Array | ArrayBuffer, counter: Vocabulary, options?: CallOptions): Promise<Tokens>;
  loadVocabulary(name: Vocabulary, bytes: Uint8Array | ArrayBuffer, options?: CallOptions): Promise<void>;
  session<C>(input: Input<C>, options?: CallOptions): Promise<AsyncSession<C>>;
  check: InWorker<Engine["check"]>;
  repair<C>(input: Input<C>, options?: CallOptions): Promise<Repair<C>>;
  convert: InWorker<Engine["convert"]>;
  inspect: InWorker<Engine["inspect"]>;
  plan: InWorker<Engine["plan"]>;
  apply<C>(input: Input<C> & { plan: Plan; results: SummaryResult[]; fates?: MessageFate[] | undefined }, options?: CallOptions): Promise<Outcome<C>>;
  archive: InWorker<Engine["archive"]>;
  summarize: InWorker<Engine["summarize"]>;
  anchors<C>(input: Input<C> & AnchorChoice, options?: CallOptions): Promise<Anchored<C>>;
  assemble<C>(parts: AssembleParts & { conversation: C }, options?: CallOptions): Promise<Assembled<C> & { conversation: Returned<C> }>;
  assemble(parts: AssembleParts, options?: CallOptions): Promise<Assembled>;
  observe(state: State | undefined, usage: AnyUsage, idleSec?: number): Promise<Observed>;
  tools(format: Format): Promise<unknown[]>;
  recall(originals: Original | readonly Original[], query?: RecallQuery): Promise<RecallPart>;
  checkAppend(previous: Input, next: Input, options?: CallOptions): Promise<AppendReport>;
  quality(original: Input, compacted: Input, options?: QualityOptions, call?: CallOptions): Promise<Quality>;
  questions(original: Input, compacted: Input, questions: readonly string[], options?: CallOptions): Promise<QuestionPrompt[]>;
  gradeAnswers(questions: readonly string[], answers: readonly QuestionAnswer[]): Promise<QuestionPrompt[]>;
  scoreAnswers(answers: readonly QuestionAnswer[], grades: readonly QuestionAnswer[]): Promise<QuestionScore>;
  /** The result of `progress` is ignored: use {@link AsyncEngine.terminate} to end a replay early. */
  replay(input: Input & ReplayChoice, progress?: (done: number, of: number) => void, options?: CallOptions): Promise<Replay>;
  audit(input: Input & ReplayChoice, progress?: (done: number, of: number) => void, options?: CallOptions): Promise<Audit>;
  usage(input: Input & PriceChoice, progress?: (done: number, of: number) => void, options?: CallOptions): Promise<Used>;
  resent(input: Input & ReplayChoice, progress?: (done: number, of: number) => void, options?: CallOptions): Promise<Resends>;
  lost(input: Pick<Input, "conversation" | "format"> & LostQuery, options?: CallOptions): Promise<Removed>;
  replayAt<C>(input: Input<C> & ReplayChoice & { call: number }, options?: CallOptions): Promise<ReplaySeen<C>>;
  verdict(reports: Replay[]): Promise<Compared>;
  presets(): Promise<Preset[]>;
  models(): Promise<Model[]>;
  /** Ends the worker at once. Calls in flight, and later ones, are rejected with code `terminated`. */
  terminate(): void;
}

/**
 * The whole loop: plan, save the archive, summarize, apply, until nothing is left to do. The outcome's `before`,
 * `actions`, `fates` and `quality` are those of all rounds; `next` is never set. The input is not changed: if it
 * throws, keep the conversation that you have. It throws what `save` throws, permanent failures of `summarize`, the
 * signal's reason after an abort, and {@link TampError}, with code `bad_request` and path `/save` if `save` is missing.
 *
 * In a loop that sends its whole history before each call, use {@link compactor}.
 *
 * @example
 * const outcome = await compact(await load(), { conversation, state }, { save: (jsonl) => appendFile("archive.jsonl", jsonl) });
 */
export function compact<C>(engine: Engine | AsyncEngine, input: Input<C>, host: Host): Promise<Outcome<C>>;

/**
 * A function for agent loops: call it before each model call with the whole history, and send what it returns. It keeps
 * what it has compacted, so that this stays as it is and the provider's prompt cache is read; only new messages are
 * parsed.
 *
 * The history is recognized by its content, whether it is the original one or begins with an earlier result; the
 * breakpoints of the prompt cache (`cache_control`, `cacheControl`) may differ. Of a history that was changed, and of
 * another one, nothing is known: it is compacted by itself. One compactor continues up to 16 conversations.
 *
 * @example
 * const tamp = await compactor({ preset: "balanced", save: (jsonl) => appendFile("archive.jsonl", jsonl) });
 * for (;;) {
 *   messages = await tamp(messages);
 *   messages.push(await callYourModel(messages), ...results);
 * }
 * @throws TampError with code `bad_request` and path `/save` if `save` is missing, `/from` if `from` cannot be read, and
 * the path of an option that does not exist; `bad_policy` for a preset or a policy that does not exist
 */
export function compactor(options: CompactorOptions): Promise<Compactor>;

/** The names of the presets; {@link Engine.presets} describes them. */
export type PresetName =
  | "balanced"
  | "harness"
  | "s06"
  | "turns"
  | "critical"
  | "hierarchical"
  | "regions"
  | "prune"
  | "clear_tool_uses"
  | "clear_thinking";

/** The settings of a request that are the same for all conversations. */
export interface PlanSettings extends Omit<PlanRequest, keyof TurnOptions | "state" | "preset"> {
  /** Default: `balanced`. */
  preset?: PresetName | undefined;
}

/** The settings of all calls of a {@link Compactor}. */
export interface CompactorOptions extends PlanSettings, Host {
  /** Absent: the engine of {@link load}. */
  engine?: Engine | AsyncEngine | undefined;
  /** What {@link Compactor.export} returned, to go on with its conversations. */
  from?: string | undefined;
}

/** What applies to one call of a {@link Compactor}. */
export interface CompactorTurn extends TurnOptions {
  /** Ends this call at once. */
  signal?: Signal | undefined;
}

/**
 * Returns the messages to send, as a new list or body: unchanged messages are the given objects, also if nothing is due.
 * The history is not changed.
 *
 * It throws what {@link compact} throws, a permanent failure of `summarize`, a failure of `save`, `context_overflow` and
 * an abort included. Nothing has changed then, and the next call tries again; after a temporary failure of `summarize`
 * the built-in summary is used instead. Calls may be made at the same time: each gets its own
 * result, and none waits for another, so `summarize` may use a client that calls this compactor.
 */
export interface Compactor {
  /** @param history messages, or a request body with `messages`, `input` or `contents`; no log of an agent */
  <H extends object>(history: H, turn?: CompactorTurn): Promise<H>;
  /** The state, as JSON: store it if the conversation goes on in another process. It has the compacted messages. */
  export(): string;
  /** Frees memory in the engine. Later calls still work. */
  close(): Promise<void>;
}

/** The host's functions for {@link compact}; each but `save` may be absent. */
export interface Host {
  /**
   * Calls your model: `request.system` and `request.user` are ready prompts, `request.maxTokens` is the limit of the
   * answer. Absent: the extractive summarizer.
   *
   * After a temporary failure, and for an answer that is no summary (the text of an error, a page of a proxy, a refusal,
   * the request again, one with none of the names of its text), the built-in summary is used instead, and `onWarning` is called
   * with `summary_failed`. After a permanent failure, such as a wrong key or an unknown model, `compact` throws the same
   * value, and nothing is changed. Permanent is an error (or its `cause`) with an HTTP `status` or `statusCode` from 300
   * to 499 other than 408, 409, 425 and 429, with the `code` `insufficient_quota`, a {@link TampError}, and a mistake in
   * the code: a `TypeError` or `ReferenceError`, other than the one of `fetch` for a broken connection. A value that is no
   * string, and a header that cannot be sent, are code `bad_request`.
   */
  summarize?: ((request: SummaryRequest, signal: Signal) => Promise<string>) | undefined;
  /**
   * Saves the originals that will be removed: JSONL, one message a line. Awaited before anything is applied; a throw
   * ends `compact`. `"discard"` loses them. The ref of an archive, which summaries name, is the first 16 hexadecimal digits of the SHA-256 of
   * these bytes; {@link Engine.recall} finds it, and texts in it, by their refs.
   */
  save: "discard" | ((jsonl: string) => Promise<void> | void);
  /** Maximum number of concurrent requests; default 4. */
  concurrency?: number | undefined;
  /** Ends the loop at once, even if `summarize` ignores it. */
  signal?: Signal | undefined;
  /** Called for every step, in order. If it throws, the loop ends and throws the same value. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Called with `summary_failed` if answers of `summarize` were no summaries, and the built-in one is used instead; with
   * `open_round_cut` if results were cut before the model has read them, since the conversation is over its hard limit
   * without it; with `words_cut` if not all of the user's words fit into the summaries; with `conversation_repaired` if
   * the provider would have refused the conversation, and with `conversation_broken` if it stays so; the first three are in `outcome.warnings`, too. Called with `state_missing` if the conversation has summaries or placeholders of an earlier compaction, but no
   * `state` was given, and with `compacted_again` if it is longer than a conversation that it begins with and that `compact`
   * has compacted before with this engine, preset and policy, so that the outcome of that was not used.
   * Absent: the warning is printed with `console.warn`.
   */
  onWarning?: ((warning: Warning) => void) | undefined;
}

/** A step of {@link compact}. Rounds count from 1; most compactions have one. */
export type Progress =
  | { type: "plan"; round: number; plan: Plan }
  | { type: "saved"; round: number; bytes: number }
  | { type: "summary"; round: number; result: SummaryResult; done: number; of: number }
  | { type: "done"; outcome: Outcome };
