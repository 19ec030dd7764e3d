// Package kimicli reads and writes the context of Kimi CLI (context.jsonl): JSON Lines with a message of Chat
// Completions a line; lines whose role begins with "_" are the agent's own. Compaction and revert write a new file, so
// the conversation is all of its messages. Start with Parse and Render.
//
// The form is that of kimi_cli/soul/context.py and kosong/message.py in MoonshotAI/kimi-cli. The token_count of _usage
// does not say what was read from the cache, so it is not taken as usage. That is in wire.jsonl, next to the context: a
// StatusUpdate of each call (wire/file.py, wire/types.py, TokenUsage in kosong/chat_provider). Its lines can follow
// those of the context.
//
// It is not a part of the API (see package core).
package kimicli

import (
	"slices"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/internal/record"
	"tamp/core/format/openaichat"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var lines = jsonl.Messages{Read: openaichat.Read, Items: openaichat.Items, Format: jsonl.Format{
	Wrap: func(_ *jsonl.Log, message rawjson.Value, _ int) rawjson.Value { return message }}}

// Parse reads a context. The conversation shares memory with data, which must not change as long as it is used.
// Errors are *msg.Error and name the line.
func Parse(data []byte) (*msg.Conversation, error) {
	c, l, known := &msg.Conversation{Format: msg.KimiCLI}, &jsonl.Log{}, false
	if err := l.Read(data, c); err != nil {
		return nil, err
	}
	for i := range l.Lines {
		raw := l.Lines[i].Raw
		role, path := raw.Member("role").Text(), jsonl.Pointer(i)
		known = known || role != ""
		switch {
		case role == "":
		case role[0] != '_':
			l.Entries = append(l.Entries, jsonl.Entry{Line: i, Raw: raw, Path: path})
		case role == "_system_prompt":
			if prompt := document.String(raw.Member("content"), path+"/content"); prompt != nil {
				c.System = prompt
			}
		}
	}
	if !known {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the context: no line is one of context.jsonl "+
			"of Kimi CLI, which the lines of wire.jsonl can follow")
	}
	if err := lines.Parse(l, c); err != nil {
		return nil, err
	}
	match(l, c)
	return c, nil
}

// match gives the answers their usage: the newest call is that of the last answer. It returns the calls that are left,
// which are those of subagents and those before a compaction.
func match(l *jsonl.Log, c *msg.Conversation) (left []jsonl.Other) {
	m := len(c.Messages)
	for i := len(l.Lines) - 1; i >= 0; i-- {
		o := call(l.Lines[i].Raw, i)
		if o.Usage == nil {
			continue
		}
		if !o.Side {
			for m--; m >= 0 && c.Messages[m].Role != msg.Assistant; m-- {
			}
		}
		if o.Side || m < 0 {
			left = append(left, o)
		} else {
			c.Messages[m].Usage, c.Messages[m].Time = o.Usage, o.Time
		}
	}
	slices.Reverse(left)
	return left
}

// call reads a line of wire.jsonl.
func call(raw rawjson.Value, line int) (o jsonl.Other) {
	event := raw.Member("message")
	if event.Member("type").Text() == "SubagentEvent" {
		event, o.Side, o.Chain = record.At(event, "payload/event"), true, 1
	}
	if event.Member("type").Text() == "StatusUpdate" {
		o.Role, o.Path, o.Time = msg.Assistant, jsonl.Pointer(line), milliseconds(raw.Member("timestamp"))
		o.Usage = record.Usage(record.At(event, "payload/token_usage"),
			"input_other|input_cache_read|input_cache_creation|output")
	}
	return o
}

// milliseconds reads seconds with a fraction.
func milliseconds(seconds rawjson.Value) rawjson.Value {
	whole, fraction, _ := strings.Cut(string(seconds), ".")
	if seconds.Kind() != '0' || len(whole) != 10 || strings.Trim(whole+fraction, "0123456789") != "" {
		return nil
	}
	return rawjson.Value(whole + (fraction + "000")[:3])
}

// Segments returns the calls of wire.jsonl that are of no answer of the context. c is the conversation that Parse
// returned.
func Segments(c *msg.Conversation) (s jsonl.Segments) {
	if l, ok := c.Origin.(*jsonl.Log); ok {
		s.Others = match(l, c)
	}
	return s
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
func Render(c *msg.Conversation) ([]byte, error) { return lines.Render(c) }
