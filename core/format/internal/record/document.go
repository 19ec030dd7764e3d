package record

import (
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Document reads a JSON document whose list of records was opened. skip is the number of records at its start that are
// not part of the conversation.
func (s *Shape) Document(d *document.Document, format string, skip int) (*msg.Conversation, error) {
	room := document.Room(msg.MaxBlocks)
	c := &msg.Conversation{Format: format, Origin: d}
	d.Silent = map[int]bool{}
	for k := skip; k < len(d.Elements); k++ {
		var err error
		before := len(c.Messages)
		if c.Messages, err = s.Read(c.Messages, k, d.Elements[k], d.Path(k), &room); err != nil {
			return nil, err
		}
		if len(c.Messages) == before {
			d.Silent[k] = true
		}
	}
	d.Index = nil // everything is parsed, so the index is no longer needed
	return c, document.Count(c.Messages)
}

// Render writes a conversation from Document, with its changes. Records that are not part of the conversation are kept
// in their place. If nothing changed, the result is the input itself.
func (s *Shape) Render(c *msg.Conversation) ([]byte, error) { return s.RenderFrom(c, 0, true) }

// RenderFrom is Render of a conversation whose first skip records are kept only if keepFirst is true.
func (s *Shape) RenderFrom(c *msg.Conversation, skip int, keepFirst bool) ([]byte, error) {
	d := document.From(c)
	records := func(k int) (rawjson.Value, string) {
		if k >= len(d.Elements) {
			return nil, ""
		}
		return d.Elements[k], document.At(d.Prefix, k)
	}
	made, err := s.Items(c, records)
	if err != nil {
		return nil, err
	}
	next := 0
	var items []document.Item
	keep := func(to int) {
		for ; next < to; next++ {
			if next < skip && keepFirst || d.Silent[next] {
				items = append(items, document.Item{Raw: d.Elements[next], Index: next})
			}
		}
	}
	for _, item := range made {
		if item.Index >= next {
			keep(item.Index)
			next = item.Index + 1
		} else {
			item.Index = -1 // new, or moved
		}
		items = append(items, item)
	}
	keep(len(d.Elements))
	return d.Render(d.Replace(items)), nil
}

// Log reads the entries of a log.
func (s *Shape) Log(l *jsonl.Log, c *msg.Conversation) error {
	room := document.Room(msg.MaxBlocks)
	for k := range l.Entries {
		e, before := &l.Entries[k], len(c.Messages)
		var err error
		if c.Messages, err = s.Read(c.Messages, k, e.Raw, e.Path, &room); err != nil {
			return err
		}
		e.Kept = len(c.Messages) == before
		for m := before; m < len(c.Messages) && !e.Listed; m++ {
			if c.Messages[m].Time == nil {
				c.Messages[m].Time = l.Lines[e.Line].Raw.Member("timestamp")
			}
		}
	}
	c.Origin = l
	NameResults(c)
	return document.Count(c.Messages)
}

// ReadOnly returns the file that a conversation was read from, of a format that is not written: an error if anything
// changed. read is the reader of the format, title names its files.
func ReadOnly(c *msg.Conversation, read func([]byte) (*msg.Conversation, error), title string) ([]byte, error) {
	var data []byte
	switch origin := c.Origin.(type) {
	case *document.Document:
		data = origin.Data
	case *jsonl.Log:
		data = origin.Data
	}
	same, err := read(data)
	isSame := err == nil && len(same.Messages) == len(c.Messages)
	for i := 0; isSame && i < len(c.Messages); i++ {
		m := &c.Messages[i]
		isSame = !m.Changed && m.Path == same.Messages[i].Path
	}
	if !isSame {
		return nil, msg.NewError(msg.BadMessage, "", "cannot write the conversation: Tamp reads "+title+
			" and does not write them; convert it to another format")
	}
	return data, nil
}

// NameResults gives the results that are records of their own the names of their calls.
func NameResults(c *msg.Conversation) {
	names := map[string]string{}
	for it := c.Walk(); it.Next(); {
		switch b := it.Block; {
		case b.Kind == msg.KindToolUse:
			names[b.ID] = b.Name
		case b.Kind == msg.KindToolResult && b.Name == "":
			b.Name = names[b.ID]
		}
	}
}

// RenderLog writes a conversation from Log; form is that of a log that was not read.
func (s *Shape) RenderLog(c *msg.Conversation, form jsonl.Format) ([]byte, error) {
	l := jsonl.From(c, form)
	items, err := s.Items(c, l.Record)
	if err != nil {
		return nil, err
	}
	return l.Render(items), nil
}
