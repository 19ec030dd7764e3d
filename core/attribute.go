package core

import (
	"slices"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// This file checks answers against the user's text in their regions: no model may put words into the user's mouth, and
// none may leave out a constraint. It holds for every policy with summaries.

// attributed returns an answer in which the lines under headings of the user's words are the user's.
func (a *applier) attributed(r *Region, answer string) string {
	return summarize.Attribute(answer, func() ([]string, map[string]bool) {
		return summarize.UserTexts(a.marked, r.Spans, r.Blocks), summarize.Stale(a.statements())
	})
}

// withPinned returns the summary of regions, to which the user's constraints in them that it lacks are added, within
// the tokens of the answers. tail is the text after it.
func (a *applier) withPinned(regions []*Region, summary, tail string) string {
	var statements []summarize.Pinned
	budget, size := 0, 0
	for _, r := range regions {
		statements = append(statements, pinnedIn(a.statements(), r)...)
		budget += a.budget(r)
		size += a.size(r)
	}
	room := min(budget, size-archivedLabelTokens-a.meter.Text(tail))
	summary, _ = marker.CutLoaded(summary)
	loaded := a.loadedLine(regions)
	if n := a.meter.Text(loaded); n > 0 && n < room/2 {
		summary = summarize.ShortenToTokens(summary, room-n, a.meter.Text)
		return summarize.KeepPinned(summary, statements, budget, room-n, a.meter.Text) + loaded
	}
	return summarize.KeepPinned(summary, statements, budget, room, a.meter.Text)
}

// loadedLine returns the line of a summary of regions with the tools that the provider unloads; "" if there are none.
func (a *applier) loadedLine(regions []*Region) string {
	if a.unloaded == nil {
		a.unloaded = unloadedTools(a.marked, a.plan.Regions)
	}
	var names []string
	for _, r := range regions {
		names = append(names, a.unloaded[a.places[r]]...)
	}
	return marker.Loaded(names)
}

// unloadedTools returns by region the tools that a search had loaded, or that an earlier summary in the region names,
// and that nothing outside of the regions refers to: the provider unloads them. The summaries of c are marked. Source:
// Anthropic's page on the tool search tool.
func unloadedTools(c *msg.Conversation, regions []Region) map[int][]string {
	unloaded, regionOf := map[int][]string{}, map[msg.Ref]int{} // index + 1; Block -1: of the whole message
	for i := range regions {
		r := &regions[i]
		for _, ref := range r.Blocks {
			regionOf[ref] = i + 1
		}
		for _, s := range r.Spans {
			for m := s.Start; r.Blocks == nil && m < s.End; m++ {
				regionOf[msg.Ref{Message: m, Block: -1}] = i + 1
			}
		}
	}
	kept := map[string]bool{}
	for it := c.Walk(); it.Next(); {
		r := max(regionOf[it.Ref], regionOf[msg.Ref{Message: it.Ref.Message, Block: -1}])
		it.Block.References(func(name string) {
			if kept[name] = kept[name] || r == 0; r > 0 {
				unloaded[r-1] = append(unloaded[r-1], name)
			}
		})
		if it.Block.IsSummary() && r > 0 {
			if _, names := marker.CutLoaded(it.Block.Text); names != nil {
				unloaded[r-1] = append(unloaded[r-1], names...)
			}
		}
	}
	for r, names := range unloaded {
		unloaded[r] = slices.DeleteFunc(names, func(name string) bool { return kept[name] })
	}
	return unloaded
}

// budget returns the most tokens of the answers of a region.
func (a *applier) budget(r *Region) (tokens int) {
	for _, id := range r.Requests {
		tokens += a.requests[id].MaxTokens
	}
	return tokens
}

// statements returns the user's statements, read once.
func (a *applier) statements() []summarize.Pinned {
	if !a.readPinned {
		a.readPinned = true
		a.pinned = a.known.texts().ReadPinned(a.marked.WithMessages(a.marked.Messages[:a.plan.Length:a.plan.Length]))
	}
	return a.pinned
}

// pinnedIn returns the statements in a region that still hold. all are in the order of their messages.
func pinnedIn(all []summarize.Pinned, r *Region) (out []summarize.Pinned) {
	for _, span := range r.Spans {
		from, _ := slices.BinarySearchFunc(all, span.Start, func(s summarize.Pinned, m int) int { return s.At.Message - m })
		for _, s := range all[from:] {
			if s.At.Message >= span.End {
				break
			}
			if s.Holds && (r.Blocks == nil || slices.Contains(r.Blocks, s.At)) {
				out = append(out, s)
			}
		}
	}
	return out
}
