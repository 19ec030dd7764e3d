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
  Anchored, AppendReport, Assembled, Code, Count, Detection, Format, Injection, Inspection, Observed, Outcome, Plan, Policy, Preset, Quality,
  Repair, Report, State, SummaryRequest, SummaryResult, ToolResult, Usage,
} from "./wire.js";

export type {
  Action, Anchor, AnchorKind, Anchored, AppendReport, Assembled, Count, Detection, Edit, FactKind, Format, Injection, InspectedBlock,
  InspectedMessage, Inspection, Metrics, Observed, Outcome, Param, Placed, Plan, Policy, Preset, Problem, Quality, QualityCount, Ref, Region,
  Repair, Report, Span, State, SummaryRequest, SummaryResult, ToolResult, Trigger, Usage, Warning,
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

/** Any part of T, at any depth; lists are whole. */
export type DeepPartial<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

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
 * - `too_large` over the limits: 256 MiB, depth 1,000
 * - `bad_policy` unknown preset, or a policy field that does not exist or has a bad value
 * - `bad_plan` the plan or its results do not fit together
 * - `stale_plan` the plan was made for another conversation
 * - `context_overflow` the conversation is over its hard limit, and nothing is left that may go: start a new session
 * - `bad_request` the arguments have the wrong shape
 * - `internal` a bug of ours, never of the input
 * - `load_failed` the wasm or the worker could not be loaded
 * - `terminated` the worker was terminated before it answered
 */
export type ErrorCode = Code | "load_failed" | "terminated";

/** What every method on a conversation takes. */
export interface Input {
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
  /** Detected when absent. */
  format?: Format;
  /** Name of a preset, see {@link Engine.presets}. Absent: the engine's default. */
  preset?: string;
  /** Laid over the preset's values; absent fields stay the preset's, unknown ones are an error. */
  policy?: DeepPartial<Policy>;
  /** Token counter: `estimate` (default), `chars4`, `chars3` or `cjk`. */
  counter?: string;
  /** What the last {@link Outcome} returned. Store it beside the conversation; do not look inside. */
  state?: State;
  /** Token usage of the last response, where you have it. */
  usage?: AnyUsage;
  /** Seconds since the last model call, for cache lifetimes. */
  idleSec?: number;
  /** Compact now, whatever the trigger says. */
  force?: boolean;
  /** What to preserve, in words. */
  focus?: string;
}

/**
 * Token usage in our words, or a provider's `usage` object as it came: `input_tokens`, `cache_read_input_tokens`,
 * `cache_creation_input_tokens`, `output_tokens` (Anthropic); `prompt_tokens`, `prompt_tokens_details.cached_tokens`, `completion_tokens`
 * (OpenAI). One of them must be there; what is absent counts as 0, and other members are passed over.
 */
export type AnyUsage = Partial<Usage> | { readonly [member: string]: unknown };

/** What the next user message is made of. */
export interface AssembleParts {
  /** The conversation so far. Its pending calls must all have a result; absent: results are taken as they come. */
  conversation?: unknown;
  /** Detected from the conversation; needed where there is none. */
  format?: Format;
  /** In any order: they come first, in the order of their calls. */
  results?: ToolResult[];
  /** Each goes in the tag of its source, and cannot leave it. */
  injections?: Injection[];
  /** The user's own words. */
  text?: string;
  counter?: string;
}

/** Where the breakpoints of the provider's prompt cache may go. */
export interface AnchorChoice {
  /** Breakpoints together with those that the request has already; default and most: 4, the provider's limit. */
  max?: number;
  /** Lifetime of new breakpoints; default: five minutes. */
  ttl?: "5m" | "1h";
  /** True where those on messages come from an earlier call: they go where they are worth more. */
  move?: boolean;
}

/** Every method is synchronous and pure: equal arguments, equal result. Errors are thrown as {@link TampError}. */
export interface Engine {
  /** Version of the engine. */
  readonly version: string;
  /** Which format this is, and how many messages it holds. */
  detect(input: Input): Detection;
  /** Tokens: total, and for each message and block. */
  count(input: Input): Count;
  /** Tokens of a plain text. */
  countText(text: string | Uint8Array | ArrayBuffer, counter?: string): number;
  /** What the provider's API would refuse, with its own words and a proposed repair for each. */
  check(input: Input): Report;
  /** The same conversation without those problems that can be repaired; a valid one comes back as the same bytes. */
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
  /** The presets: name, one line, every policy value, and the parameters worth turning. */
  presets(): Preset[];
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

/** The methods of {@link Engine} as promises; any number may be in flight. */
export interface AsyncEngine {
  readonly version: string;
  detect: InWorker<Engine["detect"]>;
  count: InWorker<Engine["count"]>;
  countText(text: string | Uint8Array | ArrayBuffer, counter?: string, options?: CallOptions): Promise<number>;
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
  presets(): Promise<Preset[]>;
  /** Ends the worker at once. Calls in flight, and later ones, are rejected with code `terminated`. */
  terminate(): void;
}

/**
 * The whole loop: plan, save the archive, summarize, apply, until nothing is left to do. The outcome's `before`, `actions` and
 * `quality` are those of all rounds; `next` is never set. Nothing is changed before the end: where it throws, the conversation that you have is the one to
 * keep. It throws what `save` throws, the signal's reason when it is aborted, and {@link TampError}.
 *
 * @example
 * const outcome = await compact(await load(), { conversation, state }, { save: (jsonl) => appendFile("archive.jsonl", jsonl) });
 */
export function compact(engine: Engine | AsyncEngine, input: Input, host?: Host): Promise<Outcome>;

/** What {@link compact} needs from you; all of it may be absent. */
export interface Host {
  /**
   * Calls your model: `request.system` and `request.user` are ready prompts, `request.maxTokens` is the longest answer that is used.
   * A throw becomes a failed answer, with which the conversation still comes out valid. Absent: the extractive summarizer.
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
