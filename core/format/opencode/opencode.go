// Package opencode reads and writes what `opencode export` writes: {info, messages: [{info, parts}]}, or the bare array.
// A part of type tool has a call and its result. The conversation is what opencode sends next: the newest finished
// compaction, and the messages after it. Start with Read and Render.
package opencode

import (
	"strings"

	"tamp/core/format/aisdk"
	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/parts"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "parts", ID: "info/id", Head: head, Part: part, Write: write, New: create}

// Read reads an export that was opened. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) {
	first := compaction(d.Elements)
	c, err := shape.Document(d, msg.OpenCode, first)
	if err != nil {
		return nil, err
	}
	for _, raw := range d.Elements[first:] {
		if model := raw.Member("info").Member("modelID").Text(); model != "" {
			c.Model = model
		}
	}
	for m := range c.Messages {
		at, _ := c.Messages[m].Origin.(record.Place)
		for b := range c.Messages[m].Blocks {
			if block := &c.Messages[m].Blocks[b]; block.Kind == msg.KindText &&
				d.Elements[at.Record].Member("info").Member("summary").IsTrue() {
				block.Kind = msg.KindSummary
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
		for _, p := range records[k].Member("parts").Elements() {
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
	switch failed := info.Member("error"); {
	case role == msg.User:
		h.Role = msg.User
	case role == msg.Assistant && (failed.IsNull() || failed.Member("name").Text() == "MessageAbortedError"):
		h.Role = msg.Assistant
		tokens := info.Member("tokens")
		cache := tokens.Member("cache")
		u := msg.Usage{Input: document.Int(tokens.Member("input")), CacheRead: document.Int(cache.Member("read")),
			CacheWrite: document.Int(cache.Member("write")), Output: document.Int(tokens.Member("output"))}
		if u.Prompt() > 0 {
			h.Usage = &u
		}
	}
	return h, nil
}

// The texts that opencode sends for parts without one.
const (
	askedSummary = "What did we do so far?"
	askedTask    = "The following tool was executed by the user"
	cleared      = "[Old tool result content cleared]"
)

// part reads one part. Parts of other types are opencode's own records.
func part(b *msg.Block) (result *msg.Block, err error) {
	raw := b.Raw
	switch b.Type = raw.Member("type").Text(); b.Type {
	case "text":
		if b.Text, err = document.Text(raw.Member("text"), b.Path, "text"); b.Text != "" && !raw.Member("ignored").IsTrue() {
			b.Kind = msg.KindText
		}
	case "compaction":
		b.Kind, b.Text = msg.KindText, askedSummary
	case "subtask":
		b.Kind, b.Text = msg.KindText, askedTask
	case "reasoning":
		more := raw.Member("metadata")
		b.Kind, b.Signed, b.Bound = msg.KindThinking, !more.IsNull(), strings.Contains(string(more), `"itemId"`)
		b.Text, err = document.Text(raw.Member("text"), b.Path, "text")
	case "file":
		if kind := raw.Member("mime").Text(); kind != "text/plain" && kind != "application/x-directory" {
			aisdk.Media(b, kind, raw.Member("url"))
		}
	case "tool":
		state := raw.Member("state")
		b.Kind, b.Text = msg.KindToolUse, string(state.Member("input"))
		if b.Text == "" {
			b.Text = "{}"
		}
		if b.ID, err = document.Text(raw.Member("callID"), b.Path, "callID"); err == nil {
			b.Name, err = document.Text(raw.Member("tool"), b.Path, "tool")
		}
		result = resultOf(b, state)
	}
	return result, err
}

func resultOf(call *msg.Block, state rawjson.Value) *msg.Block {
	b := &msg.Block{Kind: msg.KindToolResult, Type: "tool", ID: call.ID, Name: call.Name, Raw: state.Member("output"),
		Path: call.Path + "/state/output"}
	switch state.Member("status").Text() {
	case "error":
		b.Raw, b.Path, b.IsError = state.Member("error"), call.Path+"/state/error", true
	case "completed":
	default:
		return nil
	}
	if b.Raw == nil {
		b.Raw = rawjson.Value(`""`)
	}
	b.Text = b.Raw.Text()
	if !state.Member("time").Member("compacted").IsNull() {
		b.Text = cleared
		return b
	}
	if files := state.Member("attachments"); files.Kind() == '[' && len(files) > len("[]") {
		b.Parts = []msg.Block{{Kind: msg.KindText, Type: "text", Raw: b.Raw, Path: b.Path, Text: b.Text}}
		for i, raw := range files.Elements() {
			p := msg.Block{Kind: msg.KindOther, Type: "file", Raw: raw, Path: document.At(call.Path+"/state/attachments", i)}
			aisdk.Media(&p, raw.Member("mime").Text(), raw.Member("url"))
			b.Parts = append(b.Parts, p)
		}
	}
	return b
}

// write writes a part with its changes, or a new part.
func write(b, result *msg.Block) (rawjson.Value, error) {
	raw := b.Raw
	switch {
	case len(raw) == 0 && (b.Kind == msg.KindText || b.Kind == msg.KindSummary):
		id := "prt_" + sha256.Hex(sha256.Sum([]byte(b.Text)), 24)
		return rawjson.Value(`{"type":"text"}`).With("text", rawjson.Quote(b.Text)).With("id", rawjson.Quote(id)), nil
	case len(raw) == 0:
	case b.Changed&^msg.ChangedCache == 0 && b.Kind != msg.KindToolUse:
		return raw, nil
	case b.Type == "text" && b.Changed&^(msg.ChangedText|msg.ChangedCache) == 0:
		return raw.With("text", rawjson.Quote(b.Text)), nil
	case b.Kind == msg.KindToolUse:
		if b.Changed&msg.ChangedID != 0 {
			raw = raw.With("callID", rawjson.Quote(b.ID))
		}
		state, err := state(b, result)
		return raw.With("state", state), err
	}
	return nil, parts.Unwritable(b)
}

// state returns the state of a call with the changes of its input and its result.
func state(b, result *msg.Block) (rawjson.Value, error) {
	old := b.Raw.Member("state")
	if b.Changed&msg.ChangedInput != 0 {
		input, err := block.Object(b)
		if err != nil {
			return nil, err
		}
		old = old.With("input", input)
	}
	switch {
	case result == nil:
		return rawjson.Value(`{"status":"pending"}`).With("input", old.Member("input")).With("raw",
			rawjson.Value(`""`)), nil
	case len(result.Raw) > 0 && result.Changed&msg.ChangedText == 0:
		return old, nil
	}
	status, member := "completed", "output"
	if result.IsError {
		status, member = "error", "error"
	}
	if old.Member("status").Text() != status {
		old = old.With("status", rawjson.Quote(status))
	}
	old = old.With(member, rawjson.Quote(result.Text))
	if old.Member("attachments") != nil {
		old = old.Without("attachments")
	}
	if time := old.Member("time"); time.Member("compacted") != nil {
		old = old.With("time", time.Without("compacted"))
	}
	return old, nil
}

// create returns a new message: the info of the message near it, without what belongs to that one only.
func create(role msg.Role, near rawjson.Value) rawjson.Value {
	info := rawjson.Value("{}").With("role", rawjson.Quote(string(role)))
	members := "sessionID|time|agent"
	if role == msg.Assistant {
		members += "|modelID|providerID|mode|path"
		info = info.With("cost", rawjson.Value("0")).With("tokens",
			rawjson.Value(`{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}}`))
	} else {
		members += "|model"
	}
	for name := range strings.SplitSeq(members, "|") {
		if value := near.Member("info").Member(name); value != nil {
			info = info.With(name, value)
		}
	}
	return rawjson.Value("{}").With("info", info).With("parts", rawjson.Value("[]"))
}
