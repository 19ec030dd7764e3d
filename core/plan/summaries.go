package plan

import (
	"cmp"
	"slices"
	"strconv"

	"tamp/core/internal/order"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/view"
)

// summaries is layer 2 of a draft: the regions that summaries replace.
type summaries struct {
	*Draft
	strategy choice.Strategy
	clearing Trigger    // of layer 1
	in       *view.View // the conversation after edits
	edits    []pass.Edit
	state    triggerState // for the conversation after the edits of layers 0 and 1
	selected choice.Selection
}

// summarize runs layer 2.
func (d *Draft) summarize() {
	s := summaries{Draft: d, strategy: StrategyOf(d.p), clearing: d.clearTrigger()}
	d.plan.Trigger = s.clearing
	if d.p.Summary.Strategy == "" || d.p.Summary.Strategy == "none" {
		d.plan.Limit = d.windowLimit()
		s.settleClears()
		return
	}
	s.measure()
	switch {
	case s.state.trigger.Kind == "none":
		s.clearOnly()
	case s.isForcedAgain():
		s.keepAll("there are no messages since the last forced compaction")
	default:
		s.choose()
		if why := s.idle(); why != "" {
			s.postpone(why)
			return
		}
		s.setTarget()
		s.adoptSelection(s.request())
	}
}

// measure evaluates the triggers for the conversation after layers 0 and 1, and sets the hard limit of the plan.
func (s *summaries) measure() {
	before := s.Draft.in.Counts.Total
	s.edits = s.withoutNewClears(s.Draft.edits())
	s.in = s.edited(s.edits)
	used, total := s.used(&s.env, s.in, s.edits), s.in.Counts.Total
	s.state = evaluateTriggers(s.in, s.p, &s.env, used, before-total)
	if s.plan.Limit = s.windowLimit(); s.state.Hard > 0 { // a reserve larger than the window leaves none
		if s.p.Trigger.Measure == "counter" { // edits may free more than the usage of the last call
			used, total = used+before-total, before
		}
		s.plan.Limit = choice.InCounter(s.state.Hard, used, total)
	}
	s.state.Most = s.plan.Limit
}

// settleClears cancels the new clears that leave too large a share of summaries, or that do not pay yet.
func (s *summaries) settleClears() {
	s.limitClears(s.strategy.MaxSummaries)
	s.clearIfItPays()
}

// clearOnly is the plan if no summary is due.
func (s *summaries) clearOnly() {
	s.settleClears()
	if s.plan.Trigger.Kind == "every_turn" && len(s.Draft.edits()) == 0 {
		s.plan.Trigger = s.state.trigger
	}
	s.plan.Trigger.waitFor(s.clearing, s.state.next)
}

// isForcedAgain reports whether the conversation is still the result of a forced compaction.
func (s *summaries) isForcedAgain() bool {
	return s.state.Manual && !s.state.Over && s.strategy.ForcesOnce && s.record.Forced == s.plan.Base
}

// keepAll makes the plan do nothing, without new clears either.
func (s *summaries) keepAll(why string) {
	s.doNothing(why)
	s.cancelNewClears(why)
}

// postpone makes the plan wait. It still clears what pays, unless the conversation is over its hard limit: what can
// be cleared then waits for the summaries.
func (s *summaries) postpone(why string) {
	s.doNothing(why)
	if !s.state.Over {
		s.settleClears()
	}
}

// doNothing makes the plan wait, with its reason as a warning.
func (s *summaries) doNothing(why string) {
	s.plan.Trigger = Trigger{Kind: "none", Used: s.state.Used, Limit: s.state.Hard}
	s.plan.Trigger.waitFor(s.clearing, s.state.next)
	s.plan.Warnings = append(s.plan.Warnings, msg.Warning{Code: "compaction_waits", Message: why})
}

// choose selects the regions, after the edits of prompts that the strategy asks for.
func (s *summaries) choose() {
	s.plan.Trigger = s.state.trigger
	s.plan.Trigger.waitFor(s.clearing, s.state.next)
	limits := s.state.Limits
	if s.strategy.Shorten != nil {
		s.shorten(&limits)
	}
	s.in = holding(s.in, s.p)
	s.selected = s.strategy.Choose(s.p, s.in, s.Draft.in, &limits, s.env.cache)
}

// shorten adds the edits of prompts, and sets the limits for the conversation after them.
func (s *summaries) shorten(l *choice.Limits) {
	for _, x := range s.strategy.Shorten(s.in, l) {
		if !slices.ContainsFunc(s.edits, func(e pass.Edit) bool { return e.Ref() == x.Ref }) {
			s.tasks = append(s.tasks, x)
		}
	}
	if len(s.tasks) == 0 {
		return
	}
	for i := range s.tasks {
		s.edits = append(s.edits, *s.tasks[i].Edit)
	}
	order.Stable(s.edits, func(a, b pass.Edit) int { return cmp.Or(a.Message-b.Message, a.Block-b.Block) })
	total := s.in.Counts.Total
	s.in = s.edited(s.edits)
	l.Freed = total - s.in.Counts.Total
	l.Used = int(int64(l.Used) * int64(s.in.Counts.Total) / int64(total))
}

// idle returns the reason to do nothing, "" to act.
func (s *summaries) idle() string {
	if why := s.tooSmall(); why != "" {
		return why
	}
	return s.wait(s.in, &s.selected, &s.state.trigger)
}

// tooSmall returns the reason why the compaction does not free enough, "" if it does, or if the strategy does not ask.
func (s *summaries) tooSmall() string {
	need, asks := s.strategy.MinGain(s.p, s.in, &s.state.Limits)
	if !asks || s.state.Over {
		return ""
	}
	freed := s.Draft.in.Counts.Total - s.in.Counts.Total
	for i := range s.selected.Cuts {
		freed += s.selected.Cuts[i].Edit.Tokens - s.selected.Cuts[i].Edit.After
	}
	for i := range s.selected.Regions {
		freed += s.selected.Regions[i].Gain()
	}
	switch {
	case freed > 0 && freed >= need:
		return ""
	case need == 0:
		return "nothing can be freed: all messages are instructions, prompts, summaries or the newest turns"
	}
	return "a compaction would free " + strconv.Itoa(max(freed, 0)) + " tokens, at least " + strconv.Itoa(need) +
		" are worth it"
}

// setTarget sets the target of the plan, with the warnings of the choice.
func (s *summaries) setTarget() {
	s.plan.Warnings = append(s.plan.Warnings, s.selected.Warnings...)
	target := s.in.Counts.Total
	if s.state.Used > 0 {
		target = s.state.Convert(s.state.Target, target)
	}
	if s.selected.Target > 0 {
		target = s.selected.Target
	}
	s.plan.Target = min(target, s.plan.Limit)
}

// request writes the requests of the selected regions, as many as the policy allows, and returns these regions. The
// others are left to the next plan.
func (s *summaries) request() (asked []Region) {
	limit := s.p.Summary.MaxRequests
	if limit == 0 || s.state.Manual { // the plan of a manual compaction is the last one
		limit = 1 << 30
	}
	q := requester{in: s.in, p: s.p, env: &s.env, turns: view.TurnsOf(s.in.Conversation), marks: s.important(s.in)}
	unloaded := Unloaded(s.in.Conversation, s.in.Pairing, s.selected.Regions)
	for i := range s.selected.Regions {
		r := &s.selected.Regions[i]
		if r.Tokens <= choice.LabelTokens {
			continue // no summary is shorter
		}
		if r.Level != 3 {
			requests := q.ask(r, r.Budget, unloaded[i])
			if n := len(s.plan.Requests); n > 0 && n+len(requests) > limit {
				s.waiting = true
				continue
			}
			s.plan.Requests = append(s.plan.Requests, requests...)
		}
		asked = append(asked, *r)
	}
	return asked
}

// adoptSelection adds regions, and the edits that belong to them, to the draft.
func (s *summaries) adoptSelection(regions []Region) {
	for _, r := range regions {
		r.Blocks = s.originalRefs(s.edits, r.Blocks)
		s.regions = append(s.regions, r)
	}
	s.adopt(s.tasks)
	if s.p.Clear.IsSticky() && (len(s.regions) > 0 || s.selected.CutOnly) {
		s.cancelSupersededEdits()
	}
	s.adoptCuts(s.selected.Cuts, s.edits)
}
