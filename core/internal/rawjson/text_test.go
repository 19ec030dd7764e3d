package rawjson_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Text reads a string as encoding/json does.
func TestTextIsEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawString(t)
		var want string
		require.NoError(t, json.Unmarshal([]byte(text), &want))
		got := rawjson.Value(text).Text()
		require.True(t, utf8.ValidString(got))
		require.Equal(t, normal(want), normal(got))
	})
}

// normal makes one replacement character of a run: their number for a run of invalid bytes is not specified.
func normal(s string) string {
	out := []rune(nil)
	for _, r := range s {
		if r != utf8.RuneError || len(out) == 0 || out[len(out)-1] != r {
			out = append(out, r)
		}
	}
	return string(out)
}

// What Quote writes is JSON, and reads back as the same text.
func TestQuoteReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(),
			rapid.StringOf(rapid.RuneFrom([]rune("\"\\\n\r\t\b\f\x00\x1f\x7fé\u2028😀<>&")))).Draw(t, "text")
		quoted := rawjson.Quote(text)
		require.NoError(t, msg.Validate(quoted))
		require.Equal(t, text, quoted.Text())
		var read string
		require.NoError(t, json.Unmarshal(quoted, &read))
		require.Equal(t, text, read)
	})
}

func TestTextRows(t *testing.T) {
	for _, row := range []struct{ name, raw, want, why string }{
		{"plain", `"abc"`, "abc", "the common case"},
		{"escapes", `"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", "all of them"},
		{"pair", `"\ud83d\ude00"`, "😀", "two escapes, one character"},
		{"high surrogate alone", `"\ud83dx"`, "\uFFFDx", "no text can hold it; Raw still does"},
		{"two high surrogates", `"\ud83d\ud83d\ude00"`, "\uFFFD😀", "only the first one is alone"},
		{"high surrogate, then an escape", `"\ud83d\n"`, "\uFFFD\n", "the escape after it counts"},
		{"null character", `"\u0000"`, "\x00", "legal"},
		{"object", `{"a":"b"}`, "", "no string"},
		{"null", `null`, "", "no string"},
		{"absent", ``, "", "no string"},
	} {
		t.Run(row.name, func(t *testing.T) {
			require.Equal(t, row.want, rawjson.Value(row.raw).Text(), row.why)
		})
	}
	require.Equal(t, "\"a\uFFFD\"", string(rawjson.Quote("a\xff")), "JSON cannot carry bytes that are no UTF-8")
	require.Equal(t, `"<&>é"`, string(rawjson.Quote("<&>é")), "no more escapes than JSON demands")
}
