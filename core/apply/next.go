package apply

import (
	"cmp"

	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/view"
)

// This file plans the step after an Apply: merge partial summaries, or compact more.

// nextPlan returns the plan of the next step; nil if none is due.
func (a *applier) nextPlan(out *Outcome, env *plan.Env, m *view.Record) *plan.Plan {
	if a.joinsResponses(out.Conversation) {
		return nil // a plan for messages that are one message once they are read again
	}
	if pl := a.mergeParts(out, env, m); pl != nil {
		return pl
	}
	if a.isChosen() {
		return a.planRest(out, env, m)
	}
	// Without progress, the next plan would repeat the same requests forever.
	stuck := out.After >= out.Before
	over := a.plan.Limit > 0 && a.planned(out.After) > a.plan.Limit
	if over { // everything is tried: a failed merge is not requested again
		stuck = stuck && (len(a.plan.Regions) == 0 || a.plan.Regions[0].Level != 2)
	} else {
		stuck = stuck || len(a.failed)+len(a.broken) > 0 || a.plan.Trigger.Kind == "manual"
	}
	if a.p.Summary.Strategy != "regions" || stuck || out.After <= a.plan.Target {
		return nil
	}
	next := a.nextEnv(env)
	c := out.Conversation
	record, _ := a.cache.Decode(out.State) // which m encoded
	d := plan.NewDraft(view.New(c, next.Count, &record, a.cache), a.p, &next, &record)
	pl, err := d.Build()
	if err != nil || len(pl.Regions) == 0 && !(over && len(pl.Edits) > 0) {
		return nil
	}
	pl.Base = view.DigestOf(c.Messages) // most results need no next plan, and the digest reads all of them
	d.Keep(c, out.State)
	return pl
}

// joinsResponses reports whether two responses of OpenAI's Responses became neighbors, because the messages between
// them went: as items they are one response.
func (a *source) joinsResponses(after *msg.Conversation) bool {
	if msg.API(after.Format) != msg.OpenAIResponses {
		return false
	}
	index := map[string]int{}
	for m := range a.c.Messages {
		index[a.c.Messages[m].Path] = m
	}
	for m := 1; m < len(after.Messages); m++ {
		first, second := &after.Messages[m-1], &after.Messages[m]
		if first.Role == msg.Assistant && second.Role == msg.Assistant && first.Path != "" && second.Path != "" &&
			index[first.Path]+1 != index[second.Path] {
			return true
		}
	}
	return false
}

// mergeParts requests one merged summary for each summary that this Apply joined from several answers; nil if there are
// none.
func (a *applier) mergeParts(out *Outcome, env *plan.Env, m *view.Record) *plan.Plan {
	parts := 1      // a request that was split is always merged
	if !a.split() { // then a summary of several parts is of several chunks
		parts = max(a.p.Summary.MergeAbove, 1)
	}
	var due []plan.Partial
	for i := range a.wrote {
		if s := &a.wrote[i]; s.level == 1 && s.parts > parts {
			tokens := a.p.Summary.MergeTokens
			if a.strategy.MergesInBudget {
				tokens = a.requests[s.regions[0].Requests[0]].MaxTokens
			}
			due = append(due, plan.Partial{At: a.resultRef(s), Text: s.summary, MaxTokens: tokens})
		}
	}
	if len(due) == 0 {
		return nil
	}
	order.Stable(due, func(x, y plan.Partial) int { return cmp.Or(x.At.Message-y.At.Message, x.At.Block-y.At.Block) })
	c := out.Conversation
	pl := plan.Merges(view.New(c, env.Count, m, a.cache), a.p, env, due)
	if chosen := a.nextEnv(env).Chosen; chosen != nil {
		pl.Keep = chosen.Keep
	}
	pl.Trigger, pl.Limit = a.plan.Trigger, a.plan.Limit
	return pl
}

// split reports whether some region needed more than one request.
func (a *source) split() bool {
	for i := range a.plan.Regions {
		if len(a.plan.Regions[i].Requests) > 1 {
			return true
		}
	}
	return false
}
