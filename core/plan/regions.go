package plan

import (
	"tamp/core/internal/order"
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/view"
)

// The strategy regions: summarize the largest old regions first, until the target is met. With granularity block, a
// summary replaces tool results; with granularity span, it replaces runs of whole messages between the user's prompts.

// tailPermille is the share of the target that the recent window keeps if the target is tight. Measured on real
// sessions, shares from 250 to 500 keep the facts that the agent uses next equally well, higher shares keep fewer
// (make measures MEASURE=recall).
const tailPermille = 350

// chooseRegions selects the regions and the token budgets of their summaries.
func chooseRegions(in *view.View, p *policy.Policy, l *choice.Limits) choice.Selection {
	c := in.Conversation
	keep := view.Protected(in)
	spans := p.Summary.Granularity == "span"
	if spans {
		for m := range keep {
			keep[m] = keep[m] || provenance.IsPrompt(&c.Messages[m])
		}
	}
	var s choice.Selection
	window := p.Pin.Window.Start(in)
	tailStart := shrinkWindow(in, p, l, window, keep, spans)
	if tailStart > window {
		s.Warnings = []msg.Warning{{Code: "window_shrunk",
			Message: "the recent window was shortened: the target would be missed with all of it"}}
	}
	var all []pass.Region
	if spans {
		all = pass.SpanRegions(in, 0, tailStart, func(m int) bool { return keep[m] })
	} else {
		all = pass.BlockRegions(in, tailStart, func(r msg.Ref) bool {
			return isSettled(c.At(r)) || in.Kept != nil && in.Kept[r.Message] || isUsers(in, r)
		})
	}
	pass.Rank(in, all)
	needed := l.Used - l.Target
	if l.Manual { // summarize everything allowed, so that a second call changes nothing
		needed = l.Used
	}
	chosen := pass.Choose(all, needed, func(r *pass.Region) int {
		return r.Tokens - choice.Budget(p, r.Tokens) - choice.LabelTokens
	})
	order.Stable(chosen, func(a, b pass.Region) int {
		if a.Tokens != b.Tokens {
			return b.Tokens - a.Tokens
		}
		return a.Span.Start - b.Span.Start
	})
	for _, r := range chosen {
		s.Regions = append(s.Regions, choice.Region{Spans: []msg.Span{r.Span}, Blocks: r.Blocks, Tokens: r.Tokens, Level: 1,
			Budget: choice.Budget(p, r.Tokens)})
	}
	if spans {
		scaleBudgets(s.Regions, l)
	}
	return s
}

// shrinkWindow moves the start of the tail window forward, one turn at a time. It gives up:
//
//   - messages before the recent turns, if the target would be missed, until the window is at its share of the target;
//   - recent turns, with granularity span, only if the window alone is over the target: a missed target would cause a
//     compaction in every turn;
//   - anything except the open round, if the hard limit would be missed.
func shrinkWindow(in *view.View, p *policy.Policy, l *choice.Limits, tailStart int, keep []bool, spans bool) int {
	free, tail := 0, 0
	for m := range in.Counts.Messages {
		switch {
		case m >= tailStart:
			tail += in.Counts.Messages[m].Tokens
		case !keep[m]:
			free += freeable(in, m, spans)
		}
	}
	turns := pass.Window{RecentTurns: p.Pin.RecentTurns}.Start(in)
	var cuts *pass.Cuts // read only if the window is too large
	for {
		rest := l.Used - free + min(choice.ShareOf(p, free), free)
		over := l.Hard > 0 && rest > l.Hard
		if spans && rest > l.Target {
			over = over || tailStart < turns && tail*1000 > l.Target*tailPermille || tail > l.Target
		}
		next, ok := tailStart, false
		if over {
			if cuts == nil {
				all := pass.NewCuts(in)
				cuts = &all
			}
			next, ok = cuts.Shrink(tailStart)
		}
		if !ok {
			return tailStart
		}
		for ; tailStart < next; tailStart++ {
			tokens := in.Counts.Messages[tailStart].Tokens
			tail -= tokens
			if !keep[tailStart] {
				free += freeable(in, tailStart, spans)
			}
		}
	}
}

// isSettled reports whether a summary cannot replace a block: it is one, or it is too short for one.
func isSettled(b *msg.Block) bool { return len(b.Text) < 200 && !b.HasMedia() || b.IsSummary() }

// isUsers reports a result with the user's words, which has no summary in place.
func isUsers(in *view.View, r msg.Ref) bool {
	return in.Conversation.At(r).Kind == msg.KindToolResult &&
		pass.IsUsers(in, r, in.Pairing.ToolName(in.Conversation, r))
}

// freeable returns the tokens of a message that summaries can replace: all of them, or those of its compactable blocks.
func freeable(in *view.View, m int, spans bool) int {
	if spans {
		return in.Counts.Messages[m].Tokens
	}
	free := 0
	for b := range in.Conversation.Messages[m].Blocks {
		block := &in.Conversation.Messages[m].Blocks[b]
		if !isSettled(block) && !isUsers(in, msg.Ref{Message: m, Block: b}) &&
			pass.Compactable(&in.Conversation.Messages[m], b) {
			free += in.Counts.Messages[m].Blocks[b]
			if block.Kind == msg.KindToolResult {
				free -= in.Meter.Profile.PerToolUse + choice.LabelTokens // the block itself is kept, and a label is added
			}
		}
	}
	return max(free, 0)
}

// scaleBudgets shortens the budgets of summaries by the same share if their sum would miss the target. The sum is at
// least a quarter of the replaced tokens or of the target, the smaller one, so that summaries keep some content.
func scaleBudgets(regions []choice.Region, l *choice.Limits) {
	replaced, room := 0, 0
	for i := range regions {
		replaced += regions[i].Tokens
		room += regions[i].Budget + choice.LabelTokens
	}
	allowed := max(l.Target-(l.Used-replaced), min(l.Target, replaced)/4)
	if room <= allowed {
		return
	}
	for i := range regions {
		r := &regions[i]
		r.Budget = max(int(int64(r.Budget)*int64(allowed)/int64(room))-choice.LabelTokens, min(r.Budget, choice.MinBudget))
	}
}
