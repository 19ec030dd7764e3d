// Package crush reads the sessions of Crush, as `crush session show ID --json` writes them: {meta, messages: [{role,
// parts}]}. A message with is_summary_message, which only its database says, begins the conversation. The format is
// read only, since Crush reads no file. Start with Read.
//
// The form is that of sessionShowOutput in charmbracelet/crush of August 2026. It has no usage of a call.
//
// It is not a part of the API (see package core).
package crush

import (
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "parts", Head: head, Parts: []record.Part{
	{Types: "text", Kind: msg.KindText, Text: "text"},
	{Types: "reasoning", Kind: msg.KindThinking, Text: "thinking", More: "signature"},
	{Types: "tool_call", Kind: msg.KindToolUse, Text: "input", ID: "tool_call_id", Name: "name"},
	{Types: "tool_result", Kind: msg.KindToolResult, Text: "content", ID: "tool_call_id"},
	{Types: "binary|image_url", Kind: msg.KindOther},
}}

// Read reads a session that was opened. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) {
	c, err := shape.Document(d, msg.Crush, first(d))
	if err != nil {
		return nil, err
	}
	record.NameResults(c)
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Model != "" {
			c.Model = m.Model
		}
		if i == 0 && isSummary(m.Raw) {
			m.Role, m.Meta = msg.User, true
			m.Blocks[0].Kind = msg.KindSummary
		}
	}
	return c, nil
}

// first returns the place of the newest summary, 0 without one.
func first(d *document.Document) int {
	k := len(d.Elements) - 1
	for k > 0 && !isSummary(d.Elements[k]) {
		k--
	}
	return max(k, 0)
}

func isSummary(raw rawjson.Value) bool { return document.Int(raw.Member("is_summary_message")) > 0 }

// Render returns the session that was read. It cannot write a change.
func Render(c *msg.Conversation) ([]byte, error) {
	return record.ReadOnly(c, func(data []byte) (*msg.Conversation, error) {
		d, err := document.Read(data)
		if err == nil {
			err = d.Open("messages")
		}
		if err != nil {
			return nil, err
		}
		return Read(d)
	}, "sessions of Crush")
}

func head(raw rawjson.Value, path string) (h record.Head, err error) {
	h.Role, err = document.Role(raw, raw.Member("role"), path)
	if h.Role == msg.Tool {
		h.Role = msg.User
	}
	h.ID, h.Model, h.Time = raw.Member("id").Text(), raw.Member("model").Text(), raw.Member("created")
	return h, err
}
