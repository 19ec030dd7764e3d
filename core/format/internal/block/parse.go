// Package block reads and writes the content blocks of Anthropic's Messages API, which request bodies and Claude Code
// logs have in common. It knows blocks and content, not messages. Start with Parse and Render.
package block

import (
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/pixel"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Parse reads a message's content: a string is one bare text block, an array its blocks, null or nothing none. path is
// the JSON Pointer of the content; textPath is that of a string content. index may be nil. The blocks are taken from
// room.
func Parse(content rawjson.Value, path, textPath string, index *rawjson.Index, room *document.Room) ([]msg.Block,
	error) {
	return parse(content, path, textPath, index, room, 0)
}

// Outline is Parse for callers that need no texts: those of the blocks and the sizes of images are not read. The blocks
// and the errors are the same.
func Outline(content rawjson.Value, path, textPath string, index *rawjson.Index, room *document.Room) ([]msg.Block,
	error) {
	return parse(content, path, textPath, index, room, outline)
}

// mode is how blocks are read.
type mode uint8

const (
	// The blocks are the parts of a result. A result among them is not divided further: no provider accepts one there,
	// and paths that grow with the depth would take many times the memory of the input.
	inResult mode = 1 << iota
	outline       // without texts
)

func parse(content rawjson.Value, path, textPath string, index *rawjson.Index, room *document.Room,
	how mode) ([]msg.Block, error) {
	switch content.Kind() {
	case '"':
		b := msg.Block{Kind: msg.KindText, Type: "text", Raw: content, Path: textPath, Bare: true}
		if how&outline == 0 {
			b.Text = content.Text()
		}
		return []msg.Block{b}, nil
	case '[':
		var blocks []msg.Block
		for it := index.Items(content); it.Next(); {
			at := document.At(path, it.At)
			if err := room.Take(at); err != nil {
				return nil, err
			}
			b, err := one(it.Value, at, index, room, how)
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, b)
		}
		return blocks, nil
	}
	if content.IsNull() {
		return nil, nil
	}
	return nil, msg.NewError(msg.BadMessage, path, "cannot read the message: content is "+document.What(content)+
		", it must be a string or an array of blocks")
}

// fields are the members of a block that Parse uses.
type fields struct {
	kind, id, toolUseID, name, text, thinking, signature            rawjson.Value
	input, content, data, encrypted, source, isError, cache, caller rawjson.Value
}

func read(raw rawjson.Value, index *rawjson.Index) fields {
	var f fields
	for it := index.Walk(raw); it.Step(); {
		value := it.Value
		switch string(it.Key()) {
		case "type":
			f.kind = value
		case "id":
			f.id = value
		case "tool_use_id":
			f.toolUseID = value
		case "name":
			f.name = value
		case "text":
			f.text = value
		case "thinking":
			f.thinking = value
		case "signature":
			f.signature = value
		case "input":
			f.input = value
		case "content":
			f.content = value
		case "data":
			f.data = value
		case "encrypted_content":
			f.encrypted = value
		case "source":
			f.source = value
		case "is_error":
			f.isError = value
		case "cache_control":
			f.cache = value
		case "caller":
			f.caller = value
		}
	}
	return f
}

// leaveOut replaces the texts by a short one, so that the shape stays.
func (f *fields) leaveOut() {
	for _, text := range [...]*rawjson.Value{&f.text, &f.thinking, &f.signature, &f.data, &f.content} {
		if len(*text) > len(`""`) && text.Kind() == '"' {
			*text = rawjson.Value(`"x"`)
		}
	}
	f.input, f.source = nil, nil
}

// one reads a single block. The text of a block of an unknown type is its whole JSON.
func one(raw rawjson.Value, path string, index *rawjson.Index, room *document.Room, how mode) (b msg.Block,
	err error) {
	if raw.Kind() != '{' {
		return b, msg.NewError(msg.BadMessage, path, "cannot read the block: it is "+document.What(raw)+
			`, it must be an object such as {"type":"text","text":"…"}`)
	}
	f := read(raw, index)
	if how&outline != 0 {
		f.leaveOut()
	}
	b = msg.Block{Raw: raw.Clip(), Path: path, Cache: document.Cache(f.cache)}
	if b.Type, err = document.Text(f.kind, path, "type"); err != nil {
		return b, err
	}
	t, _ := msg.BlockTypeOf(b.Type)
	b.Kind, b.Server = t.Kind, t.Server
	switch b.Kind {
	case msg.KindText:
		b.Text, err = document.Text(f.text, path, "text")
	case msg.KindToolUse:
		b.Text = f.input.Plain()
		if b.ID, err = document.Text(f.id, path, "id"); err == nil {
			b.Name, err = document.Text(f.name, path, "name")
		}
		if f.caller.Kind() == '{' && !b.Server {
			b.Caller = f.caller.Member("tool_id").Text()
		}
	case msg.KindToolResult:
		err = result(&b, &f, index, room, how)
	case msg.KindThinking:
		if b.Type == "thinking" {
			b.Signed, b.Sealed = len(f.signature) > len(`""`) && !f.signature.IsNull(), document.Sealed(f.signature)
			b.Text, err = document.Text(f.thinking, path, "thinking")
		} else {
			b.Signed, b.Sealed = true, document.Sealed(f.data)
			_, err = document.Text(f.data, path, "data")
		}
	case msg.KindImage:
		b.Image = pixel.ReadData(pixel.Of(f.source.Member("data")))
	case msg.KindDocument:
		if b.Type != "container_upload" {
			b.Text = reading(raw, &f)
		}
	case msg.KindSummary:
		b.Signed, b.Text = !f.encrypted.IsNull(), inner(f.content)
	default:
		document.Other(&b)
	}
	return b, err
}

// result reads a tool result. Results of server tools can have values that are not blocks; their text is their JSON.
func result(b *msg.Block, f *fields, index *rawjson.Index, room *document.Room, how mode) (err error) {
	b.IsError = f.isError.IsTrue()
	if b.ID, err = document.Text(f.toolUseID, b.Path, "tool_use_id"); err != nil {
		return err
	}
	switch f.content.Kind() {
	case '"', 0, 'n':
		b.Text = f.content.Text()
		return nil
	case '[':
		if how&inResult != 0 {
			b.Text = inner(f.content)
			return nil
		}
		path := b.Path + "/content"
		if b.Parts, err = parse(f.content, path, path, index, room, how|inResult); err != nil {
			return err
		}
		b.Text = document.Joined(b.Parts)
		if b.Server && b.Text == "" {
			b.Text, _ = document.Legible(f.content)
		}
		return nil
	}
	if b.Server {
		b.Text, b.Sealed = document.Legible(f.content)
		return nil
	}
	return msg.NewError(msg.BadMessage, b.Path+"/content", "cannot read the tool result: content is "+
		document.What(f.content)+", it must be a string or an array of blocks")
}

// reading returns the text of a document or a search result: its title, its context, and its text if it is not a file.
func reading(raw rawjson.Value, f *fields) string {
	var texts []string
	add := func(text string) {
		if text != "" {
			texts = append(texts, text)
		}
	}
	add(raw.Member("title").Text())
	add(raw.Member("context").Text())
	if f.source.Kind() == '"' { // of a search result: its source
		add(f.source.Text())
	}
	switch f.source.Member("type").Text() {
	case "text":
		add(f.source.Member("data").Text())
	case "content":
		add(inner(f.source.Member("content")))
	}
	add(inner(f.content))
	return strings.Join(texts, "\n")
}

// inner returns the text of a content that is never edited: the string, or the texts in the array.
func inner(content rawjson.Value) string {
	if content.Kind() != '[' {
		return content.Text()
	}
	var texts []string
	for _, element := range content.List() {
		if text := element.Member("text"); text.Kind() == '"' {
			texts = append(texts, text.Text())
		}
	}
	return strings.Join(texts, "\n")
}
