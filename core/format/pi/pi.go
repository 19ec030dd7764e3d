// Package pi reads and writes the session logs of pi: JSON Lines, from version 2 on a tree of entries with id and
// parentId whose last line is the newest leaf, before that in the order of the file. The conversation is what pi sends
// next: the newest compaction's summary, the entries that it keeps, and those after it. Start with Parse and Render.
//
// It is not a part of the API (see package core).
package pi

import (
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Parse reads a session log. The conversation shares memory with data, which must not change as long as it is used.
// Errors are *msg.Error and name the line.
func Parse(data []byte) (*msg.Conversation, error) {
	c := &msg.Conversation{Format: msg.Pi}
	l := &jsonl.Log{Format: form}
	if err := l.Read(data, c); err != nil {
		return nil, err
	}
	return read(l, walk(l.Lines), c)
}

// read reads the lines of a file.
func read(l *jsonl.Log, t *tree, c *msg.Conversation) (*msg.Conversation, error) {
	edits := t.edits(l.Lines)
	add := func(i int) {
		e := jsonl.Entry{Line: i, Raw: l.Lines[i].Raw, Path: jsonl.Pointer(i)}
		if e.Raw.Member("type").Text() == "message" {
			e.In, e.Raw, e.Path = "message", e.Raw.Member("message"), e.Path+"/message"
		}
		if edit, ok := edits[l.Lines[i].Raw.Member("id").Text()]; ok {
			if edit.IsNull() {
				return
			}
			e.Raw = e.Raw.With("content", edit)
		}
		l.Entries = append(l.Entries, e)
	}
	if t.compaction >= 0 {
		add(t.Path[t.compaction])
	}
	for k, i := range t.Path {
		raw := l.Lines[i].Raw
		t.Warn(c, i)
		kind := raw.Member("type").Text()
		if model := raw.Member("modelId").Text(); model != "" {
			c.Model = model
		} else if model := raw.Member("message").Member("model").Text(); model != "" {
			c.Model = model
		}
		if k >= t.kept && (kind == "message" || kind == "custom_message" || kind == "branch_summary") {
			add(i)
		}
	}
	if len(t.Path) == 0 {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the session log: no line is an entry of pi")
	}
	if err := shape.Log(l, c); err != nil {
		return nil, err
	}
	return c, nil
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
// New messages become entries of the tree.
func Render(c *msg.Conversation) ([]byte, error) { return shape.RenderLog(c, form) }

var form = jsonl.Format{Wrap: wrap, Link: link}

// Interrupted is the result that pi sends for a call without one.
const Interrupted = "No result provided"

// The texts around a summary, as pi sends it.
const (
	summaryBefore = "The conversation history before this point was compacted into the following summary:\n\n<summary>\n"
	branchBefore  = "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n"
	summaryAfter  = "\n</summary>"
	branchAfter   = "</summary>"
)

var shape = record.Shape{Lists: "content", Role: "role", Head: head, Whole: write, Text: `{"type":"text"}`,
	Copy: "timestamp", Model: "model",
	New: [2]string{`{"role":"user"}`, `{"role":"assistant","api":"","provider":"","usage":{"input":0,"output":0,` +
		`"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},` +
		`"stopReason":"stop"}`}, // pi counts the usage of answers
	Parts: content.Parts}

// content is the form of the parts.
var content = record.Shape{Lists: "content",
	Parts: []record.Part{
		{Types: "text", Kind: msg.KindText, Text: "text"},
		{Types: "thinking", Kind: msg.KindThinking, Text: "thinking", More: "thinkingSignature"},
		{Types: "image", Kind: msg.KindDocument, Text: "data", More: "mimeType"},
		{Types: "toolCall", Kind: msg.KindToolUse, Text: "arguments", ID: "id", Name: "name",
			More: "thoughtSignature"},
		{Types: "*", Kind: msg.KindOther},
	}}

// head reads a message, or an entry that pi sends as one.
func head(raw rawjson.Value, path string) (h record.Head, err error) {
	whole := &msg.Block{Kind: msg.KindText, Raw: raw, Path: path}
	kind := raw.Member("role").Text()
	if kind == "" {
		kind = raw.Member("type").Text()
	}
	whole.Type, h.Role = kind, msg.User
	switch kind {
	case "user":
	case "custom", "custom_message", "hookMessage":
		h.Meta = true
	case "assistant":
		h.Role, h.ID, h.Model = msg.Assistant, raw.Member("responseId").Text(), raw.Member("model").Text()
		h.Usage, h.Cost = usage(raw.Member("usage")), document.Millionths(record.At(raw, "usage/cost/total"))
		if stop := raw.Member("stopReason").Text(); stop == "error" || stop == "aborted" {
			h.Role = "" // pi does not send it again
		}
	case "toolResult":
		h.Whole = whole
		err = result(whole)
	case "bashExecution":
		h.Whole, h.Meta, whole.Text = whole, true, execution(raw)
		if raw.Member("excludeFromContext").IsTrue() {
			h.Role = ""
		}
	case "compaction", "compactionSummary", "branch_summary", "branchSummary":
		h.Whole, whole.Kind = whole, msg.KindSummary
		before, after := around(kind)
		whole.Text = before + raw.Member("summary").Text() + after
	default:
		h.Role = ""
	}
	return h, err
}

// usage reads the count of the API. OpenClaw counts what Google read from the cache as
// input, too: the total then has it once.
func usage(raw rawjson.Value) *msg.Usage {
	u := record.Usage(raw, "input|cacheRead|cacheWrite|output")
	if u == nil {
		return nil
	}
	total := document.Int(raw.Member("totalTokens"))
	if total > 0 && total < u.Prompt()+u.Output && u.CacheRead <= u.Input {
		u.Input -= u.CacheRead
	}
	return u
}

func around(kind string) (before, after string) {
	if strings.HasPrefix(kind, "branch") {
		return branchBefore, branchAfter
	}
	return summaryBefore, summaryAfter
}

// execution returns the text of a command of the user as pi sends it.
func execution(raw rawjson.Value) string {
	text := "Ran `" + raw.Member("command").Text() + "`\n"
	if output := raw.Member("output").Text(); output != "" {
		text += "```\n" + output + "\n```"
	} else {
		text += "(no output)"
	}
	if code := raw.Member("exitCode"); raw.Member("cancelled").IsTrue() {
		text += "\n\n(command cancelled)"
	} else if code.Kind() == '0' && string(code) != "0" {
		text += "\n\nCommand exited with code " + string(code)
	}
	if file := raw.Member("fullOutputPath").Text(); file != "" && raw.Member("truncated").IsTrue() {
		text += "\n\n[Output truncated. Full output: " + file + "]"
	}
	return text
}

func result(b *msg.Block) (err error) {
	b.Kind, b.IsError = msg.KindToolResult, b.Raw.Member("isError").IsTrue()
	if b.ID, err = document.Text(b.Raw.Member("toolCallId"), b.Path, "toolCallId"); err != nil {
		return err
	}
	b.Name = b.Raw.Member("toolName").Text()
	r := document.Room(msg.MaxBlocks)
	if b.Parts, err = content.Blocks(b.Raw, b.Path, &r); len(b.Parts) == 1 && b.Parts[0].Kind == msg.KindText {
		b.Text, b.Parts = b.Parts[0].Text, nil // as a cleared result is written
		return err
	}
	b.Text = document.Joined(b.Parts)
	return err
}

// texts returns a content with one text.
func texts(text string) rawjson.Value {
	return append(append(rawjson.Value(`[{"type":"text","text":`), rawjson.Quote(text)...), `}]`...)
}

// write writes an entry that is one block, or a new result.
func write(b *msg.Block) (rawjson.Value, error) {
	raw, change := b.Raw, b.Changed&^msg.ChangedCache
	if len(raw) == 0 {
		change = msg.ChangedText
		raw = rawjson.Value(`{"role":"toolResult"}`).With("toolCallId", rawjson.Quote(b.ID)).
			With("toolName", rawjson.Quote(b.Name)).With("isError", rawjson.Value(strconv.FormatBool(b.IsError)))
	}
	if change&msg.ChangedID != 0 {
		raw = raw.With("toolCallId", rawjson.Quote(b.ID))
	}
	switch {
	case change&msg.ChangedText == 0:
		return raw, nil
	case b.Kind == msg.KindSummary:
		before, after := around(b.Type)
		text := strings.TrimSuffix(strings.TrimPrefix(b.Text, before), after)
		return raw.With("summary", rawjson.Quote(text)), nil
	case b.Kind == msg.KindText: // a command of the user
		raw = rawjson.Value(`{"role":"user"}`)
	}
	return raw.With("content", texts(b.Text)), nil
}
