package main

import "encoding/base64"

// anthropicBody writes a session as the body of a Messages request: system, tools and three cache breakpoints, as a
// careful client sets them (after the tools, after the system prompt, on the newest user message).
func anthropicBody(s *Session) []byte {
	definitions := array{}
	for i, t := range tools {
		def := object{{"name", t.name}, {"description", t.description}, {"input_schema", t.schema()}}
		if i == len(tools)-1 {
			def = append(def, ephemeral)
		}
		definitions = append(definitions, def)
	}
	messages := anthropicMessages(s)
	for i := len(messages) - 1; i >= 0; i-- {
		if s.Messages[i].Role == "user" {
			setBreakpoint(messages[i].(object))
			break
		}
	}
	return lines(object{
		{"model", s.Story.Model},
		{"max_tokens", 8192},
		{"thinking", object{{"type", "enabled"}, {"budget_tokens", 4096}}},
		{"system", array{object{{"type", "text"}, {"text", s.Story.System}, ephemeral}}},
		{"tools", definitions},
		{"messages", messages},
	})
}

var ephemeral = member{"cache_control", object{{"type", "ephemeral"}}}

// setBreakpoint sets cache_control on the last block of a message.
func setBreakpoint(message object) {
	content, ok := message[1].value.(array)
	if !ok {
		content = array{object{{"type", "text"}, {"text", message[1].value}}}
	}
	last := content[len(content)-1].(object)
	content[len(content)-1] = append(last, ephemeral)
	message[1].value = content
}

// anthropicArray writes only the array of messages.
func anthropicArray(s *Session) []byte { return elementLines(anthropicMessages(s)) }

func anthropicMessages(s *Session) array {
	messages := array{}
	for _, m := range s.Messages {
		messages = append(messages, object{{"role", m.Role}, {"content", anthropicContent(m)}})
	}
	return messages
}

// anthropicContent is a plain string if the user typed one text, as most clients send it.
func anthropicContent(m Message) any {
	if len(m.Parts) == 1 && m.Role == "user" && m.Parts[0].Kind == Text {
		return m.Parts[0].Text
	}
	blocks := array{}
	for _, p := range m.Parts {
		blocks = append(blocks, anthropicBlock(p, p.Tool, p.Input))
	}
	return blocks
}

// anthropicBlock writes one part. Tool and input are parameters because the session log has other names for them.
func anthropicBlock(p Part, tool string, input object) object {
	switch p.Kind {
	case Thinking:
		return object{{"type", "thinking"}, {"thinking", p.Text}, {"signature", exampleSignature(p.Text)}}
	case Picture:
		data := base64.StdEncoding.EncodeToString(p.PNG)
		return object{{"type", "image"}, {"source", object{{"type", "base64"}, {"media_type", "image/png"}, {"data", data}}}}
	case Call:
		return object{{"type", "tool_use"}, {"id", anthropicID(p)}, {"name", tool}, {"input", input}}
	case Result:
		block := object{{"type", "tool_result"}, {"tool_use_id", anthropicID(p)}, {"content", p.Text}}
		if p.Error {
			block = append(block, member{"is_error", true})
		}
		return block
	}
	return object{{"type", "text"}, {"text", p.Text}}
}

func anthropicID(p Part) string { return "toolu_01" + derive(22, p.Seed) }
