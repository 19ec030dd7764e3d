package main

import "encoding/base64"

// openAIBody writes a session as the body of a Chat Completions request. That format has no thinking, so it is
// omitted, and each result is a separate message, before any text of the user.
func openAIBody(s *Session) []byte {
	definitions := array{}
	for _, t := range tools {
		definitions = append(definitions, object{{"type", "function"}, {"function", object{
			{"name", t.name}, {"description", t.description}, {"parameters", t.schema()},
		}}})
	}
	messages := array{object{{"role", "system"}, {"content", s.Story.System}}}
	for _, m := range s.Messages {
		messages = append(messages, openAIMessages(m)...)
	}
	return lines(object{
		{"model", s.Story.ModelOpenAI},
		{"parallel_tool_calls", true},
		{"tools", definitions},
		{"messages", messages},
	})
}

func openAIMessages(m Message) array {
	if m.Role == "assistant" {
		return array{openAIAssistant(m)}
	}
	out, content := array{}, array{}
	for _, p := range m.Parts {
		switch p.Kind {
		case Result:
			out = append(out, object{{"role", "tool"}, {"tool_call_id", openAIID(p)}, {"content", p.Text}})
		case Picture:
			url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(p.PNG)
			content = append(content, object{{"type", "image_url"}, {"image_url", object{{"url", url}}}})
		default:
			content = append(content, object{{"type", "text"}, {"text", p.Text}})
		}
	}
	switch {
	case len(content) == 0:
		return out
	case len(content) == 1 && content[0].(object).text("type") == "text":
		return append(out, object{{"role", "user"}, {"content", content[0].(object).text("text")}})
	}
	return append(out, object{{"role", "user"}, {"content", content}})
}

func openAIAssistant(m Message) object {
	var content any
	text, calls := "", array{}
	for _, p := range m.Parts {
		switch p.Kind {
		case Text:
			if text != "" {
				text += "\n\n"
			}
			text += p.Text
			content = text
		case Call:
			calls = append(calls, object{{"id", openAIID(p)}, {"type", "function"}, {"function", object{
				{"name", p.Tool}, {"arguments", compact(p.Input)},
			}}})
		}
	}
	message := object{{"role", "assistant"}, {"content", content}}
	if len(calls) > 0 {
		message = append(message, member{"tool_calls", calls})
	}
	return message
}

func openAIID(p Part) string { return "call_" + derive(24, p.Seed) }
