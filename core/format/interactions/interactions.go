// Package interactions reads and writes conversations of the Gemini Interactions API: a request body, or the bare array
// of its steps. A step is written like an item of OpenAI's Responses, so both share the reading of lists of items.
// Unknown steps are kept byte for byte. Start with Read and Render.
//
// It is not a part of the API (see package core).
package interactions

import (
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/pixel"
	"tamp/core/format/responses"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// How steps become messages (@google/genai 3.3.0, Interactions.Step):
//
//   - The steps of the model between two inputs are one assistant message: thoughts, calls, outputs, and what the
//     provider's own tools were asked and answered.
//   - The function_result steps next to each other are one user message, as Gemini's contents have them.
//   - A user_input step is a message. So is a content in place of a step.

// Read reads a document that was opened with its input.
func Read(d *document.Document) (_ *msg.Conversation, err error) {
	c := &msg.Conversation{Format: msg.Interactions, Origin: d}
	if !d.Bare() {
		c.Model = d.Fields.Model.Text()
		// An agent of the provider keeps what it did, too.
		for _, name := range [...]string{"previous_interaction_id", "continuation_token", "cached_content", "agent"} {
			c.Partial = c.Partial || !d.Top.Member(name).IsNull()
		}
		c.System = document.String(d.Top.Member("system_instruction"), "/system_instruction")
		if c.Tools, err = document.Tools(d.Fields.Tools, "tools"); err != nil {
			return nil, err
		}
	}
	if d.List.Kind() == '"' { // a single prompt
		c.Messages = responses.Prompt(d)
		return c, nil
	}
	room := document.Room(msg.MaxBlocks)
	for i, raw := range d.Elements {
		path := d.Path(i)
		role, blocks, err := step(raw, path, &room)
		if err != nil {
			return nil, err
		}
		c.Messages = add(c.Messages, role, blocks, raw, document.Run{Start: i, End: i + 1})
	}
	d.Index = nil // everything is parsed, so the index is no longer needed
	return c, nil
}

// add appends a step to the messages: to the last one if both are of the model, or both results.
func add(messages []msg.Message, role msg.Role, blocks []msg.Block, raw rawjson.Value,
	at document.Run) []msg.Message {
	result := func(blocks []msg.Block) bool { return len(blocks) > 0 && blocks[0].Kind == msg.KindToolResult }
	if n := len(messages) - 1; n < 0 || messages[n].Role != role ||
		role == msg.User && !(result(blocks) && result(messages[n].Blocks)) {
		return append(messages, msg.Message{Role: role, Blocks: blocks, Raw: raw.Clip(),
			Path: stepPath(blocks[0].Path), Origin: at})
	}
	responses.Join(&messages[len(messages)-1], blocks, raw, at)
	return messages
}

// stepPath returns the path of the step that a block was read from.
func stepPath(path string) string {
	if at := strings.Index(path, "/content"); at >= 0 {
		return path[:at]
	}
	return path
}

// step reads one step: whose message it belongs to, and its blocks. The text of a step of an unknown type is its whole
// JSON; it is the model's, as are all but two of those that are known.
func step(raw rawjson.Value, path string, room *document.Room) (role msg.Role, blocks []msg.Block, err error) {
	kind := raw.Member("type").Text()
	if kind == "" {
		return "", nil, msg.NewError(msg.BadMessage, path, `cannot read the step: it must be an object with a type, `+
			`such as {"type":"user_input","content":[{"type":"text","text":"…"}]}`)
	}
	role = msg.Assistant
	b := msg.Block{Kind: msg.KindOther, Type: kind, Raw: raw.Clip(), Path: path}
	switch kind {
	case "user_input", "model_output":
		if kind == "user_input" {
			role = msg.User
		}
		blocks, err = content(raw.Member("content"), path+"/content", room)
		if len(blocks) > 0 || err != nil {
			return role, blocks, err
		}
		document.Other(&b) // an empty step
	case "thought":
		b.Kind, b.Bound, b.Signed = msg.KindThinking, true, !raw.Member("signature").IsNull()
		b.Sealed = document.Sealed(raw.Member("signature"))
		for _, part := range raw.Member("summary").List() {
			b.Text += part.Member("text").Text()
		}
	case "function_call":
		b.Kind, b.Text = msg.KindToolUse, block.Value(raw.Member("arguments"))
		err = named(&b, "id")
	case "function_result":
		role, b.Kind, b.IsError = msg.User, msg.KindToolResult, raw.Member("is_error").IsTrue()
		if err = named(&b, "call_id"); err == nil {
			err = result(&b, room)
		}
	default:
		if isContent(kind) {
			role = msg.User
			b, err = part(raw, path)
		} else {
			document.Other(&b)
		}
	}
	if err == nil {
		err = room.Take(path)
	}
	return role, []msg.Block{b}, err
}

// named reads the name and the id of a call or a result.
func named(b *msg.Block, id string) (err error) {
	if b.Name, err = document.Text(b.Raw.Member("name"), b.Path, "name"); err == nil {
		b.ID, err = document.Text(b.Raw.Member(id), b.Path, id)
	}
	return err
}

// result reads a result: a string, an array of contents, or any other value as its JSON.
func result(b *msg.Block, room *document.Room) (err error) {
	value := b.Raw.Member("result")
	if value.Kind() != '[' || !responses.IsParts(value) {
		b.Text = block.Value(value)
		return nil
	}
	b.Parts, err = content(value, b.Path+"/result", room)
	b.Text = document.Joined(b.Parts)
	return err
}

func content(raw rawjson.Value, path string, room *document.Room) ([]msg.Block, error) {
	return document.Content(raw, path, "an array of contents", room, part)
}

func isContent(kind string) bool {
	switch kind {
	case "text", "image", "audio", "video", "document":
		return true
	}
	return false
}

// part reads one content. A call in one is of a version of the API that has no steps: it would not be seen as one.
func part(raw rawjson.Value, path string) (b msg.Block, err error) {
	b = msg.Block{Kind: msg.KindOther, Type: raw.Member("type").Text(), Raw: raw.Clip(), Path: path}
	switch {
	case raw.Kind() != '{' || b.Type == "function_call" || b.Type == "function_result":
		return b, msg.NewError(msg.BadMessage, path, "cannot read the content: it is "+document.What(raw)+" of the type "+
			b.Type+", it must be an object such as "+`{"type":"text","text":"…"}; calls and results are steps of their own`)
	case b.Type == "text":
		b.Kind = msg.KindText
		b.Text, err = document.Text(raw.Member("text"), path, "text")
	case b.Type == "image":
		b.Kind, b.Image = msg.KindImage, pixel.ReadData(pixel.Of(raw.Member("data")))
	case isContent(b.Type):
		b.Kind = msg.KindDocument
	default:
		document.Other(&b)
	}
	return b, err
}

var form = responses.Form{Message: message, Text: func(msg.Role) string { return "text" }, Item: item}

// Render writes a conversation from Read, with its changes. Unchanged steps are written byte for byte as in the input;
// if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) { return form.Render(c) }

func message(role msg.Role) rawjson.Value {
	if role == msg.Assistant {
		return rawjson.Value(`{"type":"model_output"}`)
	}
	return rawjson.Value(`{"type":"user_input"}`)
}

// item writes a step that is one block: with its changes, or a new call or result.
func item(b *msg.Block) (rawjson.Value, error) {
	raw, id, change := b.Raw, "id", b.Changed&^msg.ChangedCache
	if b.Kind == msg.KindToolResult {
		id = "call_id"
	}
	if len(raw) == 0 {
		change = msg.ChangedID | msg.ChangedInput
		if raw = rawjson.Value(`{"type":"function_call"}`); id == "call_id" {
			raw, change = rawjson.Value(`{"type":"function_result"}`), msg.ChangedID|msg.ChangedText
		}
		if b.Name != "" {
			raw = raw.With("name", rawjson.Quote(b.Name))
		}
		if b.IsError {
			raw = raw.With("is_error", rawjson.Value("true"))
		}
	}
	switch {
	case change == 0:
		return raw, nil
	case b.Kind == msg.KindText && change == msg.ChangedText:
		return raw.With("text", rawjson.Quote(b.Text)), nil
	case b.Kind != msg.KindToolUse && b.Kind != msg.KindToolResult:
		return nil, msg.NewError(msg.BadMessage, b.Path, "cannot write the step: a step of type "+b.Type+
			" has nothing of this kind to change")
	}
	if change&msg.ChangedID != 0 {
		raw = raw.With(id, rawjson.Quote(b.ID))
	}
	if change&msg.ChangedInput != 0 {
		input, err := block.Object(b)
		if err != nil {
			return nil, err
		}
		raw = raw.With("arguments", input)
	}
	if change&msg.ChangedText != 0 {
		raw = raw.With("result", rawjson.Quote(b.Text))
	}
	return raw, nil
}
