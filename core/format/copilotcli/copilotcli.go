// Package copilotcli reads and writes the session logs of Copilot CLI (events.jsonl): JSON Lines of {type, data, id,
// parentId, timestamp} in the order of the file. Start with Parse and Render.
//
// The form is that of the generated types of github/copilot-sdk (nodejs/src/generated/session-events.ts). The events
// with the usage of a call are not written to the file.
//
// It is not a part of the API (see package core).
package copilotcli

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/parts"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "reasoningText|content|toolRequests", Head: head, Whole: write, Joined: "content",
	Text: `{"type":"text"}`, New: [2]string{`{"content":""}`, `{"messageId":"","content":"","toolRequests":[]}`},
	Model: "model",
	Parts: []record.Part{{Types: "*", Kind: msg.KindToolUse, Text: "arguments", ID: "toolCallId", Name: "name"}}}

var form = jsonl.Format{Wrap: wrap, Link: link}

// Parse reads a session log. The conversation shares memory with data, which must not change as long as it is used.
// Errors are *msg.Error and name the line.
func Parse(data []byte) (*msg.Conversation, error) {
	c, l, known := &msg.Conversation{Format: msg.CopilotCLI}, &jsonl.Log{Format: form}, false
	if err := l.Read(data, c); err != nil {
		return nil, err
	}
	add := func(i int) {
		l.Entries = append(l.Entries, jsonl.Entry{Line: i, In: "data", Raw: l.Lines[i].Raw.Member("data"),
			Path: jsonl.Pointer(i) + "/data"})
	}
	for i := range l.Lines {
		data := l.Lines[i].Raw.Member("data")
		known = known || data.Kind() == '{'
		switch l.Lines[i].Raw.Member("type").Text() {
		case "session.model_change":
			c.Model = data.Member("newModel").Text()
		case "session.snapshot_rewind": // this event and all after it were removed
			id := data.Member("upToEventId").Text()
			for k := range l.Entries {
				if l.Lines[l.Entries[k].Line].Raw.Member("id").Text() == id {
					l.Entries = l.Entries[:k]
					break
				}
			}
		case "session.context_cleared":
			l.Entries = nil
		case compaction:
			if data.Member("success").IsTrue() && data.Member("summaryContent").Kind() == '"' {
				l.Entries = nil
				add(i)
			}
		case prompt, answer, result:
			if data.Member("parentToolCallId") == nil && l.Lines[i].Raw.Member("agentId") == nil { // else of a subagent
				add(i)
			}
		}
	}
	if !known {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the session log: no line is an event of Copilot CLI")
	}
	if err := shape.Log(l, c); err != nil {
		return nil, err
	}
	names := map[string]string{}
	for it := c.Walk(); it.Next(); {
		switch b := it.Block; {
		case b.Kind == msg.KindToolUse:
			names[b.ID] = b.Name
		case b.Kind == msg.KindToolResult:
			b.Name = names[b.ID]
		case strings.HasSuffix(b.Path, "/reasoningText"):
			b.Kind = msg.KindThinking
		}
	}
	return c, nil
}

// head reads the data of an event.
func head(raw rawjson.Value, path string) (h record.Head, err error) {
	whole := &msg.Block{Kind: msg.KindText, Type: kindOf(raw), Raw: raw, Path: path}
	h.Role, h.Whole = msg.User, whole
	switch whole.Type {
	case result:
		whole.Kind, whole.IsError = msg.KindToolResult, !raw.Member("success").IsTrue()
		whole.Text = record.At(raw, "result/content").Text() + record.At(raw, "error/message").Text()
		whole.ID, err = document.Text(raw.Member("toolCallId"), path, "toolCallId")
	case compaction:
		whole.Kind, whole.Type, whole.Text = msg.KindSummary, "text", raw.Member("summaryContent").Text()
	case answer:
		h.Role, h.Whole = msg.Assistant, nil
		h.ID, h.Model = raw.Member("messageId").Text(), raw.Member("model").Text()
	default:
		whole.Type, whole.Text = "text", raw.Member(sent(raw)).Text()
		h.Meta = raw.Member("source").Text() != "" && raw.Member("source").Text() != "user"
	}
	return h, err
}

// The types of the events that have a message.
const (
	prompt     = "user.message"
	answer     = "assistant.message"
	result     = "tool.execution_complete"
	compaction = "session.compaction_complete"
)

// kindOf returns the type of an event by its data.
func kindOf(data rawjson.Value) string {
	for it := data.Walk(); it.Next(); {
		switch it.Name {
		case "toolCallId":
			return result
		case "messageId", "toolRequests":
			return answer
		case "summaryContent":
			return compaction
		}
	}
	return prompt
}

// sent returns the member that has the text of the user as the model gets it.
func sent(data rawjson.Value) string {
	if data.Member("transformedContent").Kind() == '"' {
		return "transformedContent"
	}
	return "content"
}

// write writes the data of an event that is one block, or of a new result.
func write(b *msg.Block) (rawjson.Value, error) {
	raw, change, text := b.Raw, b.Changed&^msg.ChangedCache, rawjson.Quote(b.Text)
	if len(raw) == 0 {
		change = msg.ChangedText
		raw = rawjson.Value("{}").With("toolCallId", rawjson.Quote(b.ID)).
			With("success", rawjson.Value(strconv.FormatBool(!b.IsError)))
	}
	switch {
	case change&msg.ChangedID != 0 && b.Kind == msg.KindToolResult:
		raw = raw.With("toolCallId", rawjson.Quote(b.ID))
	case change&^msg.ChangedText != 0:
		return nil, parts.Unwritable(b)
	}
	switch {
	case change&msg.ChangedText == 0:
	case b.Kind == msg.KindSummary:
		raw = raw.With("summaryContent", text)
	case b.Kind == msg.KindText:
		raw = raw.With(sent(raw), text)
	case b.IsError:
		raw = raw.Without("result").With("error", rawjson.Value("{}").With("message", text))
	default:
		raw = raw.With("result", rawjson.Value("{}").With("content", text))
	}
	return raw, nil
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
func Render(c *msg.Conversation) ([]byte, error) { return shape.RenderLog(c, form) }

// wrap returns the event of new data.
func wrap(l *jsonl.Log, data rawjson.Value, like int) rawjson.Value {
	kind := kindOf(data)
	if kind == answer && data.Member("messageId").Text() == "" {
		data = data.With("messageId", rawjson.Quote(sha256.Hex(sha256.Sum(data), 32)))
	}
	line := rawjson.Value("{}").With("type", rawjson.Quote(kind)).With("data", data)
	if like >= 0 && like < len(l.Lines) {
		if time := l.Lines[like].Raw.Member("timestamp"); time != nil {
			line = line.With("timestamp", time)
		}
	}
	return line
}

// link makes each event name the one before it. What a removed compaction hid goes with it.
func link(l *jsonl.Log, out []jsonl.Written) []jsonl.Written {
	if first := l.Entries; len(first) > 0 && kindOf(first[0].Raw) == compaction && !slices.ContainsFunc(out,
		func(n jsonl.Written) bool { return !n.New && n.Line == first[0].Line }) {
		out = slices.DeleteFunc(out, func(n jsonl.Written) bool {
			switch n.Raw.Member("type").Text() {
			case prompt, answer, result, compaction, "tool.execution_start":
				return !n.New && n.Line < first[0].Line
			}
			return false
		})
	}
	t := &jsonl.Tree{ID: "id", Parent: "parentId", Size: 32, Leaf: `{"type":"session.info","data":{}}`}
	t.Walk(l.Lines)
	k := t.Link(l.Lines, out)
	k.Chain()
	return k.Out
}
