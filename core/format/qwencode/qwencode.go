// Package qwencode reads and writes the session logs of Qwen Code: JSON Lines in which uuid and parentUuid form a tree,
// with one of Gemini's contents a line. The newest chat_compression on the path to the last line replaces all before
// it. Start with Parse and Render.
//
// The form is that of ChatRecord in QwenLM/qwen-code (packages/core/src/services/chatRecordingService.ts), and the
// conversation what session-api-history.ts makes of it.
//
// It is not a part of the API (see package core).
package qwencode

import (
	"slices"

	"tamp/core/format/gemini"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var lines = jsonl.Messages{Read: gemini.Read, Items: gemini.Items, Format: jsonl.Format{Wrap: wrap, Link: link,
	List: [2]string{"systemPayload", "compressedHistory"}}}

// Parse reads a session log. The conversation shares memory with data, which must not change as long as it is used.
// Errors are *msg.Error and name the line.
func Parse(data []byte) (*msg.Conversation, error) {
	c, l := &msg.Conversation{Format: msg.QwenCode}, &jsonl.Log{}
	if err := l.Read(data, c); err != nil {
		return nil, err
	}
	return c, read(l, c)
}

// read reads the lines of a file.
func read(l *jsonl.Log, c *msg.Conversation) error {
	t := walk(l.Lines)
	if len(t.Path) == 0 {
		return msg.NewError(msg.UnknownFormat, "", "cannot read the session log: no line is a record of Qwen Code")
	}
	for _, i := range t.Path {
		t.Warn(c, i)
		raw, path := l.Lines[i].Raw, jsonl.Pointer(i)
		if model := raw.Member("model").Text(); model != "" {
			c.Model = model
		}
		list := history(raw)
		switch message := raw.Member("message"); {
		case list != nil:
			l.Entries = nil
			for k, e := range list.List() {
				l.Entries = append(l.Entries, jsonl.Entry{Line: i, Listed: true, Raw: e,
					Path: document.At(path+"/systemPayload/compressedHistory", k)})
			}
		case message.Kind() == '{' && isSent(raw):
			l.Entries = append(l.Entries, jsonl.Entry{Line: i, In: "message", Raw: message, Path: path + "/message"})
		}
	}
	if err := lines.Parse(l, c); err != nil {
		return err
	}
	for i := range c.Messages {
		if e, m := &l.Entries[i], &c.Messages[i]; !e.Listed && m.Role == msg.Assistant {
			m.Model, m.Usage = l.Lines[e.Line].Raw.Member("model").Text(), usage(l.Lines[e.Line].Raw)
		}
	}
	return nil
}

func walk(lines []jsonl.Line) *jsonl.Tree {
	t := &jsonl.Tree{ID: "uuid", Parent: "parentUuid", Size: 32, Leaf: `{"type":"system"}`}
	t.Walk(lines)
	return t
}

// history returns the list of a compression, nil for other lines.
func history(raw rawjson.Value) rawjson.Value {
	list := record.At(raw, "systemPayload/compressedHistory")
	if list.Kind() != '[' || raw.Member("subtype").Text() != "chat_compression" {
		return nil
	}
	return list
}

// isSent reports a record whose message goes to the model.
func isSent(raw rawjson.Value) bool {
	kind, more := raw.Member("type").Text(), raw.Member("subtype").Text()
	return kind != "system" && more != "realtime_message" && more != "code_mode_tool_result"
}

// usage reads the count of the API, whose prompt has what was read from the cache.
func usage(raw rawjson.Value) *msg.Usage {
	u := record.Usage(raw.Member("usageMetadata"), "promptTokenCount|cachedContentTokenCount|none|candidatesTokenCount")
	if u != nil {
		u.Input -= min(u.CacheRead, u.Input)
		u.Output = max(u.Output, document.Int(record.At(raw, "usageMetadata/totalTokenCount"))-u.Prompt()) // with thoughts
	}
	return u
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
// New messages become records of the path.
func Render(c *msg.Conversation) ([]byte, error) { return lines.Render(c) }

// wrap returns the record of a new message, with what all records of a session have.
func wrap(l *jsonl.Log, message rawjson.Value, like int) rawjson.Value {
	kind := "user"
	if message.Member("role").Text() == "model" {
		kind = "assistant"
	}
	for _, part := range message.Member("parts").List() {
		if part.Member("functionResponse") != nil {
			kind = "tool_result"
		}
	}
	line := rawjson.Value("{}").With("type", rawjson.Quote(kind))
	return l.Like(line, like, "sessionId", "timestamp", "cwd", "version").With("message", message)
}

func link(l *jsonl.Log, out []jsonl.Written) []jsonl.Written {
	k := walk(l.Lines).Link(l.Lines, out)
	k.Chain()
	return k.Out
}

// Segments returns the parts of a log before the compressions of Qwen Code. c, the conversation that Parse returned, is
// the last segment.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	l, ok := c.Origin.(*jsonl.Log)
	if !ok {
		return s
	}
	for {
		at := -1
		for _, i := range walk(l.Lines).Path {
			if history(l.Lines[i].Raw) != nil {
				at = i
			}
		}
		if at < 0 {
			break
		}
		l = l.Before(at)
		before := &msg.Conversation{Format: msg.QwenCode}
		if err := read(l, before); err != nil || len(s.Earlier) == jsonl.MaxSegments {
			s.Unread = true
			break
		}
		s.Earlier = append(s.Earlier, before)
	}
	slices.Reverse(s.Earlier)
	return s
}
