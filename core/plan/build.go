package plan

import (
	"tamp/core/plan/choice"
	"tamp/core/view"
)

// Build runs all layers and returns the plan.
func (d *Draft) Build() (*Plan, error) {
	if err := CheckThinking(d.env.Thinking); err != nil {
		return nil, err
	}
	if err := d.checkChosen(); err != nil {
		return nil, err
	}
	if d.env.changesChosen() {
		d.dropChosen()
		if err := d.summarizeChosen(); err != nil {
			return nil, err
		}
		d.bindThinking()
		return d.Finish(), nil
	}
	d.runClearing()
	d.summarize()
	d.bindThinking()
	if err := d.checkLimit(); err != nil {
		return nil, err
	}
	return d.Finish(), nil
}

// Finish fills in the plan: edits, regions, decisions, archive and sizes.
func (d *Draft) Finish() *Plan {
	plan, c := d.plan, d.in.Conversation
	sortDecisions(d.decisions)
	plan.Edits = d.edits()
	plan.Regions = append(plan.Regions, d.regions...)
	touched := make([]bool, len(c.Messages))
	plan.Decisions = append(make([]Action, 0, len(plan.Decisions)+len(d.decisions)), plan.Decisions...)
	for i := range d.decisions {
		decision := &d.decisions[i]
		before := d.in.Counts.Messages[decision.Ref.Message].Blocks[decision.Ref.Block]
		action := Action{Kind: "keep", Path: c.At(decision.Ref).Path, Tool: decision.Tool, Before: before, After: before,
			Reason: decision.Reason}
		if e := decision.Edit; e != nil {
			action.Kind, action.After = string(e.Kind), e.After
			touched[e.Message] = true
			plan.After += e.After - e.Tokens
		}
		plan.Decisions = append(plan.Decisions, action)
	}
	maxTokens := map[string]int{}
	for _, r := range plan.Requests {
		maxTokens[r.ID] = r.MaxTokens
	}
	for _, r := range plan.Regions {
		answers := r.Words
		for _, id := range r.Requests {
			answers += maxTokens[id] + choice.LabelTokens
		}
		if r.Level == 3 {
			answers += r.MaxTokens + choice.LabelTokens
		}
		plan.After -= max(r.Tokens-answers, 0)
		for _, s := range r.Spans {
			for m := s.Start; m < s.End; m++ {
				touched[m] = true
			}
		}
	}
	for m := range touched {
		if touched[m] {
			plan.Archive = view.AddToSpans(plan.Archive, m)
		}
	}
	d.advise()
	return plan
}
