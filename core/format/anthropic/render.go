package anthropic

import (
	"bytes"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Render writes a conversation from Read, with its changes. Unchanged parts are written byte for byte as in the input;
// if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) {
	d := document.From(c)
	items, err := Items(c, d)
	if err != nil {
		return nil, err
	}
	list := d.Replace(items)
	if d.Bare() {
		if len(c.System) > 0 {
			return nil, msg.NewError(msg.BadMessage, "", "cannot write the conversation: a bare array of messages has no "+
				"place for a system prompt")
		}
		return d.Bytes(list), nil
	}
	top := d.Top
	if !bytes.Equal(list, d.List) {
		top = d.WithList(list)
	}
	top, err = withSystem(withTools(top, d, c.Tools), d.Fields.System, c.System)
	if err != nil {
		return nil, err
	}
	return d.Bytes(top), nil
}

// Items returns the messages as they are written, by their places in d.
func Items(c *msg.Conversation, d *document.Document) ([]document.Item, error) {
	items := make([]document.Item, 0, len(c.Messages))
	for i := range c.Messages {
		m := &c.Messages[i]
		item := document.Item{Raw: m.Raw, Index: d.Position(m.Path, m.Raw)}
		if m.Changed || len(m.Raw) == 0 {
			var err error
			if item.Raw, err = written(m); err != nil {
				return nil, err
			}
		}
		items = append(items, item)
	}
	return items, nil
}

// withTools writes the tool definitions whose breakpoint or JSON differs.
func withTools(top rawjson.Value, d *document.Document, tools []msg.Block) rawjson.Value {
	list := &document.Document{List: d.Fields.Tools}
	list.Elements = list.List.List()
	items := make([]document.Item, len(tools))
	changed := false
	for i := range tools {
		items[i] = document.Item{Raw: tools[i].Raw, Index: i}
		if tools[i].Changed&msg.ChangedCache != 0 {
			items[i].Raw = document.WithCache(tools[i].Raw, tools[i].Cache)
		}
		changed = changed || i < len(list.Elements) && !document.Same(items[i].Raw, list.Elements[i])
	}
	if !changed {
		return top
	}
	return top.With("tools", list.Replace(items))
}

// withSystem writes the system prompt if it changed.
func withSystem(top, old rawjson.Value, blocks []msg.Block) (rawjson.Value, error) {
	if len(blocks) == 0 {
		if was, err := system(old); err != nil || len(was) == 0 {
			return top, nil
		}
		return top.Without("system"), nil
	}
	prompt, err := block.Content(old, blocks)
	if err != nil || bytes.Equal(prompt, old) {
		return top, err
	}
	return top.With("system", prompt), nil
}

func written(m *msg.Message) (rawjson.Value, error) {
	if len(m.Raw) == 0 {
		content, err := block.Content(nil, m.Blocks)
		if err != nil {
			return nil, err
		}
		return block.NewMessage(m.Role).With("content", content), nil
	}
	old := m.Raw.Member("content")
	if len(old)+len(m.Blocks) == 0 {
		return m.Raw, nil
	}
	content, err := block.Content(old, m.Blocks)
	if err != nil || bytes.Equal(content, old) {
		return m.Raw, err
	}
	return m.Raw.With("content", content), nil
}
