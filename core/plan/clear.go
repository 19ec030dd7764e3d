package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/validity"
	"tamp/core/view"
)

// runClearing runs layers 0 and 1. If two passes change the same block, the edit that frees more wins.
func (d *Draft) runClearing() {
	rules := d.changes.Clear
	if d.env.Force {
		rules.TriggerTokens, rules.TriggerToolUses = 0, 0
	}
	all := d.runClear(rules)
	all = append(all, d.p.Intake.Run(d.in, view.RefText)...)
	if !validity.AsksReasoning(d.in.Conversation) {
		all = append(all, d.p.Thinking.Run(d.in)...)
	}
	sortDecisions(all)
	d.decisions = all[:0]
	for i := range all {
		if n := len(d.decisions); n > 0 && d.decisions[n-1].Ref == all[i].Ref {
			if e := all[i].Edit; e != nil && (d.decisions[n-1].Edit == nil || e.After < d.decisions[n-1].Edit.After) {
				d.decisions[n-1] = all[i]
			}
			continue
		}
		d.decisions = append(d.decisions, all[i])
	}
	d.decisions = d.keepChosen(d.decisions)
}

// cancelSupersededEdits cancels the edits of messages that a summary replaces. It also cancels new clears: the
// summaries of the same step free enough.
func (d *Draft) cancelSupersededEdits() {
	summarized := d.summarizedMessages()
	for i := range d.decisions {
		if decision := &d.decisions[i]; decision.Edit != nil && summarized[decision.Ref.Message] {
			decision.Edit, decision.Fate, decision.Reason = nil, pass.Kept, "replaced by a summary"
		}
	}
	d.cancelNewClears("not needed: summaries or cuts free enough")
	for i := range d.regions {
		if r := &d.regions[i]; r.Blocks == nil {
			r.Tokens = 0 // its messages have no edits any more
			for _, s := range r.Spans {
				for m := s.Start; m < s.End; m++ {
					r.Tokens += d.in.Counts.Messages[m].Tokens
				}
			}
		}
	}
}

// cancelNewClears keeps what this plan would clear for the first time.
func (d *Draft) cancelNewClears(why string) {
	for i := range d.decisions {
		if decision := &d.decisions[i]; decision.Edit != nil && d.isNewClear(decision.Edit) {
			decision.Edit, decision.Fate, decision.Reason = nil, pass.Kept, why
		}
	}
}

// limitClears cancels new clears, the newest first, after which summaries would be more than permille of the rest.
func (d *Draft) limitClears(permille int) {
	if permille == 0 {
		return
	}
	summaries, left := 0, d.in.Counts.Total
	for m, is := range view.SummaryMessages(d.in.Conversation) {
		if is {
			summaries += d.in.Counts.Messages[m].Tokens
		}
	}
	for _, e := range d.edits() {
		left -= e.Tokens - e.After
	}
	for i := len(d.decisions) - 1; i >= 0 && summaries*1000 > left*permille; i-- {
		if x := &d.decisions[i]; x.Edit != nil && d.isNewClear(x.Edit) {
			left += x.Edit.Tokens - x.Edit.After
			x.Edit, x.Fate, x.Reason = nil, pass.Kept, "without it, summaries would be too large a share"
		}
	}
}

// clearIfItPays cancels the new clears of an economic policy if they do not pay yet.
func (d *Draft) clearIfItPays() {
	if d.p.Clear.When != pass.Economic || d.env.Force {
		return
	}
	why := "its placeholder would cost as many tokens"
	if x := d.changeOf(d.decisions, d.isNewClear); x.freed > 0 {
		d.plan.Advice = advise(d.terms(), x)
		if d.terms().Pays(x.freed, x.before, 0) {
			t := &d.plan.Trigger // what the policy waits for stays
			t.Kind, t.Used, t.Limit = pass.Economic, d.plan.Advice.Rent, d.plan.Advice.Cost
			return
		}
		why = "clearing does not pay yet: " + d.plan.Advice.Reason
	}
	d.cancelNewClears(why)
}
