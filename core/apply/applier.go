package apply

import (
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/summarize"
	"tamp/core/view"
)

// applier is the state of one Apply.
type applier struct {
	answers
	w              *view.Rewrite
	wrote          []written
	failed         []*plan.Region
	actions        []plan.Action
	index          *summarize.Index // of the conversation, see indexFor
	indexed        []*plan.Region   // the regions of its spans
	often          []string         // keys of names, see view.Record.OftenKeys
	lean           bool             // see Env.Lean
	drops          bool             // the plan removes what the host chose
	openCut        int              // results of the open round that are cut, see addUnread
	openRoundBound bool             // the open round holds bound thinking, so nothing before it may change
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

func (a *applier) noteRegion(kind string, r *plan.Region, after int, reason string) {
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
		a.noteRegion("keep", r, r.Tokens, "the partial summaries are kept: "+why)
		return
	}
	a.failed = append(a.failed, r)
	a.noteRegion("failed", r, r.Tokens, why)
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
