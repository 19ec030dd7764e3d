package core

import (
	"tamp/core/apply"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/view"
)

// The names of other packages that belong to the contract. Their documentation is there.
type (
	// State carries facts from one call to the next. Store it with the conversation and treat it as opaque; "" starts a
	// new one.
	State = view.State
	// Digest identifies the messages of a conversation.
	Digest = view.Digest
	// Env holds the inputs of a plan that the core cannot read itself: it has no clock, no network and no settings.
	Env = plan.Env
	// Chosen holds the blocks that the host chose to keep, to remove or to summarize.
	Chosen = plan.Chosen
	// Plan lists the changes to make to a conversation. It is data: print it, store it, send it, apply it later, or drop
	// it.
	Plan = plan.Plan
	// Region is the part of a conversation that one summary replaces.
	Region = plan.Region
	// Trigger is the condition that made a plan act, or the limit that it waits for.
	Trigger = plan.Trigger
	// Advice is the cost of a compaction now and its later saving.
	Advice = plan.Advice
	// Turn is the result of Session.Turn.
	Turn = plan.Turn
	// Action is one decision. A decision to change nothing is an Action too.
	Action = plan.Action
	// SummaryRequest asks the host for one model call. The host chooses the model.
	SummaryRequest = plan.SummaryRequest
	// SummaryResult answers one request. A failed call is data: set Err.
	SummaryResult = plan.SummaryResult
	// Outcome is the result of one Apply. If Next is not nil, another step is due.
	Outcome = apply.Outcome
	// MessageFate is the fate of one message of the input.
	MessageFate = apply.MessageFate
	// BlockFate is the fate of one block of the input.
	BlockFate = apply.BlockFate
	// Usage is the API's own token count of one call.
	Usage = msg.Usage
	// Span is a half-open range of messages.
	Span = msg.Span
	// Warning reports a tolerated or suspicious input. It never changes a result.
	Warning = msg.Warning
	// Edit is one change to one block. It needs no model.
	Edit = pass.Edit
)

// The codes of Outcome.Warnings.
const (
	SummaryFailed = apply.SummaryFailed // answers were no summaries, and the built-in one is used instead
	OpenRoundCut  = apply.OpenRoundCut  // results that the model has not read are cut
	WordsCut      = apply.WordsCut      // not all of the user's words fit into the summaries
)

// The values of Env.Thinking.
const (
	StripThinking = plan.StripThinking // remove what does not fit any more; the default
	KeepThinking  = plan.KeepThinking  // the same, but change nothing before thinking of an open round
	// the request asks the provider to drop it: prefix_mismatch_behavior, drop_block
	DropBlock = plan.DropBlock
)

// ToolCompact is the name of the tool by which a model asks for a compaction.
const ToolCompact = view.ToolCompact

// NewPlan plans the compaction of c under policy p. It changes nothing and is cheap enough for every turn.
// The error context_overflow means that c is over its hard limit, and over it too without all that can be removed. The
// hard limit is that of the policy, or the window if the policy has none.
func NewPlan(c *msg.Conversation, st State, p policy.Policy, env Env) (*Plan, error) {
	return plan.New(c, st, &p, &env)
}

// Apply carries out a plan. It checks the plan first: a plan of another conversation is the error stale_plan, one that
// NewPlan cannot have made is bad_plan. Messages that were added after the plan was made are kept unchanged. c itself
// is not changed; the outcome shares its unchanged messages.
//
// A request without a usable result takes the failure path: its region is kept if the target is met without it, else
// its oldest messages are dropped with a note. An outcome without a Next is at most Plan.Limit, without the messages
// that were added; else the error is context_overflow.
//
// If c is valid, the outcome is valid with any subset of answers: this is checked (validity.CheckChange), and the error
// is invalid_outcome if the check fails. If c is invalid, the outcome breaks no rule that c obeys: a change that would
// break one is not made, and an Action reports it.
//
// On models that bind thinking to its prefix (models.BindsThinking), a plan is also stale_plan if a change precedes
// thinking that was added after the plan was made: that thinking would have to be dropped, and it is not in the plan's
// Archive.
func Apply(c *msg.Conversation, st State, p policy.Policy, env Env, made *Plan, rs []SummaryResult) (*Outcome, error) {
	return apply.Run(c, st, &p, &env, made, rs)
}

// Summarize answers the requests of a plan with the given ids without a model; nil means all. c and st are those of the
// plan. A request without a possible summary has Err set, like a failed model call. The cost is linear in the
// conversation for any number of requests, so one call for all requests is best. The errors are bad_policy and
// bad_request.
func Summarize(c *msg.Conversation, st State, p policy.Policy, env Env, made *Plan,
	ids []string) ([]SummaryResult, error) {
	return apply.Summarize(c, st, &p, &env, made, ids)
}

// JoinFates returns the fates of two steps together. first are the fates of one Apply, next those of the Apply of its
// Outcome.Next. The result has one element for each message of the first input, and its indexes are those of the last
// outcome. It shares no memory with first. The error is bad_request if next is not of the outcome that first describes.
func JoinFates(first, next []MessageFate) ([]MessageFate, error) { return apply.JoinFates(first, next) }

// Window returns the context window in tokens: the policy's, else the model's.
func Window(p *policy.Policy, c *msg.Conversation) int { return plan.Window(p, c) }

// The sources of a window, see WindowOf.
const (
	WindowOfPolicy     = plan.WindowOfPolicy
	WindowOfLog        = plan.WindowOfLog
	WindowOfCompaction = plan.WindowOfCompaction
	WindowOfCatalog    = plan.WindowOfCatalog
	WindowAssumed      = plan.WindowAssumed
)

// WindowOf is Window, with the source of the number: "policy", "log" (the agent wrote it there), "compaction" (the
// agent compacted by itself in a smaller window than the model has), "catalog", or "assumed" (the model is not known).
func WindowOf(p *policy.Policy, c *msg.Conversation) (tokens int, source string) {
	return plan.WindowOf(p, c)
}

// Ref returns the name of an original in the archive: the first 16 hexadecimal digits of the SHA-256 of its bytes.
func Ref(original []byte) string { return view.Ref(original) }

// CompactCall reports that the model has called compact: the call is in the last round, and all results of that round
// are present. Acting earlier would separate calls from their results. focus is the text that the model asked to
// preserve, "" if it is absent or the input is not JSON. NewPlan calls CompactCall itself, and plans as if forced.
//
// CompactCall returns true until the model answers. Planning again meanwhile changes nothing, since the first forced
// plan has removed everything that a forced plan may remove.
func CompactCall(c *msg.Conversation) (focus string, ok bool) { return view.CompactCall(c) }

// Error is the only error type that leaves this module: a stable Code to switch on, a JSON Pointer into the input, and
// a sentence for people. A broken invariant inside Tamp panics instead, with "tamp: internal error: …".
type Error = msg.Error

// Code identifies a kind of failure. The codes are defined in core/msg.
type Code = msg.Code
