/**
 * Tamp packs an LLM agent's conversation down so that it fits the context window, stays valid for the provider's API,
 * keeps what the agent still needs, and loses nothing.
 *
 * The host's contract:
 *
 * **Save what Plan.Archive names BEFORE you use what Apply returns; answer every request, even with an error; keep State with the conversation.**
 *
 * In this package's words: save `engine.archive({ ...input, plan })` before you use `engine.apply({ ...input, plan, results })`.
 * Start with {@link load}, and with {@link compact}, which is the whole loop.
 */

import type {
  AnchorChoice, Anchored, AnyUsage, AppendReport, Assembled, AssembleRequest, Code, Count, Counter, Detection, Format, Inspection,
  Observed, Outcome, Plan, PlanRequest, Preset, Quality, QuestionAnswer, QuestionPrompt, QuestionScore, Repair, Replay, ReplayChoice,
  ReplaySeen, Report, State, SummaryRequest, SummaryResult, Tokens, Turn, TurnOptions, Vocabulary,
} from "./wire.js";

export type {
  Action, Anchor, AnchorChoice, AnchorKind, Anchored, AnyUsage, AppendReport, Assembled, BlockFate, Count, Counter, DeepPartial, Detection,
  Edit, FactKind, Format, Injection, InspectedBlock, InspectedMessage, Inspection, MeasuredUsage, MessageFate, Metrics, Observed, Outcome,
  Param, Placed, Plan, Policy, Preset, Price, Problem, Quality, QualityCount, QuestionAnswer, QuestionOutcome, QuestionPrompt,
  QuestionScore, Ref, Region, Repair, Replay, ReplayCall, ReplayChoice, ReplayFacts, ReplaySeen, ReplayTotals, Report, Span, State,
  SummaryRequest, SummaryResult, Tokens, ToolResult, Trigger, Turn, TurnOptions, Usage, Vocabulary, Warning,
} from "./wire.js";

/** Where the wasm comes from. A Response needs no particular content type; a Module is what edge runtimes hand out. */
export type Source = URL | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the wasm once; later calls return the same engine, whatever source they name. A load that failed may be tried again.
 * Works in browsers, in Web Workers, in Node 20 and later, and in edge runtimes (pass the Module there).
 *
 * @param source where the wasm is; absent: `tamp.wasm` beside this file, from disk in Node, by `fetch` elsewhere
 * @throws TampError with code `load_failed`
 */
export function load(source?: Source): Promise<Engine>;

/**
 * Starts a worker (a module Worker in browsers, a thread in Node) with an engine of its own, and returns the same methods as
 * promises. Each call starts another worker. In Node an idle worker does not keep the process alive.
 *
 * @param url where the wasm is; absent: `tamp.wasm` beside this file
 * @throws TampError with code `load_failed`
 */
export function loadInWorker(url?: URL): Promise<AsyncEngine>;

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
 * - `unknown_format` JSON, but no conversation format of ours
 * - `bad_message` a message has the wrong shape
 * - `too_large` over the limits: 256 MiB (refused before it is copied into the engine's memory), depth 1,000, 250,000 messages,
 *   500,000 blocks, 500,000 lines of a log
 * - `bad_policy` unknown preset, or a policy field that does not exist or has a bad value
 * - `bad_plan` the plan or its results do not fit together
 * - `stale_plan` the plan was made for another conversation, or thinking that came since is bound to what it changes: make a new one
 * - `context_overflow` the conversation is over its hard limit, and nothing is left that may go: start a new session
 * - `too_much_work` a replay over the server's limit on its work; a program of your own has none
 * - `bad_request` the arguments have the wrong shape
 * - `invalid_outcome` a bug of ours: the provider would refuse what a valid conversation became, so it is not returned
 * - `internal` a bug of ours, never of the input
 * - `load_failed` the wasm or the worker could not be loaded
 * - `terminated` the worker was terminated before it answered
 */
export type ErrorCode = Code | "load_failed" | "terminated";

/** The input of every method on a conversation. */
export interface Input extends PlanRequest {
  /**
   * A conversation in its own wire format: parsed JSON, its text, or its bytes (UTF-8). A messages array, a whole request body, or
   * a session log.
   *
   * Text and bytes are read as they are, so numbers beyond 2^53, repeated keys and spacing survive, and results carry **text**, in
   * which untouched messages are byte for byte what came in. (Half a surrogate pair, which a JavaScript string may hold and UTF-8
   * may not, is read as its JSON escape `\udXXX`.) Anything else is written with `JSON.stringify`, and results carry the parsed
   * object. For large conversations text or bytes are the faster choice.
   */
  conversation: unknown;
}

/** The parts of the next user message. Without a conversation, results are taken in their order; with one, every pending call must have one. */
export type AssembleParts = AssembleRequest;

/** Hears how many model calls of a replay are done, before each, and once when all are. False ends it: its report then says `stopped`.
 * What it throws ends it too, and comes out of the replay. */
export type ReplayProgress = (done: number, of: number) => boolean | void;

/**
 * Every method is synchronous, and all but `loadVocabulary` and `session` are pure: equal arguments, equal result. Errors are thrown as
 * {@link TampError}.
 */
export interface Engine {
  /** Version of the engine. */
  readonly version: string;
  /** Which format this is, and how many messages it holds. */
  detect(input: Input): Detection;
  /** Tokens: total, and for each message and block. */
  count(input: Input): Count;
  /** Tokens of a plain text. */
  countText(text: string | Uint8Array | ArrayBuffer, counter?: Counter): number;
  /** The tokens of a plain text one by one, by a vocabulary that was loaded: `text.slice(ends[i - 1] ?? 0, ends[i])` is token i. */
  tokens(text: string | Uint8Array | ArrayBuffer, counter: Vocabulary): Tokens;
  /**
   * Makes an exact counter of the bytes of `vocab/<name>.bin`, which this package ships beside its code. It stays for the life of the engine,
   * a fresh start after code `internal` included. Bytes that are cut short, altered or another vocabulary's are refused.
   *
   * @example
   * tamp.loadVocabulary("o200k_base", await readFile(new URL(import.meta.resolve("tamp/vocab/o200k_base.bin"))));
   */
  loadVocabulary(name: Vocabulary, bytes: Uint8Array | ArrayBuffer): void;
  /**
   * Keeps a conversation inside the engine while it grows, so that a turn costs what is new in it, however long it is. Its settings are
   * those of `input`; its conversation may be `[]`.
   *
   * Close it when it is done. One that is collected as garbage is closed too, at some time later. The memory of an engine never shrinks: one that
   * grew past 512 MiB is replaced by a new one at the next call, but not while sessions are open in it.
   */
  session(input: Input): Session;
  /**
   * What the provider's API would refuse, with its own words, and for each a proposed repair or the reason why there is none. The list
   * ends after 1,000 problems, errors before warnings; `omitted` counts the others.
   */
  check(input: Input): Report;
  /**
   * The same conversation without those problems that can be repaired; a valid one comes back as the same bytes. `problems` is what
   * was repaired and `left` what was not, each with its `reason`: the result is valid where no problem of `left` is an error. Both
   * lists end after 1,000; all that can be repaired is repaired, listed or not.
   */
  repair(input: Input): Repair;
  /** The fate of every block under the policy, before anything is done. */
  inspect(input: Input): Inspection;
  /** What should happen to the conversation. Changes nothing; print it, store it, send it, apply it later, or drop it. */
  plan(input: Input): Plan;
  /** The compacted conversation, in the input's own format. Save {@link Engine.archive} before you use it. */
  apply(input: Input & { plan: Plan; results: SummaryResult[] }): Outcome;
  /** The originals that this plan removes: JSONL, one message a line, as it came in. */
  archive(input: Input & { plan: Plan }): string;
  /**
   * Answers requests of the plan without a model, from the sentences and facts of the conversation itself: all of them, or those
   * that `ids` names. One for which nothing can be written has `err` set.
   */
  summarize(input: Input & { plan: Plan; ids?: string[] }): SummaryResult[];
  /**
   * Sets `cache_control` where it is worth most; the last step before a request is sent. Where the format has no breakpoints, `note` says
   * so and the conversation comes back as it is.
   */
  anchors(input: Input & AnchorChoice): Anchored;
  /** The next user message: tool results, injections in their tags, the user's words, in the one order that providers accept. */
  assemble(parts: AssembleParts): Assembled;
  /**
   * Takes the usage of a response, after each model call. Three requests in a row that should have read from the prompt cache and did not make
   * a warning with its cause. `idleSec`: seconds since the call before, where neither apply nor anchors was told.
   */
  observe(state: State | undefined, usage: AnyUsage, idleSec?: number): Observed;
  /** The definitions of the tools `compact` and `recall`, as that provider's request takes them. */
  tools(format: Format): unknown[];
  /**
   * Compares two consecutive requests: the first place where the later one is not an append to the earlier (the prompt cache
   * reads nothing behind it), and, on models that bind thinking to its prefix, the thinking blocks that the provider would refuse.
   */
  checkAppend(previous: Input, next: Input): AppendReport;
  /** Which facts of what was removed are still present: paths, identifiers, numbers, errors, URLs, the user's constraints. */
  quality(original: Input, compacted: Input): Quality;
  /**
   * Checks a compaction by questions. Returns two prompts, `original` and `compacted`: each asks your model the same questions about one of the
   * conversations, at most 1,000 questions of one line each. Answer both, then call {@link Engine.gradeAnswers}.
   *
   * @example
   * const ask = (prompts) => Promise.all(prompts.map(async ({ id, system, user }) => ({ id, text: await callYourModel({ system, user }) })));
   * const answers = await ask(tamp.questions({ conversation }, outcome, list));
   * const grades = await ask(tamp.gradeAnswers(list, answers));
   * console.log(tamp.scoreAnswers(answers, grades).permille);
   */
  questions(original: Input, compacted: Input, questions: readonly string[]): QuestionPrompt[];
  /**
   * Prompts that ask your model whether two answers to a question say the same, one for each question that needs it. A failed call is data: set
   * `error` in its answer.
   */
  gradeAnswers(questions: readonly string[], answers: readonly QuestionAnswer[]): QuestionPrompt[];
  /** The score of a compaction, from the answers to the prompts of `questions` and of `gradeAnswers`. */
  scoreAnswers(answers: readonly QuestionAnswer[], grades: readonly QuestionAnswer[]): QuestionScore;
  /**
   * What a whole session would have sent and cost under the policy, call by call: tokens, reads and writes of the prompt cache, money.
   * It goes through the session once, which may take seconds for a large one; `state`, `usage`, `force` and `focus` play no part.
   *
   * @example
   * const before = tamp.replay({ conversation, compact: false });
   * const after = tamp.replay({ conversation, preset: "balanced" });
   * console.log(tamp.verdict([before, after]));
   */
  replay(input: Input & ReplayChoice, progress?: ReplayProgress): Replay;
  /** The conversation as it was sent at one call of {@link Engine.replay}, which counts from 1. */
  replayAt(input: Input & ReplayChoice & { call: number }): ReplaySeen;
  /** Compares reports of one session in one sentence, for people. */
  verdict(reports: Replay[]): string;
  /** The presets: name, one line, every policy value, and the parameters worth turning. */
  presets(): Preset[];
}

/** Messages to append: objects, or the text or bytes of a JSON array or of JSON Lines. To a session log, its own lines. */
export type Messages = readonly unknown[] | string | Uint8Array | ArrayBuffer;

/**
 * A conversation that stays in the engine while it grows. Every answer is the one that the engine's method of that name gives for the
 * whole conversation. A method that throws leaves the session as it was.
 *
 * `append` and `turn` cost what is new, but for session logs, which are read anew as a whole. `plan`, `count` and the others grow with the
 * conversation, if only because their answers do: ask `turn` whether it is time for a plan.
 *
 * Name the `format` where the first messages do not show it; else the first call or result of a tool decides.
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
export interface Session {
  /** Adds messages at the end; what they say is checked as that of an input is. A `path` in an error points into what was given. */
  append(messages: Messages): Detection;
  /**
   * {@link Session.append}, where there are messages, and whether a plan is due now. What `options` say holds for the `plan` and `apply` that
   * follow, until something else is appended.
   */
  turn(messages?: Messages, options?: TurnOptions): Turn;
  /** Tokens: total, and for each message and block. */
  count(): Count;
  /** What should happen to the conversation now. Changes nothing. */
  plan(options?: TurnOptions): Plan;
  /** Goes on with the compacted conversation and its state. Save {@link Session.archive} before you use the outcome. */
  apply(plan: Plan, results: SummaryResult[]): Outcome;
  /** The originals that this plan removes: JSONL, one message a line, as it came in. */
  archive(plan: Plan): string;
  /** Answers the plan's requests without a model: all of them, or those that `ids` names. */
  summarize(plan: Plan, ids?: string[]): SummaryResult[];
  /** Takes the usage of a response, after each model call, into the session's state. */
  observe(usage: AnyUsage, idleSec?: number): Observed;
  /** The whole conversation, given back the way the first input came. */
  conversation(): unknown;
  /** Frees its memory. Every later call throws. */
  close(): void;
}

/** How an input travels to the worker. */
export interface CallOptions {
  /**
   * True gives the memory of bytes away to the worker instead of copying it: faster, and the array is empty afterwards. Only
   * memory that the array covers as a whole is moved.
   */
  transfer?: boolean;
}

type InWorker<M> = M extends (input: infer I) => infer R ? (input: I, options?: CallOptions) => Promise<R> : never;

/** A {@link Session} in the worker: the same methods as promises. Calls are answered in the order in which they were made. */
export interface AsyncSession {
  append(messages: Messages, options?: CallOptions): Promise<Detection>;
  turn(messages?: Messages, options?: TurnOptions, call?: CallOptions): Promise<Turn>;
  count(): Promise<Count>;
  plan(options?: TurnOptions): Promise<Plan>;
  apply(plan: Plan, results: SummaryResult[]): Promise<Outcome>;
  archive(plan: Plan): Promise<string>;
  summarize(plan: Plan, ids?: string[]): Promise<SummaryResult[]>;
  observe(usage: AnyUsage, idleSec?: number): Promise<Observed>;
  conversation(): Promise<unknown>;
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
  session(input: Input, options?: CallOptions): Promise<AsyncSession>;
  check: InWorker<Engine["check"]>;
  repair: InWorker<Engine["repair"]>;
  inspect: InWorker<Engine["inspect"]>;
  plan: InWorker<Engine["plan"]>;
  apply: InWorker<Engine["apply"]>;
  archive: InWorker<Engine["archive"]>;
  summarize: InWorker<Engine["summarize"]>;
  anchors: InWorker<Engine["anchors"]>;
  assemble: InWorker<Engine["assemble"]>;
  observe(state: State | undefined, usage: AnyUsage, idleSec?: number): Promise<Observed>;
  tools(format: Format): Promise<unknown[]>;
  checkAppend(previous: Input, next: Input, options?: CallOptions): Promise<AppendReport>;
  quality(original: Input, compacted: Input, options?: CallOptions): Promise<Quality>;
  questions(original: Input, compacted: Input, questions: readonly string[], options?: CallOptions): Promise<QuestionPrompt[]>;
  gradeAnswers(questions: readonly string[], answers: readonly QuestionAnswer[]): Promise<QuestionPrompt[]>;
  scoreAnswers(answers: readonly QuestionAnswer[], grades: readonly QuestionAnswer[]): Promise<QuestionScore>;
  /** What `progress` returns is not waited for: {@link AsyncEngine.terminate} ends a replay early. */
  replay(input: Input & ReplayChoice, progress?: (done: number, of: number) => void, options?: CallOptions): Promise<Replay>;
  replayAt: InWorker<Engine["replayAt"]>;
  verdict(reports: Replay[]): Promise<string>;
  presets(): Promise<Preset[]>;
  /** Ends the worker at once. Calls in flight, and later ones, are rejected with code `terminated`. */
  terminate(): void;
}

/**
 * The whole loop: plan, save the archive, summarize, apply, until nothing is left to do. The outcome's `before`, `actions` and
 * `quality` are those of all rounds; `next` is never set, `fates` only if there was one round. Nothing is changed before the end: where it throws, the conversation that you have is the one to
 * keep. It throws what `save` throws, permanent failures of `summarize`, the signal's reason when it is aborted, and {@link TampError}.
 *
 * @example
 * const outcome = await compact(await load(), { conversation, state }, { save: (jsonl) => appendFile("archive.jsonl", jsonl) });
 */
export function compact(engine: Engine | AsyncEngine, input: Input, host?: Host): Promise<Outcome>;

/** What {@link compact} needs from you; all of it may be absent. */
export interface Host {
  /**
   * Calls your model: `request.system` and `request.user` are ready prompts, `request.maxTokens` is the longest answer that is used.
   * Absent: the extractive summarizer.
   *
   * A throw that may pass becomes a failed answer, with which the conversation still comes out valid; its region may be dropped. A
   * permanent failure would drop regions for a wrong key or an unknown model, so it ends `compact` instead, which throws the same value, and
   * nothing is changed: an error (or its `cause`) with an HTTP `status` or `statusCode` from 300 to 499 other than 408, 409, 425 and
   * 429, with the `code` `insufficient_quota`, or a {@link TampError}. A header that cannot be sent is code `bad_request`.
   */
  summarize?(request: SummaryRequest, signal: AbortSignal): Promise<string>;
  /** Keeps the originals that are about to go, JSONL, one message a line. Awaited before anything is applied; a throw stops, and nothing is changed. */
  save?(jsonl: string): Promise<void>;
  /** How many requests are under way at once; default 4. */
  concurrency?: number;
  /** Ends the loop at once, also where `summarize` does not listen to it. */
  signal?: AbortSignal;
  /** Told of every step, in order. What it throws stops the loop. */
  onProgress?(progress: Progress): void;
}

/** A step of {@link compact}. Rounds count from 1; most compactions have one. */
export type Progress =
  | { type: "plan"; round: number; plan: Plan }
  | { type: "saved"; round: number; bytes: number }
  | { type: "summary"; round: number; result: SummaryResult; done: number; of: number }
  | { type: "done"; outcome: Outcome };
