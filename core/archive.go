package core

import (
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// Archive returns the originals that applying the plan removes: JSON Lines, one original message a line, as it came in.
// In a session log, where a message is spread over lines, those lines. A message that Tamp made, and that was not rendered
// since, is written as role and content. Save it BEFORE you use what Apply returns.
// A plan that speaks of messages which c does not have names nothing of them; Apply refuses such a plan.
func Archive(c *msg.Conversation, plan *Plan) []byte {
	var out []byte
	for _, span := range plan.Archive {
		for m := max(span.Start, 0); m < min(span.End, len(c.Messages)); m++ {
			message := &c.Messages[m]
			for _, line := range message.Lines {
				out = append(append(out, line...), '\n')
			}
			switch {
			case len(message.Lines) > 0:
			case message.Raw == nil:
				out = append(append(out, made(message)...), '\n')
			default:
				out = append(append(out, message.Raw.Line()...), '\n')
			}
		}
	}
	return out
}

// made writes a message that no input holds: a summary, in the conversation of an Outcome, that another one replaces.
func made(m *msg.Message) msg.Raw {
	content := []byte{'['}
	for b := range m.Blocks {
		block := &m.Blocks[b]
		if b > 0 {
			content = append(content, ',')
		}
		raw := block.Raw
		switch {
		case raw == nil && block.Kind == msg.KindToolResult:
			raw = msg.Raw(`{"type":"tool_result"}`).With("tool_use_id", msg.Quote(block.ID)).
				With("content", msg.Quote(block.Text))
		case raw == nil:
			raw = msg.Raw(`{"type":"text"}`).With("text", msg.Quote(block.Text))
		}
		content = append(content, raw.Line()...)
	}
	content = append(content, ']')
	if len(m.Blocks) == 1 && m.Blocks[0].Bare {
		content = msg.Quote(m.Blocks[0].Text)
	}
	return msg.Raw("{}").With("role", msg.Quote(string(m.Role))).With("content", content)
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
