package choice

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
)

// Selection is the result of a strategy, before requests are written.
type Selection struct {
	Cuts     []pass.Decision // tool results of the window that keep their head and their tail
	CutOnly  bool            // the cuts reach the target
	Regions  []Region
	Target   int // tokens of the plan's counter; 0 = the trigger's target
	Warnings []msg.Warning
}

// OneRegion makes one region of all messages in [start, end) that keep does not protect; nil if there are none.
func OneRegion(in *view.View, p *policy.Policy, start, end int, keep func(int) bool) []Region {
	r := Region{Level: 1, Budget: p.Summary.MaxTokens}
	for _, run := range pass.SpanRegions(in, start, end, keep) {
		r.Spans = append(r.Spans, run.Span)
		r.Tokens += run.Tokens
	}
	if len(r.Spans) == 0 {
		return nil
	}
	if r.Budget == 0 {
		r.Budget = ShareOf(p, r.Tokens)
	}
	return []Region{r}
}
