// Package openaichat reads and writes conversations of OpenAI's Chat Completions API and of the many that copy it:
// a request body, or the bare array of its messages. Unknown parts are kept byte for byte.
// Start with Parse and Render.
//
// It is not a part of the API (see package core).
package openaichat

import (
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Parse reads a request body or a bare array of messages. The conversation shares memory with data, which must not
// change as long as it is used. Errors are *msg.Error.
func Parse(data []byte) (*msg.Conversation, error) {
	d, err := document.Open(data, "messages")
	if err != nil {
		return nil, err
	}
	return Read(d)
}

// Read is Parse of a document that was opened.
func Read(d *document.Document) (_ *msg.Conversation, err error) {
	room := document.Room(msg.MaxBlocks)
	c := &msg.Conversation{Format: msg.OpenAIChat, Origin: d, Messages: make([]msg.Message, 0, len(d.Elements))}
	if !d.Bare() {
		c.Model, c.Thinking = d.Fields.Model.Text(), d.Fields.Thinking
		tools, err := document.Tools(d.Fields.Tools, "tools")
		if err != nil {
			return nil, err
		}
		functions, err := document.Tools(d.Fields.Functions, "functions") // the deprecated form
		if err != nil {
			return nil, err
		}
		c.Tools = append(tools, functions...)
	}
	for i, raw := range d.Elements {
		path := d.Path(i)
		f := read(raw, d.Index)
		m := msg.Message{Raw: raw.Clip(), Path: path, ID: f.id.Text()}
		if m.Role, err = document.Role(raw, f.role, path); err != nil {
			return nil, err
		}
		if m.Blocks, err = blocks(m.Role, raw, &f, path, &room); err != nil {
			return nil, err
		}
		c.Messages = append(c.Messages, m)
	}
	document.MarkSpeakers(nil, c.Messages)
	d.Index = nil // everything is parsed, so the index is no longer needed
	return c, nil
}

// fields are the members of a message that the model reads.
type fields struct {
	content, refusal, audio, reasoning, details, toolCalls, functionCall rawjson.Value
	role, id, toolCallID, toolCallIDs, name                              rawjson.Value
	reasoningName                                                        string
}

func read(raw rawjson.Value, index *rawjson.Index) (f fields) {
	for it := index.Walk(raw); it.Next(); {
		name, value := it.Name, it.Value
		switch name {
		case "role":
			f.role = value
		case "id":
			f.id = value
		case "content":
			f.content = value
		case "refusal":
			f.refusal = value
		case "audio":
			f.audio = value
		case "reasoning_content", "reasoning": // DeepSeek, Kimi and others; OpenRouter
			if value.Kind() == '"' && f.reasoningName != "reasoning_content" || name == "reasoning_content" {
				f.reasoning, f.reasoningName = value, name
			}
		case "reasoning_details": // OpenRouter
			f.details = value
		case "tool_calls":
			f.toolCalls = value
		case "function_call":
			f.functionCall = value
		case "tool_call_id":
			f.toolCallID = value
		case "tool_call_ids": // SWE-agent's logs
			f.toolCallIDs = value
		case "name":
			f.name = value
		}
	}
	return f
}

// blocks returns the blocks of a message in the order: reasoning, content, refusal, audio, calls.
func blocks(role msg.Role, raw rawjson.Value, f *fields, path string, room *document.Room) ([]msg.Block, error) {
	if role == msg.Tool || role == msg.Function {
		b, err := result(role, raw, f, path, room)
		return []msg.Block{b}, err
	}
	var out []msg.Block
	if !f.reasoning.IsNull() {
		text, err := document.Text(f.reasoning, path, f.reasoningName)
		if err != nil {
			return nil, err
		}
		out = append(out, msg.Block{Kind: msg.KindThinking, Type: f.reasoningName, Raw: f.reasoning,
			Path: path + "/" + f.reasoningName, Text: text, Sealed: document.Sealed(f.details)})
	}
	parts, err := content(f.content, path+"/content", room)
	if err != nil {
		return nil, err
	}
	out = append(out, parts...)
	if !f.refusal.IsNull() {
		text, err := document.Text(f.refusal, path, "refusal")
		if err != nil {
			return nil, err
		}
		out = append(out, msg.Block{Kind: msg.KindText, Type: "refusal", Raw: f.refusal, Path: path + "/refusal", Text: text})
	}
	if !f.audio.IsNull() { // the id of an answer that was spoken
		out = append(out, msg.Block{Kind: msg.KindOther, Type: "audio", Raw: f.audio, Path: path + "/audio"})
	}
	calls, err := toolCalls(f.toolCalls, path+"/tool_calls", room)
	if err != nil {
		return nil, err
	}
	out = append(out, calls...)
	if !f.functionCall.IsNull() {
		b, err := functionCall(f.functionCall, path+"/function_call")
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// content reads a message's content.
func content(raw rawjson.Value, path string, room *document.Room) ([]msg.Block, error) {
	return document.Content(raw, path, "a string, an array of parts or null", room, part)
}
