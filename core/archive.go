package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Archive returns the originals that applying the plan removes: JSON Lines, one original message a line, as it came in.
// In a session log, where a message is spread over lines, those lines. Save it BEFORE you use what Apply returns.
// A plan that speaks of messages which c does not have names nothing of them; Apply refuses such a plan.
func Archive(c *msg.Conversation, plan *Plan) []byte {
	var out []byte
	for _, span := range plan.Archive {
		for m := max(span.Start, 0); m < min(span.End, len(c.Messages)); m++ {
			message := &c.Messages[m]
			for _, line := range message.Lines {
				out = append(append(out, line...), '\n')
			}
			if len(message.Lines) == 0 {
				out = append(append(out, message.Raw.Line()...), '\n')
			}
		}
	}
	return out
}

// SetAside returns the texts that a plan cuts short or names instead, in document order: the originals whose refs (Ref)
// stand in their placeholders, for a host that answers the recall tool. The archive has the messages around them.
// The plan must be one of c, as NewPlan made it.
func SetAside(c *msg.Conversation, plan *Plan) []string {
	var texts []string
	for i := range plan.Edits {
		e := &plan.Edits[i]
		if r := e.Ref(); e.Kind == pass.LimitOutput || e.Kind == pass.OversizeInput {
			texts = append(texts, c.At(r).Text)
		}
	}
	return texts
}
