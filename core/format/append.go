package format

import (
	"bytes"

	"tamp/core/format/internal/document"
	"tamp/core/msg"
)

// Append reads the messages that follow the conversation c. The result equals that of Parse of the whole input. data is a JSON
// array of messages, JSON Lines of messages, or further lines of a log. name is the requested format. If it is empty and the
// format of c is not certain, data can change the format.
//
// The time is proportional to data, except in two cases, in which reread is the whole conversation and added is empty: a log,
// in which a line may change which earlier lines are the conversation, and a conversation whose format changes. c is not
// changed. Errors are those of Parse, with a path into data.
func Append(c *msg.Conversation, data []byte, name Name) (added []msg.Message, reread *msg.Conversation, err error) {
	if err := document.Size(data); err != nil {
		return nil, nil, err
	}
	if c.Format == msg.ClaudeCode {
		reread, err = appendLines(c, data)
		return nil, reread, err
	}
	list, err := listOf(data)
	if err != nil {
		return nil, nil, err
	}
	if name == "" && !FormatIsCertain(c) {
		plain, err := isPlain(list)
		if err == nil && !plain {
			reread, err = appendUnsure(c, list)
		}
		if err != nil || reread != nil {
			return nil, reread, err
		}
	}
	part, err := Parse(list, c.Format)
	if err != nil {
		return nil, nil, err
	}
	prefix := ""
	if d, ok := c.Origin.(*document.Document); ok {
		prefix = d.Prefix
	}
	for i := range part.Messages {
		move(&part.Messages[i], document.At(prefix, len(c.Messages)+i))
	}
	return part.Messages, nil, nil
}

// move sets the path of a message, and those of its blocks.
func move(m *msg.Message, path string) {
	was := len(m.Path)
	m.Path = path
	var moveAll func(blocks []msg.Block)
	moveAll = func(blocks []msg.Block) {
		for b := range blocks {
			blocks[b].Path = path + blocks[b].Path[was:]
			moveAll(blocks[b].Parts)
		}
	}
	moveAll(m.Blocks)
}

// listOf returns data as a JSON array: data itself, or an array of its lines.
func listOf(data []byte) ([]byte, error) {
	start, end := document.Trim(data)
	if start == end || data[start] != '{' {
		return data, nil
	}
	list := []byte{'['}
	for line := range bytes.Lines(data[start:end]) {
		from, to := document.Trim(line)
		if from == to {
			continue
		}
		if err := msg.Validate(line[from:to]); err != nil {
			return nil, err
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, line[from:to]...)
	}
	return append(list, ']'), nil
}

// FormatIsCertain reports whether the format of c is certain, so that no later message can change it.
func FormatIsCertain(c *msg.Conversation) bool {
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			if k := c.Messages[m].Blocks[b].Kind; k == msg.KindToolUse || k == msg.KindToolResult {
				return true
			}
		}
	}
	return false
}

// isPlain reports whether all messages have only text, which is the same in every format.
func isPlain(list []byte) (bool, error) {
	name, _, err := recognize(list)
	if err != nil || name != msg.Anthropic {
		return false, err
	}
	c, err := Parse(list, name)
	if err != nil {
		return false, err
	}
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			if c.Messages[m].Blocks[b].Type != "text" {
				return false, nil
			}
		}
	}
	return true, nil
}

// appendUnsure parses the whole conversation again.
func appendUnsure(c *msg.Conversation, list []byte) (*msg.Conversation, error) {
	text, err := Render(c)
	if err != nil {
		return nil, err
	}
	d, err := document.Open(text)
	if err != nil {
		return nil, err
	}
	items := make([]document.Item, 0, len(d.Elements))
	for i, e := range d.Elements {
		items = append(items, document.Item{Raw: e, Index: i})
	}
	start, end := document.Trim(list)
	for _, e := range msg.Raw(list[start:end]).Elements() {
		items = append(items, document.Item{Raw: e, Index: -1})
	}
	all := document.Splice(d.List, items)
	if d.Bare() {
		return Parse(all, "")
	}
	return Parse(d.Top.With("messages", all), "")
}

// appendLines parses a log with further lines again.
func appendLines(c *msg.Conversation, data []byte) (*msg.Conversation, error) {
	text, err := Render(c)
	if err != nil {
		return nil, err
	}
	whole := append(make([]byte, 0, len(text)+len(data)+1), text...)
	if n := len(whole); n > 0 && whole[n-1] != '\n' {
		whole = append(whole, '\n')
	}
	start, end := document.Trim(data)
	if start == end || data[start] != '[' {
		return Parse(append(whole, data[document.Mark(data):]...), c.Format)
	}
	if err := msg.Validate(data[start:end]); err != nil {
		return nil, err
	}
	for _, e := range msg.Raw(data[start:end]).Elements() {
		whole = append(append(whole, e.Line()...), '\n')
	}
	return Parse(whole, c.Format)
}
