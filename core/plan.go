package core

import (
	"cmp"
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Env is everything that the core may not look up for itself.
type Env struct {
	Count   tokens.Counter // nil: tokens.Estimate
	Usage   *Usage         // of the last response, where the host has it
	IdleSec int            // seconds since the last model call, for cache lifetimes
	Force   bool           // compact now, whatever the trigger says
	Focus   string         // what to preserve
}

// Usage is the API's own token count of one call.
type Usage = msg.Usage

// Span is a half-open range of messages.
type Span = msg.Span

// Warning reports something that was tolerated or is worth a look. It never changes a result.
type Warning = msg.Warning

// Edit is one change to one block that needs no model.
type Edit = pass.Edit

// Plan is what should happen to a conversation. It is data: print it, store it, send it, apply it later, or drop it.
type Plan struct {
	Base      Digest           `json:"base"`      // of the first Length messages, the only ones this plan speaks of
	Length    int              `json:"length"`    // how many messages the plan speaks of
	Trigger   Trigger          `json:"trigger"`   // which condition fired, with its two numbers; "none" is a plan too
	Edits     []Edit           `json:"edits"`     // need no model, in document order
	Requests  []SummaryRequest `json:"requests"`  // for a model; may be empty
	Archive   []Span           `json:"archive"`   // originals that Apply removes: save them BEFORE you use its result
	Before    int              `json:"before"`    // tokens now
	After     int              `json:"after"`     // tokens if each request is answered within its MaxTokens
	Decisions []Action         `json:"decisions"` // every block that a rule spoke of, those left alone included
	Warnings  []Warning        `json:"warnings"`
}

// Trigger says why a plan does something, or what it waits for.
type Trigger struct {
	Kind  string `json:"kind"`  // "none", "every_turn", "tokens", "tool_uses", "manual"
	Used  int    `json:"used"`  // the size now, in the trigger's unit
	Limit int    `json:"limit"` // the size that has to be passed; 0 where there is none
}

// SummaryRequest asks the host to call a model: any model, any way it likes.
type SummaryRequest struct {
	ID        string `json:"id"` // digest of region, prompt and budget: equal input, equal ID, so answers may be cached
	Span      Span   `json:"span"`
	Level     int    `json:"level"`     // 1 = of messages, 2 = of level-1 summaries
	Tokens    int    `json:"tokens"`    // of the region today
	MaxTokens int    `json:"maxTokens"` // a longer answer is cut
	System    string `json:"system"`    // a ready prompt
	User      string `json:"user"`
}

// SummaryResult answers one request. A failed call is data: set Err.
type SummaryResult struct {
	ID   string `json:"id"`
	Text string `json:"text,omitempty"`
	Err  string `json:"err,omitempty"`
}

// Action is one decision, the decision to do nothing too.
type Action struct {
	Kind   string `json:"kind"` // an edit's kind, or "keep"
	Path   string `json:"path"` // JSON Pointer into the input
	Tool   string `json:"tool,omitempty"`
	Before int    `json:"before"` // tokens of the block
	After  int    `json:"after"`
	Reason string `json:"reason"`
}

// NewPlan decides what should happen to c under policy p. It changes nothing and is cheap enough for every turn.
func NewPlan(c *msg.Conversation, st State, p Policy, env Env) (*Plan, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if _, err := decodeState(st); err != nil {
		return nil, err
	}
	in := newInput(c, env)
	plan, _ := newPlan(in, p, env)
	return plan, nil
}

func newInput(c *msg.Conversation, env Env) *pass.Input {
	meter := tokens.NewMeter(env.Count, c)
	return &pass.Input{Conversation: c, Pairing: msg.Pair(c), Meter: meter, Counts: meter.Conversation(c)}
}

func newPlan(in *pass.Input, p Policy, env Env) (*Plan, []pass.Decision) {
	c := in.Conversation
	plan := &Plan{Base: digest(c.Messages), Length: len(c.Messages), Before: in.Counts.Total, After: in.Counts.Total,
		Edits: []Edit{}, Requests: []SummaryRequest{}, Archive: []Span{}, Decisions: []Action{}, Warnings: []Warning{}}
	plan.Warnings = append(plan.Warnings, c.Warnings...)
	plan.Trigger = trigger(in, p, env)
	if env.Force {
		p.Clear.TriggerTokens, p.Clear.TriggerToolUses = 0, 0
	}
	decisions := append(p.Clear.Run(in), p.Thinking.Run(in)...)
	slices.SortStableFunc(decisions, func(a, b pass.Decision) int {
		return cmp.Or(a.Ref.Message-b.Ref.Message, a.Ref.Block-b.Ref.Block)
	})
	for _, d := range decisions {
		before := in.Counts.Messages[d.Ref.Message].Blocks[d.Ref.Block]
		action := Action{Kind: "keep", Path: c.At(d.Ref).Path, Tool: d.Tool, Before: before, After: before, Reason: d.Reason}
		if e := d.Edit; e != nil {
			action.Kind, action.After = string(e.Kind), e.After
			plan.Edits = append(plan.Edits, *e)
			plan.Archive = addToSpans(plan.Archive, e.Message)
			plan.After += e.After - e.Tokens
		}
		plan.Decisions = append(plan.Decisions, action)
	}
	return plan, decisions
}

// trigger says which condition lets the policy act.
func trigger(in *pass.Input, p Policy, env Env) Trigger {
	kind, used, limit := p.Clear.Trigger(in)
	switch {
	case env.Force:
		return Trigger{Kind: "manual", Used: in.Counts.Total}
	case kind == "":
		return Trigger{Kind: "every_turn", Used: in.Counts.Total}
	case used <= limit:
		kind = "none"
	}
	return Trigger{Kind: kind, Used: used, Limit: limit}
}

// addToSpans adds a message at or after the last one of sorted spans.
func addToSpans(spans []Span, message int) []Span {
	if n := len(spans); n > 0 && message <= spans[n-1].End {
		spans[n-1].End = max(spans[n-1].End, message+1)
		return spans
	}
	return append(spans, Span{Start: message, End: message + 1})
}
