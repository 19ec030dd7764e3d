package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
)

// selection is the result of a strategy, before requests are written.
type selection struct {
	cuts    []pass.Decision // tool results of the window that keep their head and their tail
	cutOnly bool            // the cuts reach the target
	regions []Region
	note    string // text of a warning; "" = none
	target  int    // tokens of the plan's counter; 0 = the trigger's target
	idle    string // the reason to do nothing; "" = act

	warnings []msg.Warning // besides the note
}

// oneRegion makes one region of all messages in [start, end) that keep does not protect; nil if there are none.
func oneRegion(in *view.View, p *policy.Policy, start, end int, keep func(int) bool) []Region {
	r := Region{Level: 1, budget: p.Summary.MaxTokens}
	for _, run := range pass.SpanRegions(in, start, end, keep) {
		r.Spans = append(r.Spans, run.Span)
		r.Tokens += run.Tokens
	}
	if len(r.Spans) == 0 {
		return nil
	}
	if r.budget == 0 {
		r.budget = shareOf(p, r.Tokens)
	}
	return []Region{r}
}
