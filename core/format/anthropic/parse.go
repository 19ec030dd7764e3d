// Package anthropic reads and writes conversations of Anthropic's Messages API: a request body, or the bare array of
// its messages. Unknown parts are kept byte for byte. Start with Read and Render.
//
// It is not a part of the API (see package core).
package anthropic

import (
	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Read reads a document that was opened. The conversation shares memory with it. Errors are *msg.Error.
func Read(d *document.Document) (_ *msg.Conversation, err error) {
	room := document.Room(msg.MaxBlocks)
	c := &msg.Conversation{Format: msg.Anthropic, Origin: d, Messages: make([]msg.Message, 0, len(d.Elements))}
	if !d.Bare() {
		c.Model, c.Thinking = d.Fields.Model.Text(), d.Fields.Thinking
		c.Partial = d.Fields.Thread.Kind() == '{' && d.Fields.Thread.Member("type").Text() == "continue"
		c.Cache = document.Cache(d.Fields.CacheControl)
		if c.System, err = system(d.Fields.System); err != nil {
			return nil, err
		}
		if c.Tools, err = document.Tools(d.Fields.Tools, "tools"); err != nil {
			return nil, err
		}
	}
	for i, raw := range d.Elements {
		m, known := d.Before(i)
		if !known {
			if m, err = message(raw, d.Path(i), d.Index, &room); err != nil {
				return nil, err
			}
		}
		c.Messages = append(c.Messages, m)
	}
	document.MarkSpeakers(nil, c.Messages)
	d.Index = nil // everything is parsed, so the index is no longer needed
	return c, nil
}

func message(raw rawjson.Value, path string, index *rawjson.Index, room *document.Room) (m msg.Message, err error) {
	m = msg.Message{Raw: raw.Clip(), Path: path}
	var role, content rawjson.Value
	for it := index.Walk(raw); it.Next(); {
		name, value := it.Name, it.Value
		switch name {
		case "role":
			role = value
		case "content":
			content = value
		case "id":
			m.ID = value.Text()
		case "usage": // of a whole response that was kept as a message
			m.Usage = document.Usage(value)
		}
	}
	if m.Role, err = document.Role(raw, role, path); err != nil {
		return m, err
	}
	m.Blocks, err = block.Parse(content, path+"/content", path+"/content", index, room)
	return m, err
}

// system reads the system prompt: a string, or an array of text blocks.
func system(raw rawjson.Value) ([]msg.Block, error) {
	if k := raw.Kind(); k != 0 && k != 'n' && k != '"' && k != '[' {
		return nil, msg.NewError(msg.BadMessage, "/system", "cannot read the system prompt: it is "+document.What(raw)+
			", it must be a string or an array of text blocks")
	}
	room := document.Room(msg.MaxBlocks)
	return block.Parse(raw, "/system", "/system", nil, &room)
}
