// Package parts reads and writes conversations whose messages hold a list of typed parts: Gemini's contents and the
// messages of the AI SDK. A Shape describes one format; the reading of a single part is the format's own. All tool
// results come out in user messages, as in Anthropic's API, whatever role the format gives them. Start with Shape.
package parts

import (
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Shape describes a format.
type Shape struct {
	Format string
	List   string // the member of a request body that holds the messages
	Parts  string // the member of a message that holds its parts
	// Role returns the role of a message, given the message's own name of it; "" if the message has none.
	Role func(name string) msg.Role
	// Name is the reverse of Role, for a new message. For the role Tool it returns the role of a message of its own for
	// tool results, or "" if results are in user messages.
	Name func(role msg.Role) string
	// Part reads one part, which is an object. The block has Raw and Path already.
	Part func(b *msg.Block) error
	// Write writes a block: the changes of Raw, or a new part if Raw is nil.
	Write func(b *msg.Block) (rawjson.Value, error)
	// Message completes a message after its parts were read; nil if there is nothing to complete.
	Message func(m *msg.Message)
	// String says that a message with one text may hold it as a string in place of the list.
	String bool
}

// Read reads the messages of a document that was opened.
func (s *Shape) Read(d *document.Document) (*msg.Conversation, error) {
	room := document.Room(msg.MaxBlocks)
	c := &msg.Conversation{Format: s.Format, Origin: d, Messages: make([]msg.Message, 0, len(d.Elements))}
	if !d.Bare() {
		c.Model = d.Fields.Model.Text()
	}
	for i, raw := range d.Elements {
		m, err := s.message(raw, d.Path(i), d.Index, &room)
		if err != nil {
			return nil, err
		}
		c.Messages = append(c.Messages, m)
	}
	return c, nil
}

func (s *Shape) message(raw rawjson.Value, path string, index *rawjson.Index, room *document.Room) (m msg.Message,
	err error) {
	m = msg.Message{Raw: raw.Clip(), Path: path}
	var role, list rawjson.Value
	for it := index.Walk(raw); it.Next(); {
		name, value := it.Name, it.Value
		switch name {
		case "role":
			role = value
		case "id":
			m.ID = value.Text()
		case s.Parts:
			list = value
		}
	}
	if role == nil && raw.Kind() == '{' && s.Role("") != "" {
		role = rawjson.Value(`""`)
	}
	if m.Role, err = document.Role(raw, role, path); err != nil {
		return m, err
	}
	m.Role = s.Role(string(m.Role))
	m.Blocks, err = s.Blocks(list, path+"/"+s.Parts, index, room)
	for b := range m.Blocks {
		// A message of results is a program's, also if it holds parts of other types, such as an approval.
		m.Meta = m.Meta || isResultRole(role) && m.Blocks[b].Kind != msg.KindToolResult
	}
	if s.Message != nil {
		s.Message(&m)
	}
	return m, err
}

func isResultRole(role rawjson.Value) bool { return role.Text() == "tool" }

// Blocks reads a list of parts.
func (s *Shape) Blocks(list rawjson.Value, path string, index *rawjson.Index, room *document.Room) ([]msg.Block,
	error) {
	switch {
	case list.Kind() == '"' && s.String:
		return document.String(list, path), nil
	case list.IsNull():
		return nil, nil
	case list.Kind() == '{' && s.Format == msg.Gemini: // one part, as Google's documentation writes it now and then
		blocks := []msg.Block{{Kind: msg.KindOther, Raw: list, Path: path}}
		return blocks, s.Part(&blocks[0])
	case list.Kind() != '[':
		return nil, msg.NewError(msg.BadMessage, path, "cannot read the message: "+s.Parts+" is "+document.What(list)+
			", it must be an array of parts")
	}
	var blocks []msg.Block
	for it := index.Items(list); it.Next(); {
		raw, at := it.Value, document.At(path, it.At)
		if err := room.Take(at); err != nil {
			return nil, err
		}
		if raw.Kind() != '{' {
			return nil, msg.NewError(msg.BadMessage, at, "cannot read the part: it is "+document.What(raw)+
				", it must be an object")
		}
		b := msg.Block{Kind: msg.KindOther, Raw: raw.Clip(), Path: at}
		if err := s.Part(&b); err != nil {
			return nil, err
		}
		blocks = append(blocks, b)
	}
	return blocks, nil
}
