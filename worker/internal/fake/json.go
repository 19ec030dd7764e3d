package fake

import (
	"bytes"
	"encoding/json"
)

type object = map[string]any

// literal is event data that is not JSON.
type literal string

func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("tamp: internal error: " + err.Error())
	}
	return text
}

// withoutCacheControl returns a value with sorted members, without cache_control in it and its parts. A string in
// place of parts is one text.
func withoutCacheControl(raw json.RawMessage) []byte {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return raw
	}
	if m, ok := value.(object); ok {
		delete(m, "cache_control")
		if text, ok := m["content"].(string); ok {
			m["content"] = []any{object{"type": "text", "text": text}}
		}
		parts, _ := m["content"].([]any)
		for _, part := range parts {
			if p, ok := part.(object); ok {
				delete(p, "cache_control")
			}
		}
	}
	return marshal(value)
}

// pieces splits a text into two halves, between two characters.
func pieces(text string) []string {
	runes := []rune(text)
	if len(runes) < 2 {
		return []string{text}
	}
	return []string{string(runes[:len(runes)/2]), string(runes[len(runes)/2:])}
}

func bytesOf(list []json.RawMessage) (out [][]byte) {
	for _, m := range list {
		out = append(out, m)
	}
	return out
}
