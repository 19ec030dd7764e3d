package apply

import (
	"slices"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/summarize"
	"tamp/core/view"
)

// This file checks answers against the user's text in their regions: no model may put words into the user's mouth, and
// none may leave out a constraint. It holds for every policy with summaries.

// attributed returns an answer in which the lines under headings of the user's words are the user's.
func (a *applier) attributed(r *plan.Region, answer string) string {
	return summarize.Attribute(answer, func() ([]string, map[string]bool) {
		return summarize.UserTexts(a.marked, r.Spans, r.Blocks), summarize.Stale(a.statements())
	})
}

// withPinned returns the summary of regions, to which the user's constraints in them that it lacks are added, within
// the tokens of the answers. tail is the text after it.
func (a *applier) withPinned(regions []*plan.Region, summary, tail string) string {
	var statements []summarize.Pinned
	budget, size := 0, 0
	for _, r := range regions {
		statements = append(statements, view.StatementsIn(a.statements(), r.Spans, r.Blocks)...)
		budget += a.budget(r)
		size += a.size(r)
	}
	room := min(budget, size-plan.ArchivedLabelTokens-a.meter.Text(tail))
	loaded := a.loadedLine(regions)
	if n := a.meter.Text(loaded); n > 0 && n < room/2 {
		summary = summarize.ShortenToTokens(summary, room-n, a.meter.Text)
		return summarize.KeepPinned(summary, statements, budget, room-n, a.meter.Text) + loaded
	}
	return summarize.KeepPinned(summary, statements, budget, room, a.meter.Text)
}

// loadedLine returns a line with the tools that a search had loaded and that nothing in the outcome refers to: the
// provider unloads them. It is "" if there are none. Source: Anthropic's page on the tool search tool.
func (a *applier) loadedLine(regions []*plan.Region) string {
	if a.unloaded == nil {
		a.unloaded = map[*plan.Region][]string{}
		regionOf := map[msg.Ref]*plan.Region{} // Block -1: of the whole message
		for i := range a.plan.Regions {
			r := &a.plan.Regions[i]
			for _, ref := range r.Blocks {
				regionOf[ref] = r
			}
			for _, s := range r.Spans {
				for m := s.Start; r.Blocks == nil && m < s.End; m++ {
					regionOf[msg.Ref{Message: m, Block: -1}] = r
				}
			}
		}
		kept := map[string]bool{}
		for it := a.c.Walk(); it.Next(); {
			r := regionOf[it.Ref]
			if r == nil {
				r = regionOf[msg.Ref{Message: it.Ref.Message, Block: -1}]
			}
			it.Block.References(func(name string) {
				if kept[name] = kept[name] || r == nil; r != nil {
					a.unloaded[r] = append(a.unloaded[r], name)
				}
			})
		}
		for r, names := range a.unloaded {
			a.unloaded[r] = slices.DeleteFunc(names, func(name string) bool { return kept[name] })
		}
	}
	var names []string
	for _, r := range regions {
		for _, name := range a.unloaded[r] {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return marker.Loaded(names)
}
