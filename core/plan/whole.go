package plan

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/view"
)

// chooseWhole takes all messages except a round with an unanswered call. With the shape question, it also keeps the
// last user message if it has no answer yet.
func chooseWhole(in *view.View, p *policy.Policy) selection {
	c := in.Conversation
	end := view.StartOfUnanswered(in)
	if last := len(c.Messages) - 1; p.Summary.Shape == "question" && last >= 0 && c.Messages[last].Role != msg.Assistant {
		end = min(end, pass.SafeCut(in, runStart(c, last)))
	}
	keep := view.Protected(in)
	currentRequest(in, p, keep)
	return selection{regions: oneRegion(in, p, 0, end, func(m int) bool { return keep[m] })}
}

// runStart returns the first message of the run around m that has no assistant message before m.
func runStart(c *msg.Conversation, m int) int {
	for m > 0 && c.Messages[m-1].Role != msg.Assistant {
		m--
	}
	return m
}
