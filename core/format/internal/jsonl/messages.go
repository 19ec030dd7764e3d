package jsonl

import (
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Messages is the codec of a log whose entries are messages of an API: what it needs of the codec of that API.
type Messages struct {
	Format
	Read  func(*document.Document) (*msg.Conversation, error)
	Items func(*msg.Conversation, *document.Document) ([]document.Item, error)
}

// Parse reads the entries of a log as the messages of c.
func (k *Messages) Parse(l *Log, c *msg.Conversation) error {
	if n := msg.MaxMessages; len(l.Entries) > n {
		return document.TooMany("messages", n, l.Entries[n].Path)
	}
	read, err := k.Read(l.document())
	if err != nil {
		return err
	}
	l.Format = k.Format
	c.Messages, c.Origin = read.Messages, l
	for i := range c.Messages {
		if e := &l.Entries[i]; !e.Listed {
			c.Messages[i].Time = l.Lines[e.Line].Raw.Member("timestamp")
		}
	}
	return nil
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
func (k *Messages) Render(c *msg.Conversation) ([]byte, error) {
	l := From(c, k.Format)
	items, err := k.Items(c, l.document())
	if err != nil {
		return nil, err
	}
	for i := range items {
		if n := items[i].Index; n >= 0 {
			items[i].Was = l.Entries[n].Raw
		}
	}
	return l.Render(items), nil
}

// document returns the entries as a list of messages.
func (l *Log) document() *document.Document {
	raws, paths := make([]rawjson.Value, len(l.Entries)), make([]string, len(l.Entries))
	for i, e := range l.Entries {
		raws[i], paths[i] = e.Raw, e.Path
	}
	return document.Of(raws, paths)
}
