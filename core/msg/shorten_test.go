package msg_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/msg"
)

func TestShorten(t *testing.T) {
	for _, row := range []struct {
		why, text string
		n         int
		want      string
	}{
		{"an empty text has nothing to cut", "", 3, ""},
		{"an empty text with room for nothing", "", 0, ""},
		{"shorter than the limit", "ab", 3, "ab"},
		{"exactly the limit", "abc", 3, "abc"},
		{"one code point over the limit", "abcd", 3, "abc…"},
		{"code points count, not bytes: three, nine bytes", "世界人", 3, "世界人"},
		{"no cut inside a code point of three bytes", "世界人民", 2, "世界…"},
		{"no cut inside a code point of four bytes", "a🙂b", 2, "a🙂…"},
		{"a combining mark is a code point of its own", "e\u0301x", 1, "e…"},
		{"each byte of invalid UTF-8 counts as one", "\xff\xfe\xfd", 2, "\xff\xfe…"},
		{"invalid UTF-8 within the limit is kept", "a\xffb", 3, "a\xffb"},
		{"a code point that is cut short in the input", "ab\xe4\xb8", 3, "ab\xe4…"},
		{"a limit of zero keeps nothing", "a", 0, "…"},
		{"a negative limit keeps nothing", "a", -5, "…"},
	} {
		require.Equal(t, row.want, msg.Shorten(row.text, row.n), row.why)
	}
}

func TestShortenKeepsTheFirstCodePoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()),
			func(b []byte) string { return string(b) })).Draw(t, "text")
		n := rapid.IntRange(0, 20).Draw(t, "n")
		short := msg.Shorten(text, n)
		if utf8.RuneCountInString(text) <= n {
			require.Equal(t, text, short)
			return
		}
		kept, marked := strings.CutSuffix(short, "…")
		require.True(t, marked)
		require.True(t, strings.HasPrefix(text, kept))
		require.Equal(t, n, utf8.RuneCountInString(kept))
		require.True(t, utf8.ValidString(short) || !utf8.ValidString(text))
	})
}
