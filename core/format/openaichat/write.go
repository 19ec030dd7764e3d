package openaichat

import (
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// renderPart writes a block as a part of a content array.
func renderPart(b *msg.Block) (rawjson.Value, error) {
	if b.Changed&(msg.ChangedID|msg.ChangedInput) != 0 {
		return nil, unchangeable(b)
	}
	switch {
	case b.Kind == msg.KindToolResult:
		return nil, msg.NewError(msg.BadMessage, b.Path, "cannot write the message: a tool result is a message of its own")
	case b.Raw.Kind() == '{' && b.Changed == 0:
		return b.Raw, nil
	case b.Raw.Kind() == '{':
		if b.Type != "text" && b.Type != "refusal" {
			return nil, unchangeable(b)
		}
		return b.Raw.With(b.Type, rawjson.Quote(b.Text)), nil
	case b.Raw.Kind() == '"' && b.Changed == 0 && !b.Bare: // a bare string among the parts
		return b.Raw, nil
	case b.Kind == msg.KindText || b.Kind == msg.KindSummary:
		return rawjson.Value(`{"type":"text"}`).With("text", document.Quoted(b)), nil
	}
	return nil, msg.NewError(msg.BadMessage, b.Path, "cannot write the block: a new "+string(b.Kind)+
		" block has no form in this format")
}

// renderCall writes a call, as an element of tool_calls or as function_call.
func renderCall(b *msg.Block) (rawjson.Value, error) {
	if len(b.Raw) == 0 {
		function := rawjson.Value("{}").With("name", rawjson.Quote(b.Name)).With("arguments", arguments(b))
		return rawjson.Value("{}").With("id", rawjson.Quote(b.ID)).With("type", rawjson.Value(`"function"`)).With("function",
			function), nil
	}
	raw := b.Raw
	if b.Changed&msg.ChangedText != 0 {
		return nil, unchangeable(b)
	}
	if isFunctionCall(b) {
		if b.Changed&msg.ChangedID != 0 {
			return nil, unchangeable(b)
		}
		if b.Changed&msg.ChangedInput != 0 {
			raw = raw.With("arguments", arguments(b))
		}
		return raw, nil
	}
	if b.Changed&msg.ChangedID != 0 {
		raw = raw.With("id", rawjson.Quote(b.ID))
	}
	if b.Changed&msg.ChangedInput != 0 {
		inner, input := "function", "arguments"
		if b.Type == "custom" {
			inner, input = "custom", "input"
		}
		object := raw.Member(inner)
		text := arguments(b)
		if object.Kind() != '{' {
			object = rawjson.Value("{}")
		} else if object.Member(input).Kind() == '{' {
			text = rawjson.Value(b.Text)
		}
		raw = raw.With(inner, object.With(input, text))
	}
	return raw, nil
}

// isFunctionCall reports the deprecated single call, which is a member of its own.
func isFunctionCall(b *msg.Block) bool {
	return b.Kind == msg.KindToolUse && b.Type == "function_call"
}

// arguments returns the input as a JSON string, as this format requires.
func arguments(b *msg.Block) rawjson.Value {
	if b.Text == "" {
		return rawjson.Value(`"{}"`)
	}
	return rawjson.Quote(b.Text)
}

// changedResult writes a tool message around its one block, which is the message itself.
func changedResult(m *msg.Message) (rawjson.Value, error) {
	if len(m.Blocks) != 1 || m.Blocks[0].Kind != msg.KindToolResult {
		return nil, msg.NewError(msg.BadMessage, m.Path, "cannot write the message: a "+string(m.Role)+
			" message holds one tool result and nothing else")
	}
	b := &m.Blocks[0]
	if len(b.Raw) == 0 {
		return resultMessage(b), nil
	}
	raw := b.Raw
	if b.Changed&msg.ChangedInput != 0 || b.Changed&msg.ChangedID != 0 && m.Role == msg.Function {
		return nil, unchangeable(b)
	}
	if b.Changed&msg.ChangedID != 0 {
		raw = raw.Without("tool_call_ids").With("tool_call_id", rawjson.Quote(b.ID)) // the API takes the second only
	}
	if b.Changed&msg.ChangedText != 0 {
		raw = raw.With("content", rawjson.Quote(b.Text))
	}
	return raw, nil
}

// resultMessage writes a new result. That of the deprecated function_call names its function.
func resultMessage(b *msg.Block) rawjson.Value {
	raw := rawjson.Value(`{"role":"tool"}`).With("tool_call_id", rawjson.Quote(b.ID))
	if name, ok := strings.CutPrefix(b.ID, msg.NoID); ok {
		raw = rawjson.Value(`{"role":"function"}`).With("name", rawjson.Quote(name))
	}
	return raw.With("content", rawjson.Quote(b.Text))
}

// fresh writes a new message. Each tool result becomes a message of its own, before the other blocks.
func fresh(m *msg.Message) ([]rawjson.Value, error) {
	var made []rawjson.Value
	var rest []msg.Block
	for i := range m.Blocks {
		switch b := &m.Blocks[i]; {
		case b.Kind != msg.KindToolResult:
			rest = append(rest, *b)
		case len(b.Raw) > 0:
			one := msg.Message{Role: msg.Role(b.Type), Blocks: m.Blocks[i : i+1]}
			raw, err := changedResult(&one)
			if err != nil {
				return nil, err
			}
			made = append(made, raw)
		default:
			made = append(made, resultMessage(b))
		}
	}
	if len(rest) == 0 && len(made) > 0 {
		return made, nil
	}
	// Start with an empty message of that role and write the blocks as for a changed message.
	empty := msg.Message{Role: m.Role, Blocks: rest,
		Raw: rawjson.Value(`{"role":"","content":null}`).With("role", rawjson.Quote(string(m.Role)))}
	raw, err := changed(&empty)
	return append(made, raw), err
}

func unchangeable(b *msg.Block) error {
	return msg.NewError(msg.BadMessage, b.Path,
		"cannot write the block: a "+b.Type+" block has nothing of this kind to change")
}
