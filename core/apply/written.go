package apply

import (
	"tamp/core/msg"
	"tamp/core/plan"
)

// wroteMessage records a summary in the ordinal-th of the messages that are inserted next before message at.
func (a *applier) wroteMessage(at, ordinal int, regions []*plan.Region, block *msg.Block, summary string) {
	parts := 0
	for _, r := range regions {
		parts += len(r.Requests)
	}
	a.wrote = append(a.wrote, written{at: msg.Ref{Message: at}, ordinal: len(a.w.Insert[at]) + ordinal,
		regions: regions, parts: parts, level: 1, block: *block, summary: summary})
}

// wroteInPlace records that the first block of a region holds its summary.
func (a *applier) wroteInPlace(r *plan.Region, text, summary string) {
	a.wrote = append(a.wrote, written{at: r.Blocks[0], ordinal: -1, regions: []*plan.Region{r},
		parts: len(r.Requests), level: r.Level, block: a.c.At(r.Blocks[0]).WithText(text), summary: summary})
}

// resultRef returns the position of a summary in the result.
func (a *applier) resultRef(s *written) msg.Ref {
	at := msg.Ref{Message: a.w.Starts[s.at.Message] + s.ordinal}
	if s.ordinal >= 0 {
		return at
	}
	at.Message = a.w.Starts[s.at.Message] + len(a.w.Insert[s.at.Message])
	for b := range s.at.Block {
		if e := a.w.Edits[msg.Ref{Message: s.at.Message, Block: b}]; e == nil || !e.Kind.Removes() {
			at.Block++
		}
	}
	return at
}
