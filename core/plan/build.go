package plan

import (
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
)

// New plans the compaction of c under policy p: it is core.NewPlan, whose comment has its rules.
func New(c *msg.Conversation, st view.State, p *policy.Policy, env *Env) (*Plan, error) {
	plan, _, err := Explain(c, st, p, env)
	return plan, err
}

// Explain is New with the draft of the plan. With the error context_overflow, the draft is complete: Finish returns the
// plan.
func Explain(c *msg.Conversation, st view.State, p *policy.Policy, env *Env) (*Plan, *Draft, error) {
	r, err := NewReading(c, st, p, env)
	if err != nil {
		return nil, nil, err
	}
	r.Read(c)
	d := r.Draft(env)
	plan, err := d.Build()
	d.Keep(c, st)
	return plan, d, err
}

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
	if err := d.summarize(); err != nil {
		return nil, err
	}
	d.bindThinking()
	if err := d.checkLimit(); err != nil {
		return nil, err
	}
	return d.Finish(), nil
}

// summarize runs layer 2.
func (d *Draft) summarize() error {
	clearing := d.clearTrigger()
	d.plan.Trigger = clearing
	if s := d.p.Summary.Strategy; s == "" || s == "none" {
		d.clearIfItPays()
		d.plan.Limit = d.windowLimit()
		return nil
	}
	edits := d.withoutNewClears(d.edits())
	in := d.edited(edits)
	state := evaluateTriggers(in, d.p, &d.env, d.used(&d.env, in, edits), d.in.Counts.Total-in.Counts.Total)
	state.original = d.in
	if d.plan.Limit = d.windowLimit(); state.hard > 0 { // a reserve larger than the window leaves none
		used, total := state.used, in.Counts.Total
		if d.p.Trigger.Measure == "counter" { // edits may free more than the usage of the last call
			used, total = used+d.in.Counts.Total-total, d.in.Counts.Total
		}
		d.plan.Limit = InCounter(state.hard, used, total)
	}
	if state.trigger.Kind == "none" {
		if d.p.IsBounded() {
			d.limitClears()
		}
		d.clearIfItPays()
		if d.plan.Trigger.Kind == "every_turn" && len(d.edits()) == 0 {
			d.plan.Trigger = state.trigger
		}
		d.plan.Trigger.waitFor(clearing, state.next)
		return nil
	}
	d.plan.Trigger = state.trigger
	d.plan.Trigger.waitFor(clearing, state.next)
	if state.trigger.Kind == "manual" && !state.over && d.p.IsBounded() && d.record.Forced == d.plan.Base {
		const why = "there are no messages since the last forced compaction"
		d.doNothing(why, clearing, &state)
		d.cancelNewClears(why)
		return nil
	}
	fit := state
	if d.p.IsBounded() {
		in, fit = d.shortenTasks(in, &edits, state)
	}
	in = holding(in, d.p)
	selected := choose(in, d.p, &fit, d.env.cache.Texts())
	if !d.p.IsBounded() {
		selected.addWords(in, wordsOf(d.in), d.p, d.plan.Limit)
	}
	if selected.idle == "" && d.needsGain(in, &state) {
		selected.idle = d.tooSmall(in, &selected, &state)
	}
	if selected.idle == "" {
		selected.idle = d.wait(in, &selected, &state)
	}
	if selected.idle != "" {
		d.doNothing(selected.idle, clearing, &state)
		if !state.over {
			if d.p.IsBounded() {
				d.limitClears()
			}
			d.clearIfItPays()
		}
		return nil
	}
	if selected.note != "" {
		d.plan.Warnings = append(d.plan.Warnings, msg.Warning{Code: noteCode(d.p), Message: selected.note})
	}
	d.plan.Warnings = append(d.plan.Warnings, selected.warnings...)
	d.plan.Target = in.Counts.Total
	if state.used > 0 {
		d.plan.Target = state.convert(state.target, in.Counts.Total)
	}
	if selected.target > 0 {
		d.plan.Target = selected.target
	}
	d.plan.Target = min(d.plan.Target, d.plan.Limit)
	limit := d.p.Summary.MaxRequests
	if limit == 0 || state.trigger.Kind == "manual" { // the plan of a manual compaction is the last one
		limit = 1 << 30
	}
	r := requester{in: in, p: d.p, env: &d.env, turns: view.TurnsOf(in.Conversation), marks: d.important(in)}
	unloaded := Unloaded(in.Conversation, selected.regions)
	for i := range selected.regions {
		region := &selected.regions[i]
		if region.Tokens <= LabelTokens {
			continue // no summary is shorter
		}
		if region.Level != 3 {
			asked := r.ask(region, region.budget, unloaded[i])
			if n := len(d.plan.Requests); n > 0 && n+len(asked) > limit {
				d.waiting = true // for the next plan
				continue
			}
			d.plan.Requests = append(d.plan.Requests, asked...)
		}
		region.Blocks = d.originalRefs(edits, region.Blocks)
		d.regions = append(d.regions, *region)
	}
	d.adopt(d.tasks)
	if d.p.Clear.IsSticky() && (len(d.regions) > 0 || selected.cutOnly) {
		d.cancelSupersededEdits()
	}
	d.adoptCuts(selected.cuts, edits)
	return nil
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
			answers += maxTokens[id] + LabelTokens
		}
		if r.Level == 3 {
			answers += r.MaxTokens + LabelTokens
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
