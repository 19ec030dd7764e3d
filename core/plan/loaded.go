package plan

import (
	"slices"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// Unloaded returns by region the tools that a search had loaded and the skills whose text is in it, or that an earlier
// summary in the region names, and that nothing outside of the regions refers to or has: the provider unloads such
// tools, and the model no longer has such texts. The summaries of c are marked. Source: Anthropic's page on the tool
// search tool; for skills see summarize.LoadsSkill.
func Unloaded(c *msg.Conversation, pairs msg.Pairing, regions []Region) map[int][]string {
	unloaded, kept := map[int][]string{}, map[string]bool{}
	regionOf, blocks := make([]int, len(c.Messages)), map[msg.Ref]int{} // index + 1; blocks: of single ones
	for i := range regions {
		r := &regions[i]
		for _, ref := range r.Blocks {
			blocks[ref] = i + 1
		}
		for _, s := range r.Spans {
			for m := s.Start; r.Blocks == nil && m < s.End; m++ {
				regionOf[m] = i + 1
			}
		}
	}
	for it := c.Walk(); it.Next(); {
		r := max(blocks[it.Ref], regionOf[it.Ref.Message])
		add := func(name string) {
			if kept[name] = kept[name] || r == 0; r > 0 {
				unloaded[r-1] = append(unloaded[r-1], name)
			}
		}
		it.Block.References(add)
		var call *msg.Block
		if at, ok := pairs.Call(it.Ref); ok {
			call = c.At(at)
		}
		if skill := summarize.SkillAt(&c.Messages[it.Ref.Message], it.Ref.Block, call); skill != "" {
			add(skill)
		}
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
