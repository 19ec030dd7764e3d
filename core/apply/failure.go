package apply

import (
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/view"
)

// The failure path: regions without a usable summary. A region is kept if the target is met without it. Else its oldest
// messages are dropped, whole pairs at a time, and replaced by one note.

// truncateFailed drops messages of the failed regions, oldest first, until the target is met.
func (a *applier) truncateFailed() {
	if len(a.failed) == 0 || a.openRoundBound || a.isChosen() {
		return
	}
	order.Stable(a.failed, func(x, y *plan.Region) int { return x.Spans[0].Start - y.Spans[0].Start })
	over := a.planned(a.before.Total-a.w.Saved(a.meter, a.before)) - a.plan.Target
	for _, r := range a.failed {
		if over <= 0 {
			return
		}
		if freed := a.extractFailed(r); freed > 0 {
			over -= freed
		} else if r.Blocks != nil {
			over -= a.truncateBlocks(r)
		} else {
			over -= a.truncateSpans(r, over)
		}
	}
}

// extractFailed replaces a region by a summary without a model, if the strategy does that. It returns the freed
// tokens, 0 if there is no such summary.
func (a *applier) extractFailed(r *plan.Region) int {
	if !a.strategy.Extracts(r) {
		return 0
	}
	maxTokens := a.meter.Text(view.ArchivesLine(view.ArchivesIn(a.marked, r.Spans[0])))
	cost, first, last := a.extract(r, maxTokens+a.budget(r))
	if cost == 0 {
		return 0
	}
	a.noteRegion("summarize", r, cost, "replaced by a summary of "+turnRange(first,
		last)+" that needs no model: the request failed")
	return a.size(r) - cost
}

// truncateBlocks replaces every block of a region by the note and returns the freed tokens.
func (a *applier) truncateBlocks(r *plan.Region) int {
	freed := 0
	for _, ref := range r.Blocks {
		noted := a.c.At(ref).WithText(marker.TruncatedNote)
		if f := a.before.Messages[ref.Message].Blocks[ref.Block] - a.meter.Block(&noted); f > 0 {
			a.w.InPlace[ref] = marker.TruncatedNote
			freed += f
		}
	}
	a.noteRegion("truncate", r, r.Tokens-freed, "dropped: it could not be summarized, and the target is not met")
	return freed
}

// truncateSpans drops the oldest messages of a region until over tokens are freed, and returns the freed tokens. A note
// in their place has the user's words in them.
func (a *applier) truncateSpans(r *plan.Region, over int) int {
	freed, open := 0, msg.OpenRound(a.plannedOf(a.c))
	said := a.tokensOfWords(r)
	bare := msg.TextMessage(msg.User, marker.TruncatedNote)
	for _, s := range r.Spans {
		end, dropped, cost := s.Start, 0, a.meter.Message(&bare)
		for limit := min(s.End, open); end < limit && freed+dropped-cost < over; {
			for next := a.pairSafeEnd(end, limit); end < next; end++ {
				dropped += a.w.Tokens(end, a.meter, a.before)
				cost += said[end]
			}
		}
		note := msg.TextMessage(msg.User, a.truncated(r, msg.Span{Start: s.Start, End: end}))
		if cost = a.meter.Message(&note); dropped <= cost { // frees no more than the note costs
			continue
		}
		for m := s.Start; m < end; m++ {
			a.w.Removed[m] = true
		}
		if note.Blocks[0].Text != marker.TruncatedNote {
			a.wrote = append(a.wrote, written{at: msg.Ref{Message: s.Start}, ordinal: len(a.w.Insert[s.Start]),
				block: note.Blocks[0]})
		}
		a.w.Insert[s.Start] = append(a.w.Insert[s.Start], note)
		freed += dropped - cost
	}
	if freed > 0 {
		a.noteRegion("truncate", r, r.Tokens-freed,
			"its oldest messages dropped: they could not be summarized, and the target is not met")
	}
	return freed
}

// truncated is the note in place of a part of a region, with the user's words of it.
func (a *applier) truncated(r *plan.Region, part msg.Span) string {
	dropped := plan.Region{Spans: []msg.Span{part}, Words: r.Words}
	return strings.TrimSpace(marker.TruncatedNote + "\n\n" + a.userWords([]*plan.Region{&dropped}, 0))
}

// pairSafeEnd returns the end of the shortest run of messages from start that separates no call from its result; at
// most limit.
func (a *source) pairSafeEnd(start, limit int) int {
	open := map[string]int{}
	for m := start; m < limit; m++ {
		for b := range a.c.Messages[m].Blocks {
			block := &a.c.Messages[m].Blocks[b]
			switch block.Kind {
			case msg.KindToolUse:
				open[block.ID]++
			case msg.KindToolResult:
				if open[block.ID]--; open[block.ID] <= 0 {
					delete(open, block.ID)
				}
			}
		}
		if len(open) == 0 {
			return m + 1
		}
	}
	return limit
}
