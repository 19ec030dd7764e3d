package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// What is left to do after an Apply: merge summaries that came in parts, or give up more.

// next plans the step after this one; nil where there is none.
func (a *applying) next(out *Outcome, env Env) *Plan {
	if plan := a.merges(out, env); plan != nil {
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

// merges asks for one summary in the place of each that came in parts.
func (a *applying) merges(out *Outcome, env Env) *Plan {
	parts := 1 // a request that was split is always merged
	if a.p.Summary.Strategy == "chunks" && !a.split() {
		parts = a.p.Summary.MergeAbove
	}
	c := out.Conversation
	var plan *Plan
	var in *pass.Input
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			block := &c.Messages[m].Blocks[b]
			_, text := splitLabel(block.Text)
			if isQuestionBefore(c, m) {
				text = block.Text
			}
			if block.Changed == 0 && block.Raw != nil || !hasParts(text) || countParts(text) <= parts {
				continue
			}
			if plan == nil {
				in = newInput(c, env)
				d := newDraft(in, digest(c.Messages), a.p, env, memory{})
				plan = d.plan
				plan.Trigger = a.plan.Trigger
			}
			r := Region{Spans: []Span{{Start: m, End: m + 1}}, Blocks: []msg.Ref{{Message: m, Block: b}}, Level: 2,
				Tokens: in.Counts.Messages[m].Blocks[b]}
			q := requester{in: in, p: a.p, env: env}
			plan.Requests = append(plan.Requests, q.merge(&r, text))
			plan.Regions = append(plan.Regions, r)
			plan.Archive = addToSpans(plan.Archive, m)
			plan.After -= max(r.Tokens-a.p.Summary.MergeTokens-labelTokens, 0)
		}
	}
	return plan
}

func isQuestionBefore(c *msg.Conversation, m int) bool { return m > 0 && isQuestion(&c.Messages[m-1]) }

// split reports that some region needed more than one request.
func (a *applying) split() bool {
	for i := range a.plan.Regions {
		if len(a.plan.Regions[i].Requests) > 1 {
			return true
		}
	}
	return false
}
