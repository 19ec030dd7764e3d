package jsonl

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Clean and Whole change the lines that Read reads as objects, and no other ones.
func TestCleanAndWholeByLine(t *testing.T) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{`{"a":1}`, ` {"a":"\ud800"} `, "{\"a\":\"\xff\"}\r", "[1]", `["\ud800"]`, `{"a":"\ud8`,
			"\x00\x00", "", "  ", "text \xff", "{}{}"})
		data := []byte(rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark") + `{"first":true}` + "\n" +
			strings.Join(rapid.SliceOf(line).Draw(t, "lines"), "\n"))
		var clean, whole []byte
		require.NoError(t, Read(data, func(msg.Warning) {}, func(_ int, n Line) error {
			text := data[n.Start:n.End]
			if from, to := document.TrimSpace(text); n.Raw != nil || from == to {
				clean = append(clean, text...)
			}
			if n.Raw != nil {
				text = rawjson.Whole(text)
			}
			whole = append(whole, text...)
			return nil
		}))
		cleaned, removed := Clean(data)
		require.Equal(t, clean, cleaned)
		require.Equal(t, len(removed) == 0, len(cleaned) == len(data), "each line is in one of the two")
		require.Equal(t, whole, Whole(data))
		if string(whole) != string(data) {
			changed++
		}
	})
	require.Positive(t, changed)
}
