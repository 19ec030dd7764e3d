// Package responses reads and writes conversations of OpenAI's Responses API: a request body, or the bare array of its
// input items. Unknown items are kept byte for byte. Start with Read and Render; Items reads items that are stored
// elsewhere, such as in a log of Codex.
//
// It is not a part of the API (see package core).
package responses

import (
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/pixel"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// How items become messages:
//
//   - The items between two inputs of the user are one assistant message: what a response returned. So a reasoning
//     item, the items that it produced and parallel calls are never separated.
//   - A message item with a string as its content is the client's own, no response has one: it is a message of its own,
//     unless reasoning precedes it.
//   - An item of phase final_answer ends its response.
//   - Each output of a call is a message of role tool, each message item of another role a message of its own.
//   - A message refers to its items by Run; its blocks are the items, or the content parts of message items.

// Read reads a document that was opened with its input.
func Read(d *document.Document) (_ *msg.Conversation, err error) {
	c := &msg.Conversation{Format: msg.OpenAIResponses, Origin: d}
	if !d.Bare() {
		top := d.Top
		c.Model = d.Fields.Model.Text()
		c.Partial = !top.Member("previous_response_id").IsNull() || !top.Member("conversation").IsNull()
		c.Stateless = string(top.Member("store")) == "false"
		c.System = document.String(top.Member("instructions"), "/instructions")
		if c.Tools, err = document.Tools(d.Fields.Tools, "tools"); err != nil {
			return nil, err
		}
	}
	if d.List.Kind() == '"' { // a single prompt
		c.Messages = Prompt(d)
		return c, nil
	}
	room := document.Room(msg.MaxBlocks)
	if c.Messages, err = Messages(d.Elements, d.Prefix, d.Index, &room); err != nil {
		return nil, err
	}
	d.Index = nil // everything is parsed, so the index is no longer needed
	Link(nil, c.Messages, c.Tools)
	return c, nil
}

// Prompt returns the message of an input that is a string.
func Prompt(d *document.Document) []msg.Message {
	return []msg.Message{{Role: msg.User, Raw: d.List, Path: d.Prefix, Blocks: document.String(d.List, d.Prefix)}}
}

// Messages reads items as messages. prefix is the JSON Pointer of their list.
func Messages(items []rawjson.Value, prefix string, index *rawjson.Index, room *document.Room) ([]msg.Message, error) {
	var out []msg.Message
	for i, raw := range items {
		path := document.At(prefix, i)
		role, blocks, err := Item(raw, path, index, room)
		if err != nil {
			return nil, err
		}
		out = Add(out, role, blocks, raw, path, document.Run{Start: i, End: i + 1})
	}
	return out, nil
}

// Add appends an item to the messages: to the last one if both are the assistant's, else as a new message.
func Add(messages []msg.Message, role msg.Role, blocks []msg.Block, raw rawjson.Value, path string,
	at document.Run) []msg.Message {
	n := len(messages) - 1
	if role != msg.Assistant || n < 0 || messages[n].Role != msg.Assistant || separate(&messages[n], blocks) {
		return append(messages, msg.Message{Role: role, Blocks: blocks, Raw: raw.Clip(), Path: path, Origin: at})
	}
	Join(&messages[n], blocks, raw, at)
	return messages
}

// Join adds an item to a message.
func Join(m *msg.Message, blocks []msg.Block, raw rawjson.Value, at document.Run) {
	if m.Raw != nil {
		m.Lines, m.Raw = []rawjson.Value{m.Raw}, nil
		unbare(m.Blocks)
	}
	unbare(blocks)
	m.Lines = append(m.Lines, raw.Clip())
	m.Blocks = append(m.Blocks, blocks...)
	m.Origin = document.Run{Start: m.Origin.(document.Run).Start, End: at.End}
}

// separate reports whether an item does not belong to the response m.
func separate(m *msg.Message, blocks []msg.Block) bool {
	bare := func(blocks []msg.Block) bool { return len(blocks) == 1 && blocks[0].Bare }
	last := m.Raw
	if len(m.Lines) > 0 {
		last = m.Lines[len(m.Lines)-1]
	}
	if n := len(m.Blocks); n > 0 && isPart(&m.Blocks[n-1]) && last.Member("phase").Text() == "final_answer" {
		return true
	}
	return (bare(m.Blocks) || bare(blocks)) &&
		!m.Any(func(b *msg.Block) bool { return b.Kind == msg.KindThinking })
}

// unbare marks the blocks of a message that has others too.
func unbare(blocks []msg.Block) {
	for b := range blocks {
		blocks[b].Bare = false
	}
}

// fields are the members of an item that Item reads.
type fields struct {
	kind, role, id, callID, name, content, encrypted, output, result, caller rawjson.Value
}

func read(raw rawjson.Value, index *rawjson.Index) (f fields) {
	for it := index.Walk(raw); it.Next(); {
		name, value := it.Name, it.Value
		switch name {
		case "type":
			f.kind = value
		case "role":
			f.role = value
		case "id":
			f.id = value
		case "call_id":
			f.callID = value
		case "name":
			f.name = value
		case "content":
			f.content = value
		case "encrypted_content":
			f.encrypted = value
		case "output", "tools":
			f.output = value
		case "result":
			f.result = value
		case "caller":
			f.caller = value
		}
	}
	return f
}

// Item reads one item: whose message it belongs to, and its blocks. The text of an item of an unknown type is its whole
// JSON.
func Item(raw rawjson.Value, path string, index *rawjson.Index, room *document.Room) (role msg.Role, blocks []msg.Block,
	err error) {
	if raw.Kind() != '{' {
		return "", nil, msg.NewError(msg.BadMessage, path, "cannot read the item: it is "+document.What(raw)+
			`, it must be an object such as {"type":"message","role":"user","content":"…"}`)
	}
	f := read(raw, index)
	kind, err := document.Text(f.kind, path, "type")
	if err != nil {
		return "", nil, err
	}
	if kind == "" && f.role.IsNull() && f.content.IsNull() && f.id.Kind() == '"' {
		kind = "item_reference" // the API takes it without its type
	}
	if kind == "" || kind == "message" {
		if role, err = document.Role(raw, f.role, path); err != nil {
			return "", nil, err
		}
		if blocks, err = content(f.content, path+"/content", room); len(blocks) == 0 && err == nil {
			blocks = []msg.Block{{Kind: msg.KindOther, Type: "message", Raw: raw.Clip(), Path: path}} // an empty item
		}
		return role, blocks, err
	}
	if err := room.Take(path); err != nil {
		return "", nil, err
	}
	b := msg.Block{Kind: msg.KindOther, Type: kind, Raw: raw.Clip(), Path: path}
	role, err = other(&b, &f, room)
	return role, []msg.Block{b}, err
}

// other reads an item that is no message.
func other(b *msg.Block, f *fields, room *document.Room) (role msg.Role, err error) {
	role = msg.Assistant
	t := typeOf(b.Type)
	switch {
	case b.Type == "reasoning":
		reasoning(b, b.Raw, f)
	case b.Type == "compaction" || b.Type == "context_compaction" || b.Type == "compaction_summary":
		b.Kind, b.Signed, b.Sealed = msg.KindSummary, true, document.Sealed(f.encrypted)
		_, err = document.Text(f.encrypted, b.Path, "encrypted_content")
	case b.Type == "image_generation_call":
		b.Kind, b.Image = msg.KindImage, pixel.Read(pixel.Of(f.result))
	case t == nil:
		document.Other(b)
		if f.role.Kind() == '"' {
			role = msg.Role(f.role.Text())
		} else if b.Type == "configuration_update" || b.Type == "compaction_trigger" {
			role = msg.Developer // an instruction of the client: it stays in its place
		}
	case t.isOutput:
		if b.Type != programOutput { // which the provider returns with the items after it
			role = msg.Tool
		}
		err = t.result(b, b.Raw, f, room)
	default:
		err = t.call(b, b.Raw, f)
	}
	if t != nil && err == nil && b.ID == "" && (!isNamed(b.Type) ||
		t.isOutput && f.callID.IsNull() && f.name.Kind() == '"') {
		b.Kind = msg.KindOther
		if document.Other(b); !isNamed(b.Type) { // without an id, a provider ran it
			role = msg.Assistant
		}
	}
	return role, err
}

// isNamed reports a call that the client always runs, a program, or the output of one. So it has an id, even if that is
// empty: the API requires its call_id (openai 7.57.0). Only a search for tools may have none: the provider can run it.
func isNamed(kind string) bool {
	switch strings.TrimSuffix(kind, "_output") {
	case "function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call", "computer_call",
		program:
		return true
	}
	return false
}

// reasoning reads a reasoning item. It is never changed, and removed only with its whole response.
func reasoning(b *msg.Block, raw rawjson.Value, f *fields) {
	b.Kind, b.Bound, b.Sealed = msg.KindThinking, true, document.Sealed(f.encrypted)
	b.Signed = !f.encrypted.IsNull() || !f.id.IsNull()
	for _, part := range raw.Member("summary").List() {
		b.Text += part.Member("text").Text()
	}
	for _, part := range f.content.List() {
		b.Text += part.Member("text").Text()
	}
}

// content reads the content of a message item or of an output.
func content(raw rawjson.Value, path string, room *document.Room) ([]msg.Block, error) {
	return document.Content(raw, path, "a string or an array of parts", room, part)
}

// part reads one part of a content or an output.
func part(raw rawjson.Value, path string) (b msg.Block, err error) {
	if raw.Kind() != '{' {
		return b, msg.NewError(msg.BadMessage, path, "cannot read the part: it is "+document.What(raw)+
			`, it must be an object such as {"type":"input_text","text":"…"}`)
	}
	b = msg.Block{Kind: msg.KindOther, Raw: raw.Clip(), Path: path}
	if b.Type, err = document.Text(raw.Member("type"), path, "type"); err != nil {
		return b, err
	}
	switch b.Type {
	case "input_text", "output_text", "text", "summary_text", "reasoning_text":
		b.Kind = msg.KindText
		b.Text, err = document.Text(raw.Member("text"), path, "text")
	case "refusal":
		b.Kind = msg.KindText
		b.Text, err = document.Text(raw.Member("refusal"), path, "refusal")
	case "input_image", screenshot:
		b.Kind, b.Image = msg.KindImage, pixel.Read(pixel.Of(raw.Member("image_url")))
	case "input_file", "input_audio":
		b.Kind = msg.KindDocument
	default:
		document.Other(&b)
	}
	return b, err
}
