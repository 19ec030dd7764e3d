// Generated from the Go structs by tools/dts. Do not edit: change the struct and run make types.

/** The formats that a conversation may come in. */
export type Format = "anthropic" | "openai-chat" | "openai-responses" | "gemini" | "ai-sdk" | "ai-sdk-ui" | "claude-code" | "codex" | "pi" | "gemini-cli" | "opencode" | "cline" | "qwen-code" | "kimi-cli" | "copilot-cli" | "aider" | "vscode-chat" | "kimi-code" | "grok-cli" | "crush" | "gemini-interactions";

/** What an engine remembers between calls. Store it with the conversation; do not look inside. */
export type State = string;

/** T with optional members at every depth; lists must be complete. */
export type DeepPartial<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: DeepPartial<T[K]> | undefined } : T;

/** The type of a conversation that is given back: text for text and bytes, else that of the conversation given. */
export type Returned<C> = C extends string | Uint8Array | ArrayBuffer ? string : C;

/** The exact counters. Each needs its vocabulary, see operation loadVocabulary. */
export type Vocabulary = "o200k_base" | "cl100k_base" | (string & {});

/**
 * The token counter: estimate (the default; needs no vocabulary), the simple rules chars4, chars3 and cjk, or an exact one
 * by a loaded vocabulary. auto is the vocabulary of the conversation's model if it is loaded, else estimate. Claude models
 * have no public vocabulary: auto estimates them, with the multipliers of their profile.
 */
export type Counter = "estimate" | "chars4" | "chars3" | "cjk" | "auto" | Vocabulary;

/**
 * Token usage as Usage, or a provider's usage object: input_tokens, cache_read_input_tokens, cache_creation_input_tokens,
 * output_tokens (Anthropic); prompt_tokens, prompt_tokens_details.cached_tokens, completion_tokens (OpenAI);
 * promptTokenCount, cachedContentTokenCount, candidatesTokenCount (Gemini); inputTokens, inputTokenDetails, outputTokens (AI
 * SDK). At least one of them is required; absent ones count as 0, and other members are ignored.
 */
export type AnyUsage = Partial<Usage> | object;

/** Code names a kind of failure. Codes are stable: hosts switch on them. */
export type Code = "bad_json" | "unknown_format" | "bad_message" | "too_large" | "bad_request" | "bad_policy" | "bad_plan" | "stale_plan" | "context_overflow" | "too_much_work" | "invalid_outcome" | "internal";

/** EditKind names what an Edit does. */
export type EditKind = "limit_output" | "oversize_input" | "clear_result" | "clear_input" | "drop_thinking" | "drop" | "shorten_prompt" | "shorten_answer";

/** Severity says whether the provider refuses the request because of a problem. */
export type Severity = "error" | "warning";

/** Kind is the kind of place of a breakpoint. */
export type AnchorKind = "tools_end" | "system_end" | "stable_boundary" | "milestone" | "previous_end" | "before_prompt" | "request_end" | "present";

/** Basis says where the costs of the session without compaction come from. */
export type ReplayBasis = "estimate" | "usage";

/** Kind is the kind of a fact. */
export type FactKind = "paths" | "identifiers" | "numbers" | "hashes" | "urls" | "errors" | "words";

/** Empty is a request or an answer without members. */
export interface Empty {
}

/** ConversationRequest is a request about a conversation. */
export interface ConversationRequest {
  /**
   * The conversation in its own wire format: as JSON, or a string that holds its text. Absent if it is the body of the request, next to
   * this JSON.
   */
  conversation?: unknown;
  /** Detected when absent. */
  format?: Format | undefined;
}

/** CountRequest is the request of count. */
export interface CountRequest extends ConversationRequest {
  /** Default: `estimate`. */
  counter?: Counter | undefined;
}

/** TurnOptions are the facts of one turn that the conversation does not hold. */
export interface TurnOptions {
  /** Token usage of the last response, if known. */
  usage?: AnyUsage | undefined;
  /** Seconds since the last model call, for cache lifetimes. */
  idleSec?: number | undefined;
  /** Compact now, even if no trigger fires. */
  force?: boolean | undefined;
  /** No model writes the summaries (operation summarize): they cost nothing. */
  extractive?: boolean | undefined;
  /** A description of what the summaries should preserve. A session uses it for later turns, too, until it is replaced. */
  focus?: string | undefined;
  /** Blocks that stay as they are. They are of this turn only: the positions in the result are others. */
  keep?: Ref[] | undefined;
  /** Blocks to remove, each with the other half of its pair. The outcome's `next` compacts the rest, if that is due. */
  drop?: Ref[] | undefined;
  /**
   * Blocks to summarize. Each run of messages whose blocks are all listed gets one summary, with the other halves of
   * their pairs; of other messages, listed texts and tool results are summarized in place. It is an error for
   * instructions and blocks of the open tool round.
   */
  summarize?: Ref[] | undefined;
  /**
   * What becomes of thinking that is bound to changed text: `strip` (default) removes it, `keep` changes nothing before
   * an open tool round with thinking, and `drop_block` leaves it to the provider, which the request must ask for. A
   * session uses it for later turns, too, until it is replaced.
   */
  thinking?: "strip" | "keep" | "drop_block" | undefined;
}

/** PlanRequest is the request of plan and inspect: a conversation and its settings. */
export interface PlanRequest extends CountRequest, TurnOptions {
  /** Name of a preset, see operation presets. Absent: the engine's default. */
  preset?: string | undefined;
  /** Overrides values of the preset; absent fields keep the preset's values, unknown ones are an error. */
  policy?: DeepPartial<Policy> | undefined;
  /** The state of the last Outcome. Store it with the conversation; its content is private. */
  state?: State | undefined;
}

/** ApplyRequest is the request of apply. */
export interface ApplyRequest extends PlanRequest {
  plan: Plan;
  /** Absent: no request was answered. */
  results?: SummaryResult[] | undefined;
  /**
   * The fates of the outcome before, if the plan is its next: the answer then has the fates of both steps, for the
   * blocks of the first input.
   */
  fates?: MessageFate[] | undefined;
}

/** ArchiveRequest is the request of archive. */
export interface ArchiveRequest extends ConversationRequest {
  plan: Plan;
}

/** SummarizeRequest is the request of summarize. */
export interface SummarizeRequest extends PlanRequest {
  plan: Plan;
  /** The requests to answer; absent: all of the plan. */
  ids?: string[] | undefined;
}

/** AnchorChoice has the options for the breakpoints of the provider's prompt cache. */
export interface AnchorChoice {
  /** Maximum number of breakpoints, including existing ones; default and maximum: 4, the provider's limit. */
  max?: number | undefined;
  /** Lifetime of new breakpoints; default: five minutes. */
  ttl?: "5m" | "1h" | undefined;
  /**
   * True if the existing breakpoints on messages are from an earlier call whose state is lost: they are moved to better
   * positions. With the state of that call, anchors knows its own.
   */
  move?: boolean | undefined;
}

/** AnchorsRequest is the request of anchors. */
export interface AnchorsRequest extends PlanRequest, AnchorChoice {
}

/** AssembleRequest is the request of assemble: the parts of the next user message. */
export interface AssembleRequest extends CountRequest {
  /** In any order: in the message they are first, in the order of their calls. */
  results?: ToolResult[] | undefined;
  /** Each is wrapped in the tag of its source; its content cannot close the tag. */
  injections?: Injection[] | undefined;
  /** The user's text. */
  text?: string | undefined;
}

/** ObserveRequest is the request of observe. */
export interface ObserveRequest {
  state?: State | undefined;
  usage: AnyUsage;
  /** Seconds since the call before, if neither apply nor anchors was given it. */
  idleSec?: number | undefined;
}

/** ConvertRequest is the request of convert. */
export interface ConvertRequest extends ConversationRequest {
  /** The format of a request: anthropic, openai-chat, openai-responses, gemini or ai-sdk. */
  to: string;
}

/** ToolsRequest is the request of tools. */
export interface ToolsRequest {
  format: Format;
}

/** CompareRequest is the request of checkAppend: an earlier conversation and a later one. */
export interface CompareRequest extends ConversationRequest {
  /** The earlier conversation: a JSON value, or a string that holds its text. */
  previous: unknown;
}

/** QualityOptions are the options of quality. */
export interface QualityOptions {
  /** Adds the sentences that the user typed, with their places. */
  statements?: boolean | undefined;
}

/** QualityRequest is the request of quality. */
export interface QualityRequest extends CompareRequest, QualityOptions {
}

/** QuestionsRequest is the request of questions. */
export interface QuestionsRequest extends CompareRequest {
  /** At most 1,000, of one line each. */
  questions: string[];
}

/** GradeAnswersRequest is the request of gradeAnswers. */
export interface GradeAnswersRequest {
  /** As in the request of questions. */
  questions: string[];
  /** The model's answers to the prompts of questions. */
  answers: QuestionAnswer[];
}

/** ScoreAnswersRequest is the request of scoreAnswers. */
export interface ScoreAnswersRequest {
  /** The model's answers to the prompts of questions. */
  answers: QuestionAnswer[];
  /** The model's answers to the prompts of gradeAnswers. */
  grades: QuestionAnswer[];
}

/** PriceChoice has the prices of the calls of a session. */
export interface PriceChoice {
  /** Of every call; default: those of its model. */
  prices?: Price | undefined;
  /**
   * Factors of the prices: `batch`, `regional`, `fast`, `priority` and `flex` for the models that the catalog has them
   * of (1 for others), or any name with its permille.
   */
  multipliers?: Multiplier[] | undefined;
}

/** ReplayChoice has the options of a replay. */
export interface ReplayChoice extends PriceChoice {
  /** False: without compaction, as the baseline. The policy is ignored. */
  compact?: boolean | undefined;
  /** Lifetime of cached prefixes; default: that of the log's usage, else five minutes (OpenAI from GPT-5.6 on: 30). */
  ttl?: "5m" | "1h" | undefined;
  /** Where the breakpoints of each request are: placed by anchors (default), one at its end, or those of the session. */
  breakpoints?: "anchors" | "automatic" | "request" | undefined;
  /**
   * Tokens of each call that the session does not show (system prompt, tools, reminders); default: by the usage of the
   * log, and none without usage.
   */
  hidden?: number | undefined;
  /** The model whose window, prices and cache minimum are used; default: the model of the conversation. */
  model?: string | undefined;
}

/** LostRequest is the request of lost. The conversation is the log of a session. */
export interface LostRequest extends ConversationRequest, LostQuery {
}

/** UsageRequest is the request of usage. */
export interface UsageRequest extends CountRequest, PriceChoice {
}

/** ReplayRequest is the request of replay. */
export interface ReplayRequest extends PlanRequest, ReplayChoice {
}

/** ReplayAtRequest is the request of replayAt. */
export interface ReplayAtRequest extends ReplayRequest {
  /** From 1. */
  call: number;
}

/** VerdictRequest is the request of verdict. */
export interface VerdictRequest {
  /** Of one session; their calls may be left out. */
  reports: Replay[];
}

/** TextRequest is the request of countText and tokens. The text may be the body of the request instead. */
export interface TextRequest {
  text?: string | undefined;
  counter?: Counter | undefined;
}

/** Query selects a part of one original. */
export interface RecallQuery {
  /** The ref in a summary, in a placeholder, or of one text; absent: the first original as a whole. */
  ref?: string | undefined;
  /** The character to start at, in Unicode code points. */
  offset?: number | undefined;
  /** The max number of characters of the answer: 1 to 100,000; absent: 5,000. */
  limit?: number | undefined;
  /** Answers the lines that contain this text, in any case, instead of a page; one line of at most 300 characters. */
  text?: string | undefined;
}

/** RecallRequest is the request of recall. */
export interface RecallRequest extends RecallQuery {
  /** What the host saved: archives, and single texts that were set aside. */
  originals: string[];
}

/** LoadVocabularyRequest is the request of loadVocabulary. Its body is the content of the vocabulary's file. */
export interface LoadVocabularyRequest {
  name: Vocabulary;
}

/** SessionRequest names a session. The caller chooses its number. */
export interface SessionRequest {
  session: number;
}

/** SessionOpenRequest is the request of session.open. */
export interface SessionOpenRequest extends SessionRequest, PlanRequest {
}

/** SessionTurnRequest is the request of session.turn, whose body is the messages to append, and of session.plan. */
export interface SessionTurnRequest extends SessionRequest, TurnOptions {
}

/** SessionApplyRequest is the request of session.apply. */
export interface SessionApplyRequest extends SessionRequest {
  plan: Plan;
  /** Absent: no request was answered. */
  results?: SummaryResult[] | undefined;
}

/** SessionArchiveRequest is the request of session.archive. */
export interface SessionArchiveRequest extends SessionRequest {
  plan: Plan;
}

/** SessionSummarizeRequest is the request of session.summarize. */
export interface SessionSummarizeRequest extends SessionRequest {
  plan: Plan;
  /** The requests to answer; absent: all of the plan. */
  ids?: string[] | undefined;
}

/** SessionObserveRequest is the request of session.observe. */
export interface SessionObserveRequest extends SessionRequest {
  usage: AnyUsage;
  /** Seconds since the call before, if neither apply nor anchors was given it. */
  idleSec?: number | undefined;
}

/**
 * Part is the selected part of an original. An archive is shown as a transcript: for each block a heading, then its
 * text. Offsets are those of the transcript. Any other original is shown as it is.
 */
export interface RecallPart {
  ref: string;
  /** of Text */
  offset: number;
  /** code points of the whole original */
  total: number;
  /** the offset to go on at; 0: nothing follows */
  next?: number | undefined;
  /** the page; "" in a search */
  text: string;
  /** found lines, in order */
  lines?: RecallLine[] | undefined;
}

/** Line is a line that contains the text of a Query. */
export interface RecallLine {
  /** of Text, in code points */
  offset: number;
  /** a line over 500 code points is cut around the text that was found */
  text: string;
}

/** Detection is the answer of detect. */
export interface Detection {
  format: Format;
  messages: number;
}

/** Count is the size of a conversation with an interval, and a comparison with the API's own usage. */
export interface Count {
  total: number;
  system: number;
  tools: number;
  messages: MessageCount[];
  counter: string;
  /** tokens: the 10th percentile of sessions; Total if exact */
  low: number;
  /** tokens: the 90th percentile of sessions; Total if exact */
  high: number;
  /** the counter is the model's own vocabulary, and no block was guessed */
  exact: boolean;
  /** the family of models whose rules were used */
  profile: string;
  /** comparison with the API's usage on the messages; absent if there is none that can be trusted */
  usage?: MeasuredUsage | undefined;
}

/** Measured compares our counts with the API's own usage on the messages. */
export interface MeasuredUsage {
  /** calls whose usage was compared */
  points: number;
  /** permille: the API's tokens ÷ ours for the same messages; 1000 if too few could be compared */
  factor: number;
  /** tokens of every call that the conversation does not show: mostly its system prompt and tools */
  hidden: number;
  /** the API's tokens of the last call and its answer, plus our count of the later messages times the factor */
  total: number;
}

/** MessageCount is the size of one message in tokens: its blocks, and in Tokens also the overhead of the model. */
export interface MessageCount {
  tokens: number;
  blocks: number[];
}

/** Problem is one violation of a rule. */
export interface Problem {
  rule: string;
  severity: Severity;
  /** JSON Pointer into the input; for a block that Tamp made, that of its message */
  path: string;
  /** one sentence, naming ids and tools, never content */
  message: string;
  /** the provider's error text */
  providerError?: string | undefined;
  /** what Repair does about it; "" if Repair leaves the problem */
  repair: string;
  /** why Repair leaves the problem; "" if it does not */
  reason?: string | undefined;
}

/** CheckReport is the answer of check. */
export interface Report {
  /** the provider would accept the conversation */
  valid: boolean;
  /** in document order, at most 1,000: errors before warnings if there are more */
  problems: Problem[];
  /** number of problems that are not in the list */
  omitted?: number | undefined;
}

/** Repaired is the answer of repair, with the conversation. */
export interface Repair<C = unknown> {
  /** The repaired conversation, given back the way it came. */
  conversation: Returned<C>;
  /** problems that were repaired, at most 1,000 */
  problems: Problem[];
  /** number of repaired problems that are not in the list */
  omitted?: number | undefined;
  /** problems that were not repaired, each with its reason, at most 1,000: no error means valid */
  left: Problem[];
  /** number of those that are not in the list */
  leftOmitted?: number | undefined;
  /**
   * the messages that were changed or removed, as an archive has them, then the removed lines that could not be read;
   * save them BEFORE the conversation is used
   */
  originals?: string | undefined;
}

/** Converted is the answer of convert, with the conversation. */
export interface Converted {
  /** The conversation in the other format: as text if it came as text or bytes, else as JSON. */
  conversation: unknown;
  /** what the format cannot hold, in document order, at most 1,000 */
  losses: Loss[];
}

/** Loss is one thing that the target format of Convert cannot hold. */
export interface Loss {
  /** JSON Pointer into the input */
  path: string;
  /** "cache_control", "thinking", "the name of a member" */
  what: string;
  /** "dropped", "text", or the type of the new part */
  became: string;
}

/** Report is the fate of every block under a policy, without applying it. */
export interface Inspection {
  format: Format;
  model?: string | undefined;
  counter: string;
  system: InspectedBlock[];
  tools: InspectedBlock[];
  messages: InspectedMessage[];
  /** tokens now, 10th percentile; equal to Before if exact */
  low: number;
  /** tokens now, 90th percentile */
  high: number;
  /** the counter is the model's own, and no part was estimated */
  exact: boolean;
  /** the model family whose rules were used */
  profile: string;
  /** the model binds thinking to what precedes it, so that the setting thinking has an effect */
  bindsThinking?: boolean | undefined;
  /** the tokens by the API's usage on the messages; absent without plausible usage */
  usage?: MeasuredUsage | undefined;
  /** tokens */
  before: number;
  after: number;
  /** the context window in tokens, see WindowOf */
  window: number;
  /** "policy", "log", "compaction", "catalog" or "assumed", see WindowOf */
  windowSource: string;
  trigger: Trigger;
  actions: Action[];
  /** rules that the current conversation violates; at most 1,000 */
  problems: Problem[];
  /** number of problems that are not listed */
  omitted?: number | undefined;
  warnings: Warning[];
  /** what a session log says about its agent: its own window and its own compactions */
  agent?: AgentLog | undefined;
}

/** Agent is what a session log says about the limits of its agent, which are not those of the model. */
export interface AgentLog {
  /** of Codex: model_context_window, the newest one; 0 if it is not in the log */
  window?: number | undefined;
  /**
   * of Claude Code: 200,000 if the newest compaction that it started itself came below that, and no call since then was
   * larger; else 0
   */
  limit?: number | undefined;
  /** those of the agent itself, in file order */
  compactions: AgentCompaction[];
}

/** Compaction is a compaction that the agent made. */
export interface AgentCompaction {
  /** what the log calls it: "compacted" (Codex), "compact_boundary" (Claude Code) or "compaction" (pi) */
  name: string;
  /** JSON Pointer of its line */
  path: string;
  /** of Claude Code: "auto" or "manual" */
  trigger?: string | undefined;
  /** tokens before it, if the log has them */
  before?: number | undefined;
  /** of a replay: calls before it */
  calls?: number | undefined;
}

/** MessageReport is the fate of one message. */
export interface InspectedMessage {
  index: number;
  role: string;
  path: string;
  /** from 1 */
  turn: number;
  tokens: number;
  after: number;
  /** a part of the tool round that is still open */
  open?: boolean | undefined;
  blocks: InspectedBlock[];
}

/** BlockReport is the fate of one block. */
export interface InspectedBlock {
  path: string;
  kind: string;
  type: string;
  tool?: string | undefined;
  id?: string | undefined;
  tokens: number;
  after: number;
  /** "kept", "pinned", "cleared", "dropped", "truncated", "summarized", "broken" */
  fate: string;
  why: string;
  /** the first 200 code points of its text */
  preview: string;
  /** code points of its text */
  chars: number;
}

/**
 * Plan lists the changes to make to a conversation. It is data: print it, store it, send it, apply it later, or drop
 * it.
 */
export interface Plan {
  /** of the first Length messages */
  base: string;
  /** number of messages the plan covers, counted from the start */
  length: number;
  /** the condition that fired, with its two numbers; "none" if none did */
  trigger: Trigger;
  /** need no model; in document order */
  edits: Edit[];
  /** replaced by summaries; largest first */
  regions: Region[];
  /** for a model; may be empty */
  requests: SummaryRequest[];
  /** originals that Apply removes: save them BEFORE you use its result */
  archive: Span[];
  /** tokens now */
  before: number;
  /** tokens if each request is answered within its MaxTokens */
  after: number;
  /** max tokens after Apply if a request fails; 0 = no limit */
  target: number;
  /** the hard limit: max tokens after Apply, whatever fails; 0 = no limit */
  limit: number;
  /** the blocks that the host keeps, for the plan after this one */
  keep?: Ref[] | undefined;
  /** whether compacting now pays */
  advice: Advice;
  /** one for each block that a rule considered, unchanged ones included */
  decisions: Action[];
  /**
   * Of bounded policies: "target_raised", "compaction_waits" and "words_cut" (the user's words do not all fit
   * into summaries); of others "window_shrunk" and "words_cut". And those of the conversation.
   */
  warnings: Warning[];
}

/** Trigger is the condition that made a plan act, or the limit that it waits for. */
export interface Trigger {
  /**
   * Of clearing: "none", "every_turn", "tool_uses", "economic"; of summaries: "none", "tokens", "soft", "hard",
   * "overflow", "long_prompts" (just below the length from which the vendor charges more for the whole of a request),
   * "manual", "task_switch"; of what the host chose: "drop", "summarize". Of "economic" Used and Limit are Advice.Rent
   * and Advice.Cost: clearing pays.
   */
  kind: string;
  /** the size now, in the trigger's unit */
  used: number;
  /** the plan acts above this size; 0 = no limit */
  limit: number;
  /**
   * The limit above which the policy acts next, for any Kind: of clearing, if it waits for a limit ("tool_uses",
   * "tokens"); else the lowest limit of summaries ("soft", "tokens", "long_prompts", "hard", "overflow"). Absent if the
   * policy has no such limit.
   */
  waitsFor?: string | undefined;
  /** the size now, in the unit of that limit */
  waitsUsed?: number | undefined;
  /** the policy acts above this size */
  waitsLimit?: number | undefined;
}

/** Region is the part of a conversation that one summary replaces. The summary comes from one or more requests. */
export interface Region {
  /** runs of messages that are replaced; with blocks, the messages that hold them */
  spans: Span[];
  /** replaced in place; their messages are kept */
  blocks?: Ref[] | undefined;
  /** IDs, in order; their summaries are joined */
  requests?: string[] | undefined;
  /** of the region now */
  tokens: number;
  /** 1 = of messages; 2 = a summary in parts, to be merged; 3 = old summaries, to be condensed without a model */
  level: number;
  /** of level 3: max tokens of the condensed summary */
  maxTokens?: number | undefined;
  /** max tokens of the user's words, which its summary begins with */
  words?: number | undefined;
}

/** Ref names one block: Messages[Message].Blocks[Block]. */
export interface Ref {
  message: number;
  block: number;
}

/** Edit is one change to one block that needs no model. */
export interface Edit {
  /** index of the message */
  message: number;
  /** index of the block in it */
  block: number;
  kind: EditKind;
  /** the placeholder that replaces the content */
  text?: string | undefined;
  tool?: string | undefined;
  /** of the block before the edit */
  tokens: number;
  /** of the block after the edit */
  after: number;
  reason: string;
}

/** Span is a half-open range of messages: [Start, End). */
export interface Span {
  start: number;
  end: number;
}

/** Action is one decision. A decision to change nothing is an Action too. */
export interface Action {
  /** an edit's kind, "keep", "summarize", "condense", "truncate", "thinking_dropped", "none" */
  kind: string;
  /** JSON Pointer into the input */
  path: string;
  tool?: string | undefined;
  /** index in Plan.Regions; absent if the action is not about a region */
  region?: number | undefined;
  /** of a summary: that of its region */
  level?: number | undefined;
  /** tokens of the block or region */
  before: number;
  after: number;
  reason: string;
  /** Of "condense": the lines of the earlier summaries that the new one does not have. At most 100 are in the list. */
  dropped?: string[] | undefined;
  /** the number of all of them */
  droppedLines?: number | undefined;
}

/**
 * Advice is the cost of a compaction now and its later saving: that of the plan, or, if the plan removes nothing,
 * that of clearing every tool result that its rules do not protect.
 */
export interface Advice {
  /** tokens that each later call is spared; 0 if nothing can be removed */
  freed: number;
  /** tokens of the previous request in the prompt cache; 0 if its entry has expired */
  cached: number;
  /** of Cached, the tokens before the first change: they stay in the cache */
  kept: number;
  /** extra cost of the next call, with that of summaries by a model of the same price; negative if it is cheaper at once */
  cost: number;
  /** cost so far of keeping what can be cleared; of policies with clear.when "economic", which clear when it reaches Cost */
  rent?: number | undefined;
  /** the next call is not more expensive */
  free: boolean;
  /** the number of calls after which it has paid back; 0 if free, or if it never does */
  calls?: number | undefined;
  /** blocks of later thinking that the model loses: they are bound to the changed text */
  thinking?: number | undefined;
  reason: string;
}

/** MessageFate is the fate of one message of the input. */
export interface MessageFate {
  /** of the message in the outcome; -1 if it is not in it */
  index: number;
  blocks: BlockFate[];
}

/** BlockFate is the fate of one block of the input. */
export interface BlockFate {
  /** "kept" (unchanged), "cleared", "truncated", "summarized", "dropped" */
  fate: string;
  /** tokens in the outcome; if summarized, its share of the summary */
  after: number;
  /** absent if it is kept and no rule considered it */
  reason?: string | undefined;
  /** The block of the outcome that has its summary; absent if it is not summarized. */
  summary?: Ref | undefined;
}

/** Warning reports a defect that was tolerated. A warning never changes a result. */
export interface Warning {
  code: string;
  message: string;
  path?: string | undefined;
}

/** SummaryRequest asks the host for one model call. The host chooses the model. */
export interface SummaryRequest {
  /** digest of region, prompt and budget: equal input, equal ID, so answers may be cached */
  id: string;
  span: Span;
  /** 1 = of messages, 2 = of level-1 summaries */
  level: number;
  /** of the region now */
  tokens: number;
  /** a longer answer is cut */
  maxTokens: number;
  /** the complete system prompt */
  system: string;
  user: string;
}

/** SummaryResult answers one request. A failed call is data: set Err. */
export interface SummaryResult {
  id: string;
  text?: string | undefined;
  err?: string | undefined;
}

/** Turn is the result of Session.Turn. */
export interface Turn {
  /** so far */
  messages: number;
  /** tokens now */
  total: number;
  /**
   * True if a plan would have edits or requests, and if the conversation is over its hard limit with nothing left to
   * remove, which Plan returns as an error. If false, calling Plan is not necessary.
   */
  due: boolean;
  /** the plan's */
  trigger: Trigger;
}

/** Tokens is the answer of tokens. */
export interface Tokens {
  /**
   * The end of each token, in UTF-16 code units, the unit of JavaScript's slice. A token that ends within a character
   * has the end of that character, so that the tokens of one character have equal ends.
   */
  ends: number[];
  /** of each token, in its vocabulary */
  ids: number[];
}

/**
 * Outcome is the result of one Apply. If Next is not nil, another step is due: the size is still above the target, or
 * partial summaries must be merged.
 */
export interface Outcome<C = unknown> {
  /** The compacted conversation, given back the way it came. */
  conversation: Returned<C>;
  state: State;
  /** one for each decision; a decision to change nothing is listed too */
  actions: Action[];
  /** tokens */
  before: number;
  after: number;
  /** one for each message of the input, in order; nil if Env.Lean */
  fates?: MessageFate[] | undefined;
  /** which facts of the removed text remain; nil if nothing changed */
  quality?: Quality | undefined;
  /**
   * "summary_failed": answers were no summaries, and the built-in one is used instead; "open_round_cut": results that
   * the model has not read are cut, since the conversation is over its hard limit without it; "words_cut": not all of
   * the user's words fit into the summaries
   */
  warnings?: Warning[] | undefined;
  next?: Plan | undefined;
}

/** Usage is the API's own token count of one call. */
export interface Usage {
  /** prompt tokens that were neither read from nor written to the cache */
  input: number;
  /** prompt tokens read from the cache */
  cacheRead: number;
  /** prompt tokens written to the cache */
  cacheWrite: number;
  /** of CacheWrite, those written for an hour; the rest is for five minutes */
  cacheWrite1h?: number | undefined;
  /** tokens of the answer */
  output: number;
  /** the service of the call, if it has another price than the standard one: "fast", "priority", "flex" or "batch" */
  tier?: string | undefined;
  /**
   * why the cache did not have the whole prompt of the call before, by the provider's own comparison, and the tokens
   * behind the difference: messages_changed, tools_changed …; "" if the client did not ask, or nothing was missed
   */
  missReason?: string | undefined;
  missed?: number | undefined;
}

/** Anchored is a request with its breakpoints, and the reason for each. */
export interface Anchored<C = unknown> {
  /** The request with cache_control set, given back the way it came. */
  conversation: Returned<C>;
  /** in the order of the request: tools, system, messages */
  anchors: Anchor[];
  /** why Anchors is empty, for a format without breakpoints */
  note?: string | undefined;
  /** contains the fingerprint of the request for Observe */
  state: State;
}

/** Anchor is one examined place for a breakpoint, chosen or not. */
export interface Anchor {
  /** JSON Pointer into the input */
  path: string;
  kind: AnchorKind;
  /** the size of the cached prefix: from the first tool to the end of its block */
  tokensBefore: number;
  hitPermille: number;
  /** expected saving in tokens, see the package comment */
  value: number;
  /** the conversation returned has a breakpoint here */
  chosen: boolean;
  ttl?: string | undefined;
  reason: string;
  /**
   * tokens since the chosen breakpoint before it, and their prices in millionths of a dollar: without a cache, read
   * from it, and written to it. Prices of a model without known ones are those of a mid-range model
   */
  tokens: number;
  inputCost: number;
  readCost: number;
  writeCost: number;
}

/** Observed is the result of ObserveAll. */
export interface Observed {
  state: State;
  /** three misses of the prompt cache in a row, with their cause */
  warnings: Warning[];
  metrics: Metrics;
}

/** Metrics are the numbers to plot. */
export interface Metrics {
  requests: number;
  /** permille of all prompt tokens that were read from the cache */
  cacheHitRate: number;
  /** compactions that changed something */
  compactCount: number;
  /** prompt tokens of all requests */
  tokensIn: number;
  /** tokens that compactions took out of the conversation */
  saved: number;
  /** requests in a row that should have read from the cache and did not */
  misses: number;
}

/** Result is the result of one tool call. */
export interface ToolResult {
  toolUseId: string;
  /** a JSON string, or an array of the provider's own blocks; absent for an empty result */
  content?: unknown | undefined;
  isError?: boolean | undefined;
}

/** Injection is a text that the agent puts before the user's text. The model reads it in the tag of its source. */
export interface Injection {
  /** see Sources */
  source: string;
  content: string;
}

/** Assembled is the answer of assemble. If the request has a conversation, it comes back with the messages at its end. */
export interface Assembled<C = unknown> {
  /** The conversation with the messages at its end, if one was given, in the form in which it came. */
  conversation?: Returned<C> | undefined;
  /** in the schema of the provider */
  messages: unknown[];
  /** one for each block of the messages, in order */
  blocks: Placed[];
}

/** Placed describes one block of the message, for a host that keeps its own accounting of the context. */
export interface Placed {
  /** index among the messages made */
  message: number;
  /** index in it */
  block: number;
  /** tool_result, text */
  kind: string;
  tier: number;
  /** "tool", "user", or an injection's source */
  source: string;
  toolUseId?: string | undefined;
  tokens: number;
  /** the user's own text: no pass changes it */
  pinned: boolean;
  /** results and injected text, which lose value with time */
  compactable: boolean;
}

/** AppendReport is the answer of checkAppend. */
export interface AppendReport {
  /** the conversation is the previous one with something at its end */
  appended: boolean;
  /** the provider would accept it after the previous one */
  valid: boolean;
  problems: Problem[];
}

/**
 * Report lists which facts of the removed part are still present. The counts and the permille are exact; the lists are
 * limited to MaxListed.
 */
export interface Quality {
  /** kept facts of all facts; 1000 if nothing was removed */
  permille: number;
  kept: number;
  lost: number;
  /** every kind that has facts, in the order of Kinds */
  kinds: QualityCount[];
  /** The sentences that the user typed; only if they are requested. */
  statements?: Statement[] | undefined;
}

/** Statement is a sentence that the user typed. */
export interface Statement {
  /** word for word */
  text: string;
  /** in which it was said last; of an earlier summary: the turn that it names */
  turn: number;
  /** JSON Pointer of the block of the earlier conversation that has it */
  path: string;
  /** the later conversation has it */
  kept: boolean;
}

/** Count is the report on one kind of facts. */
export interface QualityCount {
  kind: FactKind;
  kept: number;
  lost: number;
  /** at most MaxListed, in the order of their first occurrence */
  keptFacts: string[];
  /** the same */
  lostFacts: string[];
}

/** Request is one call of a model. */
export interface QuestionPrompt {
  /** "original", "compacted", or "verdict-1" for the first question */
  id: string;
  system: string;
  user: string;
}

/** Answer is the model's answer to the request with that id. */
export interface QuestionAnswer {
  id: string;
  text: string;
  error?: string | undefined;
}

/** Result is the score of a compaction by questions. */
export interface QuestionScore {
  /** of the questions with a verdict; same counts whole, partly half; 0 if there is none */
  permille: number;
  /** questions with a verdict */
  counted: number;
  outcomes: QuestionOutcome[];
}

/** Outcome is the result of one question. */
export interface QuestionOutcome {
  /** from 1 */
  question: number;
  /** same, partly, lost; unasked if the original does not answer it; failed if its verdict is missing */
  verdict: string;
}

/** Replayed is the answer of replay. */
export interface Replay {
  /** the preset of the policy; "none" without compaction */
  preset: string;
  /** sets window, prices and minimum; "" if unknown */
  model: string;
  /** the model's price is known */
  priced: boolean;
  counter: string;
  /** the rule that measures soft and hard; see policy.Triggers */
  measure?: string | undefined;
  basis: ReplayBasis;
  /** see core.WindowOf */
  window: number;
  /** "policy", "log", "compaction", "catalog" or "assumed", see core.WindowOf */
  windowSource: string;
  /** the policy acts above it; 0 means no such limit */
  soft?: number | undefined;
  /** the policy must stay below it; 0 means no such limit */
  hard?: number | undefined;
  calls: ReplayCall[];
  totals: ReplayTotals;
  misses: ReplayMisses;
  /** tokens of the last call that the session does not show: system prompt, tools, reminders */
  hidden: number;
  /** what converts tokens of the counter to those of the API, in permille, by the usage of the log */
  factor: number;
  /** conversations between the compactions of the log's agent */
  segments: number;
  /** what each call of the last segment has before its messages */
  fixed: FixedTokens[];
  /** calls of the log that are not replayed */
  others?: ReplayOthers | undefined;
  /** the log's own calls with usage, simulated: how far to trust the rest */
  simulated: ReplaySimulated;
  /** what the replay could not know */
  notes: ReplayNote[];
  /** Options.Progress ended the replay: later calls are missing */
  stopped?: boolean | undefined;
  /** what the log says about its agent: its own window and its own compactions */
  agent?: AgentLog | undefined;
  /** what the provider said about cache misses of the log's own calls, by reason, the most tokens first */
  cacheMisses?: CacheMiss[] | undefined;
  /** of the prices of all calls, with the factors that were used */
  multipliers?: Multiplier[] | undefined;
  /** of the costs; assumed is true if that of the model is not known */
  price: Price;
}

/** Call is one model call. */
export interface ReplayCall {
  /** from 1 */
  number: number;
  /** index of the answer in the session's messages; the prompt is the messages before it */
  message: number;
  /** its start, in milliseconds since 1970; 0 if the log has no timestamp */
  time?: number | undefined;
  /** since the previous call; assumed if the log has no timestamps */
  idleSec: number;
  /** the whole prompt of the session */
  uncompacted: number;
  /** after compaction: cacheRead + cacheWrite + input */
  sent: number;
  cacheRead: number;
  cacheWrite: number;
  /** of CacheWrite, for an hour */
  cacheWrite1h?: number | undefined;
  /** at the full price */
  input: number;
  /** of Sent, text that the agent inserted into messages: reminders, memory files */
  notes?: number | undefined;
  /** tokens of earlier calls that the cache should have had, by cause */
  breaks?: CallBreak[] | undefined;
  output: number;
  /** including the summaries before the call */
  cost: number;
  /** the condition that fired, if the plan had something to do */
  trigger?: string | undefined;
  /** blocks cleared, cut or dropped without a model */
  edits?: number | undefined;
  summaries?: number | undefined;
  /** read and written by the summarizer */
  summaryTokens?: number | undefined;
  summaryCost?: number | undefined;
  /** tokens that compaction removed before this call */
  freed?: number | undefined;
  /** blocks of thinking that compaction before this call lost, since they are bound to text that changed */
  thinking?: number | undefined;
  /** if it is not that of the report */
  model?: string | undefined;
  /** why the policy could not compact; the call was sent uncompacted */
  error?: string | undefined;
  /** see Misses */
  names?: number | undefined;
  /** see Misses */
  missed?: number | undefined;
  /** see Misses */
  lost?: number | undefined;
  /** of one more call before this one, to read what it misses again; part of Misses.Cost, not of Cost */
  readCost?: number | undefined;
  /** what the answer uses and Sent does not have, at most 20 */
  misses?: ReplayMiss[] | undefined;
  /** what the session's own request was, next to the one before; only without compaction, if the log has it */
  request?: CallRequest | undefined;
  /** the usage that the provider reported for the session's own call */
  api?: Usage | undefined;
}

/** Totals are the sums over all calls. */
export interface ReplayTotals {
  calls: number;
  uncompacted: number;
  sent: number;
  /** the largest Sent */
  peak: number;
  cacheRead: number;
  cacheWrite: number;
  input: number;
  output: number;
  cacheWrite1h?: number | undefined;
  cost: number;
  /** Cost is an estimate: the lowest and the highest that the unknowns allow */
  costLow: number;
  costHigh: number;
  /** calls before which compaction changed something */
  compactions: number;
  edits: number;
  summaries: number;
  summaryTokens: number;
  summaryCost: number;
  /** see Call */
  thinking?: number | undefined;
  /** calls larger than the window */
  overWindow: number;
  /** number of the first call that is larger than the window, by the provider's count if that is larger; 0 if none is */
  firstOver?: number | undefined;
  errors: number;
  /** sums of the usage that the provider reported */
  api: Usage;
  apiCalls: number;
  /** the largest prompt in it */
  apiPeak?: number | undefined;
}

/** Compared is what a comparison of reports says. */
export interface Compared {
  /** the preset to take: "none" if no compaction is, "" if there is nothing to compare */
  advised: string;
  /** why, in one sentence for people, which may change */
  text: string;
}

/**
 * Misses sums up what the answers of the session use, and what of it the compacted requests do not have (core/misses).
 * A name counts once for each call that uses it.
 */
export interface ReplayMisses {
  /** that a call uses, and that the session had before */
  names: number;
  /** of these, those that the request does not have */
  missed: number;
  /** of the names that the requests have, rounded down; 1000 if there are none */
  permille: number;
  /** with a missed name or a lost edit */
  calls: number;
  /** changes of files whose old text the session had before */
  edits: number;
  /** of these, those whose old text the request does not have */
  lost: number;
  /**
   * Calls of tools that repeat an earlier read, search or command. The session itself does so: they are part of its cost
   * without compaction, and of no other number here.
   */
  repeats: number;
  /** of these, those whose earlier result the request does not have */
  leftOut: number;
  /** Model calls to read missing blocks again: one for each call that misses a block that was not read again before. */
  reads: number;
  /** of the texts read again, each once */
  tokens: number;
  /** of these calls: the request once more, the texts, and the calls of the tools */
  readCost: number;
  /** Totals.Cost and ReadCost */
  cost: number;
  /** The numbers in a sentence for people, which may change; "" if no call uses a name or an edit. */
  text: string;
}

/** Miss is a name, or a line of the old text of an edit, that an answer uses and its request does not have. */
export interface ReplayMiss {
  /** at most 200 code points */
  name: string;
  /** the first line that is lost of the old text of an edit */
  edit?: boolean | undefined;
  /** JSON Pointer of the block of the session that had it last */
  path: string;
  /** of the call whose result that block is */
  tool?: string | undefined;
  /** of that block: "cleared", "truncated", "summarized" or "dropped" */
  fate: string;
}

/** CallBreak is what one call paid again for one cause, see Break. */
export interface CallBreak {
  cause: string;
  tokens: number;
  /** more than reading them from the cache */
  cost: number;
}

/** CacheMiss are the calls of a log with one reason, see msg.Usage.MissReason. */
export interface CacheMiss {
  reason: string;
  calls: number;
  /** behind the difference */
  tokens: number;
}

/** CallRequest compares a request that the log has with the request before it. */
export interface CallRequest {
  /** of the request */
  messages: number;
  /** the messages at its start that the one before had there, too */
  kept: number;
  /** the messages of that one: more than kept if earlier messages changed */
  before: number;
  /** another system prompt */
  system?: boolean | undefined;
  /** other tools */
  tools?: boolean | undefined;
}

/**
 * CallBill is what one call cost. Forks, resumed sessions and copies of a log repeat calls: a sum over several logs
 * counts those with one ID once.
 */
export interface CallBill {
  id: string;
  /** "subagent", or "branch" that the user left; "" in the conversation */
  kind?: string | undefined;
  /** of a call that is replayed, in milliseconds since 1970; 0: unknown */
  time?: number | undefined;
  cost: number;
  /** under the policy, as in Audited; Cost for a call that is not replayed */
  compacted: number;
  overWindow?: boolean | undefined;
  breaks?: CallBreak[] | undefined;
}

/** Apart sums calls that are in no total. */
export interface CallsApart {
  calls: number;
  cost: number;
}

/** Fixed is a part of each request before its messages. */
export interface FixedTokens {
  /** "hidden", "system", "tools" or "server", as in Owned */
  owner: string;
  /** of the tool server */
  name?: string | undefined;
  tokens: number;
}

/**
 * Others are the calls of a log that are in no segment: of subagents, and of branches that the user left. They are
 * not in Totals.
 */
export interface ReplayOthers {
  calls: number;
  usage: Usage;
  cost: number;
  /** one for each subagent or branch, in the order of their first answers */
  tracks: ReplayTrack[];
}

/** Track has the calls of one subagent, or of one branch that the user left. */
export interface ReplayTrack {
  subagent: boolean;
  cost: number;
  calls: ReplayTrackCall[];
}

/** TrackCall is one call of a track, by its usage in the log. */
export interface ReplayTrackCall {
  /** calls of the session that are before it in the log */
  after: number;
  /** of its answer, in milliseconds since 1970; 0 if the log has no timestamp */
  time?: number | undefined;
  sent: number;
  cost: number;
}

/**
 * Resends are what the requests of a session send again: every request has the whole conversation, so a block is paid
 * by each request after the first one that has it. Costs are in millionths of a dollar.
 */
export interface Resends {
  calls: number;
  /** Options.Progress ended the replays: later calls are missing */
  stopped?: boolean | undefined;
  /** tokens × the requests that resend them, without compaction */
  resent: number;
  /** of resending them, without compaction */
  cost: number;
  /** tokens × the requests that resend them, under the policy */
  left: number;
  /** the cost of resending them, under the policy */
  compacted: number;
  /** by Removed, the largest first */
  owners: ResentOwner[];
}

/** LostQuery selects blocks that were removed; absent: those that a later call needed. */
export interface LostQuery {
  /** The blocks that have all of these words, in any case. */
  words?: string | undefined;
  /** The block whose text has this ref. */
  ref?: string | undefined;
}

/** Removed has the blocks that Lost found. */
export interface Removed {
  /** at most 50 */
  parts: RemovedPart[];
  /** blocks that were found */
  total: number;
}

/**
 * Part is a block that a compaction of the log's agent removed: the conversation at the end of the log does not have
 * its text.
 */
export interface RemovedPart {
  /** JSON Pointer of the block in the log */
  path: string;
  /** "text" or "tool_result" */
  kind: string;
  /** of its message */
  role: string;
  /** of the call whose result it is */
  tool?: string | undefined;
  /** of that call, JSON */
  input?: string | undefined;
  /** later calls that use a name of it which their requests do not have */
  calls: number;
  /** these names, at most 20 */
  names: string[];
  /** of its text; two blocks with the same text have the same one */
  ref: string;
  text: string;
}

/** Owned is what the blocks of one owner cost after their first request. */
export interface ResentOwner {
  /**
   * "hidden" (not in the log), "system", "tools" (the agent's own), "server" (a tool server), "notes" (text that the
   * agent inserts), "prompts", "answers", "thinking", "results", "summaries" or "other"
   */
  owner: string;
  /** the tool of answers and results, or the tool server */
  name?: string | undefined;
  blocks: number;
  /** of the blocks, each counted once */
  tokens: number;
  /** tokens × the requests that resend them, without compaction */
  resent: number;
  /** the same under the policy */
  left: number;
  /** of resending them, without compaction */
  cost: number;
  /** the same cost under the policy */
  compacted: number;
  /** the difference of both costs; negative if compaction adds to it */
  removed: number;
  /** up to 24 blocks, by Removed, then by Cost */
  largest: ResentBlock[];
}

/** OwnedBlock is one block of an owner. */
export interface ResentBlock {
  /** index of the message and of the block in the session; -1 if no message of its last segment has it */
  message: number;
  block: number;
  /** of a tool definition */
  name?: string | undefined;
  tokens: number;
  /** that resend it, without compaction */
  requests: number;
  /** the same under the policy */
  left: number;
  cost: number;
  compacted: number;
  removed: number;
}

/** Simulated is the simulation of the log's own requests, for comparison with Totals.API. */
export interface ReplaySimulated {
  calls: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h: number;
  input: number;
  cost: number;
  /** cost of the same calls by their usage */
  billed: number;
}

/** Note is something that the replay could not know, or assumed. */
export interface ReplayNote {
  code: string;
  /** for people; may change */
  text: string;
}

/** Price is what tokens of a model cost. */
export interface Price {
  /** thousandths of a dollar for a million tokens */
  input: number;
  /** the same for tokens of answers */
  output: number;
  /** permille of input, for tokens that are read from the cache */
  read: number;
  /** permille of input, for tokens that are written to the cache for five minutes */
  write5m: number;
  /** permille of input, for an hour */
  write1h: number;
  /**
   * Of the whole of a request, answer included, whose prompt is longer: cached tokens count as part of the prompt.
   * Absent if the length does not matter; prices of a request without it are those of any length.
   */
  long?: LongPrice | undefined;
  /** The page that it is from, and the month in which it was read ("2026-11"). Absent if assumed. */
  source?: string | undefined;
  date?: string | undefined;
  /** The price is not known: it is that of a mid-range model. */
  assumed?: boolean | undefined;
}

/**
 * Long is the price of the whole of a request, answer included, whose prompt is longer than a limit. Tokens that are
 * read from the cache or written to it count as part of the prompt.
 */
export interface LongPrice {
  /** tokens */
  above: number;
  /** permille of the input's price in a short prompt; read and writes are shares of the result */
  input: number;
  /** permille of the price of answers */
  output: number;
}

/** Multiplier is a factor by which a vendor's service or place changes the prices of a model. */
export interface Multiplier {
  /** "batch", "fast", "regional", or any name of the caller's */
  name: string;
  /** of the prices of input and answers; 0 or absent in a request: that of the catalog for the model */
  permille?: number | undefined;
}

/** Audited is what a session cost, why, and what compaction would have changed. Costs are in millionths of a dollar. */
export interface Audit extends Used {
  /** under the policy, with what is read again: Misses.Cost */
  compacted: number;
  /** the difference; negative if compaction would have cost more */
  saved: number;
  /** under the policy */
  misses: ReplayMisses;
  /** calls without compaction that are larger than the window */
  overWindow: number;
  /** tokens paid again, by cause; by the usage in the log, empty without it */
  breaks: CacheBreak[];
  /** tokens of each call for system prompt and tools, the hidden ones included */
  fixed: number;
  /** of reading them from the cache at each call */
  fixedCost: number;
  /** the tool servers whose definitions the session has; part of Fixed */
  servers: ToolServer[];
  /** as in Report */
  agent?: AgentLog | undefined;
}

/** Used is what the calls of a session cost. Costs are in millionths of a dollar. */
export interface Used {
  /** of the agent's log */
  format: Format;
  /** "" if unknown */
  model: string;
  /** the model's price is known; else it is that of a mid-range model */
  priced: boolean;
  /** the working directory in the log */
  project?: string | undefined;
  /** of the first call, in milliseconds since 1970; 0 without timestamps */
  start?: number | undefined;
  /** of the last call */
  end?: number | undefined;
  calls: number;
  /** calls of subagents in the log, in no other member */
  subagents: CallsApart;
  /** calls on branches that the user left, likewise */
  branches: CallsApart;
  /** without compaction */
  cost: number;
  /** every call, also those that are apart, for a sum over several logs */
  bills: CallBill[];
  /** the session of Codex, and those that it was forked from: only their calls can be the same */
  session?: string | undefined;
  forkedFrom?: string[] | undefined;
  /** as in Report */
  multipliers?: Multiplier[] | undefined;
}

/**
 * Break is the sum of the tokens paid again for one cause:
 * 
 *   - "idle": the cache entry expired before the call
 *   - "system": nothing was read, without a pause: system prompt or tools changed
 *   - "edit": only a start of the previous prompt was read: an earlier message changed
 *   - "compaction": the agent or the policy compacted the conversation
 *   - "two_sessions": another session or subagent in turn with this one
 *   - "no_breakpoint": tokens of the previous prompt that were never written to the cache
 *   - "lookback": the replay found no entry within the 20 blocks that the provider looks back
 *   - "model": another model, with a cache of its own
 *   - "evicted": the log has the requests, and this one begins as the one before, in time: the provider had no entry
 * 
 * Where the log has the requests (Claude Code from 2.1.332 on), the causes are those of what changed in them.
 */
export interface CacheBreak {
  cause: string;
  calls: number;
  tokens: number;
  /** more than reading them from the cache */
  cost: number;
}

/** Server is the overhead of a tool server: tools whose names begin with mcp__ and its name. */
export interface ToolServer {
  name: string;
  tools: number;
  /** of their definitions, in each call */
  tokens: number;
  /** of reading them from the cache at each call */
  cost: number;
}

/** ModelInfo is a model that the engine knows: one answer of models. */
export interface Model {
  /** prefix of the names that it covers */
  name: string;
  /** tokens of prompt and answer together */
  window: number;
  /** a shorter prefix is not cached */
  minCacheTokens: number;
  /** absent if it is not known */
  price?: Price | undefined;
}

/** Seen is the answer of replayAt, with the conversation that was sent. */
export interface ReplaySeen<C = unknown> {
  /** The conversation as it was sent, given back the way the session came. */
  conversation: Returned<C>;
  call: number;
  /** of the conversation */
  messages: number;
}

/** PresetInfo describes a preset for users, for example in a menu. */
export interface Preset {
  name: string;
  title: string;
  description: string;
  policy: Policy;
  /** the values relevant to it, in display order */
  params: Param[];
}

/** Param describes one value of a policy, for documentation and for the controls of a page. */
export interface Param {
  /** "clear.keepRecent" */
  path: string;
  label: string;
  description: string;
  /** "int", "bool", "string", "strings" */
  type: string;
  min: number;
  /** of an int; 0 if the type has no range */
  max: number;
  unit?: string | undefined;
  /** of a string that must be one of these */
  choices?: string[] | undefined;
}

/**
 * Policy decides which blocks to keep and which to compact. Every value has a default, the value of its preset. Call
 * Preset, change values, and call Validate, or let Parse do all three.
 */
export interface Policy {
  /** the preset that gave the defaults */
  preset: string;
  /** what a call costs: "tokens", or "off" for the same at any length; "": not said */
  money?: string | undefined;
  intake: IntakePolicy;
  clear: ClearPolicy;
  thinking: ThinkingPolicy;
  trigger: TriggerPolicy;
  pin: PinPolicy;
  summary: SummaryPolicy;
}

/**
 * Intake is the policy of layer 0: outputs and inputs over a limit are cut or replaced, with the original in the
 * archive.
 */
export interface IntakePolicy {
  /** a tool output over this many bytes keeps its head and its tail; 0 = off */
  maxBytes: number;
  /** a user's text over this many code points is replaced by its name; 0 = off */
  maxChars: number;
}

/** Clear is the policy of the pass. policy.Preset has the values of each design. */
export interface ClearPolicy {
  enabled: boolean;
  /** results of an open round do not count as newest ones; none is cleared */
  consumedOnly: boolean;
  /** the number of newest results that stay */
  keepRecent: number;
  /** texts of at most this many code points stay */
  minChars: number;
  /** tools whose results stay */
  keepTools: string[];
  /** the newest results up to this sum (cjk counter) stay; 0 = off */
  protectTokens: number;
  /** results in the newest exchanges stay; 0 = off */
  protectExchanges: number;
  /** nothing happens unless the candidates hold more tokens (cjk) than this */
  minSavings: number;
  /** nothing happens until the conversation is over this size; 0 = always */
  triggerTokens: number;
  /** replaces triggerTokens: nothing happens until there are more calls than this */
  triggerToolUses: number;
  /** nothing happens unless this many tokens are freed */
  clearAtLeast: number;
  /** tools whose calls lose their input with the result; "*" = all */
  clearToolInputs: string[];
  /** see marker.Placeholder */
  placeholder: string;
  /** the lines of a result that stay have a name that no text before has, for each of this number of bytes; 0 = no line */
  bytesPerName: number;
  /** cleared results stay cleared; new ones are cleared only if they save more than minSavings */
  sticky: boolean;
  /**
   * "" clears when the limits above allow it; "economic" only when it pays, see Terms: includes sticky and replaces
   * minSavings
   */
  when: string;
  /** with "economic": clear when the rent is this share of the cost of clearing */
  rentPermille: number;
}

/**
 * Thinking is the policy of clear_thinking: old thinking blocks are removed whole, never in part, since their
 * signature covers every byte. The open round is not changed.
 */
export interface ThinkingPolicy {
  /** the newest assistant turns that keep their thinking; 0 = all */
  keepTurns: number;
}

/** Triggers decide when summaries are requested (layer 2). One condition that holds is enough; a zero turns it off. */
export interface TriggerPolicy {
  /** the count: "counter", or a published rule: "chars4_json", "chars3" */
  measure: string;
  /** fires above this number of tokens */
  tokens: number;
  /** the context window; 0 = the model's own */
  window: number;
  /** share of the window above which it fires: compact down to targetPermille */
  softPermille: number;
  /** share of the window that the next request and bufferTokens must not exceed */
  hardPermille: number;
  /** size after compaction, as a share of the window; 0 = just below the trigger */
  targetPermille: number;
  /** room for the next request */
  bufferTokens: number;
  /** room for the answer: fires above window − reserveOutput */
  reserveOutput: number;
  /** share of the window that a soft compaction must free; 0 = any gain */
  minGainPermille: number;
  /** shares are of the window without system and tools; buffer and pinned tokens shrink with it */
  scale: boolean;
  /** stays below the length of prompt above which the model's vendor charges more for the whole of a request */
  longPrompts: boolean;
  /** fires when a new prompt shares almost no words with earlier text; a heuristic */
  taskSwitch: boolean;
}

/** Pin selects the messages that summaries never replace, in addition to system prompt, tools and the open round. */
export interface PinPolicy {
  /** the newest turns that stay verbatim */
  recentTurns: number;
  /** the newest messages with at least so many tokens stay verbatim */
  recentTokens: number;
  /** tools with side effects */
  criticalTools: string[];
  /** share of the target that the newest messages keep, if the target is tight */
  recentPermille: number;
  /** strategies tail and critical keep the newest 2 × keepTurns messages */
  keepTurns: number;
}

/** Summary selects the text to summarize and the method (layer 2). */
export interface SummaryPolicy {
  /** "none", "whole", "tail", "critical", "chunks", "regions" */
  strategy: string;
  /** of whole: "harness", "s06", "question" */
  shape: string;
  /** of regions: "block", "span" */
  granularity: string;
  /** of prompt: "general", "coding", "research", "handoff" */
  kind: string;
  /** of one answer; 0 = a share of the replaced text */
  maxTokens: number;
  /** share of the replaced text, if maxTokens is 0 */
  sharePermille: number;
  /** tokens on top of the share */
  shareExtra: number;
  /** of regions of spans: share of the target that all summaries may take; 0 = no limit */
  summaryPermille: number;
  /** of one plan; 0 = no limit */
  maxRequests: number;
  /** of whole: characters of the messages' JSON to send; 0 = all, as text */
  inputChars: number;
  /** of whole: send the "first" or "last" characters */
  inputEnd: string;
  /** of chunks: messages in each */
  chunkMessages: number;
  /** of chunks: more summaries than this are merged by another request */
  mergeAbove: number;
  /** of a merged summary */
  mergeTokens: number;
  /** max characters to send of a string content; 0 = all */
  cutString: number;
  /** … of a text block */
  cutText: number;
  /** … of a tool result */
  cutResult: number;
  /** … of a call's input */
  cutInput: number;
  /** the summarizer's own context window, in tokens */
  window: number;
}

/** Every operation: its request and its answer. */
export interface Operations {
  "version": { request: Empty; answer: string };
  "presets": { request: Empty; answer: Preset[] };
  "models": { request: Empty; answer: Model[] };
  "countText": { request: TextRequest; answer: number };
  "tokens": { request: TextRequest; answer: Tokens };
  "detect": { request: ConversationRequest; answer: Detection };
  "count": { request: CountRequest; answer: Count };
  "check": { request: ConversationRequest; answer: Report };
  "repair": { request: ConversationRequest; answer: Repair };
  "convert": { request: ConvertRequest; answer: Converted };
  "inspect": { request: PlanRequest; answer: Inspection };
  "plan": { request: PlanRequest; answer: Plan };
  "apply": { request: ApplyRequest; answer: Outcome };
  "archive": { request: ArchiveRequest; answer: string };
  "summarize": { request: SummarizeRequest; answer: SummaryResult[] };
  "anchors": { request: AnchorsRequest; answer: Anchored };
  "assemble": { request: AssembleRequest; answer: Assembled };
  "observe": { request: ObserveRequest; answer: Observed };
  "tools": { request: ToolsRequest; answer: unknown[] };
  "recall": { request: RecallRequest; answer: RecallPart };
  "checkAppend": { request: CompareRequest; answer: AppendReport };
  "quality": { request: QualityRequest; answer: Quality };
  "questions": { request: QuestionsRequest; answer: QuestionPrompt[] };
  "gradeAnswers": { request: GradeAnswersRequest; answer: QuestionPrompt[] };
  "scoreAnswers": { request: ScoreAnswersRequest; answer: QuestionScore };
  "replay": { request: ReplayRequest; answer: Replay };
  "replayAt": { request: ReplayAtRequest; answer: ReplaySeen };
  "verdict": { request: VerdictRequest; answer: Compared };
  "audit": { request: ReplayRequest; answer: Audit };
  "usage": { request: UsageRequest; answer: Used };
  "resent": { request: ReplayRequest; answer: Resends };
  "lost": { request: LostRequest; answer: Removed };
  "loadVocabulary": { request: LoadVocabularyRequest; answer: Empty };
  "session.open": { request: SessionOpenRequest; answer: Detection };
  "session.append": { request: SessionRequest; answer: Detection };
  "session.turn": { request: SessionTurnRequest; answer: Turn };
  "session.count": { request: SessionRequest; answer: Count };
  "session.plan": { request: SessionTurnRequest; answer: Plan };
  "session.apply": { request: SessionApplyRequest; answer: Outcome };
  "session.archive": { request: SessionArchiveRequest; answer: string };
  "session.summarize": { request: SessionSummarizeRequest; answer: SummaryResult[] };
  "session.observe": { request: SessionObserveRequest; answer: Observed };
  "session.conversation": { request: SessionRequest; answer: Empty };
  "session.close": { request: SessionRequest; answer: Empty };
}
