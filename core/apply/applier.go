package apply

import (
	"strconv"

	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/tokens"
	"tamp/core/view"
)

// applier is the state of one Apply.
type applier struct {
	c              *msg.Conversation
	marked         *msg.Conversation // c with its summaries marked
	p              *policy.Policy
	plan           *plan.Plan
	meter          tokens.Meter
	before         tokens.Counts
	w              *view.Rewrite
	turns          []int
	requests       map[string]*plan.SummaryRequest
	results        map[string]*plan.SummaryResult
	places         map[*plan.Region]int // indexes in plan.Regions
	failed         []*plan.Region
	index          *summarize.Index // of the conversation, see indexFor
	indexed        []*plan.Region   // the regions of its spans
	wrote          []written
	often          []string // keys of names, see view.Record.OftenKeys
	actions        []plan.Action
	ref            string                    // of the archive; "" until it is needed
	unloaded       map[*plan.Region][]string // the tools that only messages of a region refer to; nil until it is needed
	pinned         []summarize.Pinned        // the user's statements
	readPinned     bool                      // pinned is set
	cache          *view.Cache               // of the session; nil without one
	lean           bool                      // see Env.Lean
	openRoundBound bool                      // the open round holds bound thinking, so nothing before it may change
}

// size returns the tokens of a region: the plan's number, but at most the count in this conversation. They differ if
// the plan was changed, or if a log lost its last assistant message, and with it the model, and is counted by another
// profile.
func (a *applier) size(r *plan.Region) int {
	tokens := 0
	for _, ref := range r.Blocks {
		tokens += a.before.Messages[ref.Message].Blocks[ref.Block]
	}
	for _, s := range r.Spans {
		for m := s.Start; r.Blocks == nil && m < s.End; m++ {
			tokens += a.before.Messages[m].Tokens
		}
	}
	return min(tokens, r.Tokens)
}

// budget returns the most tokens of the answers of a region.
func (a *applier) budget(r *plan.Region) (tokens int) {
	for _, id := range r.Requests {
		tokens += a.requests[id].MaxTokens
	}
	return tokens
}

// remove marks a region's messages as removed.
func (a *applier) remove(r *plan.Region) {
	for _, s := range r.Spans {
		for m := s.Start; m < s.End; m++ {
			a.w.Removed[m] = true
		}
	}
}

// restore undoes remove.
func (a *applier) restore(r *plan.Region) {
	for _, s := range r.Spans {
		for m := s.Start; m < s.End; m++ {
			a.w.Removed[m] = false
		}
	}
}

func (a *applier) note(kind string, r *plan.Region, after int, reason string) {
	level := 0
	if kind == "summarize" || kind == "condense" {
		level = r.Level
	}
	a.actions = append(a.actions, plan.Action{Kind: kind, Path: a.c.Messages[r.Spans[0].Start].Path,
		Region: a.regionIndex(r), Level: level, Before: r.Tokens, After: after, Reason: reason})
}

// fail records a region for the failure path.
func (a *applier) fail(r *plan.Region, why string) {
	if r.Level == 2 {
		a.note("keep", r, r.Tokens, "the partial summaries are kept: "+why)
		return
	}
	a.failed = append(a.failed, r)
	a.note("failed", r, r.Tokens, why)
}

func turnRange(first, last int) string {
	return "turns " + strconv.Itoa(first) + "-" + strconv.Itoa(last)
}

func (a *applier) describe(r *plan.Region) string {
	if r.Level == 2 {
		return "its parts are replaced by one summary"
	}
	first, last := r.Spans[0].Start, r.Spans[len(r.Spans)-1].End-1
	return "replaced by a summary of " + turnRange(a.turns[first], a.turns[last])
}

// planned returns the part of a size that the plan was made for: its target and its limit do not include messages added
// later.
func (a *applier) planned(size int) int {
	for m := a.plan.Length; m < len(a.c.Messages); m++ {
		size -= a.before.Messages[m].Tokens
	}
	return size
}

// regionIndex returns the index of a region of the plan.
func (a *applier) regionIndex(r *plan.Region) *int {
	i, ok := a.places[r]
	if !ok {
		panic("tamp: internal error: the region is not in the plan")
	}
	return &i
}

// statements returns the user's statements, read once.
func (a *applier) statements() []summarize.Pinned {
	if !a.readPinned {
		a.readPinned = true
		a.pinned = a.cache.Texts().ReadPinned(a.marked.WithMessages(a.marked.Messages[:a.plan.Length:a.plan.Length]))
	}
	return a.pinned
}

// written is a summary that this Apply wrote. Its position in the result is computed from how it was written, not
// searched by its text.
type written struct {
	at      msg.Ref // in the input: the block, if replaced in place; else the message before which it is inserted
	ordinal int     // index among the messages inserted there; -1: replaced in place
	regions []*plan.Region
	parts   int // number of answers joined in it
	level   int
	block   msg.Block
	summary string // without the label
}
