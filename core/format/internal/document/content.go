package document

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// String returns the block of a string, the one bare text of a content or of a system prompt; nil for any other value.
func String(raw rawjson.Value, path string) []msg.Block {
	if raw.Kind() != '"' {
		return nil
	}
	return []msg.Block{{Kind: msg.KindText, Type: "text", Raw: raw, Path: path, Text: raw.Text(), Bare: true}}
}

// Quoted writes the text of a block as a string, which was read as one if it did not change.
func Quoted(b *msg.Block) rawjson.Value {
	if b.Raw.Kind() == '"' && b.Changed&msg.ChangedText == 0 {
		return b.Raw
	}
	return rawjson.Quote(b.Text)
}

// Joined returns the text of the parts of a result.
func Joined(parts []msg.Block) string {
	if len(parts) == 1 && parts[0].Kind == msg.KindText {
		return parts[0].Text
	}
	var texts []string
	for i := range parts {
		if parts[i].Kind == msg.KindText {
			texts = append(texts, parts[i].Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Content reads a message's content in OpenAI's formats: a string is one bare text block, an array its parts, null or
// nothing none. Parts are read by part and taken from room. want is what the error says that a content must be.
func Content(raw rawjson.Value, path, want string, room *Room,
	part func(raw rawjson.Value, path string) (msg.Block, error)) ([]msg.Block, error) {
	switch raw.Kind() {
	case '"':
		return String(raw, path), nil
	case '[':
		var blocks []msg.Block
		for i, element := range raw.List() {
			at := At(path, i)
			if err := room.Take(at); err != nil {
				return nil, err
			}
			b, err := part(element, at)
			if err != nil {
				return nil, err
			}
			blocks = append(blocks, b)
		}
		return blocks, nil
	}
	if raw.IsNull() {
		return nil, nil
	}
	return nil, msg.NewError(msg.BadMessage, path, "cannot read the message: content is "+What(raw)+", it must be "+want)
}
