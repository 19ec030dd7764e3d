package plan

import (
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/view"
)

// Every strategy chooses the messages to keep verbatim and makes regions of the rest; each region requests a summary.
// Only this file, those of the strategies and core/apply/shape.go have the differences between the published designs.

// choose selects the regions by the policy's strategy. texts are those that the session has read; nil without one.
func choose(in *view.View, p *policy.Policy, state *triggerState, texts *summarize.Memory) selection {
	switch p.Summary.Strategy {
	case "whole":
		return chooseWhole(in, p).within(in, p, state)
	case "tail":
		return chooseTail(in, p, func(int) bool { return false }).within(in, p, state)
	case "critical":
		marked := p.Pin.Critical.Mark(in)
		return chooseTail(in, p, func(m int) bool { return marked[m] }).within(in, p, state)
	case "chunks":
		return chooseChunks(in, p)
	}
	if p.IsBounded() {
		return chooseBounded(in, p, state, texts)
	}
	return chooseRegions(in, p, state) // "regions": Policy.Validate accepts no other strategy
}

// within limits the summary to what the target leaves next to the kept messages, if the policy has a target. The
// published designs have none.
func (s selection) within(in *view.View, p *policy.Policy, state *triggerState) selection {
	if p.Trigger.TargetPermille == 0 || state.used == 0 {
		return s
	}
	room := int(int64(in.Counts.Total)*int64(state.target)/int64(state.used)) - in.Counts.Total
	for i := range s.regions {
		room += s.regions[i].Tokens
	}
	for i := range s.regions {
		s.regions[i].budget = min(s.regions[i].budget, max(room-LabelTokens, minBudget))
	}
	return s
}
