package core

import "tamp/core/msg"

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
