package openaichat

import (
	"bytes"
	"cmp"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Render writes a conversation from Read, with its changes. Unchanged parts are written byte for byte as in the input;
// if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) {
	d := document.From(c)
	if len(c.System) > 0 {
		return nil, msg.NewError(msg.BadMessage, "", "cannot write the conversation: this format has no place for a system "+
			"prompt outside of the messages; make it a system message")
	}
	items, err := Items(c, d)
	if err != nil {
		return nil, err
	}
	return d.Render(d.Replace(items)), nil
}

// Items returns the messages as they are written, by their places in d.
func Items(c *msg.Conversation, d *document.Document) ([]document.Item, error) {
	items := make([]document.Item, 0, len(c.Messages))
	for i := range c.Messages {
		m := &c.Messages[i]
		at := d.Position(m.Path, m.Raw)
		switch {
		case len(m.Raw) == 0:
			made, err := fresh(m)
			if err != nil {
				return nil, err
			}
			for _, raw := range made {
				items = append(items, document.Item{Raw: raw, Index: -1})
			}
		case m.Changed:
			raw, err := changed(m)
			if err != nil {
				return nil, err
			}
			items = append(items, document.Item{Raw: raw, Index: at})
		default:
			items = append(items, document.Item{Raw: m.Raw, Index: at})
		}
	}
	return items, nil
}

// slots are the blocks of a message by the member in which they are written.
type slots struct {
	reasoning, text, calls, function, refusal, audio []msg.Block
}

func sorted(f *fields, blocks []msg.Block) (s slots) {
	for i := range blocks {
		b := blocks[i : i+1]
		switch member := b[0].Raw.Kind() == '"'; {
		case b[0].Kind == msg.KindThinking && b[0].Raw.Kind() != '{':
			s.reasoning = append(s.reasoning, b...)
		case isFunctionCall(&b[0]):
			s.function = append(s.function, b...)
		case b[0].Kind == msg.KindToolUse:
			s.calls = append(s.calls, b...)
		case b[0].Type == "refusal" && member:
			s.refusal = append(s.refusal, b...)
		case strings.HasSuffix(b[0].Path, "/audio") && bytes.Equal(b[0].Raw, f.audio):
			s.audio = append(s.audio, b...)
		default:
			s.text = append(s.text, b...)
		}
	}
	return s
}

// changed writes a message with other blocks: each member with blocks is replaced if it differs, and removed if it has
// no block any more.
func changed(m *msg.Message) (rawjson.Value, error) {
	if m.Role == msg.Tool || m.Role == msg.Function {
		return changedResult(m)
	}
	f, raw := read(m.Raw, nil), m.Raw
	s := sorted(&f, m.Blocks)
	var err error
	single := func(blocks []msg.Block, old rawjson.Value, name string) {
		switch {
		case len(blocks) == 0 && !old.IsNull():
			raw = raw.Without(name)
		case len(blocks) > 0 && blocks[0].Changed&msg.ChangedText != 0:
			raw = raw.With(name, rawjson.Quote(blocks[0].Text))
		case len(blocks) > 0 && (len(blocks[0].Raw) == 0 || !bytes.Equal(blocks[0].Raw, old)):
			raw = raw.With(name, value(&blocks[0]))
		}
	}
	if len(s.reasoning) > 0 {
		single(s.reasoning, f.reasoning, cmp.Or(f.reasoningName, reasoningMembers[0]))
	} else if f.reasoning != nil {
		for _, name := range reasoningMembers {
			single(nil, raw.Member(name), name)
		}
	}
	single(s.refusal, f.refusal, "refusal")
	single(s.audio, f.audio, "audio")
	if raw, err = withContent(raw, f.content, s.text); err != nil {
		return nil, err
	}
	if raw, err = withCalls(raw, f.toolCalls, s.calls); err != nil {
		return nil, err
	}
	if len(s.function) == 0 {
		if !f.functionCall.IsNull() {
			raw = raw.Without("function_call")
		}
		return raw, nil
	}
	call, err := renderCall(&s.function[0])
	if err == nil && !bytes.Equal(call, f.functionCall) {
		raw = raw.With("function_call", call)
	}
	return raw, err
}

// value returns the value of a block that is a member of its own.
func value(b *msg.Block) rawjson.Value {
	if len(b.Raw) > 0 {
		return b.Raw
	}
	return rawjson.Quote(b.Text)
}

func withContent(raw, old rawjson.Value, blocks []msg.Block) (rawjson.Value, error) {
	if len(blocks) == 0 {
		switch {
		case old.IsNull():
			return raw, nil
		case old.Kind() == '[' && len(old.List()) == 0:
			return raw, nil
		}
		return raw.With("content", rawjson.Value("null")), nil
	}
	content, err := renderContent(old, blocks)
	if err != nil || bytes.Equal(content, old) {
		return raw, err
	}
	return raw.With("content", content), nil
}

// renderContent writes blocks as a message's content: old with only the changes, or a new one.
func renderContent(old rawjson.Value, blocks []msg.Block) (rawjson.Value, error) {
	if b := &blocks[0]; len(blocks) == 1 && b.Bare && (old.Kind() != '[' || len(b.Raw) == 0) {
		return document.Quoted(b), nil
	}
	return document.WriteList(old, blocks, renderPart)
}

func withCalls(raw, old rawjson.Value, blocks []msg.Block) (rawjson.Value, error) {
	if len(blocks) == 0 {
		if old.IsNull() {
			return raw, nil
		}
		return raw.Without("tool_calls"), nil // an empty array is refused
	}
	calls, err := document.WriteList(old, blocks, renderCall)
	if err != nil || bytes.Equal(calls, old) {
		return raw, err
	}
	return raw.With("tool_calls", calls), nil
}
