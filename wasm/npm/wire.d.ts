// Generated from the Go structs by core/wire/dts. Do not edit: change the struct and run make types.

/** The formats that a conversation may come in. */
export type Format = "anthropic" | "openai-chat" | "claude-code";

/** What an engine remembers between calls. Store it beside the conversation; do not look inside. */
export type State = string;

/** Code names a kind of failure. Codes are stable: hosts switch on them. */
export type Code = "bad_json" | "unknown_format" | "bad_message" | "too_large" | "bad_request" | "bad_policy" | "bad_plan" | "stale_plan" | "context_overflow" | "internal";

/** EditKind names what an Edit does. */
export type EditKind = "clear_result" | "clear_input" | "drop_thinking";

/** Severity says what a problem means to the provider. */
export type Severity = "error" | "warning";

/** Detection is the answer of detect. */
export interface Detection {
  format: string;
  messages: number;
}

/** Counts is the size of a conversation, part by part. */
export interface Count {
  total: number;
  system: number;
  tools: number;
  messages: MessageCount[];
  counter: string;
}

/** MessageCount is the size of one message: its blocks and what the model adds around them. */
export interface MessageCount {
  tokens: number;
  blocks: number[];
}

/** Problem is one breach of a rule. */
export interface Problem {
  rule: string;
  severity: Severity;
  /** JSON Pointer into the input; of a block that Tamp made, its message's */
  path: string;
  /** one sentence, naming ids and tools, never content */
  message: string;
  /** what the provider answers, in its own words */
  providerError?: string;
  /** what Repair does about it; "" where it leaves it */
  repair: string;
}

/** CheckReport is the answer of check. */
export interface Report {
  /** nothing that the provider would refuse */
  valid: boolean;
  problems: Problem[];
}

/** Repaired is the answer of repair, beside the conversation. */
export interface Repair {
  /** The repaired conversation, given back the way it came. */
  conversation: unknown;
  /** what was repaired */
  problems: Problem[];
}

/** Report is the fate of every block under a policy, before anything is done. */
export interface Inspection {
  format: string;
  model?: string;
  counter: string;
  system: InspectedBlock[];
  tools: InspectedBlock[];
  messages: InspectedMessage[];
  /** tokens */
  before: number;
  after: number;
  trigger: Trigger;
  actions: Action[];
  /** what a provider would refuse, before anything is done */
  problems: Problem[];
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
  /** "kept", "pinned", "cleared", "dropped", "broken" */
  fate: string;
  why: string;
  /** the first code points of its text */
  preview: string;
  /** code points of its text */
  chars: number;
}

/** Plan is what should happen to a conversation. It is data: print it, store it, send it, apply it later, or drop it. */
export interface Plan {
  /** of the first Length messages, the only ones this plan speaks of */
  base: string;
  /** how many messages the plan speaks of */
  length: number;
  /** which condition fired, with its two numbers; "none" is a plan too */
  trigger: Trigger;
  /** need no model, in document order */
  edits: Edit[];
  /** for a model; may be empty */
  requests: SummaryRequest[];
  /** originals that Apply removes: save them BEFORE you use its result */
  archive: Span[];
  /** tokens now */
  before: number;
  /** tokens if each request is answered within its MaxTokens */
  after: number;
  /** every block that a rule spoke of, those left alone included */
  decisions: Action[];
  warnings: Warning[];
}

/** Trigger says why a plan does something, or what it waits for. */
export interface Trigger {
  /** "none", "every_turn", "tokens", "tool_uses", "manual" */
  kind: string;
  /** the size now, in the trigger's unit */
  used: number;
  /** the size that has to be passed; 0 where there is none */
  limit: number;
}

/** Edit is one change to one block that needs no model. */
export interface Edit {
  /** index of the message */
  message: number;
  /** index of the block in it */
  block: number;
  kind: EditKind;
  /** the placeholder that stands in for the content */
  text?: string;
  tool?: string;
  /** of the block today */
  tokens: number;
  /** of the block then */
  after: number;
  reason: string;
}

/** Span is a half-open range of messages: [Start, End). */
export interface Span {
  start: number;
  end: number;
}

/** Action is one decision, the decision to do nothing too. */
export interface Action {
  /** an edit's kind, or "keep" */
  kind: string;
  /** JSON Pointer into the input */
  path: string;
  tool?: string;
  /** tokens of the block */
  before: number;
  after: number;
  reason: string;
}

/** Warning reports something that was tolerated. A warning never changes a result. */
export interface Warning {
  code: string;
  message: string;
  path?: string;
}

/** SummaryRequest asks the host to call a model: any model, any way it likes. */
export interface SummaryRequest {
  /** digest of region, prompt and budget: equal input, equal ID, so answers may be cached */
  id: string;
  span: Span;
  /** 1 = of messages, 2 = of level-1 summaries */
  level: number;
  /** of the region today */
  tokens: number;
  /** a longer answer is cut */
  maxTokens: number;
  /** a ready prompt */
  system: string;
  user: string;
}

/** SummaryResult answers one request. A failed call is data: set Err. */
export interface SummaryResult {
  id: string;
  text?: string;
  err?: string;
}

/** Outcome is one finished step. Next != nil: still above target, or a second level to do; go round again. */
export interface Outcome {
  /** The compacted conversation, given back the way it came. */
  conversation: unknown;
  state: string;
  /** each decision, the decision to do nothing too */
  actions: Action[];
  /** tokens */
  before: number;
  after: number;
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

/** PresetInfo describes a preset for people: what a picker shows. */
export interface Preset {
  name: string;
  title: string;
  description: string;
  policy: Policy;
  /** the values that matter to it, in the order to show them */
  params: Param[];
}

/** Param describes one value of a policy for people and for controls. */
export interface Param {
  /** "clear.keepRecent" */
  path: string;
  label: string;
  description: string;
  /** "int", "bool", "string", "strings" */
  type: string;
  min: number;
  /** of an int; 0 where the type has no range */
  max: number;
  unit?: string;
}

/**
 * Policy says what to keep and what to give up. Every value has a default: that of its preset. Start with Preset, change
 * what you mean to change, and call Validate, or let ParsePolicy do all three.
 */
export interface Policy {
  /** the preset that it began as */
  preset: string;
  clear: ClearPolicy;
  thinking: ThinkingPolicy;
}

/** Clear is the policy of the pass. See core.Preset for the values of each design. */
export interface ClearPolicy {
  enabled: boolean;
  /** only results that a later assistant message has seen */
  consumedOnly: boolean;
  /** the newest results that stay, counted by result */
  keepRecent: number;
  /** texts of at most so many code points stay */
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
  /** instead of triggerTokens: until there are more calls than this */
  triggerToolUses: number;
  /** nothing happens unless this many tokens are freed */
  clearAtLeast: number;
  /** tools whose calls' inputs go with the results; "*" = all */
  clearToolInputs: string[];
  /** {tool} is replaced by the tool's name */
  placeholder: string;
}

/**
 * Thinking is the policy of clear_thinking: old thinking blocks go whole, never in part, since their signature
 * covers every byte. The open round goes back unmodified.
 */
export interface ThinkingPolicy {
  /** the newest assistant turns that keep their thinking; 0 = all */
  keepTurns: number;
}
