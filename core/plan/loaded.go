package plan

import (
	"slices"
	"strconv"

	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// UnloadedTools returns by region the tools that a search had loaded, or that an earlier summary in the region names,
// and that nothing outside of the regions refers to: the provider unloads them. The summaries of c are marked. Source:
// Anthropic's page on the tool search tool.
func UnloadedTools(c *msg.Conversation, regions []Region) map[int][]string {
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
	kept, seen := map[string]bool{}, map[[2]string]bool{}
	for it := c.Walk(); it.Next(); {
		r := max(regionOf[it.Ref], regionOf[msg.Ref{Message: it.Ref.Message, Block: -1}])
		note := func(name string) {
			if key := [2]string{strconv.Itoa(r), name}; r > 0 && !seen[key] {
				seen[key] = true
				unloaded[r-1] = append(unloaded[r-1], name)
			}
		}
		it.Block.References(func(name string) {
			kept[name] = kept[name] || r == 0
			note(name)
		})
		if it.Block.IsSummary() && r > 0 {
			_, names := marker.CutLoaded(it.Block.Text)
			for _, name := range names {
				note(name)
			}
		}
	}
	for r, names := range unloaded {
		unloaded[r] = slices.DeleteFunc(names, func(name string) bool { return kept[name] })
	}
	return unloaded
}
