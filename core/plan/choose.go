package plan

import (
	"tamp/core/plan/bounded"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/view"
)

// StrategyOf returns the strategy of a policy. Every strategy chooses the messages to keep verbatim and makes regions
// of the rest; each region requests a summary.
func StrategyOf(p *policy.Policy) choice.Strategy {
	if p.IsBounded() {
		return bounded.Strategy()
	}
	s := choice.Published()
	s.Choose = choose
	return s
}

// choose selects the regions of a published design. Only this file, those of the functions that it calls and
// core/apply/shape.go have the differences between these designs.
func choose(p *policy.Policy, in, before *view.View, l *choice.Limits, k *view.Cache) choice.Selection {
	var s choice.Selection
	switch p.Summary.Strategy {
	case "whole":
		s = within(chooseWhole(in, p), in, p, l)
	case "tail":
		s = within(chooseTail(in, p, func(int) bool { return false }), in, p, l)
	case "critical":
		marked := p.Pin.Critical.Mark(in)
		s = within(chooseTail(in, p, func(m int) bool { return marked[m] }), in, p, l)
	case "chunks":
		s = chooseChunks(in, p)
	default:
		s = chooseRegions(in, p, l) // "regions": Policy.Validate accepts no other strategy
	}
	s.AddWords(in, choice.WordsOf(before, k), p, l.Window, l.Most, choice.Published().Frame)
	return s
}

// within limits the summary to what the target leaves next to the kept messages, if the policy has a target. The
// published designs have none.
func within(s choice.Selection, in *view.View, p *policy.Policy, l *choice.Limits) choice.Selection {
	if p.Trigger.TargetPermille == 0 || l.Used == 0 {
		return s
	}
	room := l.Convert(l.Target, in.Counts.Total) - in.Counts.Total
	for i := range s.Regions {
		room += s.Regions[i].Tokens
	}
	for i := range s.Regions {
		s.Regions[i].Budget = min(s.Regions[i].Budget, max(room-choice.LabelTokens, choice.MinBudget))
	}
	return s
}
