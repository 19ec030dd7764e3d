// Generated from the Go structs by core/wire/dts. Do not edit: change the struct and run make types.

/** The formats that a conversation may come in. */
export type Format = "anthropic" | "openai-chat" | "claude-code";

/** What an engine remembers between calls. Store it beside the conversation; do not look inside. */
export type State = string;

/** Code names a kind of failure. Codes are stable: hosts switch on them. */
export type Code = "bad_json" | "unknown_format" | "bad_message" | "too_large" | "bad_request" | "bad_policy" | "bad_plan" | "stale_plan" | "context_overflow" | "too_much_work" | "invalid_outcome" | "internal";

/** EditKind names what an Edit does. */
export type EditKind = "limit_output" | "oversize_input" | "clear_result" | "clear_input" | "drop_thinking";

/** Severity says whether the provider refuses the request because of a problem. */
export type Severity = "error" | "warning";

/** Kind is the kind of place of a breakpoint. */
export type AnchorKind = "tools_end" | "system_end" | "milestone" | "before_prompt" | "present";

/** Kind is the kind of a fact. */
export type FactKind = "paths" | "identifiers" | "numbers" | "hashes" | "urls" | "errors" | "constraints";

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
  usage?: MeasuredUsage;
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
  providerError?: string;
  /** what Repair does about it; "" if Repair leaves the problem */
  repair: string;
  /** why Repair leaves the problem; "" if it does not */
  reason?: string;
}

/** CheckReport is the answer of check. */
export interface Report {
  /** nothing that the provider would refuse */
  valid: boolean;
  /** in document order, at most 1,000: errors before warnings where there are more */
  problems: Problem[];
  /** problems that the list has no room for */
  omitted?: number;
}

/** Repaired is the answer of repair, beside the conversation. */
export interface Repair {
  /** The repaired conversation, given back the way it came. */
  conversation: unknown;
  /** what was repaired, at most 1,000 */
  problems: Problem[];
  /** repaired problems that the list has no room for */
  omitted?: number;
  /** what was not repaired, each with its reason, at most 1,000: no error means valid */
  left: Problem[];
  /** problems that the list of those has no room for */
  leftOmitted?: number;
}

/** Report is the fate of every block under a policy, without applying it. */
export interface Inspection {
  format: Format;
  model?: string;
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
  /** the tokens by the API's usage on the messages; absent without plausible usage */
  usage?: MeasuredUsage;
  /** tokens */
  before: number;
  after: number;
  trigger: Trigger;
  actions: Action[];
  /** rules that the current conversation violates; at most 1,000 */
  problems: Problem[];
  /** number of problems that are not listed */
  omitted?: number;
  warnings: Warning[];
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
  blocks: InspectedBlock[];
}

/** BlockReport is the fate of one block. */
export interface InspectedBlock {
  path: string;
  kind: string;
  type: string;
  tool?: string;
  id?: string;
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
  /** one for each block that a rule considered, unchanged ones included */
  decisions: Action[];
  warnings: Warning[];
}

/** Trigger is the condition that made a plan act, or the limit that it waits for. */
export interface Trigger {
  /**
   * Of clearing: "none", "every_turn", "tool_uses"; of summaries: "none", "tokens", "soft", "hard", "overflow",
   * "manual", "task_switch".
   */
  kind: string;
  /** the size now, in the trigger's unit */
  used: number;
  /** the plan acts above this size; 0 = no limit */
  limit: number;
  /**
   * The limit above which the policy acts next, for any Kind: of clearing, if it waits for a limit ("tool_uses",
   * "tokens"); else the lowest limit of summaries ("soft", "tokens", "hard", "overflow"). Absent if the policy has no
   * such limit.
   */
  waitsFor?: string;
  /** the size now, in the unit of that limit */
  waitsUsed?: number;
  /** the policy acts above this size */
  waitsLimit?: number;
}

/** Region is the part of a conversation that one summary replaces. The summary comes from one or more requests. */
export interface Region {
  /** runs of messages that are replaced; with blocks, the messages that hold them */
  spans: Span[];
  /** replaced in place; their messages are kept */
  blocks?: Ref[];
  /** IDs, in order; their summaries are joined */
  requests?: string[];
  /** of the region now */
  tokens: number;
  /** 1 = of messages; 2 = a summary in parts, to be merged */
  level: number;
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
  text?: string;
  tool?: string;
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
  /** an edit's kind, "keep", "summarize", "truncate", "thinking_dropped", "none" */
  kind: string;
  /** JSON Pointer into the input */
  path: string;
  tool?: string;
  /** index in Plan.Regions; absent if the action is not about a region */
  region?: number;
  /** tokens of the block or region */
  before: number;
  after: number;
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
  reason?: string;
}

/** Warning reports a defect that was tolerated. A warning never changes a result. */
export interface Warning {
  code: string;
  message: string;
  path?: string;
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
  text?: string;
  err?: string;
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

/** Split is the answer of split. */
export interface Tokens {
  /**
   * Where each token ends, in UTF-16 code units, which is what JavaScript slices by. A token that ends within a character has the
   * end of that character, so that the tokens of one character have equal ends.
   */
  ends: number[];
  /** of each token, in its vocabulary */
  ids: number[];
}

/**
 * Outcome is the result of one Apply. If Next is not nil, another step is due: the size is still above the target, or
 * partial summaries must be merged.
 */
export interface Outcome {
  /** The compacted conversation, given back the way it came. */
  conversation: unknown;
  state: string;
  /** one for each decision; a decision to change nothing is listed too */
  actions: Action[];
  /** tokens */
  before: number;
  after: number;
  /** one for each message of the input, in order; nil if Env.Lean */
  fates?: MessageFate[];
  /** which facts of the removed text remain; nil if nothing changed */
  quality?: Quality;
  next?: Plan;
}

/** Usage is the API's own token count of one call. */
export interface Usage {
  /** prompt tokens that were neither read from nor written to the cache */
  input: number;
  /** prompt tokens read from the cache */
  cacheRead: number;
  /** prompt tokens written to the cache */
  cacheWrite: number;
  /** tokens of the answer */
  output: number;
}

/** Anchored is a request with its breakpoints, and the reason for each. */
export interface Anchored {
  /** The request with cache_control set, given back the way it came. */
  conversation: unknown;
  /** in the order of the request: tools, system, messages */
  anchors: Anchor[];
  /** why Anchors is empty, for a format without breakpoints */
  note?: string;
  /** contains the fingerprint of the request for Observe */
  state: string;
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
  ttl?: string;
  reason: string;
}

/** Observed is the result of ObserveAll. */
export interface Observed {
  state: string;
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
  content?: unknown;
  isError?: boolean;
}

/** Injection is a text that the agent puts before the user's text. The model reads it in the tag of its source. */
export interface Injection {
  /** see Sources */
  source: string;
  content: string;
}

/** Assembled is the answer of assemble, beside the conversation with the messages at its end where one was given. */
export interface Assembled {
  /** The conversation with the messages at its end, where one was given, the way it came. */
  conversation?: unknown;
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
  toolUseId?: string;
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
  /** nothing that the provider would refuse for what the previous one was */
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

/** Replayed is the answer of replay. */
export interface Replay {
  /** the preset of the policy; "none" without compaction */
  preset: string;
  /** sets window, prices and minimum; "" if unknown */
  model: string;
  /** the model's price is known */
  priced: boolean;
  counter: string;
  /** the rule that measures soft and hard; see core.Triggers */
  measure?: string;
  window: number;
  /** the policy acts above it; 0 means no such limit */
  soft?: number;
  /** the policy must stay below it; 0 means no such limit */
  hard?: number;
  calls: ReplayCall[];
  totals: ReplayTotals;
  facts: ReplayFacts;
  /** Options.Progress ended the replay: later calls are missing */
  stopped?: boolean;
  /** absent where it is not known; costs are then those of a middling model */
  price?: Price;
}

/** Call is one model call. */
export interface ReplayCall {
  /** from 1 */
  number: number;
  /** index of the answer in the session's messages; the prompt is the messages before it */
  message: number;
  /** its start, in milliseconds since 1970; 0 if the log has no timestamp */
  time?: number;
  /** since the previous call; assumed if the log has no timestamps */
  idleSec: number;
  /** the whole prompt of the session */
  uncompacted: number;
  /** after compaction: cacheRead + cacheWrite + input */
  sent: number;
  cacheRead: number;
  cacheWrite: number;
  /** at the full price */
  input: number;
  output: number;
  /** including the summaries before the call */
  cost: number;
  /** the condition that fired, if the plan had something to do */
  trigger?: string;
  /** blocks cleared, cut or dropped without a model */
  edits?: number;
  summaries?: number;
  /** read and written by the summarizer */
  summaryTokens?: number;
  summaryCost?: number;
  /** tokens that compaction removed before this call */
  freed?: number;
  /** why the policy could not compact; the call was sent uncompacted */
  error?: string;
  /** the usage that the provider reported for the session's own call */
  api?: Usage;
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
  cost: number;
  /** calls before which compaction changed something */
  compactions: number;
  edits: number;
  summaries: number;
  summaryTokens: number;
  summaryCost: number;
  /** calls larger than the window */
  overWindow: number;
  errors: number;
  /** sums of the usage that the provider reported */
  api: Usage;
  apiCalls: number;
  /** the largest prompt in it */
  apiPeak?: number;
}

/**
 * Facts counts the facts of the whole session that its last conversation still contains: paths, identifiers, errors,
 * constraints … (core/quality). A fact that occurs several times counts once.
 */
export interface ReplayFacts {
  all: number;
  kept: number;
  /** 1000 if there are none */
  permille: number;
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
}

/** Seen is the answer of replayAt, beside the conversation that was sent. */
export interface ReplaySeen {
  /** The conversation as it was sent, given back the way the session came. */
  conversation: unknown;
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
  unit?: string;
  /** of a string that must be one of these */
  choices?: string[];
}

/**
 * Policy decides which blocks to keep and which to compact. Every value has a default, the value of its preset. Call
 * Preset, change values, and call Validate, or let ParsePolicy do all three.
 */
export interface Policy {
  /** the preset that gave the defaults */
  preset: string;
  intake: IntakePolicy;
  clear: ClearPolicy;
  thinking: ThinkingPolicy;
  trigger: TriggerPolicy;
  pin: PinPolicy;
  summary: SummaryPolicy;
}

/** Intake is the policy of layer 0: outputs and inputs over a limit are cut or replaced, with the original in the archive. */
export interface IntakePolicy {
  /** a tool output over this many bytes keeps its head and its tail; 0 = off */
  maxBytes: number;
  /** a user's text over this many code points is replaced by its name; 0 = off */
  maxChars: number;
}

/** Clear is the policy of the pass. core.Preset has the values of each design. */
export interface ClearPolicy {
  enabled: boolean;
  /** only results that a later assistant message follows */
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
  /** {tool} is replaced by the tool's name */
  placeholder: string;
  /** cleared results stay cleared; new ones are cleared only if they save more than minSavings */
  sticky: boolean;
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
  /** fires when a new prompt shares almost no words with earlier text; a heuristic */
  taskSwitch: boolean;
}

/** Pin selects the messages that summaries never replace, in addition to system prompt, tools and the open round. */
export interface PinPolicy {
  /** the newest turns that stay verbatim */
  recentTurns: number;
  /** the newest tokens that stay verbatim */
  recentTokens: number;
  /** tools with side effects */
  criticalTools: string[];
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
