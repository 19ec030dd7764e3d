package core

import (
	"slices"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// The strategy regions: give up the largest old regions first, until the target is met. Of blocks, each summary stands in
// the place of its tool results; of spans, in that of whole runs of messages between the user's prompts.

// tailPermille is the share of the target that the recent window keeps where the target is tight. Measured on real
// sessions, what the agent uses next is found equally well from a quarter to a half, and less well above (bench FutureUse).
const tailPermille = 350

// chooseRegions picks the regions and divides the room for their summaries.
func chooseRegions(in *pass.Input, p *Policy, state *triggerState) selection {
	c := in.Conversation
	keep := protectedMessages(c)
	spans := p.Summary.Granularity == "span"
	if spans {
		for m := range keep {
			keep[m] = keep[m] || c.Messages[m].IsPrompt()
		}
	}
	s := selection{pinned: p.Pin.Window.Start(in)}
	if s.shrink(in, p, state, keep, spans) {
		s.note = "with the whole recent window the target would be missed, so it is shorter"
	}
	var all []pass.Region
	if spans {
		all = pass.SpanRegions(in, 0, s.pinned, func(m int) bool { return keep[m] })
	} else {
		all = pass.BlockRegions(in, s.pinned, func(r msg.Ref) bool { return c.At(r).IsSummary() || placeholderLike(c.At(r)) })
	}
	pass.Rank(in, all)
	needed := state.used - state.target
	if state.trigger.Kind == "manual" { // whatever may go, goes; so asking twice is asking once
		needed = state.used
	}
	chosen := pass.Choose(all, needed, func(r *pass.Region) int { return r.Tokens - budget(p, r.Tokens) - labelTokens })
	slices.SortFunc(chosen, func(a, b pass.Region) int {
		if a.Tokens != b.Tokens {
			return b.Tokens - a.Tokens
		}
		return a.Span.Start - b.Span.Start
	})
	for _, r := range chosen {
		s.regions = append(s.regions, Region{Spans: []Span{r.Span}, Blocks: r.Blocks, Tokens: r.Tokens, Level: 1, budget: budget(p, r.Tokens)})
	}
	if spans {
		scaleBudgets(s.regions, state)
	}
	return s
}

// shrink moves the pinned window's start, a turn at a time, and reports whether it did:
//
//   - the tokens beyond its recent turns make way where the target would be missed, down to their share of it;
//   - the turns themselves, of spans, only where they alone are over the target, since a target that is missed is
//     a compaction at every turn;
//   - anything but the open round where the hard limit would be missed.
func (s *selection) shrink(in *pass.Input, p *Policy, state *triggerState, keep []bool, spans bool) bool {
	free, pinned := 0, 0
	for m := range in.Counts.Messages {
		switch {
		case m >= s.pinned:
			pinned += in.Counts.Messages[m].Tokens
		case !keep[m]:
			free += freeable(in, m, spans)
		}
	}
	turns := pass.Window{RecentTurns: p.Pin.RecentTurns}.Start(in)
	was := s.pinned
	cuts := pass.NewCuts(in)
	for {
		rest := state.used - free + min(shareOf(p, free), free)
		over := state.hard > 0 && rest > state.hard
		if spans && rest > state.target {
			over = over || s.pinned < turns && pinned*1000 > state.target*tailPermille || pinned > state.target
		}
		next, ok := s.pinned, false
		if over {
			next, ok = cuts.Shrink(s.pinned)
		}
		if !ok {
			return s.pinned > was
		}
		for ; s.pinned < next; s.pinned++ {
			tokens := in.Counts.Messages[s.pinned].Tokens
			pinned -= tokens
			if !keep[s.pinned] {
				free += freeable(in, s.pinned, spans)
			}
		}
	}
}

// freeable is what summaries can take the place of in a message: all of it, or the texts of its blocks.
func freeable(in *pass.Input, m int, spans bool) int {
	if spans {
		return in.Counts.Messages[m].Tokens
	}
	free := 0
	for b := range in.Conversation.Messages[m].Blocks {
		block := &in.Conversation.Messages[m].Blocks[b]
		if pass.Compactable(block) && !block.IsSummary() && !placeholderLike(block) {
			free += in.Counts.Messages[m].Blocks[b]
			if block.Kind == msg.KindToolResult {
				free -= in.Meter.Profile.PerToolUse + labelTokens // its frame stays, and a label comes
			}
		}
	}
	return max(free, 0)
}

// scaleBudgets shortens the summaries where, at their full length, they would miss the target: each by the same share, but
// together never to less than a quarter of what they replace or of the target, since a summary of nothing loses everything.
func scaleBudgets(regions []Region, state *triggerState) {
	replaced, room := 0, 0
	for i := range regions {
		replaced += regions[i].Tokens
		room += regions[i].budget + labelTokens
	}
	allowed := max(state.target-(state.used-replaced), min(state.target, replaced)/4)
	if room <= allowed {
		return
	}
	for i := range regions {
		r := &regions[i]
		r.budget = max(int(int64(r.budget)*int64(allowed)/int64(room))-labelTokens, min(r.budget, minBudget))
	}
}

// minBudget is what the shortest summary worth asking for takes.
const minBudget = 60

// placeholderLike reports a result too short for any summary to be shorter.
func placeholderLike(b *msg.Block) bool { return len(b.Text) < 200 && !b.HasMedia() }

// labelTokens is about what a label takes.
const labelTokens = 16

// shareOf is how long a summary of so many tokens may be, by the policy's share.
func shareOf(p *Policy, tokens int) int {
	return tokens*p.Summary.SharePermille/1000 + p.Summary.ShareExtra
}

// budget is how long the summary of a region may be. A small region's is smaller still than its share.
func budget(p *Policy, tokens int) int {
	most := p.Summary.MaxTokens
	if most == 0 {
		most = shareOf(p, tokens)
	}
	if most >= tokens {
		return tokens / 2
	}
	return most
}
