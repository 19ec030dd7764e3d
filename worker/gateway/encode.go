package gateway

import (
	"bytes"
	"encoding/json"
)

func encode(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic("tamp: internal error: " + err.Error()) // strings and numbers only
	}
	return body
}

// listOf writes a JSON array.
func listOf(values []json.RawMessage) []byte {
	list := []byte{'['}
	for i, v := range values {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, v...)
	}
	return append(list, ']')
}

// insert adds a member at the end of the object that a text ends with.
func insert(text, member []byte) []byte {
	end := bytes.LastIndexByte(text, '}')
	if end < 0 || !json.Valid(bytes.TrimPrefix(text, []byte("data:"))) {
		return text
	}
	return append(append(append([]byte(nil), text[:end]...), member...), text[end:]...)
}
