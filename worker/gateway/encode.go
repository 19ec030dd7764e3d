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
	list := append([]byte{'['}, bytes.Join(bytesOf(values), []byte{','})...)
	return append(list, ']')
}

func bytesOf(values []json.RawMessage) (out [][]byte) {
	for _, v := range values {
		out = append(out, v)
	}
	return out
}

// insert adds a member at the end of the object that a text ends with.
func insert(text, member []byte) []byte {
	end := bytes.LastIndexByte(text, '}')
	if end < 0 || !json.Valid(bytes.TrimPrefix(text, []byte("data:"))) {
		return text
	}
	return append(append(append([]byte(nil), text[:end]...), member...), text[end:]...)
}
