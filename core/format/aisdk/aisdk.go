// Package aisdk reads and writes conversations of the Vercel AI SDK: ModelMessage[] of version 4 and later, bare or as
// the messages of a call's options. Unknown parts are kept byte for byte. Start with Read and Render.
//
// It is not a part of the API (see package core).
package aisdk

import (
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/parts"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

var shape = parts.Shape{Format: msg.AISDK, List: "messages", Parts: "content", String: true, Role: role, Name: name,
	Part: part, Write: write, Message: server}

// Read reads the options of a call or a bare array of messages, which was opened. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) {
	c, err := shape.Read(d)
	if err != nil {
		return nil, err
	}
	if !d.Bare() {
		around(c, d)
	}
	d.Index = nil // everything is parsed, so the index is no longer needed
	return c, nil
}

// Render writes a conversation from Read, with its changes. Unchanged parts are written byte for byte as in the input;
// if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) {
	s := shape
	for it := c.Walk(); it.Next(); {
		b := it.Block
		if b.Kind == msg.KindToolUse && b.Raw.Member("args") != nil { // version 4
			s.Write = writeOld
			break
		}
	}
	return s.Render(c)
}

// role returns the role of a message. Tool results are in user messages, as in Anthropic's API.
func role(name string) msg.Role {
	if name == "tool" {
		return msg.User
	}
	return msg.Role(name)
}

func name(role msg.Role) string { return string(role) }

// server marks the results in an assistant message: the provider ran their tools.
func server(m *msg.Message) {
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind == msg.KindToolResult && m.Role == msg.Assistant {
			b.Server = true
		}
	}
}

// around reads the system prompt and the tools next to the messages. Tools are the members of an object.
func around(c *msg.Conversation, d *document.Document) {
	c.System = document.String(d.Fields.System, "/system")
	for it := d.Fields.Tools.Walk(); it.Next(); {
		key, tool := it.Name, it.Value
		c.Tools = append(c.Tools, msg.Block{Kind: msg.KindOther, Type: "tool", Raw: tool, Path: "/tools/" + key, Name: key,
			Text: tool.Plain()})
	}
}

// part reads one part. The text of a part of an unknown type is its whole JSON.
func part(b *msg.Block) (err error) {
	var text, id, name, input, output, media, data, options rawjson.Value
	for it := b.Raw.Walk(); it.Next(); {
		key, value := it.Name, it.Value
		switch key {
		case "type":
			b.Type = value.Text()
		case "text":
			text = value
		case "toolCallId":
			id = value
		case "toolName":
			name = value
		case "input", "args":
			input = value
		case "output", "result":
			output = value
		case "mediaType", "mimeType":
			media = value
		case "data", "image", "url":
			data = value
		case "providerOptions", "providerMetadata", "signature":
			options = value
		case "providerExecuted":
			b.Server = value.IsTrue()
		case "isError":
			b.IsError = value.IsTrue()
		}
	}
	switch b.Type {
	case "text":
		b.Kind = msg.KindText
		b.Text, err = document.Text(text, b.Path, "text")
		if options.Member("anthropic").Member("type").Text() == msg.ProviderCompaction {
			b.Kind, b.Type = msg.KindSummary, msg.ProviderCompaction // since version 7
		}
	case "reasoning":
		b.Kind, b.Signed, b.Sealed = msg.KindThinking, !options.IsNull(), document.Sealed(options)
		b.Text, err = document.Text(text, b.Path, "text")
	case "redacted-reasoning":
		b.Kind, b.Signed, b.Sealed = msg.KindThinking, true, document.Sealed(data)
	case "image", "file":
		block.Media(b, media.Text(), data)
	case "tool-call", "tool-result":
		if b.ID, err = document.Text(id, b.Path, "toolCallId"); err == nil {
			b.Name, err = document.Text(name, b.Path, "toolName")
		}
		if b.Type == "tool-call" {
			b.Kind, b.Text, b.Sealed = msg.KindToolUse, input.Plain(), document.Sealed(options)
		} else {
			b.Kind = msg.KindToolResult
			result(b, output)
		}
	default:
		b.Text = b.Raw.Plain()
	}
	return err
}

// result reads the part for the model. An output is an object with type and value; before version 5 it is any value.
func result(b *msg.Block, output rawjson.Value) {
	kind := output.Member("type").Text()
	value := output
	if inner := output.Member("value"); inner != nil && kind != "" {
		value = inner
	}
	b.IsError = b.IsError || strings.HasPrefix(kind, "error") || kind == "execution-denied"
	if kind == "content" {
		for i, raw := range value.List() {
			p := msg.Block{Kind: msg.KindOther, Raw: raw, Path: document.At(b.Path+"/output/value", i)}
			if strings.HasPrefix(raw.Member("type").Text(), "text") {
				p.Kind, p.Type, p.Text = msg.KindText, "text", raw.Member("text").Text()
			} else {
				var data rawjson.Value
				for _, name := range [...]string{"image", "url", "data"} {
					if inner := raw.Member(name); inner != nil {
						data = inner
					}
				}
				p.Type = raw.Member("type").Text()
				block.Media(&p, raw.Member("mediaType").Text(), data)
			}
			b.Parts = append(b.Parts, p)
		}
		b.Text = document.Joined(b.Parts)
		return
	}
	b.Text = block.Value(value)
}

// write writes a part with its changes, or a new part.
func write(b *msg.Block) (rawjson.Value, error) { return written(b, "input", output) }

// writeOld is write for messages of version 4.
func writeOld(b *msg.Block) (rawjson.Value, error) {
	return written(b, "args", func(b *msg.Block, raw rawjson.Value) rawjson.Value {
		raw = raw.With("result", rawjson.Quote(b.Text))
		if len(b.Raw) == 0 && b.IsError {
			raw = raw.With("isError", rawjson.Value("true"))
		}
		if raw.Member("experimental_content") != nil {
			raw = raw.Without("experimental_content")
		}
		return raw
	})
}

// output writes the text of a result, and keeps that it is an error.
func output(b *msg.Block, raw rawjson.Value) rawjson.Value {
	kind := "text"
	if b.IsError {
		kind = "error-text"
	}
	old := raw.Member("output")
	if old.Kind() != '{' {
		old = rawjson.Value("{}")
	}
	if old.Member("type").Text() != kind {
		old = old.With("type", rawjson.Quote(kind))
	}
	return raw.With("output", old.With("value", rawjson.Quote(b.Text)))
}

func written(b *msg.Block, input string, output func(*msg.Block, rawjson.Value) rawjson.Value) (rawjson.Value, error) {
	raw, isNew := b.Raw, len(b.Raw) == 0
	if isNew {
		raw = rawjson.Value("{}")
	}
	switch {
	case b.Kind == msg.KindText && (isNew || b.Type == "text"), isNew && b.Kind == msg.KindSummary:
		if b.Changed&^msg.ChangedText != 0 {
			return nil, parts.Unwritable(b)
		}
		if isNew {
			raw = raw.With("type", rawjson.Value(`"text"`))
		}
		return raw.With("text", rawjson.Quote(b.Text)), nil
	case b.Kind != msg.KindToolUse && b.Kind != msg.KindToolResult:
		return nil, parts.Unwritable(b)
	}
	if isNew {
		kind := "tool-call"
		if b.Kind == msg.KindToolResult {
			kind = "tool-result"
		}
		raw = raw.With("type", rawjson.Quote(kind)).With("toolCallId", rawjson.Quote(b.ID)).With("toolName",
			rawjson.Quote(b.Name))
	} else if b.Changed&msg.ChangedID != 0 {
		raw = raw.With("toolCallId", rawjson.Quote(b.ID))
	}
	switch {
	case b.Kind == msg.KindToolUse && (isNew || b.Changed&msg.ChangedInput != 0):
		object, err := block.Object(b)
		if err != nil {
			return nil, err
		}
		return raw.With(input, object), nil
	case b.Kind == msg.KindToolResult && (isNew || b.Changed&msg.ChangedText != 0):
		return output(b, raw), nil
	}
	return raw, nil
}
