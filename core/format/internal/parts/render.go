package parts

import (
	"bytes"
	"cmp"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Render writes a conversation from Read, with its changes. Unchanged parts are written byte for byte as in the input;
// if nothing changed, the result is the input itself.
func (s *Shape) Render(c *msg.Conversation) ([]byte, error) {
	d := document.From(c)
	items, err := s.Items(c, d)
	if err != nil {
		return nil, err
	}
	return d.Render(d.Replace(items)), nil
}

// Items returns the messages as they are written, by their places in d.
func (s *Shape) Items(c *msg.Conversation, d *document.Document) ([]document.Item, error) {
	items := make([]document.Item, 0, len(c.Messages))
	for i := range c.Messages {
		m := &c.Messages[i]
		if !m.Changed && len(m.Raw) > 0 {
			items = append(items, document.Item{Raw: m.Raw, Index: d.Position(m.Path, m.Raw)})
			continue
		}
		made, err := s.changed(m, d.Position(m.Path, m.Raw))
		if err != nil {
			return nil, err
		}
		items = append(items, made...)
	}
	return items, nil
}

// changed writes a changed or new message. Tool results and other parts become two messages if the format has a role
// for results.
func (s *Shape) changed(m *msg.Message, at int) ([]document.Item, error) {
	role := cmp.Or(s.Name(m.Role), s.Name(msg.User))
	if m.Role == msg.Function { // the older name of OpenAI
		role = cmp.Or(s.Name(msg.Tool), s.Name(msg.User))
	}
	results, rest := []msg.Block(nil), m.Blocks
	resultRole := s.Name(msg.Tool)
	if resultRole != "" && m.Role == msg.User {
		if results, rest = split(m.Blocks, m.Raw.Member("role").Text() == resultRole); len(results) == 0 {
			resultRole = ""
		}
	} else {
		resultRole = ""
	}
	old := m.Raw
	var items []document.Item
	add := func(role string, blocks []msg.Block) error {
		item := document.Item{Raw: rawjson.Value("{}").With("role", rawjson.Quote(role)), Index: -1}
		if len(old) > 0 && s.Role(old.Member("role").Text()) == m.Role && (len(m.Blocks) == 0 || sameRole(old, role)) {
			item.Raw, item.Index, old = old, at, nil
		}
		list := item.Raw.Member(s.Parts)
		parts, err := s.list(list, blocks)
		if err == nil && !bytes.Equal(parts, list) {
			item.Raw = item.Raw.With(s.Parts, parts)
		}
		items = append(items, item)
		return err
	}
	if resultRole != "" {
		if err := add(resultRole, results); err != nil {
			return nil, err
		}
		if len(rest) == 0 {
			return items, nil
		}
	}
	err := add(role, rest)
	return items, err
}

// sameRole reports whether a message can keep its own object when it is written with the role. A role that is absent or
// is another name of the same role stays.
func sameRole(old rawjson.Value, role string) bool {
	return isResultRole(old.Member("role")) == (role == "tool")
}

// split separates the parts of a message of results from the others. In such a message (results is true) unknown parts
// stay.
func split(blocks []msg.Block, results bool) (tool, rest []msg.Block) {
	for i := range blocks {
		b := blocks[i]
		if b.Kind == msg.KindToolResult && !b.Server || results && b.Kind == msg.KindOther && len(b.Raw) > 0 {
			tool = append(tool, b)
		} else {
			rest = append(rest, b)
		}
	}
	return tool, rest
}

// list writes the parts of a message.
func (s *Shape) list(old rawjson.Value, blocks []msg.Block) (rawjson.Value, error) {
	if len(blocks) == 1 && s.String && old.Kind() != '[' && blocks[0].Bare {
		return document.Quoted(&blocks[0]), nil
	}
	if len(blocks) == 0 && old.IsNull() && len(old) > 0 {
		return old, nil
	}
	return document.WriteList(old, blocks, func(b *msg.Block) (rawjson.Value, error) {
		switch {
		case b.Raw.Kind() == '{' && b.Changed&^msg.ChangedCache == 0:
			return b.Raw, nil
		case b.Raw.Kind() == '"': // the string of a message becomes a part
			text := msg.TextBlock(b.Text)
			return s.Write(&text)
		}
		return s.Write(b)
	})
}

// Unwritable returns the error for a block that has no form in a format, or whose change has none.
func Unwritable(b *msg.Block) error {
	if len(b.Raw) == 0 {
		return msg.NewError(msg.BadMessage, b.Path, "cannot write the block: a new "+string(b.Kind)+
			" block has no form in this format")
	}
	return msg.NewError(msg.BadMessage, b.Path,
		"cannot write the block: a "+b.Type+" block has nothing of this kind to change")
}
