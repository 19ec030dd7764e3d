package core

import (
	"cmp"
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// What is left to do after an Apply: merge summaries that came in parts, or give up more.

// next plans the step after this one; nil where there is none.
func (a *applying) next(out *Outcome, env Env, m memory) *Plan {
	if plan := a.merges(out, env, m); plan != nil {
		return plan
	}
	// Progress or nothing: an outcome that frees nothing would ask the same again for ever.
	if a.p.Summary.Strategy != "regions" || out.After >= out.Before || len(a.failed) > 0 ||
		out.After <= a.plan.Target || a.plan.Trigger.Kind == "manual" {
		return nil
	}
	env.Usage, env.Force = nil, false // the last response counted a conversation that is no more
	plan, err := NewPlan(out.Conversation, out.State, *a.p, env)
	if err != nil || len(plan.Requests) == 0 {
		return nil
	}
	return plan
}

// written is a summary that this Apply wrote. Where it is in the result is known from how it was written, never from
// its text.
type written struct {
	at      msg.Ref // in place: the block; else the message before which it comes, in the conversation before
	ordinal int     // its place among the messages that come there; -1: in place
	parts   int     // answers that are joined in it
	level   int
	block   msg.Block
	summary string // without the label
}

// wroteMessage notes that the ordinal-th of the messages that are about to come before the message at holds a summary.
func (a *applying) wroteMessage(at, ordinal int, regions []*Region, block *msg.Block, summary string) {
	parts := 0
	for _, r := range regions {
		parts += len(r.Requests)
	}
	a.wrote = append(a.wrote, written{at: msg.Ref{Message: at}, ordinal: len(a.w.insert[at]) + ordinal, parts: parts,
		level: 1, block: *block, summary: summary})
}

// wroteInPlace notes that the first block of a region holds its summary.
func (a *applying) wroteInPlace(r *Region, text, summary string) {
	a.wrote = append(a.wrote, written{at: r.Blocks[0], ordinal: -1, parts: len(r.Requests), level: r.Level,
		block: a.c.At(r.Blocks[0]).WithText(text), summary: summary})
}

// place is where a summary is in the result.
func (a *applying) place(s *written) msg.Ref {
	at := msg.Ref{Message: a.w.starts[s.at.Message] + s.ordinal}
	if s.ordinal >= 0 {
		return at
	}
	at.Message = a.w.starts[s.at.Message] + len(a.w.insert[s.at.Message])
	for b := range s.at.Block {
		if e := a.w.edits[msg.Ref{Message: s.at.Message, Block: b}]; e == nil || e.Kind != pass.DropThinking {
			at.Block++
		}
	}
	return at
}

// rememberSummaries puts the summaries that this Apply wrote into the State, so that later plans know them. A State
// that lists none begins with those that were known by their form and place.
func (a *applying) rememberSummaries(m *memory) {
	if len(a.wrote) == 0 {
		return
	}
	if len(m.summaryKeys) == 0 {
		for i := range a.marked.Messages {
			for b := range a.marked.Messages[i].Blocks {
				if block := &a.marked.Messages[i].Blocks[b]; block.Summary {
					m.rememberSummary(block)
				}
			}
		}
	}
	for i := range a.wrote {
		m.rememberSummary(&a.wrote[i].block)
	}
}

// merges asks for one summary in the place of each that this Apply joined of several answers.
func (a *applying) merges(out *Outcome, env Env, m memory) *Plan {
	parts := 1      // a request that was split is always merged
	if !a.split() { // so a summary of several parts is of several chunks
		parts = max(a.p.Summary.MergeAbove, 1)
	}
	type joint struct {
		at msg.Ref // in the result
		*written
	}
	var due []joint
	for i := range a.wrote {
		if s := &a.wrote[i]; s.level == 1 && s.parts > parts {
			due = append(due, joint{a.place(s), s})
		}
	}
	if len(due) == 0 {
		return nil
	}
	slices.SortFunc(due, func(x, y joint) int { return cmp.Or(x.at.Message-y.at.Message, x.at.Block-y.at.Block) })
	c := out.Conversation
	in := newInput(c, env, m)
	plan := newDraft(in, digest(c.Messages), a.p, env, memory{}).plan
	plan.Trigger = a.plan.Trigger
	for _, s := range due {
		r := Region{Spans: []Span{{Start: s.at.Message, End: s.at.Message + 1}}, Blocks: []msg.Ref{s.at}, Level: 2,
			Tokens: in.Counts.Messages[s.at.Message].Blocks[s.at.Block]}
		q := requester{in: in, p: a.p, env: env}
		plan.Requests = append(plan.Requests, q.merge(&r, s.summary))
		plan.Regions = append(plan.Regions, r)
		plan.Archive = addToSpans(plan.Archive, s.at.Message)
		plan.After -= max(r.Tokens-a.p.Summary.MergeTokens-labelTokens, 0)
	}
	return plan
}

// split reports that some region needed more than one request.
func (a *applying) split() bool {
	for i := range a.plan.Regions {
		if len(a.plan.Regions[i].Requests) > 1 {
			return true
		}
	}
	return false
}
