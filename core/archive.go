package core

import (
	"tamp/core/internal/pass"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Archive returns the originals that Apply removes under the plan: JSON Lines, one original message per line, as
// received. In a session log, a message may span several lines; then those lines are returned. A message that Tamp made
// and that was not rendered since is written as role and content. Save the archive BEFORE you use the result of Apply.
// Spans outside c are ignored; Apply refuses such a plan.
func Archive(c *msg.Conversation, plan *Plan) []byte {
	var out []byte
	for _, span := range plan.Archive {
		for m := max(span.Start, 0); m < min(span.End, len(c.Messages)); m++ {
			message := &c.Messages[m]
			for _, line := range message.Lines {
				out = append(append(out, line.Line()...), '\n')
			}
			switch {
			case len(message.Lines) > 0:
			case message.Raw == nil:
				out = append(append(out, synthesizedLine(message)...), '\n')
			default:
				out = append(append(out, message.Raw.Line()...), '\n')
			}
		}
	}
	return out
}

// synthesizedLine writes a message that is in no input: a summary in the conversation of an Outcome that another
// summary replaces.
func synthesizedLine(m *msg.Message) rawjson.Value {
	content := []byte{'['}
	for b := range m.Blocks {
		block := &m.Blocks[b]
		if b > 0 {
			content = append(content, ',')
		}
		raw := block.Raw
		switch {
		case raw == nil && block.Kind == msg.KindToolResult:
			raw = rawjson.Value(`{"type":"tool_result"}`).With("tool_use_id", rawjson.Quote(block.ID)).
				With("content", rawjson.Quote(block.Text))
		case raw == nil:
			raw = rawjson.Value(`{"type":"text"}`).With("text", rawjson.Quote(block.Text))
		}
		content = append(content, raw.Line()...)
	}
	content = append(content, ']')
	if len(m.Blocks) == 1 && m.Blocks[0].Bare {
		content = rawjson.Quote(m.Blocks[0].Text)
	}
	return rawjson.Value("{}").With("role", rawjson.Quote(string(m.Role))).With("content", content)
}

// SetAside returns the original texts that a plan truncates or replaces by a placeholder with a ref (see Ref), in
// document order. A host needs them to answer the recall tool. The archive has the whole messages. The plan must be an
// unchanged result of NewPlan for c.
func SetAside(c *msg.Conversation, plan *Plan) []string {
	var texts []string
	for i := range plan.Edits {
		e := &plan.Edits[i]
		switch e.Kind {
		case pass.LimitOutput, pass.OversizeInput, pass.ShortenPrompt, pass.ShortenAnswer:
			texts = append(texts, c.At(e.Ref()).Text)
		}
	}
	return texts
}

// addToSpans adds a message to sorted spans. It must not be before the last span.
func addToSpans(spans []Span, message int) []Span {
	if n := len(spans); n > 0 && message <= spans[n-1].End {
		spans[n-1].End = max(spans[n-1].End, message+1)
		return spans
	}
	return append(spans, Span{Start: message, End: message + 1})
}
