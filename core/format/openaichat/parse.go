// Package openaichat reads and writes conversations of OpenAI's Chat Completions API and of the many that copy it:
// a request body, or the bare array of its messages. Unknown parts are kept byte for byte.
// Start with Read and Render.
//
// It is not a part of the API (see package core).
package openaichat

import (
	"slices"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Read reads a document that was opened. The conversation shares memory with it. Errors are *msg.Error.
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
		if m, known := d.Before(i); known {
			c.Messages = append(c.Messages, m)
			continue
		}
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
	content, refusal, audio, toolCalls, functionCall rawjson.Value
	role, id, toolCallID, toolCallIDs, name          rawjson.Value
	reasoning                                        rawjson.Value // the first of reasoningMembers that the message has
	reasoningName                                    string
	signed                                           []rawjson.Value // of reasoning that has signatures, the values
}

// reasoningMembers are the names of the reasoning of a message, the one whose value is its text first. Those of
// lists have the signatures. All that a message has are one block: the provider takes its signature only with its text.
var reasoningMembers = []string{
	"reasoning_content", // DeepSeek, Kimi, LiteLLM and others
	"reasoning",         // OpenRouter
	"reasoning_details", // OpenRouter: docs of "Reasoning Tokens", preserving reasoning
	"thinking_blocks",   // LiteLLM: docs of "Thinking / Reasoning content"
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
		case "reasoning_content", "reasoning", "reasoning_details", "thinking_blocks":
			f.addReasoning(name, value)
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

// addReasoning takes a member of reasoningMembers. Of a list without elements nothing is read, and of "reasoning"
// nothing but a text: it is an object elsewhere.
func (f *fields) addReasoning(name string, value rawjson.Value) {
	isList := name == "reasoning_details" || name == "thinking_blocks"
	if isList {
		if value.Kind() != '[' || len(value.List()) == 0 {
			return
		}
		f.signed = append(f.signed, value)
	}
	if value.IsNull() || name == "reasoning" && value.Kind() != '"' {
		return
	}
	if f.reasoning == nil || slices.Index(reasoningMembers, name) < slices.Index(reasoningMembers, f.reasoningName) {
		f.reasoning, f.reasoningName = value, name
	}
}

// thinking returns the reasoning of a message.
func (f *fields) thinking(path string) (b msg.Block, err error) {
	b = msg.Block{Kind: msg.KindThinking, Type: f.reasoningName, Raw: f.reasoning, Path: path + "/" + f.reasoningName}
	for _, list := range f.signed {
		b.Sealed = max(b.Sealed, document.Sealed(list))
	}
	if f.reasoning.Kind() != '[' {
		b.Text, err = document.Text(f.reasoning, path, f.reasoningName)
		return b, err
	}
	var texts []string
	for _, element := range f.reasoning.List() {
		for _, name := range [...]string{"text", "summary", "thinking"} {
			if text := element.Member(name); text.Kind() == '"' {
				texts = append(texts, text.Text())
			}
		}
	}
	b.Text = strings.Join(texts, "\n")
	return b, nil
}

// blocks returns the blocks of a message in the order: reasoning, content, refusal, audio, calls.
func blocks(role msg.Role, raw rawjson.Value, f *fields, path string, room *document.Room) ([]msg.Block, error) {
	if role == msg.Tool || role == msg.Function {
		b, err := result(role, raw, f, path, room)
		return []msg.Block{b}, err
	}
	var out []msg.Block
	if f.reasoning != nil {
		b, err := f.thinking(path)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
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
