package document_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
)

// Only ciphertexts and base64 go from the JSON that the model reads.
func TestLegible(t *testing.T) {
	cipher := strings.Repeat("QUJD+/09-_", 100) + "=="
	for _, row := range [...]struct {
		name, json, text string
		sealed           bool
	}{
		{"words", `{"a": "some words", "b":[1,"x"]}`, `{"a":"some words","b":[1,"x"]}`, false},
		{"long words", `{"a":"` + strings.Repeat("word ", 200) + `"}`, `{"a":"` + strings.Repeat("word ", 200) + `"}`, false},
		{"Chinese", `{"a":"` + strings.Repeat("错误", 300) + `"}`, `{"a":"` + strings.Repeat("错误", 300) + `"}`, false},
		{"code", `{"a":"` + strings.Repeat("f(x);", 200) + `"}`, `{"a":"` + strings.Repeat("f(x);", 200) + `"}`, false},
		{"escapes", `{"a":"` + strings.Repeat(`1,2\n`, 200) + `"}`, `{"a":"` + strings.Repeat(`1,2\n`, 200) + `"}`, false},
		{"a ciphertext", `{"a":{"encrypted_content":"` + cipher + `"},"b":"\"x"}`, `{"a":{"encrypted_content":""},"b":"\"x"}`, true},
		{"two", `["` + cipher + `","` + cipher + `"]`, `["",""]`, true},
		{"a file", `{"type":"base64","data":"` + cipher + `"}`, `{"type":"base64","data":""}`, true},
		{"an image", `{"url":"data:image/png;base64,` + cipher + `","n":1}`, `{"url":"","n":1}`, true},
		{"a string that is cut", `"` + cipher, `"` + cipher, false},
		{"nothing", ``, ``, false},
	} {
		text, sealed := document.Legible(rawjson.Value(row.json))
		require.Equal(t, row.text, text, row.name)
		require.Equal(t, row.sealed, sealed > 0, row.name)
	}
}
