// Package crush reads the sessions of Crush: what `crush session show ID --json` writes, or the rows of its database as
// {meta, messages: [{role, parts: [{type, data}]}]}. The conversation begins with the newest summary. The format is read
// only, since Crush reads no file. Start with Read.
//
// The form is that of charmbracelet/crush in August 2026 (internal/message, internal/cmd/session.go). It has no usage
// of a call.
//
// It is not a part of the API (see package core).
package crush

import (
	"strconv"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "parts", Role: "role", Head: head, Type: read}

// Read reads a session that was opened. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) {
	first := 0
	for k, raw := range d.Elements {
		if document.Int(raw.Member(summary)) > 0 {
			first = k
		}
	}
	c, err := shape.Document(d, msg.Crush, first)
	if err != nil {
		return nil, err
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Model != "" {
			c.Model = m.Model
		}
		if document.Int(m.Raw.Member(summary)) > 0 {
			m.Role, m.Meta = msg.User, true
			for b := range m.Blocks {
				if m.Blocks[b].Kind == msg.KindText {
					m.Blocks[b].Kind = msg.KindSummary
				}
			}
		}
	}
	return c, nil
}

const summary = "is_summary_message"

// Render returns the session that was read. It cannot write a change.
func Render(c *msg.Conversation) ([]byte, error) {
	d, ok := c.Origin.(*document.Document)
	if ok {
		same, err := Read(document.Of(d.Elements, make([]string, len(d.Elements))))
		ok = err == nil && len(same.Messages) == len(c.Messages)
		for i := range c.Messages {
			ok = ok && !c.Messages[i].Changed && document.Same(c.Messages[i].Raw, same.Messages[i].Raw)
		}
	}
	if !ok {
		return nil, msg.NewError(msg.BadMessage, "", "cannot write the conversation: Tamp reads sessions of Crush and does "+
			"not write them; convert it to another format")
	}
	return d.Bytes(d.Top), nil
}

func head(raw rawjson.Value, path string) (h record.Head, err error) {
	role, err := document.Role(raw, raw.Member("role"), path)
	h.ID, h.Model = raw.Member("id").Text(), raw.Member("model").Text()
	h.Time = raw.Member("created")
	if h.Role = role; role == msg.Tool {
		h.Role = msg.User
	}
	return h, err
}

// read reads a part.
func read(b *msg.Block) error {
	data := b.Raw.Member("data")
	if data.Kind() != '{' {
		data = b.Raw
	}
	id := func() string {
		if id := data.Member("tool_call_id").Text(); id != "" {
			return id
		}
		return data.Member("id").Text()
	}
	switch b.Type {
	case "text":
		if b.Text = data.Member("text").Text(); b.Text != "" {
			b.Kind = msg.KindText
		}
	case "reasoning":
		seal := data.Member("signature")
		b.Kind, b.Text, b.Signed = msg.KindThinking, data.Member("thinking").Text(), len(seal) > len(`""`)
		b.Sealed = document.Sealed(seal)
	case "tool_call":
		b.Kind, b.ID, b.Name, b.Text = msg.KindToolUse, id(), data.Member("name").Text(), block.Value(data.Member("input"))
		if b.Text == "" {
			b.Text = "{}"
		}
	case "tool_result":
		b.Kind, b.ID, b.Name, b.Text = msg.KindToolResult, id(), data.Member("name").Text(), data.Member("content").Text()
		b.IsError = data.Member("is_error").IsTrue()
	case "shell_command":
		b.Kind = msg.KindText
		b.Text = "$ " + data.Member("command").Text() + "\n" + data.Member("output").Text() + "\n(exit code " +
			strconv.Itoa(document.Int(data.Member("exit_code"))) + ")"
	case "binary", "image_url":
		b.Kind = msg.KindOther
		document.Other(b)
	}
	return nil
}
