// Package aisdkui reads and writes UIMessage[] of the Vercel AI SDK, version 5 and later, bare or as the messages of a
// request. A tool part has a call and its result. Unknown parts are kept byte for byte. Start with Read and Render.
package aisdkui

import (
	"strings"

	"tamp/core/format/aisdk"
	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/parts"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var shape = record.Shape{Lists: "parts", ID: "id", Head: head, Part: part, Write: write, New: create}

// Read reads a request or a bare array of messages, which was opened. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) { return shape.Document(d, msg.AISDKUI, 0) }

// Render writes a conversation from Read, with its changes. Unchanged messages are written byte for byte as in the
// input; if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) { return shape.Render(c) }

func head(raw rawjson.Value, path string) (h record.Head, err error) {
	if h.Role, err = document.Role(raw, raw.Member("role"), path); err != nil {
		return h, err
	}
	h.ID = raw.Member("id").Text()
	if raw.Member("parts").Kind() != '[' || raw.Member("toolInvocations") != nil {
		return h, msg.NewError(msg.BadMessage, path, "cannot read the message: this is a message of version 4 of the AI SDK"+
			", it seems; give messages with parts, as version 5 has them")
	}
	return h, nil
}

// part reads one part. Types that the SDK does not send to the model have no block.
func part(b *msg.Block) (result *msg.Block, err error) {
	raw := b.Raw
	b.Type = raw.Member("type").Text()
	switch {
	case b.Type == "text":
		b.Kind = msg.KindText
		b.Text, err = document.Text(raw.Member("text"), b.Path, "text")
	case b.Type == "reasoning":
		more := raw.Member("providerMetadata")
		b.Kind, b.Signed, b.Bound = msg.KindThinking, !more.IsNull(), strings.Contains(string(more), `"itemId"`)
		b.Text, err = document.Text(raw.Member("text"), b.Path, "text")
	case b.Type == "file":
		aisdk.Media(b, raw.Member("mediaType").Text(), raw.Member("url"))
	case b.Type == "tool-invocation":
		return nil, msg.NewError(msg.BadMessage, b.Path, "cannot read the part: it is one of version 4 of the AI SDK; give "+
			"messages of version 5 or later")
	case b.Type != "dynamic-tool" && !strings.HasPrefix(b.Type, "tool-"):
	case raw.Member("providerExecuted").IsTrue(): // both halves stay together, as the provider wrote them
		b.Kind, b.Text = msg.KindOther, string(raw)
	case raw.Member("state").Text() != "input-streaming":
		b.Kind, b.Text = msg.KindToolUse, string(raw.Member("input"))
		if b.Text == "" {
			b.Text = "{}"
		}
		if b.ID, err = document.Text(raw.Member("toolCallId"), b.Path, "toolCallId"); err != nil {
			return nil, err
		}
		if b.Name = strings.TrimPrefix(b.Type, "tool-"); b.Type == "dynamic-tool" {
			b.Name = raw.Member("toolName").Text()
		}
		result = resultOf(b)
	}
	return result, err
}

// states are the states of a tool part with a result: the member that has it, and its path.
var states = [...]struct{ state, member string }{
	{"output-available", "output"}, {"output-error", "errorText"}, {"output-denied", "approval"}, {"", "output"},
}

func resultOf(call *msg.Block) *msg.Block {
	state := call.Raw.Member("state").Text()
	for _, s := range states {
		if s.state != state {
			continue
		}
		b := &msg.Block{Kind: msg.KindToolResult, Type: call.Type, ID: call.ID, Name: call.Name,
			Raw: call.Raw.Member(s.member), Path: call.Path + "/" + s.member, IsError: s.member != "output"}
		if b.Raw == nil {
			if state == "" {
				return nil
			}
			b.Raw = rawjson.Value("null")
		}
		if b.Text = aisdk.Value(b.Raw); s.member == "approval" {
			if b.Text = b.Raw.Member("reason").Text(); b.Text == "" {
				b.Text = "Tool execution denied."
			}
		}
		return b
	}
	return nil
}

// write writes a part with its changes, or a new part.
func write(b, result *msg.Block) (rawjson.Value, error) {
	raw := b.Raw
	switch {
	case len(raw) == 0 && (b.Kind == msg.KindText || b.Kind == msg.KindSummary):
		return rawjson.Value(`{"type":"text"}`).With("text", rawjson.Quote(b.Text)), nil
	case len(raw) == 0:
	case b.Changed&^msg.ChangedCache == 0 && b.Kind != msg.KindToolUse:
		return raw, nil
	case b.Type == "text" && b.Changed&^(msg.ChangedText|msg.ChangedCache) == 0:
		return raw.With("text", rawjson.Quote(b.Text)), nil
	case b.Kind == msg.KindToolUse:
		return call(b, result)
	}
	return nil, parts.Unwritable(b)
}

// call returns a tool part with the changes of its input and its result.
func call(b, result *msg.Block) (rawjson.Value, error) {
	raw := b.Raw
	if b.Changed&msg.ChangedID != 0 {
		raw = raw.With("toolCallId", rawjson.Quote(b.ID))
	}
	if b.Changed&msg.ChangedInput != 0 {
		input, err := block.Object(b)
		if err != nil {
			return nil, err
		}
		raw = raw.With("input", input)
	}
	switch {
	case result == nil:
		return raw.With("state", rawjson.Value(`"input-available"`)).Without("output").Without("errorText"), nil
	case len(result.Raw) > 0 && result.Changed&msg.ChangedText == 0:
		return raw, nil
	}
	state, member, other := "output-available", "output", "errorText"
	if result.IsError {
		state, member, other = "output-error", other, member
	}
	return raw.With("state", rawjson.Quote(state)).Without(other).With(member, rawjson.Quote(result.Text)), nil
}

func create(role msg.Role, _ rawjson.Value) rawjson.Value {
	return rawjson.Value(`{"id":""}`).With("role", rawjson.Quote(string(role))).With("parts", rawjson.Value("[]"))
}
