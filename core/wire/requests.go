package wire

import (
	"tamp/core"
	"tamp/core/assemble"
	"tamp/core/internal/rawjson"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/quality"
	"tamp/core/recall"
	"tamp/core/replay"
)

// The requests. The conversation is no field of them: it is the member conversation of the JSON, or the body of the
// request. tools/dts writes these types for TypeScript; the tag ts is the type there, if it is narrower than Go's.
// The tag min is the smallest value of a number.

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
	// No model writes the summaries (operation summarize): they cost nothing.
	Extractive bool `json:"extractive,omitempty"`
	// A description of what the summaries should preserve. A session uses it for later turns, too, until it is replaced.
	Focus string `json:"focus,omitempty"`
	// Blocks that stay as they are. They are of this turn only: the positions in the result are others.
	Keep []msg.Ref `json:"keep,omitempty"`
	// Blocks to remove, each with the other half of its pair. The outcome's `next` compacts the rest, if that is due.
	Drop []msg.Ref `json:"drop,omitempty"`
	// Blocks to summarize. Each run of messages whose blocks are all listed gets one summary, with the other halves of
	// their pairs; of other messages, listed texts and tool results are summarized in place. It is an error for
	// instructions and blocks of the open tool round.
	Summarize []msg.Ref `json:"summarize,omitempty"`
	// What becomes of thinking that is bound to changed text: `strip` (default) removes it, `keep` changes nothing before
	// an open tool round with thinking, and `drop_block` leaves it to the provider, which the request must ask for. A
	// session uses it for later turns, too, until it is replaced.
	Thinking string `json:"thinking,omitempty" ts:"\"strip\" | \"keep\" | \"drop_block\""`
}

// turnEnv is no method: embedding would add a wrapper of it to every request type.
func turnEnv(o *TurnOptions) core.Env {
	var chosen *core.Chosen
	if len(o.Keep)+len(o.Drop)+len(o.Summarize) > 0 {
		chosen = &core.Chosen{Keep: o.Keep, Drop: o.Drop, Summarize: o.Summarize}
	}
	return core.Env{Usage: (*core.Usage)(o.Usage), IdleSec: o.IdleSec, Force: o.Force, Focus: o.Focus,
		Chosen: chosen, Thinking: o.Thinking, Extractive: o.Extractive}
}

// PlanRequest is the request of plan and inspect: a conversation and its settings.
type PlanRequest struct {
	CountRequest
	TurnOptions
	// Name of a preset, see operation presets. Absent: the engine's default.
	Preset string `json:"preset,omitempty"`
	// Overrides values of the preset; absent fields keep the preset's values, unknown ones are an error.
	Policy rawjson.Value `json:"policy,omitempty" ts:"DeepPartial<Policy>"`
	// The state of the last Outcome. Store it with the conversation; its content is private.
	State core.State `json:"state,omitempty"`
}

// PlanMember holds the plan of a request.
type PlanMember struct {
	Plan *core.Plan `json:"plan"`
}

// PlanResults has a plan and the answers to its requests.
type PlanResults struct {
	PlanMember
	Results []core.SummaryResult `json:"results,omitempty"` // Absent: no request was answered.
}

// PlanRequestIDs has a plan and the requests of it to answer.
type PlanRequestIDs struct {
	PlanMember
	IDs []string `json:"ids,omitempty"` // The requests to answer; absent: all of the plan.
}

// CallUsage is what the provider reported for a model call.
type CallUsage struct {
	Usage *AnyUsage `json:"usage"`
	// Seconds since the call before, if neither apply nor anchors was given it.
	IdleSec int `json:"idleSec,omitempty" min:"0"`
}

// ApplyRequest is the request of apply.
type ApplyRequest struct {
	PlanRequest
	PlanResults
	// The fates of the outcome before, if the plan is its next: the answer then has the fates of both steps, for the
	// blocks of the first input.
	Fates []core.MessageFate `json:"fates,omitempty"`
}

// ArchiveRequest is the request of archive.
type ArchiveRequest struct {
	ConversationRequest
	PlanMember
}

// SummarizeRequest is the request of summarize.
type SummarizeRequest struct {
	PlanRequest
	PlanRequestIDs
}

// AnchorChoice has the options for the breakpoints of the provider's prompt cache.
type AnchorChoice struct {
	// Maximum number of breakpoints, including existing ones; default and maximum: 4, the provider's limit.
	Max int    `json:"max,omitempty" min:"1"`
	TTL string `json:"ttl,omitempty" ts:"\"5m\" | \"1h\""` // Lifetime of new breakpoints; default: five minutes.
	// True if the existing breakpoints on messages are from an earlier call whose state is lost: they are moved to better
	// positions. With the state of that call, anchors knows its own.
	Move bool `json:"move,omitempty"`
}

// AnchorsRequest is the request of anchors.
type AnchorsRequest struct {
	PlanRequest
	AnchorChoice
}

// AssembleRequest is the request of assemble: the parts of the next user message.
type AssembleRequest struct {
	CountRequest
	// In any order: in the message they are first, in the order of their calls.
	Results []assemble.Result `json:"results,omitempty"`
	// Each is wrapped in the tag of its source; its content cannot close the tag.
	Injections []assemble.Injection `json:"injections,omitempty"`
	Text       string               `json:"text,omitempty"` // The user's text.
}

// ObserveRequest is the request of observe.
type ObserveRequest struct {
	State core.State `json:"state,omitempty"`
	CallUsage
}

// ConvertRequest is the request of convert.
type ConvertRequest struct {
	ConversationRequest
	To string `json:"to"` // The format of a request: anthropic, openai-chat, openai-responses, gemini or ai-sdk.
}

// ToolsRequest is the request of tools.
type ToolsRequest struct {
	Format string `json:"format"`
}

// CompareRequest is the request of checkAppend: an earlier conversation and a later one.
type CompareRequest struct {
	ConversationRequest
	Previous rawjson.Value `json:"previous"` // The earlier conversation: a JSON value, or a string that holds its text.
}

// QualityRequest is the request of quality.
type QualityRequest struct {
	CompareRequest
	QualityOptions
}

// QualityOptions are the options of quality.
type QualityOptions struct {
	Statements bool `json:"statements,omitempty"` // Adds the sentences that the user typed, with their places.
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
	// False: without compaction, as the baseline. The policy is ignored.
	Compact *bool `json:"compact,omitempty"`
	// Lifetime of cached prefixes; default: that of the log's usage, else five minutes (OpenAI from GPT-5.6 on: 30).
	TTL string `json:"ttl,omitempty" ts:"\"5m\" | \"1h\""`
	// Where the breakpoints of each request are: placed by anchors (default), one at its end, or those of the session.
	Breakpoints string `json:"breakpoints,omitempty" ts:"\"anchors\" | \"automatic\" | \"request\""`
	// Tokens of each call that the session does not show (system prompt, tools, reminders); default: by the usage of the
	// log, and none without usage.
	Hidden *int `json:"hidden,omitempty" min:"0"`
	PriceChoice
	// The model whose window, prices and cache minimum are used; default: the model of the conversation.
	Model string `json:"model,omitempty"`
}

// PriceChoice has the prices of the calls of a session.
type PriceChoice struct {
	Prices *Price `json:"prices,omitempty"` // Of every call; default: those of its model.
	// Factors of the prices: `batch`, `regional`, `fast`, `priority` and `flex` for the models that the catalog has them
	// of (1 for others), or any name with its permille.
	Multipliers []models.Multiplier `json:"multipliers,omitempty"`
}

// LostRequest is the request of lost. The conversation is the log of a session.
type LostRequest struct {
	ConversationRequest
	replay.LostQuery
}

// UsageRequest is the request of usage.
type UsageRequest struct {
	CountRequest
	PriceChoice
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
	Reports []*ReplaySummary `json:"reports" ts:"Replay[]"` // Of one session; their calls may be left out.
}

// ReplaySummary is an answer of replay that may lack its calls.
type ReplaySummary struct {
	Calls []replay.Call `json:"calls,omitempty"` // hides those of Replayed
	Replayed
}

// TextRequest is the request of countText and tokens. The text may be the body of the request instead.
type TextRequest struct {
	Text    *string `json:"text,omitempty"`
	Counter string  `json:"counter,omitempty" ts:"Counter"`
}

// RecallRequest is the request of recall.
type RecallRequest struct {
	recall.Query
	Originals []string `json:"originals"` // What the host saved: archives, and single texts that were set aside.
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
	PlanResults
}

// SessionArchiveRequest is the request of session.archive.
type SessionArchiveRequest struct {
	SessionRequest
	PlanMember
}

// SessionSummarizeRequest is the request of session.summarize.
type SessionSummarizeRequest struct {
	SessionRequest
	PlanRequestIDs
}

// SessionObserveRequest is the request of session.observe.
type SessionObserveRequest struct {
	SessionRequest
	CallUsage
}

// Replayed is the answer of replay.
type Replayed struct {
	replay.Report
	Price *Price `json:"price"` // of the costs; assumed is true if that of the model is not known
}
