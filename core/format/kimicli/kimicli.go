// Package kimicli reads and writes the context of Kimi CLI (context.jsonl): JSON Lines with a message of Chat
// Completions a line; lines whose role begins with "_" are the agent's own. Compaction and revert write a new file, so
// the conversation is all of its messages. Start with Parse and Render.
//
// The form is that of kimi_cli/soul/context.py and kosong/message.py in MoonshotAI/kimi-cli. The token_count of _usage
// does not say what was read from the cache, so it is not taken as usage.
//
// It is not a part of the API (see package core).
package kimicli

import (
	"tamp/core/format/internal/jsonl"
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
			if text := raw.Member("content"); text.Kind() == '"' {
				c.System = []msg.Block{{Kind: msg.KindText, Type: "text", Raw: text, Path: path + "/content", Text: text.Text(),
					Bare: true}}
			}
		}
	}
	if !known {
		return nil, msg.NewError(msg.UnknownFormat, "", "cannot read the context: no line is one of Kimi CLI")
	}
	return c, lines.Parse(l, c)
}

// Render writes a conversation from Parse, with its changes. Unchanged lines are written byte for byte as in the input.
func Render(c *msg.Conversation) ([]byte, error) { return lines.Render(c) }
