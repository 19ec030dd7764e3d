// Package copilotcli reads and writes the session logs of Copilot CLI (events.jsonl): JSON Lines of {type, data, id,
// parentId, timestamp} in the order of the file. Start with Parse and Render.
//
// The form is that of the generated types of github/copilot-sdk (nodejs/src/generated/session-events.ts). Since version
// 1.0.102 a session.usage_record has the usage of the call whose answer follows it; the sums of session.shutdown, which
// contain those of the shutdown before, are not read.
//
// A compaction runs in the background: its summary replaces what was there when it started, without an answer whose
// calls were open then. What came until it was complete stays.
//
// It is not a part of the API (see package core).
package copilotcli

import (
	"cmp"
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
	r := newReader(&msg.Conversation{Format: msg.CopilotCLI})
	if err := r.Read(data, r.c); err != nil {
		return nil, err
	}
	known := false
	for i := range r.Lines {
		known = known || r.Lines[i].Raw.Member("data").Kind() == '{'
		r.line(i)
	}
	if !known {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the session log: no line is an event of Copilot CLI")
	}
	return r.c, r.conversation(r.c, &r.Log)
}

// conversation reads the entries of a log as messages.
func (r *reader) conversation(c *msg.Conversation, l *jsonl.Log) error {
	if err := shape.Log(l, c); err != nil {
		return err
	}
	for it := c.Walk(); it.Next(); {
		if strings.HasSuffix(it.Block.Path, "/reasoningText") {
			it.Block.Kind = msg.KindThinking
		}
	}
	for m := range c.Messages {
		if at, ok := c.Messages[m].Origin.(record.Place); ok {
			if call, ok := r.calls[l.Entries[at.Record].Line]; ok {
				c.Messages[m].Usage, c.Messages[m].Model = call.Usage, cmp.Or(call.Model, c.Messages[m].Model)
			}
		}
	}
	return nil
}

// reader is a Parse under way.
type reader struct {
	jsonl.Log
	c      *msg.Conversation
	start  int                 // entries of which the compaction makes a summary that has begun, -1 if none has
	last   int                 // the newest answer
	open   map[string]bool     // its calls without a result
	next   *jsonl.Other        // the call whose answer comes
	calls  map[int]jsonl.Other // the calls of answers, by their lines
	others []jsonl.Other       // those of no answer of the conversation
	// is called before a line that ends a history; nil if no caller needs it
	ended func(r *reader, line int)
}

func newReader(c *msg.Conversation) *reader {
	return &reader{Log: jsonl.Log{Format: form}, c: c, start: -1, calls: map[int]jsonl.Other{}}
}

func (r *reader) add(i int) {
	data := r.Lines[i].Raw.Member("data")
	switch kindOf(data) {
	case answer:
		r.last, r.open = len(r.Entries), map[string]bool{}
		for _, call := range data.Member("toolRequests").List() {
			r.open[call.Member("toolCallId").Text()] = true
		}
	case result:
		delete(r.open, data.Member("toolCallId").Text())
	}
	r.Entries = append(r.Entries, entry(&r.Log, i))
}

func entry(l *jsonl.Log, i int) jsonl.Entry {
	return jsonl.Entry{Line: i, In: "data", Raw: l.Lines[i].Raw.Member("data"), Path: jsonl.Pointer(i) + "/data"}
}

// line reads one event.
func (r *reader) line(i int) {
	data := r.Lines[i].Raw.Member("data")
	isSide := data.Member("parentToolCallId") != nil || r.Lines[i].Raw.Member("agentId") != nil // of a subagent
	switch kind := r.Lines[i].Raw.Member("type").Text(); kind {
	case "session.model_change", "session.start", "session.resume":
		r.c.Model = cmp.Or(data.Member("newModel").Text(), data.Member("selectedModel").Text(), r.c.Model)
	case "session.usage_record":
		r.other()
		r.next = call(data.Member("usage"), i, isSide)
		if r.next != nil && r.next.Side {
			r.other()
		}
	case "session.snapshot_rewind": // this event and all after it were removed
		id := data.Member("upToEventId").Text()
		for k := range r.Entries {
			if r.Lines[r.Entries[k].Line].Raw.Member("id").Text() == id {
				r.Entries, r.open = r.Entries[:k], nil
				break
			}
		}
		r.start = -1
	case "session.context_cleared":
		r.end(i)
		r.Entries, r.start, r.open = nil, -1, nil
	case "session.compaction_start":
		if r.start = len(r.Entries); len(r.open) > 0 {
			r.start = min(r.last, r.start)
		}
	case compaction:
		hidden := len(r.Entries)
		if r.start >= 0 {
			hidden = min(r.start, hidden)
		}
		r.start = -1
		if data.Member("success").IsTrue() && data.Member("summaryContent").Kind() == '"' {
			r.end(i)
			if hidden == 0 {
				r.Entries, hidden = slices.Insert(r.Entries, 0, jsonl.Entry{}), 1
				r.last++
			}
			r.Entries, r.last = r.Entries[hidden-1:], r.last-hidden+1 // in place: there can be many compactions
			r.Entries[0] = entry(&r.Log, i)
		}
	case prompt, answer, result:
		if kind == answer && r.next != nil {
			if r.next.Side = isSide; isSide {
				r.other()
			} else {
				r.c.Model = cmp.Or(r.next.Model, r.c.Model)
				r.calls[i], r.next = *r.next, nil
			}
		}
		if !isSide {
			r.add(i)
		}
	}
}

func (r *reader) end(line int) {
	if r.ended != nil {
		r.ended(r, line)
	}
}

// other notes a call that no answer of the conversation follows.
func (r *reader) other() {
	if r.next != nil {
		r.others, r.next = append(r.others, *r.next), nil
	}
}

// call reads the usage of a call, nil if it has none. Its input has what was read from the cache and written to it. A
// call of another kind than that of the conversation, such as that of a compaction, is one of a subagent.
func call(usage rawjson.Value, line int, isSide bool) *jsonl.Other {
	u := record.Usage(usage, "inputTokens|cacheReadTokens|cacheWriteTokens|outputTokens")
	if u == nil {
		return nil
	}
	u.Input = max(u.Input-u.CacheRead-u.CacheWrite, 0)
	kind := usage.Member("interactionType").Text()
	o := &jsonl.Other{Side: isSide || kind != "" && kind != "conversation-agent"}
	o.Role, o.Usage, o.Model, o.Path = msg.Assistant, u, usage.Member("model").Text(), jsonl.Pointer(line)
	o.ID = usage.Member("apiCallId").Text()
	return o
}

// Segments returns the parts of a log before the compactions, and the calls that are in none. c, the conversation that
// Parse returned, is the last segment.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	l, ok := c.Origin.(*jsonl.Log)
	if !ok {
		return s
	}
	ends := 0
	walk := func(ended func(r *reader, line int)) *reader {
		r := newReader(&msg.Conversation{})
		r.Log, r.ended = *l.Before(len(l.Lines)), ended
		for i := range r.Lines {
			r.line(i)
		}
		return r
	}
	walk(func(*reader, int) { ends++ })
	s.Unread = ends > jsonl.MaxSegments
	read := map[int]bool{} // the lines of answers that are in a segment
	note := func(entries []jsonl.Entry) {
		for _, e := range entries {
			read[e.Line] = read[e.Line] || !e.Kept // an empty answer is no message
		}
	}
	r := walk(func(r *reader, line int) {
		if ends--; ends >= jsonl.MaxSegments {
			return
		}
		part := l.Before(line)
		part.Entries = slices.Clone(r.Entries)
		before := &msg.Conversation{Format: msg.CopilotCLI, Model: r.c.Model}
		if r.conversation(before, part) != nil {
			s.Unread = true
			return
		}
		note(part.Entries)
		s.Earlier = append(s.Earlier, before)
	})
	r.other()
	note(l.Entries)
	s.Others = r.others
	for line := range r.Lines { // answers that the user took back
		if o, ok := r.calls[line]; ok && !read[line] {
			s.Others = append(s.Others, o)
		}
	}
	return s
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

// kindOf returns the type of an event by its data. Since version 1.0.102, a prompt has a messageId too.
func kindOf(data rawjson.Value) string {
	kind := prompt
	for it := data.Walk(); it.Next(); {
		switch it.Name {
		case "toolCallId":
			return result
		case "toolRequests":
			return answer
		case "summaryContent":
			return compaction
		case "transformedContent", "attachments", "delivery", "supportedNativeDocumentMimeTypes":
			return prompt
		case "messageId":
			kind = answer
		}
	}
	return kind
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
	return l.Like(line, like, "timestamp")
}

// link makes each event name the one before it. What a removed compaction hid goes with it.
func link(l *jsonl.Log, out []jsonl.Written) []jsonl.Written {
	if first := l.Entries; len(first) > 0 && kindOf(first[0].Raw) == compaction && !slices.ContainsFunc(out,
		func(n jsonl.Written) bool { return !n.New && n.Line == first[0].Line }) {
		kept := map[int]bool{}
		for _, e := range l.Entries {
			kept[e.Line] = true
		}
		out = slices.DeleteFunc(out, func(n jsonl.Written) bool {
			switch n.Raw.Member("type").Text() {
			case prompt, answer, result, compaction, "tool.execution_start":
				return !n.New && n.Line < first[0].Line && !kept[n.Line]
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
