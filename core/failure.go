package core

import (
	"slices"

	"tamp/core/msg"
)

// The failure path: a region whose summary cannot be had. It stays as it is where the target is met without it;
// else its oldest messages are dropped, whole pairs at a time, with one note in their place.

// fail remembers a region for the failure path.
func (a *applying) fail(r *Region, why string) {
	if r.Level == 2 {
		a.note("keep", r, r.Tokens, "the summaries stay side by side: "+why)
		return
	}
	a.failed = append(a.failed, r)
	a.note("failed", r, r.Tokens, why)
}

// failures drops what has to go, oldest first.
func (a *applying) failures() {
	if len(a.failed) == 0 || a.spared {
		return
	}
	slices.SortFunc(a.failed, func(x, y *Region) int { return x.Spans[0].Start - y.Spans[0].Start })
	over := a.before.Total - a.w.saved(a.meter, a.before) - a.plan.Target
	for m := a.plan.Length; m < len(a.c.Messages); m++ {
		over -= a.before.Messages[m].Tokens // the plan does not speak of what came since
	}
	for _, r := range a.failed {
		if over <= 0 {
			return
		}
		if r.Blocks != nil {
			over -= a.truncateBlocks(r)
		} else {
			over -= a.truncateSpans(r, over)
		}
	}
}

// truncateBlocks puts the note into every block of a region and returns what that frees.
func (a *applying) truncateBlocks(r *Region) int {
	freed := 0
	for _, ref := range r.Blocks {
		block := a.c.At(ref)
		noted := block.WithText(truncatedNote)
		if f := a.meter.Block(block) - a.meter.Block(&noted); f > 0 {
			a.w.inPlace[ref] = truncatedNote
			freed += f
		}
	}
	a.note("truncate", r, r.Tokens-freed, "dropped, since it could not be summarized and the target is not met")
	return freed
}

// truncateSpans drops messages of a region until so many tokens are freed, and returns how many were.
func (a *applying) truncateSpans(r *Region, over int) int {
	note := msg.TextMessage(msg.User, truncatedNote)
	cost := a.meter.Message(&note)
	freed := 0
	for _, s := range r.Spans {
		dropped, marked := 0, s.Start
		for start := s.Start; start < s.End && freed+dropped-cost < over; {
			end := a.atom(start, s.End)
			for m := start; m < end; m++ {
				dropped += a.left(m)
			}
			start = end
			if dropped <= cost { // too little to be worth a note yet
				continue
			}
			for ; marked < end; marked++ {
				a.w.gone[marked] = true
			}
		}
		if a.w.gone[s.Start] {
			a.w.insert[s.Start] = append(a.w.insert[s.Start], note)
			freed += dropped - cost
		}
	}
	if freed > 0 {
		a.note("truncate", r, r.Tokens-freed, "the oldest of it dropped, since it could not be summarized and the target is not met")
	}
	return freed
}

// left counts a message as the edits leave it: what they free of it is freed already.
func (a *applying) left(m int) int {
	for b := range a.c.Messages[m].Blocks {
		if a.w.edits[msg.Ref{Message: m, Block: b}] != nil {
			blocks := a.w.blocks(m)
			if len(blocks) == 0 {
				return 0
			}
			return a.meter.Message(&msg.Message{Blocks: blocks})
		}
	}
	return a.before.Messages[m].Tokens
}

// atom returns the end of the smallest run of messages from start that parts no pair.
func (a *applying) atom(start, limit int) int {
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
