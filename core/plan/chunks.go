package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/view"
)

// chooseChunks cuts the conversation into chunks and keeps the last one.
func chooseChunks(in *view.View, p *policy.Policy) choice.Selection {
	c := in.Conversation
	keep := view.Protected(in)
	size := p.Summary.ChunkMessages
	first := 0
	for first < len(c.Messages) && keep[first] {
		first++
	}
	last := first // start of the last chunk
	for last+size < len(c.Messages) {
		last += size
	}
	if s := view.SummaryMessages(c); first > 0 && s[first-1] && len(c.Messages)-first < 2*size {
		// The messages that the last compaction kept are its last chunk, plus one if a pair began before it: no new chunk
		// yet.
		last = first
	}
	currentRequest(in, p, keep)
	cuts := pass.NewCuts(in)
	last = cuts.Back(min(last, msg.OpenRound(c)))
	var s choice.Selection
	for start := first; start < last; {
		end := start + size
		if end < last {
			end = cuts.Back(end)
		}
		if end <= start || end > last {
			end = last
		}
		s.Regions = append(s.Regions, choice.OneRegion(in, p, start, end, func(m int) bool { return keep[m] })...)
		start = end
	}
	return s
}
