// Package grokcli reads and writes the histories of Grok CLI (chat_history.jsonl): JSON Lines with a message a line, as
// it is sent. A compaction of Grok CLI writes a new file, so the conversation is all of its lines. Start with Parse and
// Render.
//
// The form is that of version 1.0.41 of @xai-official/grok, which reads the file when it resumes a session. Thinking is
// a line of its own. The usage is in updates.jsonl, as sums of the calls for a prompt: the audit of the npm package
// adds a member usage to the answers.
//
// It is not a part of the API (see package core).
package grokcli

import (
	"cmp"
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/parts"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "content|tool_calls", Head: head, Whole: write, Text: `{"type":"text"}`,
	New: [2]string{`{"type":"user","content":[]}`, `{"type":"assistant","content":[],"tool_calls":[]}`},
	Parts: []record.Part{
		{Types: "text", Kind: msg.KindText, Text: "text"},
		{Types: "", Kind: msg.KindToolUse, Text: "arguments", ID: "id", Name: "name"},
	}}

var form = jsonl.Format{Wrap: func(_ *jsonl.Log, message rawjson.Value, _ int) rawjson.Value { return message }}

// Parse reads a history. The conversation shares memory with data, which must not change as long as it is used. Errors
// are *msg.Error and name the line.
func Parse(data []byte) (*msg.Conversation, error) {
	c, l, known := &msg.Conversation{Format: msg.GrokCLI}, &jsonl.Log{Format: form}, false
	if err := l.Read(data, c); err != nil {
		return nil, err
	}
	for i := range l.Lines {
		raw, path := l.Lines[i].Raw, jsonl.Pointer(i)
		switch kind := raw.Member("type").Text(); kind {
		case "system":
			if prompt := document.String(raw.Member("content"), path+"/content"); prompt != nil {
				c.System = prompt
			}
			known = true
		case "user", "assistant", result, thinking:
			l.Entries, known = append(l.Entries, jsonl.Entry{Line: i, Raw: raw, Path: path}), true
		}
	}
	if !known {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the history: no line is a message of Grok CLI")
	}
	if err := shape.Log(l, c); err != nil {
		return nil, err
	}
	var joined []msg.Message
	for i := range c.Messages {
		m := c.Messages[i]
		c.Model = cmp.Or(m.Model, c.Model)
		if n := len(joined) - 1; m.Role == msg.Assistant && n >= 0 && isThinking(joined[n].Blocks) {
			before := joined[n] // of the same call
			m.Blocks, m.Lines = append(before.Blocks, m.Blocks...), []rawjson.Value{before.Raw, m.Raw}
			m.Raw, joined = nil, joined[:n]
		}
		joined = append(joined, m)
	}
	c.Messages = joined
	return c, nil
}

// isThinking reports the block of a line of thinking.
func isThinking(blocks []msg.Block) bool { return len(blocks) == 1 && blocks[0].Type == thinking }

// The types of the lines that are one block.
const (
	result   = "tool_result"
	thinking = "reasoning"
)

func head(raw rawjson.Value, path string) (h record.Head, err error) {
	h.Role, h.Model = msg.User, raw.Member("model_id").Text()
	switch whole := (&msg.Block{Type: raw.Member("type").Text(), Raw: raw, Path: path}); whole.Type {
	case "assistant":
		h.Role = msg.Assistant
		h.Usage = record.Usage(raw.Member("usage"), "input|read|write|output")
	case result:
		whole.Kind, whole.Text = msg.KindToolResult, block.Value(raw.Member("content"))
		whole.ID, err = document.Text(raw.Member("tool_call_id"), path, "tool_call_id")
		h.Whole = whole
	case thinking:
		var texts []string
		for _, part := range raw.Member("summary").List() {
			texts = append(texts, part.Member("text").Text())
		}
		seal := raw.Member("encrypted_content")
		whole.Kind, whole.Text = msg.KindThinking, strings.Join(texts, "\n\n")
		whole.Signed, whole.Sealed = len(seal) > len(`""`), document.Sealed(seal)
		h.Role, h.Whole = msg.Assistant, whole
	default:
		h.Meta = raw.Member("prompt_index") == nil
	}
	return h, err
}

// write writes a result: its changes, or a new one.
func write(b *msg.Block) (rawjson.Value, error) {
	raw, change := b.Raw, b.Changed&^msg.ChangedCache
	if len(raw) == 0 {
		raw, change = rawjson.Value(`{"type":"tool_result"}`), msg.ChangedID|msg.ChangedText
	}
	if b.Kind != msg.KindToolResult && change != 0 || change&^(msg.ChangedID|msg.ChangedText) != 0 {
		return nil, parts.Unwritable(b)
	}
	if change&msg.ChangedID != 0 {
		raw = raw.With("tool_call_id", rawjson.Quote(b.ID))
	}
	if change&msg.ChangedText != 0 {
		raw = raw.With("content", rawjson.Quote(b.Text))
	}
	return raw, nil
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
func Render(c *msg.Conversation) ([]byte, error) {
	l, ok := c.Origin.(*jsonl.Log)
	if !ok {
		return shape.RenderLog(c, form)
	}
	again, lines := *l, &msg.Conversation{}
	if err := shape.Log(&again, lines); err != nil {
		return nil, err
	}
	of := map[string]*msg.Message{}
	for i := range lines.Messages {
		of[lines.Messages[i].Path] = &lines.Messages[i]
	}
	var parted []msg.Message // thinking apart from its answer
	for _, m := range c.Messages {
		if len(m.Blocks) > 0 {
			if line := of[m.Blocks[0].Path]; line != nil && isThinking(line.Blocks) {
				parted, m.Blocks = append(parted, *line), m.Blocks[1:]
			}
		}
		if len(m.Blocks) > 0 {
			parted = append(parted, m)
		}
	}
	return shape.RenderLog(c.WithMessages(parted), form)
}
