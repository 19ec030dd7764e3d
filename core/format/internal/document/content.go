package document

import (
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Content reads a message's content in OpenAI's formats: a string is one bare text block, an array its parts, null or
// nothing none. Parts are read by part and taken from room. want is what the error says that a content must be.
func Content(raw rawjson.Value, path, want string, room *Room,
	part func(raw rawjson.Value, path string) (msg.Block, error)) ([]msg.Block, error) {
	switch raw.Kind() {
	case '"':
		return []msg.Block{{Kind: msg.KindText, Type: "text", Raw: raw, Path: path, Text: raw.Text(), Bare: true}}, nil
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
