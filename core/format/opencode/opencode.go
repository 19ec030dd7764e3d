// Package opencode reads and writes what opencode export writes: {info, messages: [{info, parts}]}, or a bare array. A
// part of type tool has a call and its result. The conversation is what opencode sends next: the newest finished
// compaction, and the messages after it. Start with Read and Render.
//
// It is not a part of the API (see package core).
package opencode

import (
	"slices"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "parts", ID: "info/id", Role: "info/role", Head: head, Type: kind, Result: complete,
	Finish: finish, Made: made, Text: `{"type":"text"}`, Copy: "info/sessionID|info/time|info/agent", Model: "info/model/modelID",
	New: [2]string{`{"info":{"role":"user"},"parts":[]}`,
		`{"info":{"role":"assistant","cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}},` +
			`"parts":[]}`},
	Parts: []record.Part{
		{Types: "text", Kind: msg.KindText, Text: "text"},
		{Types: "reasoning", Kind: msg.KindThinking, Text: "text", More: "metadata"},
		{Types: "file", Kind: msg.KindDocument, Text: "url", More: "mime"},
		{Types: "tool", Kind: msg.KindToolUse, Text: "state/input", ID: "callID", Name: "tool", State: "state/status",
			Open: "pending", Done: "state/output completed", Failed: "state/error error", More: "metadata"},
	}}

// Read reads an export that was opened. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) {
	return read(d, compaction(d.Elements))
}

// read reads the records from the first one on.
func read(d *document.Document, first int) (*msg.Conversation, error) {
	c, err := shape.Document(d, msg.OpenCode, first)
	if err != nil {
		return nil, err
	}
	for _, raw := range d.Elements[first:] {
		info := raw.Member("info")
		for _, at := range [...]rawjson.Value{info.Member("model"), info} {
			if model := at.Member("modelID").Text(); model != "" {
				c.Model = model
			}
		}
	}
	if d.IsCut {
		c.Warnings = append(c.Warnings, msg.Warning{Code: msg.OddMessage, Path: d.Path(len(d.Elements)),
			Message: "the export is cut off in the middle of a message, and those before it are read: opencode export " +
				"writes only a part into a pipe, so write it to a file"})
	}
	for m := range c.Messages {
		at, _ := c.Messages[m].Origin.(record.Place)
		for i := range c.Messages[m].Blocks {
			if b := &c.Messages[m].Blocks[i]; b.Kind == msg.KindText &&
				d.Elements[at.Record].Member("info").Member("summary").IsTrue() {
				b.Kind = msg.KindSummary
			}
		}
	}
	return c, nil
}

// Render writes a conversation from Read, with its changes. Unchanged messages are written byte for byte as in the
// input. If a compaction is removed, the messages that it hid go with it.
func Render(c *msg.Conversation) ([]byte, error) {
	d, ok := c.Origin.(*document.Document)
	if !ok {
		return shape.Render(c)
	}
	first := compaction(d.Elements)
	left := first == 0
	for m := range c.Messages {
		at, isOld := c.Messages[m].Origin.(record.Place)
		left = left || isOld && at.Record == first
	}
	return shape.RenderFrom(c, first, left)
}

// Segments returns the parts of an export before its compactions. c, the conversation that Read returned, is the last
// segment.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	d, ok := c.Origin.(*document.Document)
	if !ok {
		return s
	}
	for end := compaction(d.Elements); end > 0; {
		paths := make([]string, end)
		for k := range paths {
			paths[k] = d.Path(k)
		}
		first := compaction(d.Elements[:end])
		before, err := read(document.Of(d.Elements[:end:end], paths), first)
		if err != nil || len(s.Earlier) == jsonl.MaxSegments {
			s.Unread = true
			break
		}
		s.Earlier, end = append(s.Earlier, before), first
	}
	slices.Reverse(s.Earlier)
	for k, e := range d.Elements { // an answer that failed is not sent again, but its tokens are billed
		if h, err := head(e, ""); err == nil && h.Role == "" && h.Usage != nil {
			s.Others = append(s.Others, jsonl.Other{Chain: k, Message: msg.Message{Role: msg.Assistant, ID: h.ID, Usage: h.Usage,
				Cost: h.Cost, Model: h.Model, Time: h.Time, Raw: e, Path: d.Path(k)}})
		}
	}
	return s
}

// compaction returns the index of the message that the newest finished compaction begins with, 0 if there is none.
func compaction(records []rawjson.Value) int {
	done := map[string]bool{} // the ids of the messages that have a summary
	for k := len(records) - 1; k > 0; k-- {
		info := records[k].Member("info")
		if info.Member("summary").IsTrue() && !info.Member("finish").IsNull() && info.Member("error").IsNull() {
			done[info.Member("parentID").Text()] = true
		}
		if info.Member("role").Text() != "user" || !done[info.Member("id").Text()] {
			continue
		}
		for _, p := range records[k].Member("parts").List() {
			if p.Member("type").Text() == "compaction" {
				return k
			}
		}
	}
	return 0
}

func head(raw rawjson.Value, path string) (h record.Head, err error) {
	info := raw.Member("info")
	role, err := document.Role(raw, info.Member("role"), path)
	if err != nil {
		return h, err
	}
	h.ID = info.Member("id").Text()
	h.Time, h.Done = record.At(info, "time/created"), record.At(info, "time/completed")
	switch failed := info.Member("error"); {
	case role == msg.User:
		h.Role = msg.User
	case role == msg.Assistant:
		if failed.IsNull() || failed.Member("name").Text() == "MessageAbortedError" {
			h.Role = msg.Assistant
		}
		h.Model = info.Member("modelID").Text()
		h.Usage = record.Usage(info.Member("tokens"), "input|cache/read|cache/write|output")
		if h.Usage != nil {
			h.Usage.Output += document.Int(record.At(info, "tokens/reasoning")) // which is not in output, and has its price
		}
		h.Cost = document.Millionths(info.Member("cost"))
	}
	return h, nil
}

// Interrupted is the result that opencode sends for a call without one.
const Interrupted = "[Tool execution was interrupted]"

// The texts that opencode sends for parts without one.
const (
	askedSummary = "What did we do so far?"
	askedTask    = "The following tool was executed by the user"
	cleared      = "[Old tool result content cleared]"
)

// kind reads parts that opencode sends as another text, and those that it does not send.
func kind(b *msg.Block) error {
	switch raw := b.Raw; b.Type {
	case "compaction":
		b.Kind, b.Text = msg.KindText, askedSummary
	case "subtask":
		b.Kind, b.Text = msg.KindText, askedTask
	case "text":
		if raw.Member("ignored").IsTrue() || len(raw.Member("text")) <= len(`""`) {
			b.Type = ""
		}
	case "file":
		if kind := raw.Member("mime").Text(); kind == "text/plain" || kind == "application/x-directory" {
			b.Type = ""
		}
	}
	return nil
}

// complete reads what else a result has: that opencode cleared it, and files.
func complete(call, b *msg.Block) {
	var attachments rawjson.Value
	for it := call.Raw.Member("state").Walk(); it.Next(); {
		switch it.Name {
		case "time":
			if it.Value.Member("compacted") != nil {
				b.Text = cleared
				return
			}
		case "attachments":
			attachments = it.Value
		}
	}
	for i, raw := range attachments.List() {
		if i == 0 {
			b.Parts = []msg.Block{{Kind: msg.KindText, Type: "text", Raw: b.Raw, Path: b.Path, Text: b.Text}}
		}
		p := msg.Block{Type: "file", Raw: raw, Path: document.At(call.Path+"/state/attachments", i)}
		block.Media(&p, raw.Member("mime").Text(), raw.Member("url"))
		b.Parts = append(b.Parts, p)
	}
}

// made writes a new result in place of all that the old one had.
func made(part rawjson.Value, path string, b *msg.Block) (rawjson.Value, error) {
	state := part.Member("state").Without("attachments")
	if time := state.Member("time"); time != nil {
		state = state.With("time", time.Without("compacted"))
	}
	return record.Set(part.With("state", state), path, rawjson.Quote(b.Text)), nil
}
