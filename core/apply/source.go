package apply

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
	"tamp/core/view"
)

// source has the inputs of Apply: the conversation, the policy and the plan. It does not change, except for values that
// it computes once.
type source struct {
	c        *msg.Conversation
	marked   *msg.Conversation // c with its summaries marked
	p        *policy.Policy
	own      *policy.Policy // the caller's, see policyOf
	plan     *plan.Plan
	strategy choice.Strategy
	meter    tokens.Meter
	before   tokens.Counts
	turns    []int
	places   map[*plan.Region]int // indexes in plan.Regions
	cache    *view.Cache          // of the session; nil without one
	ref      string               // of the archive; "" until it is needed
}

// plannedOf returns the messages of c, which is a.c or a.marked, that the plan has read: the session has grown since.
func (a *source) plannedOf(c *msg.Conversation) *msg.Conversation {
	if a.plan.Length == len(c.Messages) {
		return c
	}
	return c.WithMessages(c.Messages[:a.plan.Length:a.plan.Length])
}

// size returns the tokens of a region: the plan's number, but at most the count in this conversation. They differ if
// the plan was changed, or if a log lost its last assistant message, and with it the model, and is counted by another
// profile.
func (a *source) size(r *plan.Region) int {
	sum := 0
	for _, ref := range r.Blocks {
		sum += a.before.Messages[ref.Message].Blocks[ref.Block]
	}
	for _, s := range r.Spans {
		for m := s.Start; r.Blocks == nil && m < s.End; m++ {
			sum += a.before.Messages[m].Tokens
		}
	}
	return min(sum, r.Tokens)
}

// planned returns the part of a size that the plan was made for: its target and its limit do not include messages added
// later.
func (a *source) planned(size int) int {
	for m := a.plan.Length; m < len(a.c.Messages); m++ {
		size -= a.before.Messages[m].Tokens
	}
	return size
}

// regionIndex returns the index of a region of the plan.
func (a *source) regionIndex(r *plan.Region) *int {
	i, ok := a.places[r]
	if !ok {
		panic("tamp: internal error: the region is not in the plan")
	}
	return &i
}

func (a *source) describe(r *plan.Region) string {
	if r.Level == 2 {
		return "its parts are replaced by one summary"
	}
	first, last := r.Spans[0].Start, r.Spans[len(r.Spans)-1].End-1
	return "replaced by a summary of " + turnRange(a.turns[first], a.turns[last])
}

func turnRange(first, last int) string {
	return "turns " + strconv.Itoa(first) + "-" + strconv.Itoa(last)
}

// callsFollowUser reports whether the provider refuses a turn that calls tools after another turn of the model: Gemini.
// There, no summary ends with words of the assistant, since the next turn may be such a one.
func (a *source) callsFollowUser() bool { return msg.API(a.c.Format) == msg.Gemini }

// noneOfAssistant reports whether no message of the assistant may be made up: the provider asks for its reasoning, or
// refuses the turn after it.
func (a *source) noneOfAssistant() bool {
	return a.callsFollowUser() || validity.ReturnsReasoning(a.c)
}

// isQuestionShape reports whether the summary is the assistant's answer to the fixed question.
func (a *source) isQuestionShape() bool {
	return a.p.Summary.Strategy == "whole" && a.p.Summary.Shape == "question" && !a.noneOfAssistant()
}
