// Package gemini reads and writes conversations of the Gemini API: a request body, the parameters that Google's SDK
// takes, or the bare array of contents. Names in camelCase and in snake_case are read. Unknown parts are kept byte for
// byte. Start with Read and Render.
//
// It is not a part of the API (see package core).
package gemini

import (
	"slices"
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/parts"
	"tamp/core/format/internal/pixel"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// List is the member of a body that holds the messages.
const List = "contents"

var shape = parts.Shape{Format: msg.Gemini, List: List, Parts: "parts", Role: role, Name: name, Part: Part,
	Write: Write}

// Read reads a document that was opened. The conversation shares memory with it. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) {
	c, err := shape.Read(d)
	if err != nil {
		return nil, err
	}
	if !d.Bare() {
		if err = around(c, d.Top); err != nil {
			return nil, err
		}
	}
	d.Index = nil // everything is parsed, so the index is no longer needed
	Link(nil, c.Messages)
	return c, nil
}

// Render writes a conversation from Read, with its changes. Unchanged parts are written byte for byte as in the input;
// if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) { return shape.Render(c) }

// Items returns the messages as they are written, by their places in d.
func Items(c *msg.Conversation, d *document.Document) ([]document.Item, error) {
	return shape.Items(c, d)
}

func role(name string) msg.Role {
	switch name {
	case "model":
		return msg.Assistant
	case "", "function": // "function" is the role of responses in older clients; a single content may have no role
		return msg.User
	}
	return msg.Role(name)
}

func name(role msg.Role) string {
	switch role {
	case msg.Assistant:
		return "model"
	case msg.Tool:
		return ""
	}
	return string(role)
}

// member returns the last member with a name that camelCase turns into the given one, and its own name; the given name
// if there is none.
func member(object rawjson.Value, name string) (found rawjson.Value, key string) {
	key = name
	for it := object.Walk(); it.Next(); {
		k, value := it.Name, it.Value
		if camelCase(k) == name {
			found, key = value, k
		}
	}
	return found, key
}

// camelCase returns a name in snake_case as the API's documentation writes it: function_call is functionCall.
func camelCase(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		if word != "" {
			words[i+1] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// around reads the system instruction and the tools of a request body, or of the config of the SDK's parameters.
func around(c *msg.Conversation, top rawjson.Value) error {
	for _, place := range [...]struct {
		path  string
		value rawjson.Value
	}{{"", top}, {"/config", top.Member("config")}} {
		system, key := member(place.value, "systemInstruction")
		path := place.path + "/" + key
		if list := system.Member("parts"); list != nil {
			system, path = list, path+"/parts"
		}
		room := document.Room(msg.MaxBlocks)
		prompt := shape
		prompt.String, prompt.Parts = true, key
		blocks, err := prompt.Blocks(system, path, nil, &room)
		if err != nil {
			return err
		}
		c.System = append(c.System, blocks...)
		tools, err := declarations(place.value.Member("tools"), place.path)
		if err != nil {
			return err
		}
		c.Tools = append(c.Tools, tools...)
	}
	return nil
}

// declarations returns the function declarations of all tools, and the tools that have none.
func declarations(list rawjson.Value, prefix string) ([]msg.Block, error) {
	tools, err := document.Tools(list, "tools")
	if err != nil {
		return nil, err
	}
	var out []msg.Block
	for i := range tools {
		tools[i].Path = prefix + tools[i].Path
		functions, key := member(tools[i].Raw, "functionDeclarations")
		if functions.Kind() != '[' {
			out = append(out, tools[i])
			continue
		}
		declared, err := document.Tools(functions, key)
		if err != nil {
			return nil, err
		}
		for k := range declared {
			declared[k].Path = tools[i].Path + declared[k].Path
		}
		out = append(out, declared...)
	}
	return out, nil
}

// Part reads one part, a block that has Raw and Path. The text of a part of an unknown type is its whole JSON. A part
// without data, which has at most members that describe it, has no type.
func Part(b *msg.Block) (err error) {
	var value, signature rawjson.Value
	thought := false
	for it := b.Raw.Walk(); it.Next(); {
		key, v := it.Name, it.Value
		if v.IsNull() {
			continue // as SDKs write a member that is not set
		}
		switch key = camelCase(key); key {
		case "text", "functionCall", "functionResponse", "inlineData", "fileData":
			b.Type, value = key, v
		case "thought":
			thought = v.IsTrue()
		case "thoughtSignature":
			signature = v
		case "videoMetadata", "mediaResolution", "partMetadata":
		default:
			if b.Type == "" {
				b.Type = key
			}
		}
	}
	switch b.Type {
	case "text":
		b.Kind = msg.KindText
		if thought {
			b.Kind, b.Type, b.Signed = msg.KindThinking, "thought", len(signature) > len(`""`)
			b.Sealed = document.Sealed(signature)
		}
		b.Text, err = document.Text(value, b.Path, "text")
	case "functionCall":
		b.Kind, b.Sealed = msg.KindToolUse, document.Sealed(signature)
		if err = named(b, value); err == nil {
			b.Text = value.Member("args").Plain()
		}
	case "functionResponse":
		b.Kind = msg.KindToolResult
		if err = named(b, value); err == nil {
			response(b, value)
		}
	case "inlineData", "fileData":
		media(b, value)
	default:
		document.Other(b)
	}
	return err
}

// named reads the name and the id of a call or a response. Without an id, a response answers the first open call of its
// name, so the name is the id; see Link.
func named(b *msg.Block, value rawjson.Value) (err error) {
	if value.Kind() != '{' {
		return msg.NewError(msg.BadMessage, b.Path, "cannot read the part: "+b.Type+" is "+document.What(value)+
			", it must be an object")
	}
	at := b.Path + "/" + b.Type
	if b.Name, err = document.Text(value.Member("name"), at, "name"); err != nil {
		return err
	}
	if b.ID, err = document.Text(value.Member("id"), at, "id"); err == nil && b.ID == "" {
		b.ID = msg.NoID + b.Name
	}
	return err
}

// results are the members of a response that hold its text, in the order in which they count. The API gives output and
// error a meaning; result and return_value are those of common clients.
var results = [...]string{"output", "error", "result", "return_value"}

// response reads the part that the model gets: the text of the one member that holds it, or the whole object as JSON.
func response(b *msg.Block, value rawjson.Value) {
	object := value.Member("response")
	b.IsError = !object.Member("error").IsNull()
	if text := object.Member(textMember(object)); text != nil {
		b.Text = text.Text()
	} else if len(object) > len("{}") {
		b.Text = object.Plain()
	}
	media := value.Member("parts")
	if media.Kind() != '[' {
		return
	}
	b.Parts = []msg.Block{{Kind: msg.KindText, Type: "text", Raw: object, Text: b.Text,
		Path: b.Path + "/" + b.Type + "/response"}}
	for i, raw := range media.List() {
		p := msg.Block{Kind: msg.KindOther, Raw: raw, Path: document.At(b.Path+"/"+b.Type+"/parts", i)}
		if Part(&p) == nil && p.Kind != msg.KindToolResult {
			b.Parts = append(b.Parts, p)
		}
	}
}

// textMember returns the name of the one member of a response that is a text; "" if the response has more than that.
func textMember(object rawjson.Value) string {
	found, members := "", 0
	for it := object.Walk(); it.Next(); {
		key, value := it.Name, it.Value
		members++
		for _, name := range results {
			if key == name && value.Kind() == '"' {
				found = key
			}
		}
	}
	if members > 1 {
		return ""
	}
	return found
}

func media(b *msg.Block, value rawjson.Value) {
	b.Kind = msg.KindDocument
	kind, _ := member(value, "mimeType")
	if strings.HasPrefix(kind.Text(), "image/") {
		b.Kind, b.Image = msg.KindImage, pixel.ReadData(pixel.Of(value.Member("data")))
	}
}

// Link gives each response without an id the id of the call that it answers: the first call of its name that no other
// response answers, those with an id first, in the last turn of the model with calls. A turn can be several contents
// next to each other, as in logs and in what Repair merges. before are messages that were linked already.
func Link(before, messages []msg.Message) {
	start := len(before) // the last turn with calls
	for start > 0 && calls(&before[start-1]) == nil {
		start--
	}
	for start > 0 && before[start-1].Role == msg.Assistant {
		start--
	}
	var open []msg.Block
	inTurn := false // the calls of open are of the turn that has not ended
	for m := start; m < len(before)+len(messages); m++ {
		var message *msg.Message
		if m < len(before) {
			message = &msg.Message{Role: before[m].Role, Blocks: slices.Clone(before[m].Blocks)}
		} else {
			message = &messages[m-len(before)]
		}
		inTurn = inTurn && message.Role == msg.Assistant
		if next := calls(message); next != nil {
			if !inTurn {
				open, inTurn = nil, true
			}
			open = append(open, next...)
			continue
		}
		if message.Role != msg.User && message.Role != msg.Assistant {
			continue // the API refuses the message, whose responses answer no call
		}
		for i := range message.Blocks {
			if b := &message.Blocks[i]; b.Type == "functionResponse" && m >= len(before) {
				if value, _ := member(b.Raw, b.Type); value.Member("id").Text() == "" {
					b.ID = msg.NoID + b.Name // messages may have been linked without those before them
				}
			}
		}
		for _, named := range [...]bool{true, false} { // the responses with an id first
			for i := range message.Blocks {
				if b := &message.Blocks[i]; b.Kind == msg.KindToolResult &&
					strings.HasPrefix(b.ID, msg.NoID) != named {
					open = answer(open, b)
				}
			}
		}
	}
}

// answer gives a response the id of its call, and returns the other calls. If several calls have the id, it is the one
// with the response's name.
func answer(open []msg.Block, b *msg.Block) []msg.Block {
	for _, sameName := range [...]bool{true, false} {
		for i := range open {
			if b.ID == open[i].ID && (!sameName || b.Name == open[i].Name) || b.ID == msg.NoID+open[i].Name {
				b.ID = open[i].ID
				return append(open[:i:i], open[i+1:]...)
			}
		}
	}
	return open
}

// calls returns the calls of a message of the model, nil if there are none.
func calls(m *msg.Message) []msg.Block {
	var out []msg.Block
	for b := range m.Blocks {
		if m.Role == msg.Assistant && m.Blocks[b].Kind == msg.KindToolUse {
			out = append(out, m.Blocks[b])
		}
	}
	return out
}

// SkipSignature is the signature that Google documents for a call which the model did not make itself: the API does not
// validate it (ai.google.dev/gemini-api/docs/thought-signatures).
const SkipSignature = "skip_thought_signature_validator"

// Write writes a part with its changes, or a new part.
func Write(b *msg.Block) (rawjson.Value, error) {
	raw := b.Raw
	if len(raw) == 0 {
		return fresh(b)
	}
	if b.Changed&msg.ChangedSignature != 0 {
		_, key := member(raw, "thoughtSignature")
		raw = raw.With(key, rawjson.Quote(SkipSignature))
	}
	value, key := member(raw, b.Type)
	switch {
	case b.Changed&^msg.ChangedSignature == 0:
		return raw, nil
	case b.Type == "text" && b.Changed&^(msg.ChangedText|msg.ChangedSignature) == 0:
		return raw.With("text", rawjson.Quote(b.Text)), nil
	case b.Kind != msg.KindToolUse && b.Kind != msg.KindToolResult:
		return nil, parts.Unwritable(b)
	}
	if b.Changed&msg.ChangedID != 0 {
		value = value.With("id", rawjson.Quote(b.ID))
	}
	if b.Changed&msg.ChangedInput != 0 {
		input, err := block.Object(b)
		if err != nil {
			return nil, err
		}
		value = value.With("args", input)
	}
	if b.Changed&msg.ChangedText != 0 {
		object := value.Member("response")
		if name := textMember(object); name != "" {
			object = object.With(name, rawjson.Quote(b.Text))
		} else {
			object = newResponse(b)
		}
		value = value.With("response", object)
		if value.Member("parts") != nil {
			value = value.Without("parts")
		}
	}
	return raw.With(key, value), nil
}

func newResponse(b *msg.Block) rawjson.Value {
	if b.IsError {
		return rawjson.Value("{}").With("error", rawjson.Quote(b.Text))
	}
	return rawjson.Value("{}").With("output", rawjson.Quote(b.Text))
}

// fresh writes a new part.
func fresh(b *msg.Block) (rawjson.Value, error) {
	value := rawjson.Value("{}")
	if b.ID != "" && !strings.HasPrefix(b.ID, msg.NoID) {
		value = value.With("id", rawjson.Quote(b.ID))
	}
	value = value.With("name", rawjson.Quote(b.Name))
	switch b.Kind {
	case msg.KindText, msg.KindSummary:
		return rawjson.Value("{}").With("text", rawjson.Quote(b.Text)), nil
	case msg.KindToolUse:
		input, err := block.Object(b)
		if err != nil {
			return nil, err
		}
		return rawjson.Value("{}").With("functionCall", value.With("args", input)), nil
	case msg.KindToolResult:
		return rawjson.Value("{}").With("functionResponse", value.With("response", newResponse(b))), nil
	}
	return nil, parts.Unwritable(b)
}
