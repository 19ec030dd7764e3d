package block

import (
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Content returns the content with the blocks: old with only the changes, or a new one if old is nil.
func Content(old rawjson.Value, blocks []msg.Block) (rawjson.Value, error) {
	// A string cannot have a breakpoint, so it becomes an array with one text.
	if len(blocks) == 1 && blocks[0].Bare && blocks[0].Cache == nil && (old.Kind() != '[' || len(blocks[0].Raw) == 0) {
		return document.Quoted(&blocks[0]), nil
	}
	if len(blocks) == 0 && old.Kind() == 'n' {
		return old, nil
	}
	return document.WriteList(old, blocks, Render)
}

// NewMessage returns a message without content. Results of tools are in messages of the user.
func NewMessage(role msg.Role) rawjson.Value {
	if role == msg.Tool || role == msg.Function {
		role = msg.User
	}
	return rawjson.Value("{}").With("role", rawjson.Quote(string(role)))
}

// Render writes one block as an object: its Raw with the changed values replaced, or a new one if it has no Raw.
func Render(b *msg.Block) (rawjson.Value, error) {
	raw := b.Raw
	switch raw.Kind() {
	case 0:
		return fresh(b)
	case '"':
		raw = rawjson.Value(`{"type":"text"}`).With("text", document.Quoted(b))
		if b.Cache != nil {
			raw = document.WithCache(raw, b.Cache)
		}
		return raw, nil
	}
	if b.Changed&msg.ChangedID != 0 {
		switch b.Kind {
		case msg.KindToolUse:
			raw = raw.With("id", rawjson.Quote(b.ID))
		case msg.KindToolResult:
			raw = raw.With("tool_use_id", rawjson.Quote(b.ID))
		default:
			return nil, unchangeable(b, "id")
		}
	}
	if b.Changed&msg.ChangedInput != 0 {
		input, err := Object(b)
		if err != nil {
			return nil, err
		}
		raw = raw.With("input", input)
	}
	if b.Changed&msg.ChangedText != 0 {
		switch b.Type {
		case "text":
			raw = raw.With("text", rawjson.Quote(b.Text))
		case "compaction":
			raw = raw.With("content", rawjson.Quote(b.Text))
		default:
			if b.Kind != msg.KindToolResult {
				return nil, unchangeable(b, "text")
			}
			raw = raw.With("content", rawjson.Quote(b.Text))
		}
	}
	if b.Changed&msg.ChangedCache != 0 {
		raw = document.WithCache(raw, b.Cache)
	}
	return raw, nil
}

// Object returns the input of a call, which must be a JSON object.
func Object(b *msg.Block) (rawjson.Value, error) {
	if b.Text == "" {
		return rawjson.Value("{}"), nil
	}
	value, err := document.Value([]byte(b.Text))
	if err != nil || value.Kind() != '{' {
		return nil, &msg.Error{Code: msg.BadMessage, Path: b.Path, Err: err,
			Msg: "cannot write the tool call: its input is not a JSON object"}
	}
	return value, nil
}

// fresh writes a new block.
func fresh(b *msg.Block) (rawjson.Value, error) {
	var raw rawjson.Value
	switch b.Kind {
	case msg.KindText, msg.KindSummary:
		raw = rawjson.Value(`{"type":"text"}`).With("text", rawjson.Quote(b.Text))
	case msg.KindToolUse:
		input, err := Object(b)
		if err != nil {
			return nil, err
		}
		raw = rawjson.Value(`{"type":"tool_use"}`).With("id", rawjson.Quote(b.ID)).With("name",
			rawjson.Quote(b.Name)).With("input", input)
	case msg.KindToolResult:
		raw = rawjson.Value(`{"type":"tool_result"}`).With("tool_use_id", rawjson.Quote(b.ID)).With("content",
			rawjson.Quote(b.Text))
		if b.IsError {
			raw = raw.With("is_error", rawjson.Value("true"))
		}
	default:
		return nil, msg.NewError(msg.BadMessage, "", "cannot write the block: a new "+string(b.Kind)+
			" block has no form in this format")
	}
	if b.Cache != nil {
		raw = document.WithCache(raw, b.Cache)
	}
	return raw, nil
}

func unchangeable(b *msg.Block, what string) error {
	return msg.NewError(msg.BadMessage, b.Path, "cannot write the block: a "+b.Type+" block has no "+what+" to change")
}
