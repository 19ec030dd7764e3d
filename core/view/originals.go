package view

import (
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Originals returns the messages of spans as JSON Lines, as they were received. Spans outside c are ignored.
func Originals(c *msg.Conversation, spans []msg.Span) []byte {
	size := 0 // at most, without the messages that are in no input
	messages := messagesIn(c, spans)
	for _, message := range messages {
		size += len(message.Raw) + 1
		for _, line := range message.Lines {
			size += len(line) + 1
		}
	}
	out := make([]byte, 0, size)
	for _, message := range messages {
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
	return out
}

// messagesIn returns the messages of spans. Spans outside c are ignored.
func messagesIn(c *msg.Conversation, spans []msg.Span) (messages []*msg.Message) {
	for _, span := range spans {
		for m := max(span.Start, 0); m < min(span.End, len(c.Messages)); m++ {
			messages = append(messages, &c.Messages[m])
		}
	}
	return messages
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

// AddToSpans adds a message to sorted spans. It must not be before the last span.
func AddToSpans(spans []msg.Span, message int) []msg.Span {
	if n := len(spans); n > 0 && message <= spans[n-1].End {
		spans[n-1].End = max(spans[n-1].End, message+1)
		return spans
	}
	return append(spans, msg.Span{Start: message, End: message + 1})
}
