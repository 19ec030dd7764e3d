package wire

import (
	"tamp/core"
	"tamp/core/assemble"
	"tamp/core/msg"
	"tamp/core/quality"
	"tamp/core/replay"
)

// The requests. The conversation is no field of them: it is the member conversation of the JSON, or the body of the request.
// core/wire/dts writes these types for TypeScript; the tag ts is the type there, if it is narrower than Go's. The tag
// min is the smallest value of a number.

// Empty is a request or an answer without members.
type Empty struct{}

// ConversationRequest is a request about a conversation.
type ConversationRequest struct {
	Format string `json:"format,omitempty"` // Detected when absent.
}

// CountRequest is the request of count.
type CountRequest struct {
	ConversationRequest
	Counter string `json:"counter,omitempty" ts:"Counter"` // Default: `estimate`.
}

// TurnOptions are the facts of one turn that the conversation does not hold.
type TurnOptions struct {
	Usage   *AnyUsage `json:"usage,omitempty"`           // Token usage of the last response, if known.
	IdleSec int       `json:"idleSec,omitempty" min:"0"` // Seconds since the last model call, for cache lifetimes.
	Force   bool      `json:"force,omitempty"`           // Compact now, even if no trigger fires.
	Focus   string    `json:"focus,omitempty"`           // A description of what the summaries should preserve. A session uses it for later turns, too, until it is replaced.
}

// turnEnv is no method: embedding would add a wrapper of it to every request type.
func turnEnv(o *TurnOptions) core.Env {
	return core.Env{Usage: (*core.Usage)(o.Usage), IdleSec: o.IdleSec, Force: o.Force, Focus: o.Focus}
}

// PlanRequest is the request of plan and inspect: a conversation and its settings.
type PlanRequest struct {
	CountRequest
	TurnOptions
	Preset string     `json:"preset,omitempty"`                          // Name of a preset, see operation presets. Absent: the engine's default.
	Policy msg.Raw    `json:"policy,omitempty" ts:"DeepPartial<Policy>"` // Overrides values of the preset; absent fields keep the preset's values, unknown ones are an error.
	State  core.State `json:"state,omitempty"`                           // The state of the last Outcome. Store it with the conversation; its content is private.
}

// ApplyRequest is the request of apply.
type ApplyRequest struct {
	PlanRequest
	Plan    *core.Plan           `json:"plan"`
	Results []core.SummaryResult `json:"results"`
}

// ArchiveRequest is the request of archive.
type ArchiveRequest struct {
	ConversationRequest
	Plan *core.Plan `json:"plan"`
}

// SummarizeRequest is the request of summarize.
type SummarizeRequest struct {
	PlanRequest
	Plan *core.Plan `json:"plan"`
	IDs  []string   `json:"ids,omitempty"` // The requests to answer; absent: all of the plan.
}

// AnchorChoice has the options for the breakpoints of the provider's prompt cache.
type AnchorChoice struct {
	Max  int    `json:"max,omitempty" min:"1"`              // Maximum number of breakpoints, including existing ones; default and maximum: 4, the provider's limit.
	TTL  string `json:"ttl,omitempty" ts:"\"5m\" | \"1h\""` // Lifetime of new breakpoints; default: five minutes.
	Move bool   `json:"move,omitempty"`                     // True if the existing breakpoints on messages are from an earlier call: they are moved to better positions.
}

// AnchorsRequest is the request of anchors.
type AnchorsRequest struct {
	PlanRequest
	AnchorChoice
}

// AssembleRequest is the request of assemble: the parts of the next user message.
type AssembleRequest struct {
	CountRequest
	Results    []assemble.Result    `json:"results,omitempty"`    // In any order: in the message they are first, in the order of their calls.
	Injections []assemble.Injection `json:"injections,omitempty"` // Each is wrapped in the tag of its source; its content cannot close the tag.
	Text       string               `json:"text,omitempty"`       // The user's text.
}

// ObserveRequest is the request of observe.
type ObserveRequest struct {
	State   core.State `json:"state,omitempty"`
	Usage   *AnyUsage  `json:"usage"`
	IdleSec int        `json:"idleSec,omitempty" min:"0"` // Seconds since the call before, if neither apply nor anchors was given it.
}

// ToolsRequest is the request of tools.
type ToolsRequest struct {
	Format string `json:"format"`
}

// CompareRequest is the request of checkAppend and quality: an earlier conversation and a later one.
type CompareRequest struct {
	ConversationRequest
	Previous msg.Raw `json:"previous"` // The earlier conversation: a JSON value, or a string that holds its text.
}

// QuestionsRequest is the request of questions.
type QuestionsRequest struct {
	CompareRequest
	Questions []string `json:"questions"` // At most 1,000, of one line each.
}

// GradeAnswersRequest is the request of gradeAnswers.
type GradeAnswersRequest struct {
	Questions []string         `json:"questions"` // As in the request of questions.
	Answers   []quality.Answer `json:"answers"`   // The model's answers to the prompts of questions.
}

// ScoreAnswersRequest is the request of scoreAnswers.
type ScoreAnswersRequest struct {
	Answers []quality.Answer `json:"answers"` // The model's answers to the prompts of questions.
	Grades  []quality.Answer `json:"grades"`  // The model's answers to the prompts of gradeAnswers.
}

// ReplayChoice has the options of a replay.
type ReplayChoice struct {
	Compact *bool  `json:"compact,omitempty"`                  // False: without compaction, as the baseline. The policy is ignored.
	TTL     string `json:"ttl,omitempty" ts:"\"5m\" | \"1h\""` // Lifetime of cached prefixes; default: five minutes.
	Model   string `json:"model,omitempty"`                    // The model whose window, prices and cache minimum are used; default: the model of the conversation.
}

// ReplayRequest is the request of replay.
type ReplayRequest struct {
	PlanRequest
	ReplayChoice
}

// ReplayAtRequest is the request of replayAt.
type ReplayAtRequest struct {
	ReplayRequest
	Call int `json:"call" min:"1"` // From 1.
}

// VerdictRequest is the request of verdict.
type VerdictRequest struct {
	Reports []*replay.Report `json:"reports" ts:"Replay[]"` // Of one session; their calls are not used.
}

// TextRequest is the request of countText and tokens. The text may be the body of the request instead.
type TextRequest struct {
	Text    *string `json:"text,omitempty"`
	Counter string  `json:"counter,omitempty" ts:"Counter"`
}

// LoadVocabularyRequest is the request of loadVocabulary. Its body is the content of the vocabulary's file.
type LoadVocabularyRequest struct {
	Name string `json:"name" ts:"Vocabulary"`
}

// SessionRequest names a session. The caller chooses its number.
type SessionRequest struct {
	Session int `json:"session" min:"1"`
}

// SessionOpenRequest is the request of session.open.
type SessionOpenRequest struct {
	SessionRequest
	PlanRequest
}

// SessionTurnRequest is the request of session.turn, whose body is the messages to append, and of session.plan.
type SessionTurnRequest struct {
	SessionRequest
	TurnOptions
}

// SessionApplyRequest is the request of session.apply.
type SessionApplyRequest struct {
	SessionRequest
	Plan    *core.Plan           `json:"plan"`
	Results []core.SummaryResult `json:"results"`
}

// SessionArchiveRequest is the request of session.archive.
type SessionArchiveRequest struct {
	SessionRequest
	Plan *core.Plan `json:"plan"`
}

// SessionSummarizeRequest is the request of session.summarize.
type SessionSummarizeRequest struct {
	SessionRequest
	Plan *core.Plan `json:"plan"`
	IDs  []string   `json:"ids,omitempty"` // The requests to answer; absent: all of the plan.
}

// SessionObserveRequest is the request of session.observe.
type SessionObserveRequest struct {
	SessionRequest
	Usage   *AnyUsage `json:"usage"`
	IdleSec int       `json:"idleSec,omitempty" min:"0"`
}
