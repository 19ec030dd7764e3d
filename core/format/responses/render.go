package responses

import (
	"bytes"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Form says how the items of an API are written.
type Form struct {
	Message func(msg.Role) rawjson.Value            // a new message without content
	Text    func(msg.Role) string                   // the type of a new text in one
	Bare    bool                                    // a new text of the model is a string, not parts; see separate
	Item    func(*msg.Block) (rawjson.Value, error) // an item that is one block: with its changes, or a new one
}

var form = Form{Message: message, Text: textType, Bare: true, Item: item}

// Render writes a conversation from Read, with its changes. Unchanged items are written byte for byte as in the input;
// if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) { return form.Render(c) }

// Render is the function Render for the items of another API.
func (f *Form) Render(c *msg.Conversation) ([]byte, error) {
	d := document.From(c)
	if len(c.System) > 0 && d.Bare() {
		return nil, msg.NewError(msg.BadMessage, "", "cannot write the conversation: a bare array of items has no place "+
			"for instructions")
	}
	if d.List.Kind() == '"' && len(c.Messages) == 1 && !c.Messages[0].Changed && bytes.Equal(c.Messages[0].Raw, d.List) {
		return d.Data, nil
	}
	items := make([]document.Item, 0, len(d.Elements))
	for i := range c.Messages {
		made, err := f.writtenAt(&c.Messages[i], func(k int) string { return document.At(d.Prefix, k) })
		if err != nil {
			return nil, err
		}
		for _, item := range made {
			if item.Index >= len(d.Elements) || item.Index >= 0 && !document.Same(d.Elements[item.Index], item.Was) {
				item.Index = -1
			}
			items = append(items, item)
		}
	}
	return d.Render(d.Replace(items)), nil
}

// WrittenAt returns the items of a message. The index of an item is its place in the list that the message was read
// from, -1 for a new one; path returns the path of an item of that list.
func WrittenAt(m *msg.Message, path func(int) string) ([]document.Item, error) {
	return form.writtenAt(m, path)
}

func (f *Form) writtenAt(m *msg.Message, path func(int) string) ([]document.Item, error) {
	run, _ := m.Origin.(document.Run)
	old := m.Lines
	if m.Raw.Kind() == '{' {
		old = []rawjson.Value{m.Raw}
	}
	var items []document.Item
	if !m.Changed && len(old) > 0 {
		for i, raw := range old {
			items = append(items, document.Item{Raw: raw, Was: raw, Index: run.Start + i})
		}
		return items, nil
	}
	places := make(map[string]int, len(old))
	for k := range old {
		places[path(run.Start+k)] = k
	}
	for start := 0; start < len(m.Blocks); {
		at := itemOf(&m.Blocks[start], places)
		end := start + 1
		for end < len(m.Blocks) && !isItem(&m.Blocks[start]) && !isItem(&m.Blocks[end]) &&
			itemOf(&m.Blocks[end], places) == at {
			end++
		}
		var err error
		item := document.Item{Index: -1}
		if at >= 0 {
			item.Was, item.Index = old[at], run.Start+at
		}
		if item.Raw, err = f.written(m.Role, m.Blocks[start:end], item.Was); err != nil {
			return nil, err
		}
		items = append(items, item)
		start = end
	}
	return items, nil
}

// itemOf returns the place among the items of its message that a block was read from, -1 for none.
func itemOf(b *msg.Block, places map[string]int) int {
	path := b.Path
	if isPart(b) {
		path = path[:strings.LastIndex(path, "/content")]
	}
	if k, ok := places[path]; ok {
		return k
	}
	return -1
}

// isPart reports a block that is a part of a message item, or its string.
func isPart(b *msg.Block) bool { return len(b.Raw) > 0 && strings.Contains(b.Path, "/content") }

// isItem reports a block that is an item of its own.
func isItem(b *msg.Block) bool {
	return b.Kind == msg.KindToolUse || b.Kind == msg.KindToolResult || b.Raw.Kind() == '{' && !isPart(b)
}

// written returns one item: a changed one, or a new one if was is nil.
func (f *Form) written(role msg.Role, blocks []msg.Block, was rawjson.Value) (rawjson.Value, error) {
	if b := &blocks[0]; isItem(b) {
		return f.Item(b)
	}
	if b := &blocks[0]; f.Bare && was == nil && role == msg.Assistant && len(blocks) == 1 && b.Bare {
		return rawjson.Value(`{"role":"assistant"}`).With("content", rawjson.Quote(b.Text)), nil
	}
	if was == nil {
		was = f.Message(role)
	}
	old := was.Member("content")
	if b := &blocks[0]; len(blocks) == 1 && old.Kind() == '"' {
		if b.Changed&msg.ChangedText == 0 && b.Raw.Kind() == '"' {
			return was, nil
		}
		if b.Kind == msg.KindText || b.Kind == msg.KindSummary {
			return was.With("content", rawjson.Quote(b.Text)), nil
		}
	}
	content, err := document.WriteList(old, blocks, func(b *msg.Block) (rawjson.Value, error) { return f.part(role, b) })
	if err != nil || bytes.Equal(content, old) {
		return was, err
	}
	return was.With("content", content), nil
}

func message(role msg.Role) rawjson.Value {
	return rawjson.Value(`{"type":"message"}`).With("role", rawjson.Quote(string(role)))
}

func textType(role msg.Role) string {
	if role == msg.Assistant {
		return "output_text"
	}
	return "input_text"
}

// part writes a block as a part of a message item.
func (f *Form) part(role msg.Role, b *msg.Block) (rawjson.Value, error) {
	switch {
	case b.Raw.Kind() == '{' && b.Changed&^msg.ChangedCache == 0:
		return b.Raw, nil
	case b.Raw.Kind() == '{' && b.Kind == msg.KindText && b.Changed&^(msg.ChangedCache|msg.ChangedText) == 0:
		member := "text"
		if b.Type == "refusal" {
			member = b.Type
		}
		return b.Raw.With(member, rawjson.Quote(b.Text)), nil
	case b.Raw.Kind() != '{' && (b.Kind == msg.KindText || b.Kind == msg.KindSummary):
		return rawjson.Value("{}").With("type", rawjson.Quote(f.Text(role))).With("text", rawjson.Quote(b.Text)), nil
	}
	return nil, msg.NewError(msg.BadMessage, b.Path, "cannot write the block: a "+string(b.Kind)+
		" block has nothing of this kind to change, or no form in this format")
}

// item writes an item that is one block. Only calls and outputs have any: everything else is bound to its id.
func item(b *msg.Block) (rawjson.Value, error) {
	if len(b.Raw) == 0 {
		return fresh(b), nil
	}
	raw, t := b.Raw, typeOf(b.Type)
	change := b.Changed &^ msg.ChangedCache
	if change == 0 {
		return raw, nil
	}
	if t == nil || b.Kind != msg.KindToolUse && b.Kind != msg.KindToolResult {
		return nil, msg.NewError(msg.BadMessage, b.Path, "cannot write the item: an item of type "+b.Type+
			" is bound to its id and cannot change")
	}
	if change&msg.ChangedID != 0 {
		member := t.id
		if raw.Member("call_id") != nil {
			member = "call_id"
		}
		raw = raw.With(member, rawjson.Quote(b.ID))
	}
	if change&(msg.ChangedInput|msg.ChangedText) == 0 {
		return raw, nil
	}
	body := rawjson.Quote(b.Text)
	if old := raw.Member(t.body); old.Kind() == '{' || old.Kind() == '[' && t.body != "output" {
		value, err := document.Value([]byte(b.Text))
		if err != nil || value.Kind() != old.Kind() {
			return nil, &msg.Error{Code: msg.BadMessage, Path: b.Path, Err: err,
				Msg: "cannot write the item: the " + t.body + " of " + b.Type + " must stay " + document.What(old)}
		}
		body = value
	}
	return raw.With(t.body, body), nil
}

// fresh writes a new call or output as a function's.
func fresh(b *msg.Block) rawjson.Value {
	kind, body := "function_call", "arguments"
	if b.Kind == msg.KindToolResult {
		if kind, body = "function_call_output", "output"; b.Type != "tool_result" && strings.HasSuffix(b.Type, "_output") {
			kind = b.Type
		}
		switch kind {
		case "shell_call_output": // streams of each command
			return rawjson.Value(`{"type":"shell_call_output"}`).With("call_id", rawjson.Quote(b.ID)).With(body,
				append(append(rawjson.Value(`[{"stdout":"","stderr":`), rawjson.Quote(b.Text)...),
					`,"outcome":{"type":"exit","exit_code":1}}]`...))
		case "apply_patch_call_output":
			return rawjson.Value(`{"type":"apply_patch_call_output","status":"failed"}`).With("call_id", rawjson.Quote(b.ID)).
				With(body, rawjson.Quote(b.Text))
		case "local_shell_call_output":
			return rawjson.Value(`{"type":"local_shell_call_output"}`).With("id", rawjson.Quote(b.ID)).With(body,
				rawjson.Quote(b.Text))
		}
	}
	raw := rawjson.Value("{}").With("type", rawjson.Quote(kind)).With("call_id", rawjson.Quote(b.ID))
	if b.Kind == msg.KindToolUse {
		raw = raw.With("name", rawjson.Quote(b.Name))
		if b.Text == "" {
			return raw.With(body, rawjson.Value(`"{}"`))
		}
	}
	return raw.With(body, rawjson.Quote(b.Text))
}
